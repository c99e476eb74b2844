import { execFile } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../harness/paths';

jest.setTimeout(600_000);

const exec = promisify(execFile);
const npm = (args: string[], cwd = repositoryRoot) => exec('npm', args, { cwd });
const packages = join(repositoryRoot, '.cache/packages');

describe('what the publishing workflow does', () => {
	beforeAll(async () => {
		await npm(['run', 'packages']);
	});

	test('a tag that is not the version is refused', async () => {
		await expect(npm(['run', 'packages', '--', '--tag', 'v0.0.0'])).rejects.toMatchObject({
			stderr: expect.stringContaining('Not packed: the tag is v0.0.0') as string,
		});
	});

	test('both tarballs can be installed in an empty folder and used', async () => {
		const { stdout } = await npm(['exec', '--', 'tsx', 'scripts/try-packages.ts']);
		expect(stdout.match(/^✓ .*$/gm)).toEqual([
			'✓ brief-batch starts',
			'✓ both rows are ready',
			'✓ a second run pays for nothing',
			'✓ the report shows the briefs',
			'✓ n8n can load 4 files of the package',
		]);
	});

	test('npm would publish both, and warns of nothing in them', async () => {
		const names = readdirSync(packages);
		expect(names).toHaveLength(2);
		for (const name of names) {
			const { stdout, stderr } = await npm(['publish', '--dry-run', join(packages, name)]);
			expect(stdout).toContain(`+ ${name.replace(/-(\d+\.\d+\.\d+)\.tgz$/, '@$1')}`);
			expect(stderr).not.toMatch(/auto-corrected|errors corrected/);
		}
	});
});

describe('n8n-node lint', () => {
	const VERSION = '0.48.3';
	const tools = join(repositoryRoot, '.cache/n8n-node-cli');
	let copy: string;

	beforeAll(async () => {
		mkdirSync(tools, { recursive: true });
		writeFileSync(join(tools, 'package.json'), '{ "private": true }');
		await npm(['install', '--ignore-scripts', `@n8n/node-cli@${VERSION}`], tools);
		copy = mkdtempSync(join(tmpdir(), 'strict-'));
	});

	afterAll(() => {
		rmSync(copy, { recursive: true, force: true });
	});

	test('passes in strict mode, with its own configuration beside our sources', async () => {
		const sources = ['nodes', 'credentials', 'core', 'tsconfig.json'];
		for (const name of sources) {
			cpSync(join(repositoryRoot, name), join(copy, name), { recursive: true });
		}
		const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
			n8n: object;
		};
		const strict = { ...manifest, workspaces: undefined, n8n: { ...manifest.n8n, strict: true } };
		writeFileSync(join(copy, 'package.json'), JSON.stringify(strict, null, '\t'));
		const own = 'dist/template/templates/shared/default/eslint.config.mjs';
		cpSync(join(tools, 'node_modules/@n8n/node-cli', own), join(copy, 'eslint.config.mjs'));
		symlinkSync(join(tools, 'node_modules'), join(copy, 'node_modules'));
		// Under jest's NODE_ENV, test, n8n's rules do otherwise.
		const env = { ...process.env, NODE_ENV: 'production' };
		const lint = exec(join(copy, 'node_modules/.bin/n8n-node'), ['lint'], { cwd: copy, env });
		const complaint = await lint.then(
			() => '',
			(thrown: unknown) => (thrown as { stdout: string }).stdout,
		);
		expect(complaint).toBe('');
	});
});
