import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import type { InstalledN8n, N8nCommand } from './install-n8n';

/**
 * Returns the n8n of a container image: n8n 3 is published only as an image. Its container shares the network of this machine,
 * for the sandbox, and the temporary folder, for n8n's own folder and the certificate of the stand-ins.
 */
export function useImage(image: string): InstalledN8n {
	const version = docker('run', '--rm', image, '--version').trim();
	return { version, makeCommand: (command, settings) => runImage(image, command, settings) };
}

function runImage(
	image: string,
	command: string,
	settings: Readonly<Record<string, string>>,
): N8nCommand {
	const name = `n8n-${randomUUID()}`;
	const { uid, gid } = userInfo();
	const args = [
		...['run', '--rm', '--init', '--name', name, '--network', 'host'],
		...['--user', `${uid}:${gid}`, '--volume', `${tmpdir()}:${tmpdir()}`],
		// Without a value, Docker takes that of its own environment, so that no value is in the process list.
		...Object.keys(settings).flatMap((variable) => ['--env', variable]),
		...[image, command],
	];
	// A container outlives the process that started it.
	const kill = () => void spawnSync('docker', ['rm', '--force', name]);
	return { program: 'docker', args, binDir: null, kill };
}

function docker(...args: string[]): string {
	return execFileSync('docker', args, { encoding: 'utf8' });
}
