import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getNodePackage, makeNpmEnvironment } from '../../harness/install/node-runtime';
import { repositoryRoot } from '../../harness/paths';

jest.setTimeout(600_000);

const exec = promisify(execFile);
const npm = (args: string[], cwd = repositoryRoot) => exec('npm', args, { cwd });
const packages = join(repositoryRoot, '.cache/packages');

/** Installs packages in a folder of .cache, and returns its node_modules. */
async function installTools(name: string, wanted: string[]): Promise<string> {
	const folder = join(repositoryRoot, '.cache', name);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{ "private": true }');
	await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], folder);
	return join(folder, 'node_modules');
}

describe('the tarballs of npm run packages', () => {
	beforeAll(async () => {
		await npm(['run', 'packages']);
	});

	test('are refused when the tag is not the version', async () => {
		await expect(npm(['run', 'packages', '--', '--tag', 'v0.0.0'])).rejects.toMatchObject({
			stderr: expect.stringContaining('Not packed: the tag is v0.0.0') as string,
		});
	});

	test('contain the program, the README and the licence of brief-batch, and no source', async () => {
		const name = readdirSync(packages).find((file) => file.startsWith('creator-briefing-batch-'))!;
		const { stdout } = await exec('tar', ['-tzf', join(packages, name)]);
		const files = stdout.trim().split('\n');
		for (const file of ['README.md', 'LICENSE', 'package.json', 'dist/batch/main.js'])
			expect(files).toContain(`package/${file}`);
		expect(files.filter((file) => /(?<!\.d)\.ts$|\.env$|node_modules/.test(file))).toEqual([]);
	});

	// The oldest Node that package.json allows, and the newest of each maintained version.
	test.each(['20.12.0', '20', '22', '24'])(
		'install and work in an empty folder on Node %s',
		async (version) => {
			const alias = `node${version}`;
			const wanted = `${alias}@npm:${getNodePackage()}@${version}`;
			const bin = join(await installTools(`nodes/${version}`, [wanted]), alias, 'bin');
			const tsx = join(repositoryRoot, 'node_modules/tsx/dist/cli.mjs');
			const args = [tsx, join(repositoryRoot, 'scripts/try-packages.ts')];
			const { stdout } = await exec(join(bin, 'node'), args, { env: makeNpmEnvironment(bin) });
			expect(stdout).toContain('✓ the report shows the briefs');
		},
	);

	test('are accepted by npm without a warning', async () => {
		const names = readdirSync(packages);
		expect(names).toHaveLength(2);
		for (const name of names) {
			const { stdout, stderr } = await npm(['publish', '--dry-run', join(packages, name)]);
			expect(stdout).toContain(`+ ${name.replace(/-(\d+\.\d+\.\d+)\.tgz$/, '@$1')}`);
			expect(stderr).not.toMatch(/auto-corrected|errors corrected/);
		}
	});
});

test('n8n-node lint in strict mode finds nothing in the sources', async () => {
	const tools = await installTools('n8n-node-cli', ['@n8n/node-cli@0.48.3']);
	const copy = mkdtempSync(join(tmpdir(), 'strict-'));
	for (const name of ['nodes', 'credentials', 'core', 'tsconfig.json'])
		cpSync(join(repositoryRoot, name), join(copy, name), { recursive: true });
	const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
		n8n: object;
	};
	const strict = { ...manifest, workspaces: undefined, n8n: { ...manifest.n8n, strict: true } };
	writeFileSync(join(copy, 'package.json'), JSON.stringify(strict, null, '\t'));
	const config = '@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs';
	cpSync(join(tools, config), join(copy, 'eslint.config.mjs'));
	symlinkSync(tools, join(copy, 'node_modules'));
	// n8n's rules differ under jest's NODE_ENV, which is test.
	const env = { ...process.env, NODE_ENV: 'production' };
	const lint = exec(join(copy, 'node_modules/.bin/n8n-node'), ['lint'], { cwd: copy, env });
	const problems = await lint.then(
		() => '',
		(error: unknown) => (error as { stdout: string }).stdout,
	);
	rmSync(copy, { recursive: true });
	expect(problems).toBe('');
});
