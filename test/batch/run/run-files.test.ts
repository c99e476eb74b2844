import { parse } from 'csv-parse/sync';
import type { DiskOperation } from '../../support/batch/memory-disk';
import { FreshFiles } from '../../../batch/run/run-files';
import { Desk, tableOf } from '../../support/batch/desk';
import { VirtualClock } from '../../support/virtual-clock';

const lines = (desk: Desk, name = 'results.csv') =>
	parse<Record<string, string>>(desk.disk.text(`out/${name}`), { columns: true, bom: true });
const statuses = (desk: Desk, name?: string) =>
	lines(desk, name).map((line) => `${line.Product} ${line.brief_status}`);
const named = (file: string, products: string[]) => ({ ...tableOf(products), file });

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
			expect(statuses(desk)).toHaveLength(2);
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
		expect(statuses(desk)).toHaveLength(2);
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

describe('results.csv', () => {
	test('lists the rows of the CSV, and then each brief of the batch that has no row in it', async () => {
		const desk = await ran('a.csv', 'A', 'B');
		await desk.run(named('b.csv', ['C', 'B']));
		expect(statuses(desk)).toEqual(['C ready', 'B ready', 'A ready']);
		expect(lines(desk).map(({ brief_file }) => brief_file)).toEqual(
			['c', 'b', 'a'].map((name) => expect.stringMatching(`^results/${name}-`) as string),
		);
		await desk.run(named('a.csv', ['A', 'B']));
		expect(statuses(desk)).toEqual(['A ready', 'B ready', 'C ready']);
		expect(desk.disk.files().filter((path) => /results.*csv/.test(path))).toHaveLength(1);
	});

	test('is about the list, also after a run for one row, which counts no other and hides none', async () => {
		const desk = new Desk({ allowance: 2, failed: (index) => index === 1 });
		const table = tableOf(['A', 'B', 'C', 'D']);
		const all = await desk.run(table);
		expect(all.tally).toBe('3: 1 ready, 1 failed, 2 deferred');
		const deferred = desk.disk.text('out/deferred.csv');
		const one = await desk.run(table, { rows: table.rows.slice(0, 1) });
		expect([one.exitCode, one.counts]).toEqual([0, all.counts]);
		expect(desk.disk.text('out/deferred.csv')).toBe(deferred);
		expect(statuses(desk)).toEqual(['A ready', 'B failed', 'C deferred', 'D deferred']);
	});

	test('says of a row that --where leaves out that it is left out, with the brief that it has', async () => {
		const desk = await ran('products.csv', 'A', 'B');
		const { rows, ...table } = tableOf(['A', 'B', 'C']);
		const marked = rows.map((row, at) => (at === 0 ? row : { ...row, isLeftOut: true as const }));
		const { tally } = await desk.run({ ...table, rows: marked }, { rows: marked.slice(0, 1) });
		expect([tally, statuses(desk)]).toEqual([
			'0: 1 ready',
			['A ready', 'B left_out', 'C left_out'],
		]);
		expect(lines(desk)[1]?.brief_file).toMatch(/^results\/b-/);
	});
});
