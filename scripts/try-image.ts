import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installIntoUserFolder } from '../harness/install/community-package';
import { start, rows } from '../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../harness/workflows/package-nodes';
import { chain } from '../harness/workflows/workflow';
import { startSandbox } from '../sandbox/sandbox';

/**
 * `npm run try-image -- 2.41.1`: n8n's official image of that tag, with the tarball of .cache/packages in the folder that
 * is mounted as its ~/.n8n, runs a workflow on the sandbox. It needs Docker on Linux, where a container can share the
 * network of this machine.
 */
const packages = resolve(__dirname, '../.cache/packages');
const IMAGE = 'docker.n8n.io/n8nio/n8n';
const HOME = '/home/node/.n8n';
const SETTINGS = {
	// From n8n 3 on, only verified packages are loaded without it.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_ENCRYPTION_KEY: 'only-for-tests-on-this-machine',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
};

async function main(tag = 'latest'): Promise<void> {
	const sandbox = await startSandbox({ speed: 1000, seed: 'image', failureShare: 0 });
	const userFolder = await mkdtemp(join(tmpdir(), 'image-'));
	const folder = join(userFolder, '.n8n');
	try {
		const file = (await readdir(packages)).find((name) => name.startsWith('n8n-nodes-'));
		if (file === undefined) throw new Error('There are no tarballs: npm run packages makes them.');
		const [, name = '', version = ''] = /^(.+)-(\d+\.\d+\.\d+)\.tgz$/.exec(file) ?? [];
		await installIntoUserFolder({ name, version, tarball: join(packages, file) }, userFolder);
		const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
		const credential = { id: 'credential', name: 'Sandbox', type: CREDENTIAL_TYPE, data };
		const nodes = new PackageNodes(credential, 0.05);
		const create = nodes.create({ waitUntilReady: true });
		const flow = {
			id: 'workflow',
			...chain('One brief', [start, rows([{ name: 'Lamp' }]), create]),
		};
		await writeFile(join(folder, 'credentials.json'), JSON.stringify([credential]));
		await writeFile(join(folder, 'workflows.json'), JSON.stringify([flow]));
		// The image's user has another number than this one.
		await allowAll(folder);
		const n8n = (...args: string[]) => inImage(tag, folder, args);
		await n8n('import:credentials', `--input=${HOME}/credentials.json`);
		await n8n('import:workflow', `--input=${HOME}/workflows.json`);
		const output = await n8n('execute', '--id=workflow');
		const isReady = /"status":\s*"ready"/.test(output) && sandbox.createdCount() === 1;
		if (!isReady) throw new Error(`No brief became ready:\n${output}`);
		console.log(`✓ n8n ${tag} loads the nodes, and a brief became ready`);
	} finally {
		await sandbox.close();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function allowAll(folder: string): Promise<void> {
	const entries = await readdir(folder, { recursive: true });
	for (const path of [folder, ...entries.map((entry) => join(folder, entry))])
		await chmod(path, 0o777);
}

/** Runs a command of n8n in the image, and gives what it prints. */
async function inImage(tag: string, folder: string, args: string[]): Promise<string> {
	const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
	const options = ['--rm', '--network', 'host', '-v', `${folder}:${HOME}`, ...settings];
	const child = spawn('docker', ['run', ...options, `${IMAGE}:${tag}`, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	const code = await new Promise((done, fail) => child.on('close', done).on('error', fail));
	if (code === 0) return output;
	throw new Error(`n8n ${args.join(' ')} ended with ${String(code)}:\n${output}`);
}

main(process.argv[2]).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
