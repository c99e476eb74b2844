import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { openClientFolder } from '../../support/client-folder';

jest.setTimeout(60_000);

/** Root can write to any file. Without these two capabilities, file modes also apply to root. */
const AS_USER =
	process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

test.each([1, 4])(
	'loses no brief when no file can be larger than %i KiB, and the next run continues',
	async (kib) => {
		const folder = await openClientFolder(4);
		const via = ['bash', '-c', `ulimit -f ${kib}; exec "$@"`, 'bash'];
		const { code, out, err } = await folder.run('run products.csv', { via });
		expect(code).not.toBe(0);
		expect(out + err).toMatch(/Cannot read or write briefs\/[\w./-]+ \(EFBIG\)\./);
		expect(out + err).not.toMatch(/\n\s+at /);
		expect(folder.findFaults({ isUnfinished: true })).toEqual([]);
		expect(await folder.getCodeAndBriefs('run products.csv')).toEqual([0, 4]);
		expect(folder.findFaults()).toEqual([]);
	},
);

test('orders nothing in a folder that can only be read, and suggests no other --out', async () => {
	const folder = await openClientFolder(1);
	mkdirSync(folder.resolve('briefs'));
	chmodSync(folder.resolve('briefs'), 0o500);
	const { code, out, err } = await folder.run('run products.csv', { via: AS_USER });
	expect([code, folder.sandbox.createdCount()]).toEqual([2, 0]);
	expect(err).toContain('briefs');
	expect(out + err).not.toMatch(/--out|\n\s+at /);
});

test('ends with 2 at once when a pipe or a folder is in place of a file', async () => {
	const folder = await openClientFolder(1);
	execFileSync('mkfifo', ['pipe.csv'], { cwd: folder.path });
	expect(await folder.getCodeAndBriefs('run pipe.csv')).toEqual([2, 0]);
	for (const name of ['.lock', 'journal.jsonl']) {
		mkdirSync(folder.resolve(`${name}-out`));
		execFileSync('mkfifo', [`${name}-out/${name}`], { cwd: folder.path });
		const args = `run products.csv --out ${name}-out`;
		expect([name, ...(await folder.getCodeAndBriefs(args))]).toEqual([name, 2, 0]);
	}
});

test('names the line of a damaged journal, and every command ends with 2', async () => {
	const folder = await openClientFolder(2);
	await folder.run('run products.csv --max 1');
	const lines = folder.read('briefs/journal.jsonl').split('\n');
	folder.write('briefs/journal.jsonl', [lines[0], 'damaged', ...lines.slice(2)].join('\n'));
	for (const command of ['run products.csv', 'status']) {
		const { code, err } = await folder.run(command);
		expect([command, code, err]).toEqual([command, 2, expect.stringContaining('line 2')]);
	}
	expect(folder.sandbox.createdCount()).toBe(1);
});

test('new files follow the umask, and a file that is replaced keeps its mode', async () => {
	const folder = await openClientFolder(2);
	const via = ['sh', '-c', 'umask 027; exec "$@"', 'sh'];
	await folder.run('run products.csv --max 1', { via });
	const getMode = (name: string) => (statSync(folder.resolve(name)).mode & 0o777).toString(8);
	const [file = ''] = readdirSync(folder.resolve('briefs/results'));
	const files = ['journal.jsonl', 'results.csv', 'report.html', `results/${file}`];
	const getModes = () => files.map((name) => getMode(`briefs/${name}`));
	expect(getModes()).toEqual(['640', '640', '640', '640']);
	expect([getMode('briefs'), getMode('briefs/results')]).toEqual(['750', '750']);
	for (const name of files) chmodSync(folder.resolve(`briefs/${name}`), 0o664);
	await folder.run('run products.csv', { via });
	expect(getModes()).toEqual(['664', '664', '664', '664']);
});

test('a CSV that the run would overwrite is refused, also through a link', async () => {
	const folder = await openClientFolder(1);
	folder.write('results.csv', folder.read('products.csv'));
	symlinkSync('results.csv', folder.resolve('list.csv'));
	for (const command of ['run results.csv', 'run ./list.csv', 'plan list.csv']) {
		const { code, err } = await folder.run(`${command} --out .`);
		expect([command, code, err]).toEqual([command, 2, expect.stringContaining('./results.csv')]);
	}
	expect(folder.read('results.csv')).toBe(folder.read('products.csv'));
	expect(folder.sandbox.createdCount()).toBe(0);
});

test('ends with 5 and the path of the folder that was moved away during the run', async () => {
	const folder = await openClientFolder(3, { speed: 100 });
	const running = folder.start('run products.csv --out acme/briefs');
	await running.waitForOutput(/row 2 +ordered/);
	renameSync(folder.resolve('acme'), folder.resolve('moved'));
	const { code, out, err } = await running.ended;
	expect([code, out + err]).toEqual([5, expect.stringContaining('write acme/briefs (ENOENT).')]);
	expect(folder.exists('acme')).toBe(false);
	renameSync(folder.resolve('moved'), folder.resolve('acme'));
	const next = 'run products.csv --out acme/briefs';
	expect(await folder.getCodeAndBriefs(next)).toEqual([0, 3]);
});
