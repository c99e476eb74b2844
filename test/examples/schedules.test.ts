import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { CommandShell } from '../support/shell/command-shell';

jest.setTimeout(120_000);

const folder = resolve(__dirname, '../../examples/schedules');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const findInFile = (name: string, pattern: RegExp) => pattern.exec(read(name))?.[1] ?? '';

let shell: CommandShell;
beforeEach(async () => (shell = await CommandShell.open()));
afterEach(() => shell.close());

/** Runs a script twice: the first run orders the briefs, and the second has nothing to do. */
async function expectTwoRuns(script: string, cwd: string, results: string): Promise<void> {
	for (const name of ['first', 'second']) {
		const { code, text, runs } = await shell.run(script, cwd);
		expect({ name, code, text: code === 0 ? '' : text }).toEqual({ name, code: 0, text: '' });
		expect(runs).toHaveLength(1);
	}
	expect(shell.read(results).match(/,ready,/g)).toHaveLength(2);
	expect(shell.sandbox.createdCount()).toBe(2);
}

test('crontab, systemd service and image run one command in the folder of a client', async () => {
	const [acme = '', ...others] = (read('crontab').match(/^\d.*$/gm) ?? []).map((entry) =>
		entry.split(' ').slice(5).join(' '),
	);
	expect(others).toEqual([acme.replace('acme', 'bolt')]);
	const unit = 'brief-batch@.service';
	const workingFolder = findInFile(unit, /^WorkingDirectory=(.*)$/m);
	const command = findInFile(unit, /^ExecStart=\/usr\/local\/bin\/(.*)$/m);
	expect(acme).toBe(`cd ${workingFolder.replace('%i', 'acme')} && ${command}`);
	expect(findInFile(unit, /^ReadWritePaths=(.*)$/m)).toBe(workingFolder);
	const readWords = (name: string) =>
		JSON.parse(findInFile('Dockerfile', new RegExp(`^${name} (\\[.*\\])$`, 'm'))) as string[];
	expect([...readWords('ENTRYPOINT'), ...readWords('CMD')].join(' ')).toBe(command);
	expect(findInFile('Dockerfile', /^USER (.*)$/m)).toBe('node');
	expect(findInFile('Dockerfile', /^#.*--volume \S+:(\S+)/m)).toBe(
		findInFile('Dockerfile', /^WORKDIR (.*)$/m),
	);
	await expectTwoRuns(acme, '/', 'srv/briefs/acme/briefs/results.csv');
});

test('the container of the CronJob runs with the CSV of the config map and keeps the folder of the image', async () => {
	interface CronJob {
		spec: { jobTemplate: { spec: { template: { spec: { containers: Container[] } } } } };
	}
	interface Container {
		args: string[];
		image: string;
		volumeMounts: Array<{ name: string; mountPath: string }>;
	}
	const documents = parseAllDocuments(read('cronjob.yaml')).map(
		(document) => document.toJS() as unknown,
	);
	const [container] = (documents[1] as CronJob).spec.jobTemplate.spec.template.spec.containers;
	const { args = [], volumeMounts = [] } = container ?? {};
	const mounted = new Map(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
	expect(mounted.get('briefs')).toBe(findInFile('Dockerfile', /^WORKDIR (.*)$/m));
	// The config map has the CSV, the folder of the image everything else.
	const command = `brief-batch ${args.join(' ')}`.replace(
		`${mounted.get('input') ?? ''}/`,
		'/srv/briefs/acme/',
	);
	shell.write('srv/volume/.keep', '');
	await expectTwoRuns(command, '/srv/volume', 'srv/volume/briefs/results.csv');
});

test('the workflow on GitHub keeps the folder in its branch, with any exit code of the run', async () => {
	interface Step {
		name?: string;
		run?: string;
	}
	const workflow = parse(read('github-actions.yml')) as { jobs: { run: { steps: Step[] } } };
	const findStep = (name: string) =>
		workflow.jobs.run.steps.find((step) => step.name?.startsWith(name))?.run ?? '';
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
			cwd: shell.folder,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
	git('init', '--quiet', '--bare', 'origin.git');
	git('init', '--quiet', 'kept');
	git('-C', 'kept', 'remote', 'add', 'origin', join(shell.folder, 'origin.git'));
	git('-C', 'kept', 'commit', '--quiet', '--allow-empty', '--message', 'Briefs of Acme');
	shell.write('acme/products.csv', shell.read('products.csv'));

	await expectTwoRuns(findStep('Run'), '.', 'kept/briefs/results.csv');
	shell.write('kept/briefs/.lock', '{}');
	for (const number of ['1', '2']) {
		const env = { GITHUB_RUN_NUMBER: number };
		const { code, text } = await shell.run(findStep('Keep the folder'), '.', env);
		expect({ code, text }).toEqual({ code: 0, text: '' });
	}
	const kept = git('-C', 'origin.git', 'ls-tree', '-r', '--name-only', 'briefs-acme').split('\n');
	expect(kept).toEqual(expect.arrayContaining(['briefs/journal.jsonl', 'briefs/results.csv']));
	expect(kept).not.toContain('briefs/.lock');
	expect(git('-C', 'origin.git', 'log', '--format=%s', 'briefs-acme').trim().split('\n')).toEqual([
		'Briefs of run 1',
		'Briefs of Acme',
	]);
});

test('the schedules install the version of this repository', () => {
	const manifest = readFileSync(resolve(folder, '../../batch/package.json'), 'utf8');
	const { name, version } = JSON.parse(manifest) as { name: string; version: string };
	expect(findInFile('Dockerfile', /^ARG VERSION=(.*)$/m)).toBe(version);
	expect(read('Dockerfile')).toContain(`npm install --global ${name}@$VERSION`);
	expect(findInFile('cronjob.yaml', /image: brief-batch:(.*)$/m)).toBe(version);
	expect(read('github-actions.yml')).toContain(`npm install --global ${name}@${version}`);
});
