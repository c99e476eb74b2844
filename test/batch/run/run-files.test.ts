import { parse } from 'csv-parse/sync';
import type { DiskOperation } from '../../support/batch/memory-disk';
import { FreshFiles } from '../../../batch/run/run-files';
import { tableFromJournal, tableFromResults } from '../../../batch/run/result-table';
import { rewriteResults } from '../../../batch/results/results';
import { Desk, tableOf } from '../../support/batch/desk';
import { AT_THE_END } from '../../support/batch/result-fixtures';
import { VirtualClock } from '../../support/virtual-clock';

const lines = (desk: Desk, name = 'results.csv') =>
	parse<Record<string, string>>(desk.disk.text(`out/${name}`), { columns: true, bom: true });
const statuses = (desk: Desk, name?: string) =>
	lines(desk, name).map((line) => `${line.Product} ${line.brief_status}`);
const named = (file: string, products: string[]) => ({ ...tableOf(products), file });
/** The results.csv of other CSVs that are kept. */
const kept = ({ disk }: Desk) => disk.files().filter((name) => name.startsWith('out/results-'));

/** A CSV of this name was run. */
async function ran(file: string, ...products: string[]): Promise<Desk> {
	const desk = new Desk();
	await desk.run(named(file, products));
	return desk;
}

interface Hold {
	at?: DiskOperation;
	code?: string;
	isHeld?: () => boolean;
}

/** Another program holds these files, for so many calls or as long as `isHeld` says. */
function hold({ disk }: Desk, names: RegExp, how: Hold = {}): void {
	const { at = 'rename', code = 'EBUSY', isHeld = () => true } = how;
	disk.before = ({ operation, path }) => {
		if (operation === at && names.test(path) && isHeld())
			throw Object.assign(new Error(code), { code, syscall: at, path });
	};
}
const letGo = ({ disk }: Desk) => (disk.before = () => undefined);

const RESULTS = /results\.csv$/;

describe('results.csv and report.html', () => {
	test('are fresh and whole after each row that has come to its end', async () => {
		const desk = new Desk();
		const seen: string[] = [];
		let ended = 0;
		desk.onEvent = ({ event }) => {
			if (event === 'filed') ended += 1;
		};
		desk.disk.before = ({ operation, path }) => {
			if (operation !== 'rename' || path !== 'out/report.html') return;
			const ready = statuses(desk).filter((status) => status.endsWith('ready')).length;
			seen.push(`${ready} of ${ended}`);
		};
		await desk.run(['A', 'B', 'C', 'D', 'E']);
		expect(seen).toEqual(expect.arrayContaining(['1 of 1', '3 of 3', '5 of 5']));
		expect(desk.disk.text('out/report.html').trimEnd()).toMatch(/<\/html>$/);
	});
});

const READY = { event: 'filed' } as Parameters<FreshFiles['see']>[0];

test('keeping files fresh ends with what is being written, and survives a disk that fails', async () => {
	const clock = new VirtualClock();
	let done = 0;
	const fresh = new FreshFiles(clock, async () => {
		await clock.sleep(1000);
		done += 1;
		throw new Error('ENOSPC');
	});
	fresh.see(READY);
	fresh.see(READY);
	const stopped = fresh.stop();
	await clock.pass(60_000);
	await stopped;
	fresh.see(READY);
	await clock.pass(60_000);
	expect(done).toBe(1);
});

describe('a file that another program holds open', () => {
	test.each(['EBUSY', 'EPERM', 'EACCES'])(
		'is written under another name at the end, and the run says so: %s',
		async (code) => {
			const desk = new Desk();
			desk.disk.put('out/results.csv', 'open in Excel');
			hold(desk, RESULTS, { code });
			const { exitCode, notices } = await desk.run(['A', 'B']);
			expect(exitCode).toBe(0);
			expect(desk.disk.text('out/results.csv')).toBe('open in Excel');
			expect(statuses(desk, 'results-new.csv')).toEqual(['A ready', 'B ready']);
			expect(notices).toEqual([
				expect.stringContaining('It is tried again later'),
				expect.stringContaining('written as out/results-new.csv'),
			]);
			expect(desk.disk.files().filter((name) => name.endsWith('.part'))).toEqual([]);

			// Closed again: the next run puts it in its place, and nothing that is out of date stays.
			letGo(desk);
			await desk.run(['A', 'B']);
			expect([statuses(desk).length, kept(desk)]).toEqual([2, []]);
		},
	);

	test('is written in its place if it is closed before the end', async () => {
		const desk = new Desk();
		let ready = 0;
		desk.onEvent = ({ event }) => {
			if (event === 'filed') ready += 1;
		};
		hold(desk, RESULTS, { isHeld: () => ready < 2 });
		expect((await desk.run(['A', 'B'])).exitCode).toBe(0);
		expect([statuses(desk).length, kept(desk)]).toEqual([2, []]);
	});

	test('may be one that has to go', async () => {
		const desk = new Desk();
		desk.disk.put('out/failed.csv', 'old');
		hold(desk, /failed\.csv$/, { at: 'remove' });
		const { exitCode, notices } = await desk.run(['A']);
		expect(exitCode).toBe(0);
		expect(notices).toEqual([expect.stringContaining('its rows are of an earlier run')]);
	});
});

describe('another CSV over the same --out', () => {
	test('keeps the results of the first under its name, and says so', async () => {
		const desk = new Desk();
		await desk.run(named('lists/Week 1.csv', ['A', 'B']), { max: 1 });
		const { notices } = await desk.run(named('lists/Week 2.csv', ['C']));
		expect(statuses(desk, 'results-week-1.csv')).toEqual(['A ready', 'B pending']);
		expect(statuses(desk)).toEqual(['C ready']);
		expect(notices).toEqual([
			'results.csv has briefs of rows that are not in Week 2.csv. It is kept as results-week-1.csv, and results.csv lists the rows of Week 2.csv only.',
		]);
		// The report has them all.
		expect(desk.disk.text('out/report.html')).toMatch(/<article id="brief-2"/);
	});

	test('takes turns with the first, and the files do not become more', async () => {
		const desk = new Desk();
		for (let turn = 0; turn < 3; turn++) {
			await desk.run(named('a.csv', ['A', 'B']));
			await desk.run(named('b.csv', ['C', 'D']));
		}
		expect(kept(desk)).toEqual(['out/results-a.csv', 'out/results-b.csv']);
		expect(desk.paid()).toHaveLength(4);
	});

	test('keeps nothing if it has the rows of the first: an export of every day grows', async () => {
		const desk = await ran('20.csv', 'A', 'B');
		const { notices } = await desk.run(named('21.csv', ['A', 'B', 'C']));
		expect([notices, kept(desk), statuses(desk).length]).toEqual([[], [], 3]);
	});

	test('may have the same name, if rows with a brief are gone', async () => {
		const desk = await ran('products.csv', 'A', 'B', 'C');
		const { notices } = await desk.run(['C', 'D']);
		expect(notices[0]).toContain('has briefs of rows that are not in products.csv');
		expect(statuses(desk, 'results-products.csv')).toHaveLength(3);
		// Once it is kept, nothing more is lost.
		expect((await desk.run(['C', 'D'])).notices).toEqual([]);
		await desk.run(['D']);
		expect(statuses(desk, 'results-products-2.csv')).toEqual(['C ready', 'D ready']);
	});

	test('loses nothing by --only and --where', async () => {
		const desk = await ran('products.csv', 'A', 'B');
		const table = tableOf(['A', 'B', 'C']);
		const { notices } = await desk.run(table, { rows: table.rows.slice(2) });
		expect([notices, kept(desk), statuses(desk).length]).toEqual([[], [], 3]);
	});

	test('is not meant if a person corrects rows, or has them changed', async () => {
		const desk = await ran('products.csv', 'A', '');
		expect((await desk.run(['A', 'B'])).notices).toEqual([]);
		const changed = await desk.run([{ product_name: 'A', audience: 'parents' }, 'B']);
		expect([changed.counts.changed, changed.notices, kept(desk)]).toEqual([1, [], []]);
	});

	test('puts nothing in the place of results that are held open, and keeps a copy', async () => {
		const desk = await ran('a.csv', 'A');
		const before = desk.disk.text('out/results.csv');
		hold(desk, RESULTS);
		await desk.run(named('b.csv', ['B']));
		expect(desk.disk.text('out/results.csv')).toBe(before);
		expect(statuses(desk, 'results-new.csv')).toEqual(['B ready']);
		expect(statuses(desk, 'results-a.csv')).toEqual(['A ready']);
	});

	test('puts nothing in the place of results that cannot even be read', async () => {
		const desk = await ran('a.csv', 'A');
		const before = desk.disk.text('out/results.csv');
		hold(desk, RESULTS, { at: 'read' });
		expect((await desk.run(named('b.csv', ['B']))).failure?.what).toContain('EBUSY');
		expect(desk.disk.text('out/results.csv')).toBe(before);
	});

	test('keeps results that a virus scanner held for a moment', async () => {
		const desk = await ran('a.csv', 'A');
		let held = 2;
		hold(desk, RESULTS, { at: 'read', isHeld: () => (held -= 1) >= 0 });
		await desk.run(named('b.csv', ['B', 'C', 'D']));
		expect(statuses(desk, 'results-a.csv')).toEqual(['A ready']);
		expect(statuses(desk)).toHaveLength(3);
	});

	test('writes over no other file, such as the one that it reads', async () => {
		const desk = await ran('a.csv', 'A');
		desk.disk.put('out/results-a.csv', 'what this run reads');
		await desk.run(named('out/results-a.csv', ['B']));
		expect(desk.disk.text('out/results-a.csv')).toBe('what this run reads');
		expect(statuses(desk, 'results-a-2.csv')).toEqual(['A ready']);
	});

	test.each([
		['called new.csv, as a file beside an open one is', ['new.csv', 'b.csv']],
		['without Latin letters', ['製品.csv', '商品.csv', 'Товары.csv']],
	])('keeps the results of a CSV %s', async (_, files) => {
		const desk = new Desk();
		for (const [i, file] of files.entries()) await desk.run(named(file, [`P${i}`]));
		expect(kept(desk)).toHaveLength(files.length - 1);
		const all = kept(desk).flatMap((path) => statuses(desk, path.slice('out/'.length)));
		expect(all.sort()).toEqual(files.slice(1).map((_file, i) => `P${i} ready`));
	});
});

describe('results.csv without the CSV', () => {
	const written = async (desk: Desk, table: ReturnType<typeof tableFromJournal>) =>
		await rewriteResults(desk.disk, 'out', table, AT_THE_END);

	test('keeps the rows and columns that it has, and learns what the journal knows', async () => {
		const desk = new Desk();
		await desk.run(['A', 'B', 'C'], { max: 1 });
		const old = desk.disk.text('out/results.csv');
		await desk.run(['A', 'B', 'C'], { max: 1 });
		desk.disk.put('out/results.csv', old);
		expect(statuses(desk)).toEqual(['A ready', 'B pending', 'C pending']);
		desk.disk.put('out/failed.csv', 'of the run');
		await written(
			desk,
			tableFromResults(
				desk.resultsTable()!,
				desk.records(),
				{ outDir: 'out', lastCommand: desk.records() },
				null,
			),
		);
		expect(statuses(desk)).toEqual(['A ready', 'B ready', 'C pending']);
		expect(lines(desk)[1]?.brief_file).toMatch(/^results\/b-.*\.md$/);
		expect(desk.disk.text('out/failed.csv')).toBe('of the run');
	});

	test('is what a run has written, if nothing happened since', async () => {
		const desk = new Desk({ failed: (index) => index === 2 });
		await desk.run(['A', 'B', 'A', '']);
		const before = desk.disk.text('out/results.csv');
		await written(
			desk,
			tableFromResults(
				desk.resultsTable()!,
				desk.records(),
				{ outDir: 'out', lastCommand: desk.records() },
				null,
			),
		);
		expect(desk.disk.text('out/results.csv')).toBe(before);
	});
});
