import { execFileSync, spawnSync } from 'node:child_process';
import {
	promises as fs,
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AS_ANYBODY, deskOf, JOURNAL, products, type Desk } from '../../support/batch/brief-batch';
import type { Ended } from '../../support/started';
import { isTorture } from '../../support/long-run';

jest.setTimeout(120_000);

const undo: Array<() => void> = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

/** It stopped, said why and what to do, and no stack trace; with 2 if running again would not cure it. */
function expectStopped({ code, out, err }: Ended, said: RegExp, exitCode = 2): void {
	expect(out + err).toMatch(said);
	expect(out + err).toMatch(/run the same command again/i);
	expect(out + err).not.toMatch(/Unexpected error|\n\s+at /);
	expect(code).toBe(exitCode);
}

async function expectGoesOn(desk: Desk, rows: number): Promise<void> {
	const { code, out, err } = await desk.order();
	expect(out + err).toContain(`${rows} ready`);
	expect(code).toBe(0);
	desk.expectPaid(rows);
	desk.expectOnRecord();
	desk.expectFiles();
}

/** As root on Linux may, if it is in no plain container. */
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

describe('a full disk', () => {
	/** A file system in memory of this many KiB as the folder of --out. */
	function mountSmall(folder: string, kib: number): void {
		mkdirSync(folder);
		execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
		undo.push(() => execFileSync('umount', ['-l', folder]));
	}

	/** Takes all the room there is, to the last byte. */
	function fill(path: string): void {
		spawnSync('bash', ['-c', 'cat /dev/zero > "$1"', 'bash', path]);
		expect(existsSync(path)).toBe(true);
	}

	(canMount ? test : test.skip)(
		'in mid-run stops ordering at once, and the next run goes on if there is room',
		async () => {
			const desk = await deskOf(8, { speed: 300 });
			const out = desk.path('briefs');
			mountSmall(out, 256);
			const running = desk.start('run products.csv');
			await running.prints(/row 3 +ordered/);
			fill(join(out, 'filler'));
			const start = desk.sandbox.requests.length;
			expectStopped(await running.ended, /disk is full[^]*Make room/, 5);
			// What was under way when the disk became full, and what the rest of a block of the journal still took.
			expect(desk.creates(start)).toBeLessThanOrEqual(4);
			desk.expectOnRecord();

			// What the first run let go of when it ended is taken, too.
			fill(join(out, 'more-filler'));
			const before = desk.sandbox.createdCount();
			expectStopped(await desk.start('run products.csv').ended, /full/, 5);
			expect(desk.sandbox.createdCount()).toBe(before);
			desk.expectOnRecord();

			for (const name of ['filler', 'more-filler']) rmSync(join(out, name));
			await expectGoesOn(desk, 8);
		},
	);

	test.each(isTorture ? [1, 2, 3, 4, 5, 6, 8, 10, 13, 20, 40] : [1, 40])(
		'files of at most %i KiB: nothing is ordered that is not on record, and all is paid once later',
		async (kib) => {
			const desk = await deskOf(6);
			const via = ['bash', '-c', `ulimit -f ${kib}; exec "$@"`, 'bash'];
			expectStopped(await desk.start('run products.csv', {}, via).ended, /EFBIG[^]*ulimit -f/);
			desk.expectOnRecord();
			expect(desk.sandbox.createdCount()).toBeLessThanOrEqual(kib < 2 ? 2 : 6);
			await expectGoesOn(desk, 6);
		},
	);
});

describe('a folder that cannot be used', () => {
	test('is refused before anything is ordered if it can only be read', async () => {
		const desk = await deskOf(2);
		mkdirSync(desk.path('briefs'), { mode: 0o555 });
		const ended = await desk.start('run products.csv', {}, AS_ANYBODY).ended;
		expectStopped(ended, /no permission to write .*briefs.* \(EACCES\)/);
		expect(desk.creates()).toBe(0);
		chmodSync(desk.path('briefs'), 0o755);
		await expectGoesOn(desk, 2);
	});

	test('stops a run in progress, and the next run gets what was paid', async () => {
		const desk = await deskOf(6);
		const results = desk.path('briefs/results');
		const running = desk.start('run products.csv', {}, AS_ANYBODY);
		await running.prints(/row 2 +ready/);
		chmodSync(results, 0o555);
		expectStopped(await running.ended, /EACCES/);
		expect(desk.sandbox.createdCount()).toBeLessThan(6);
		desk.expectOnRecord();
		chmodSync(results, 0o755);
		await expectGoesOn(desk, 6);
	});

	/** A run whose folder goes: no further order is sent. */
	async function losing(take: (folder: string) => void): Promise<Desk> {
		const desk = await deskOf(8, { speed: 300 });
		const running = desk.start('run products.csv');
		await running.prints(/row 3 +ordered/);
		const start = desk.sandbox.requests.length;
		take(desk.path('briefs'));
		expectStopped(await running.ended, /is gone/, 5);
		// One may have been on its way when the folder went.
		expect(desk.creates(start)).toBeLessThanOrEqual(1);
		return desk;
	}

	test('that is removed during a run ends the orders', async () => {
		const desk = await losing((folder) => rmSync(folder, { recursive: true }));
		// Without its journal the same rows have the same keys, which the service remembers.
		await expectGoesOn(desk, 8);
	});

	test('that is moved away during a run ends the orders', async () => {
		const desk = await losing((folder) => renameSync(folder, `${folder}-elsewhere`));
		const folder = desk.path('briefs');
		rmSync(folder, { recursive: true, force: true });
		renameSync(`${folder}-elsewhere`, folder);
		desk.expectOnRecord();
		await expectGoesOn(desk, 8);
	});

	test('because a file is in the place of a folder, or a folder in that of a file, is named', async () => {
		const desk = await deskOf(1);
		const expectNamed = async (path: string, said: RegExp) => {
			const { code, out, err } = await desk.order();
			expect([path, code]).toEqual([path, 2]);
			expect(out + err).toMatch(said);
			expect(out + err).not.toMatch(/Unexpected error|\n\s+at /);
		};
		for (const path of ['briefs', 'briefs/results']) {
			mkdirSync(dirname(desk.path(path)), { recursive: true });
			desk.write(path, 'notes');
			await expectNamed(path, /is a file where a folder is needed/);
			expect(desk.read(path)).toBe('notes');
			rmSync(desk.path(path));
		}
		for (const path of [JOURNAL, 'briefs/results.csv', 'briefs/report.html']) {
			mkdirSync(desk.path(path), { recursive: true });
			await expectNamed(path, /EISDIR/);
			rmSync(desk.path(path), { recursive: true });
		}
		await expectGoesOn(desk, 1);
	});

	// Asked for a folder there, as for a name that is too long on Windows, Node's own recursive mkdir never comes back.
	const BELOW_PROC: [string, string, RegExp] = [
		...(['below /proc', '/proc/x/y', /No folder can be made at \/proc\/x/] as const),
	];

	test.each<[string, string, RegExp]>([
		['below a file', 'file/x/y', /is a file where a folder is needed/],
		['behind a link that leads nowhere', 'dangling', /a link that leads nowhere/],
		['behind links that lead in a circle', 'circle/x', /links lead in a circle/],
		['with a name that is too long', 'a'.repeat(300), /too long/],
		...(process.platform === 'linux' ? [BELOW_PROC] : []),
	])('that cannot be made is named: %s', async (_, place, said) => {
		const desk = await deskOf(1);
		desk.write('file', '');
		symlinkSync('nowhere', desk.path('dangling'));
		symlinkSync('circle', desk.path('circle'));
		await desk.expectEnd(`run products.csv --out ${place}`, 2, said, 'hoose another --out');
		expect(desk.creates()).toBe(0);
	});
});

test('a results.csv that another program holds open is written beside it, and every command names that file', async () => {
	const desk = await deskOf(1);
	await desk.order();
	const { rename } = fs;
	const held = jest
		.spyOn(fs, 'rename')
		.mockImplementation((from, to) =>
			/(results\.csv|report\.html)$/.test(String(to))
				? Promise.reject(Object.assign(new Error('EBUSY'), { code: 'EBUSY', syscall: 'rename' }))
				: rename(from, to),
		);
	undo.push(() => held.mockRestore());
	desk.csv('products.csv', products(2));
	const beside = ['\nResults   briefs/results-new.csv\n', '\nReport    briefs/report-new.html\n'];
	await desk.expectEnd('run products.csv', 0, ...beside);
	await desk.expectEnd('status', 0, 'Report: briefs/report-new.html\n');
	const written = 'Written: briefs/results-new.csv and briefs/report-new.html\n';
	await desk.expectEnd('report', 0, written);
	held.mockRestore();
	await desk.expectEnd('run products.csv', 0, '\nResults   briefs/results.csv\n');
});

test('a damaged journal is named, and every command ends with 2 and orders nothing', async () => {
	const desk = await deskOf(1);
	await desk.order();
	desk.write(JOURNAL, desk.read(JOURNAL).replace('Product 1', 'Product 2'));
	const start = desk.sandbox.requests.length;
	for (const name of ['run', 'plan', 'status']) {
		const args = name === 'status' ? [name] : [name, 'products.csv'];
		await desk.expectEnd(args, 2, /journal.jsonl is damaged at line \d/);
	}
	expect(desk.sandbox.requests).toHaveLength(start);
});

test('what a run makes is for its owner only, and an existing folder keeps its mode', async () => {
	const desk = await deskOf(1);
	const shared = desk.path('shared');
	mkdirSync(shared, { mode: 0o750 });
	await desk.order('--out', 'shared/new/briefs');
	await desk.order('--out', 'shared');
	const mode = (path: string) => (statSync(join(shared, path)).mode & 0o777).toString(8);
	expect(mode('.')).toBe('750');
	const made = readdirSync(shared, { recursive: true, withFileTypes: true });
	expect(made.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['journal.jsonl', 'results.csv', 'report.html', 'results', 'new']),
	);
	for (const one of made) {
		const path = relative(shared, join(one.parentPath, one.name));
		expect([path, mode(path)]).toEqual([path, one.isDirectory() ? '700' : '600']);
	}
});

test('a folder with the name of a brief’s file loses no brief', async () => {
	const desk = await deskOf(3, { speed: 300 });
	const running = desk.start('run products.csv');
	await running.prints(/row 2 +ordered/);
	const [brief] = desk.sandbox.briefs();
	const folder = `briefs/results/product-1-${brief!.id.slice(0, 8)}.md`;
	mkdirSync(desk.path(folder), { recursive: true });
	expectStopped(await running.ended, /is a folder where a file is needed/);
	desk.expectOnRecord();
	rmSync(desk.path(folder), { recursive: true });
	await expectGoesOn(desk, 3);
});

describe('a folder that others can write', () => {
	test('may have links at the names that a run uses, and nothing is written through them', async () => {
		const desk = await deskOf(1);
		const out = desk.path('briefs');
		mkdirSync(out);
		desk.write('victim', 'mine');
		for (const name of ['results.csv', 'report.html', 'failed.csv', 'deferred.csv'])
			for (const link of [name, `${name}.part`]) symlinkSync(desk.path('victim'), join(out, link));
		// Of a run that was killed.
		const half = 'report.html.0123456789abcdef.part';
		writeFileSync(join(out, half), 'half');
		expect((await desk.order()).code).toBe(0);
		expect(desk.read('victim')).toBe('mine');
		expect(desk.statuses()).toEqual(['ready']);
		expect(readdirSync(out)).not.toContain(half);
	});

	test('is refused before anything is ordered if its results/ is a link', async () => {
		const desk = await deskOf(1);
		for (const folder of ['briefs', 'elsewhere']) mkdirSync(desk.path(folder));
		symlinkSync(desk.path('elsewhere'), desk.path('briefs/results'));
		await desk.expectEnd('run products.csv', 2, 'results is a link');
		expect([desk.creates(), readdirSync(desk.path('elsewhere'))]).toEqual([0, []]);
	});

	const pipe = (path: string) => execFileSync('mkfifo', [path]);
	const dangling = (path: string) => symlinkSync('nowhere', path);

	test.each([
		['.lock', 'a link that leads nowhere', dangling],
		['.lock', 'a pipe', pipe],
		['journal.jsonl', 'a pipe', pipe],
		['results/a-1f0c22aa.json', 'a pipe', pipe],
	])('is refused, and waits for nothing, if its %s is %s', async (name, _, make) => {
		const desk = await deskOf(1);
		mkdirSync(desk.path('briefs/results'), { recursive: true });
		make(desk.path(`briefs/${name}`));
		const { code, err } = await desk.start('run products.csv').ended;
		expect(err).toContain(`briefs/${name}`);
		expect([code, desk.creates()]).toEqual([2, 0]);
	});
});
