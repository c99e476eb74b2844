import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installedNode } from '../harness/install/node-runtime';

/** Everything is measured on the Node that people have, which is not the one that runs the benchmarks. */
export const NODE = installedNode();

/** Loaded with `node -r`, it writes what the process used when it ends into the file that USAGE_FILE names. */
const NOTE_USAGE = resolve(__dirname, 'note-usage.js');

export function nodeVersion(): string {
	return execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
}

/** Does something in a new folder, which is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-'));
	try {
		return await work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Runs a script in its own Node process, and insists on its exit code. */
export async function runNode(
	args: string[],
	env: Record<string, string>,
	cwd: string,
	exitCode = 0,
): Promise<void> {
	const child = spawn(NODE, args, {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
	const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
	if (code !== exitCode) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${errors}`);
}

export interface Usage {
	megabytes: number;
	cpuSeconds: number;
}

/** What such a process uses, from its start to its end. CPU time, because it is nearly free of what else runs. */
export async function usageOf(
	args: string[],
	env: Record<string, string>,
	folder: string,
	exitCode = 0,
): Promise<Usage> {
	const file = join(folder, 'usage.json');
	await runNode(['-r', NOTE_USAGE, ...args], { ...env, USAGE_FILE: file }, folder, exitCode);
	return JSON.parse(readFileSync(file, 'utf8')) as Usage;
}
