import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../harness/paths';
import { FAST_TIME_ARGS, startFastSandbox } from '../test/support/fast-clock/fast-sandbox';

/**
 * `npx tsx scripts/try-packages.ts`: installs the tarball of brief-batch in an empty folder, and uses it on the sandbox as
 * its README describes, on the Node that runs this script. (`npm run test:n8n` installs the tarball of the nodes.)
 */
async function main(): Promise<void> {
	console.log(`Node ${process.version} on ${process.platform}`);
	const folder = mkdtempSync(join(tmpdir(), 'packages-'));
	const fast = { speed: 500, seed: 'packages', failureShare: 0 };
	const { sandbox, clock } = await startFastSandbox(fast);
	const briefBatch = (...args: string[]) =>
		npm(folder, ['exec', '--offline', '--', 'brief-batch', ...args], {
			...clock.env,
			NODE_OPTIONS: FAST_TIME_ARGS.join(' '),
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
		});
	try {
		writeFileSync(join(folder, 'package.json'), '{ "private": true }');
		writeFileSync(join(folder, 'products.csv'), 'Product Name\r\nGlow Serum\r\nBottle 1 L\r\n');
		await npm(folder, ['install', '--no-audit', '--no-fund', findTarball()]);
		check(/^\d+\.\d+\.\d+\s*$/.test(await briefBatch('--version')), 'brief-batch starts');
		check(/accepts the API key/.test(await briefBatch('doctor')), 'doctor accepts the API key');
		await briefBatch('plan', 'products.csv');
		await briefBatch('run', 'products.csv', '--yes');
		check(/2 ready/.test(await briefBatch('status')), 'both rows are ready');
		await briefBatch('run', 'products.csv');
		check(sandbox.createdCount() === 2, 'a second run pays for nothing');
		const report = readFileSync(join(folder, 'briefs', 'report.html'), 'utf8');
		check(report.includes('Glow Serum'), 'the report shows the briefs');
	} finally {
		await sandbox.close();
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

function findTarball(): string {
	const packages = join(repositoryRoot, '.cache', 'packages');
	const name = readdirSync(packages).find((file) => file.startsWith('creator-briefing-batch-'));
	if (name === undefined) throw new Error('There is no tarball. Run this first: npm run packages');
	return join(packages, name);
}

/** Runs npm, and returns its output. npm is a script here, because Windows starts no npm.cmd without a shell. */
async function npm(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
	const script = process.env.npm_execpath;
	if (script === undefined)
		throw new Error('Start this script with: npx tsx scripts/try-packages.ts');
	const options = { cwd, env: { ...process.env, ...env } };
	return (await promisify(execFile)(process.execPath, [script, ...args], options)).stdout;
}

function check(isRight: boolean, claim: string): void {
	if (!isRight) throw new Error(`Not so: ${claim}`);
	console.log(`✓ ${claim}`);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
