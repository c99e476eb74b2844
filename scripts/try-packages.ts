import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { IN_FAST_TIME, startFastSandbox } from '../test/support/fast-clock/fast-sandbox';

/**
 * `npx tsx scripts/try-packages.ts`: installs each tarball of .cache/packages in an empty folder, as a stranger would, and uses it:
 * brief-batch on the sandbox, the nodes by loading what n8n would load. It runs on this machine's Node, on every system.
 */
const packages = resolve(__dirname, '../.cache/packages');
const tarball = (start: string) => {
	const name = readdirSync(packages).find((file) => file.startsWith(start));
	if (name === undefined) throw new Error('There are no tarballs: npm run packages makes them.');
	return join(packages, name);
};

/** Runs npm and gives what it prints. */
async function npm(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
	const script = process.env.npm_execpath;
	if (script === undefined) throw new Error('Start it with: npx tsx scripts/try-packages.ts');
	const child = spawn(process.execPath, [script, ...args], {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let out = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
	const code = await new Promise<number | null>((done) => child.on('close', done));
	if (code === 0) return out;
	throw new Error(`npm ${args.join(' ')} ended with ${String(code)}:\n${out}`);
}

async function inEmptyFolder(work: (folder: string) => Promise<void>): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'packages-'));
	try {
		writeFileSync(join(folder, 'package.json'), '{ "private": true }');
		await work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

function check(is: boolean, what: string): void {
	if (!is) throw new Error(`It is not so that ${what}.`);
	console.log(`✓ ${what}`);
}

async function tryBatch(folder: string): Promise<void> {
	await npm(folder, ['install', '--no-audit', '--no-fund', tarball('creator-briefing-batch-')]);
	const fast = { speed: 500, seed: 'packages', failureShare: 0 };
	const { sandbox, clock } = await startFastSandbox(fast);
	const env = {
		...clock.env,
		NODE_OPTIONS: IN_FAST_TIME.join(' '),
		CREATOR_BRIEFING_BASE_URL: sandbox.url,
		CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
	};
	const briefBatch = (...args: string[]) =>
		npm(folder, ['exec', '--offline', '--', 'brief-batch', ...args], env);
	try {
		writeFileSync(join(folder, 'products.csv'), 'Product Name\r\nGlow Serum\r\nBottle 1 L\r\n');
		check(/^\d+\.\d+\.\d+\s*$/.test(await briefBatch('--version')), 'brief-batch starts');
		await briefBatch('plan', 'products.csv');
		await briefBatch('run', 'products.csv');
		const results = () => readFileSync(join(folder, 'briefs/results.csv'), 'utf8');
		check((results().match(/,ready,/g) ?? []).length === 2, 'both rows are ready');
		await briefBatch('run', 'products.csv');
		check(sandbox.createdCount() === 2, 'a second run pays for nothing');
		await briefBatch('report');
		const report = readFileSync(join(folder, 'briefs/report.html'), 'utf8');
		check(report.includes('Glow Serum'), 'the report shows the briefs');
	} finally {
		await sandbox.close();
	}
}

/** n8n brings n8n-workflow, so that it is taken from this repository. */
async function tryNodes(folder: string): Promise<void> {
	const options = ['--no-audit', '--no-fund', '--legacy-peer-deps'];
	await npm(folder, ['install', ...options, tarball('n8n-nodes-creator-briefing-')]);
	const installed = join(folder, 'node_modules/n8n-nodes-creator-briefing');
	const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const load = 'for (const file of process.argv.slice(1)) require(file)';
	const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	const child = spawn(
		process.execPath,
		['-e', load, ...files.map((file) => join(installed, file))],
		{
			cwd: folder,
			env: { ...process.env, NODE_PATH: resolve(__dirname, '../node_modules') },
			stdio: ['ignore', 'inherit', 'inherit'],
		},
	);
	const code = await new Promise<number | null>((done) => child.on('close', done));
	check(code === 0, `n8n can load ${files.length} files of the package`);
}

/** Which packages to try: both, unless one is named. */
async function main(which: string | undefined): Promise<void> {
	console.log(`Node ${process.version} on ${process.platform}`);
	if (which !== 'nodes') await inEmptyFolder(tryBatch);
	if (which !== 'batch') await inEmptyFolder(tryNodes);
}

main(process.argv[2]).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
