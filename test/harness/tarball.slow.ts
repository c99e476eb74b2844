import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { nodePackage } from '../../harness/install/node-runtime';
import { npmEnvironment } from '../../harness/install/npm-environment';
import { repositoryRoot } from '../../harness/paths';
import { runCommand } from '../../harness/process/run-command';
import type { Sandbox } from '../../sandbox/sandbox';
import { IN_FAST_TIME, startFastSandbox, type FastClock } from '../support/fast-clock/fast-sandbox';

/** The oldest that package.json allows, and the newest of the others that are maintained. */
const NODES = { '20': '20.12.0', '22': '22', '24': '24' };
/** They stay for the next time: together they have half a gigabyte. */
const nodesFolder = join(repositoryRoot, '.cache', 'nodes');
const INSTALLING_MS = 10 * 60_000;

const stranger = mkdtempSync(join(tmpdir(), 'stranger-'));
let sandbox: Sandbox;
let clock: FastClock;

const node = { bin: process.execPath, binDir: dirname(process.execPath), version: '' };
const environment = npmEnvironment(node);

function npm(...args: string[]): Promise<string> {
	const options = { cwd: stranger, env: environment, timeoutMs: INSTALLING_MS };
	return runCommand('npm', [...args, '--no-audit', '--no-fund', '--silent'], options);
}

/** As a stranger would start it, on a Node.js of their own. */
function npx(name: string, major: string, ...args: string[]): Promise<string> {
	const binDir = join(nodesFolder, 'node_modules', `node${major}`, 'bin');
	const env = {
		...environment,
		PATH: binDir + delimiter + (environment.PATH ?? ''),
		// It is there: nothing is to be fetched from a registry.
		npm_config_yes: 'false',
		...clock.env,
		NODE_OPTIONS: IN_FAST_TIME.join(' '),
		CREATOR_BRIEFING_BASE_URL: sandbox.url,
		CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
	};
	return runCommand('npx', [name, ...args], { cwd: stranger, env, timeoutMs: 60_000 });
}

beforeAll(async () => {
	const fast = { speed: 500, failureShare: 0, requestsPerMinute: 0 };
	({ sandbox, clock } = await startFastSandbox(fast));
	mkdirSync(nodesFolder, { recursive: true });
	const wanted = Object.entries(NODES).map(
		([major, version]) => `node${major}@npm:${nodePackage()}@${version}`,
	);
	await npm('install', '--prefix', nodesFolder, ...wanted);
	const folder = join(repositoryRoot, 'batch');
	await npm('pack', folder, '--pack-destination', stranger);
	const [tarball = ''] = readdirSync(stranger);
	await npm('install', join(stranger, tarball));
}, INSTALLING_MS);

afterAll(async () => {
	await sandbox.close();
	rmSync(stranger, { recursive: true, force: true });
});

describe.each(Object.keys(NODES))(
	'The packed brief-batch in an empty folder, on Node.js %s',
	(major) => {
		it('is found by npx under the name of the package, and under its own', async () => {
			const manifest = readFileSync(join(repositoryRoot, 'batch', 'package.json'), 'utf8');
			const { version } = JSON.parse(manifest) as { version: string };
			expect(await npx('creator-briefing-batch', major, '--version')).toBe(`${version}\n`);
			expect(await npx('brief-batch', major, '--version')).toBe(`${version}\n`);
		});

		it('goes the whole way of its README: doctor, plan, run, status, report', async () => {
			// The other versions have other products, because their briefs would be reused.
			const csv = `products-${major}.csv`;
			writeFileSync(join(stranger, csv), `Product Name\nLamp ${major}\nMug ${major}\n`);
			const name = 'creator-briefing-batch';
			const out = ['--out', `briefs-${major}`];
			expect(await npx(name, major, 'doctor', ...out)).toMatch(
				/^ok +service .* accepts the API key\nok +scopes/,
			);
			expect(await npx(name, major, 'plan', csv, ...out)).toContain('Nothing was');
			await npx(name, major, 'run', csv, ...out);
			expect(await npx(name, major, 'status', ...out)).toMatch(/2 ready/);
			await npx(name, major, 'report', ...out);
			const report = readFileSync(join(stranger, `briefs-${major}`, 'report.html'), 'utf8');
			expect(report).toContain(`Mug ${major}`);
		});
	},
);

it('The packed brief-batch holds its program, its README and its licence, and no source', async () => {
	const packed = await npm('pack', join(repositoryRoot, 'batch'), '--dry-run', '--json');
	const [{ files }] = JSON.parse(packed) as [{ files: Array<{ path: string }> }];
	const names = files.map(({ path }) => path);
	for (const name of ['README.md', 'LICENSE', 'package.json', 'dist/batch/main.js'])
		expect(names).toContain(name);
	expect(names.filter((name) => /(?<!\.d)\.ts$|\.env$|node_modules/.test(name))).toEqual([]);
});
