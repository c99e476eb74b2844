import { parse } from 'csv-parse/sync';
import { FreshFiles } from '../../../batch/run/files/fresh-files';
import { tableFromJournal, tableFromResults } from '../../../batch/run/files/result-table';
import { writeResults } from '../../../batch/results/results';
import { Desk, MINUTE, tableOf } from '../../support/batch/desk';
import { AT_THE_END } from '../../support/batch/result-fixtures';
import { VirtualClock } from '../../support/virtual-clock';

const lines = (desk: Desk, name = 'results.csv') =>
	parse<Record<string, string>>(desk.disk.text(`out/${name}`), { columns: true, bom: true });
const statuses = (desk: Desk, name?: string) =>
	lines(desk, name).map((line) => [line.Product, line.brief_status]);
const named = (file: string, products: string[]) => ({ ...tableOf(products), file });
const notices = ({ events }: Awaited<ReturnType<Desk['run']>>) =>
	events.flatMap((event) => (event.event === 'notice' ? [event.text] : []));

describe('results.csv and report.html', () => {
	test('are fresh after each row that has come to its end, and whole', async () => {
		const desk = new Desk();
		const seen: string[] = [];
		let ended = 0;
		desk.onEvent = ({ event }) => {
			if (event === 'brief_ready') ended += 1;
		};
		desk.disk.before = ({ operation, path }) => {
			if (operation !== 'rename' || path !== 'out/report.html') return;
			const ready = statuses(desk).filter(([, status]) => status === 'ready').length;
			seen.push(`${ready} of ${ended}`);
		};
		await desk.run(['A', 'B', 'C', 'D', 'E']);
		expect(seen).toEqual(expect.arrayContaining(['1 of 1', '3 of 3', '5 of 5']));
		expect(desk.disk.text('out/report.html').trimEnd()).toMatch(/<\/html>$/);
	});

	test('end well where a CSV has a header and no rows', async () => {
		const desk = new Desk();
		const { exitCode } = await desk.run([]);
		expect([exitCode, desk.paid()]).toEqual([0, []]);
		expect(desk.disk.text('out/results.csv')).toMatch(/^\ufeffProduct,brief_id,.*\n$/);
	});

	test('leave failed.csv and deferred.csv to the end of the run', async () => {
		const desk = new Desk();
		desk.disk.put('out/failed.csv', 'of an earlier run');
		const seen = new Set<string>();
		desk.disk.before = ({ operation, path }) => {
			if (operation === 'rename' && path === 'out/report.html')
				seen.add(desk.disk.files().includes('out/failed.csv') ? 'there' : 'gone');
		};
		await desk.run(['A', 'B', 'C']);
		expect([...seen]).toEqual(['there', 'gone']);
	});
});

describe('what keeps files fresh', () => {
	const READY = { event: 'brief_ready' } as Parameters<FreshFiles['see']>[0];

	test('takes at most three hundredths of the time, however long the files take', async () => {
		const clock = new VirtualClock();
		let writes = 0;
		const fresh = new FreshFiles(clock, async () => {
			writes += 1;
			await clock.sleep(3000);
		});
		for (let second = 0; second < 3600; second += 10) {
			fresh.see(READY);
			await clock.pass(10_000);
		}
		expect(writes).toBeGreaterThan(30);
		expect(writes * 3000).toBeLessThanOrEqual(0.031 * 60 * MINUTE);
		await fresh.stop();
		expect(clock.sleeping).toBe(0);
	});

	test('stops when it has written what it was writing, and survives a disk that fails', async () => {
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
});

describe('a file that another program holds open', () => {
	/** As Excel holds it on Windows, from the first event of this kind to the second one's. */
	function hold(desk: Desk, name: string, code: string, until = Infinity): void {
		let ready = 0;
		desk.onEvent = ({ event }) => {
			if (event === 'brief_ready') ready += 1;
		};
		desk.disk.before = ({ operation, path }) => {
			if (operation !== 'rename' || path !== `out/${name}` || ready >= until) return;
			throw Object.assign(new Error(code), { code, syscall: 'rename', path });
		};
	}

	test.each(['EBUSY', 'EPERM', 'EACCES'])(
		'is said, and written under another name at the end, and the run goes on: %s',
		async (code) => {
			const desk = new Desk();
			desk.disk.put('out/results.csv', 'open in Excel');
			hold(desk, 'results.csv', code);
			const ran = await desk.run(['A', 'B']);
			expect(ran.exitCode).toBe(0);
			expect(desk.disk.text('out/results.csv')).toBe('open in Excel');
			expect(statuses(desk, 'results-new.csv')).toEqual([
				['A', 'ready'],
				['B', 'ready'],
			]);
			expect(notices(ran)).toEqual([
				expect.stringContaining('It is tried again later'),
				expect.stringContaining('written as out/results-new.csv'),
			]);
			expect(desk.disk.files().filter((name) => name.endsWith('.part'))).toEqual([]);

			// Closed again: the next run puts it in its place, and nothing that is out of date stays.
			desk.disk.before = () => undefined;
			await desk.run(['A', 'B']);
			expect(statuses(desk)).toHaveLength(2);
			expect(desk.disk.files()).not.toContain('out/results-new.csv');
		},
	);

	test('is written in its place where it is closed before the end', async () => {
		const desk = new Desk();
		hold(desk, 'results.csv', 'EBUSY', 2);
		expect((await desk.run(['A', 'B'])).exitCode).toBe(0);
		expect(statuses(desk)).toHaveLength(2);
		expect(desk.disk.files()).not.toContain('out/results-new.csv');
	});

	test('may be the report', async () => {
		const desk = new Desk();
		hold(desk, 'report.html', 'EBUSY');
		expect((await desk.run(['A'])).exitCode).toBe(0);
		expect(desk.disk.text('out/report-new.html')).toContain('The brief is ready.');
	});

	test('may be one that has to go', async () => {
		const desk = new Desk();
		desk.disk.put('out/failed.csv', 'old');
		desk.disk.before = ({ operation, path }) => {
			if (operation === 'remove' && path === 'out/failed.csv')
				throw Object.assign(new Error('EBUSY'), { code: 'EBUSY', syscall: 'unlink', path });
		};
		const ran = await desk.run(['A']);
		expect(ran.exitCode).toBe(0);
		expect(notices(ran)).toEqual([expect.stringContaining('its rows are of an earlier run')]);
	});
});

describe('another CSV over the same --out', () => {
	test('keeps the results of the first under its name, and says so', async () => {
		const desk = new Desk();
		await desk.run(named('lists/Week 1.csv', ['A', 'B']), { max: 1 });
		const ran = await desk.run(named('lists/Week 2.csv', ['C']));
		expect(statuses(desk, 'results-week-1.csv')).toEqual([
			['A', 'ready'],
			['B', 'pending'],
		]);
		expect(statuses(desk)).toEqual([['C', 'ready']]);
		expect(notices(ran)).toEqual([
			'results.csv lists the rows of Week 1.csv, which are not all in Week 2.csv. It is kept as results-week-1.csv, and results.csv lists the rows of Week 2.csv only.',
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
		const kept = desk.disk.files().filter((name) => name.startsWith('out/results-'));
		expect(kept).toEqual(['out/results-a.csv', 'out/results-b.csv']);
		expect(desk.paid()).toHaveLength(4);
	});

	test('that has the rows of the first too keeps nothing: an export of every day grows', async () => {
		const desk = new Desk();
		await desk.run(named('20.csv', ['A', 'B']));
		const ran = await desk.run(named('21.csv', ['A', 'B', 'C']));
		expect(notices(ran)).toEqual([]);
		expect(desk.disk.files().filter((name) => name.startsWith('out/results-'))).toEqual([]);
		expect(statuses(desk)).toHaveLength(3);
	});

	test('is one of the same name too, where rows with a brief are gone', async () => {
		const desk = new Desk();
		await desk.run(['A', 'B', 'C']);
		const day = new Date(desk.clock.now()).toISOString().slice(0, 10);
		const ran = await desk.run(['C', 'D']);
		expect(notices(ran)[0]).toContain('has rows that are not in products.csv any more');
		expect(statuses(desk, `results-products-${day}.csv`)).toHaveLength(3);
		// Once it is kept, nothing more is lost.
		expect(notices(await desk.run(['C', 'D']))).toEqual([]);
		await desk.run(['D']);
		expect(statuses(desk, `results-products-${day}-2.csv`)).toEqual([
			['C', 'ready'],
			['D', 'ready'],
		]);
	});

	test('is none where a person corrects rows, or has them changed', async () => {
		const desk = new Desk();
		await desk.run(['A', '']);
		expect(notices(await desk.run(['A', 'B']))).toEqual([]);
		const changed = await desk.run([{ product_name: 'A', audience: 'parents' }, 'B']);
		expect(changed.counts.changed).toBe(1);
		expect(notices(changed)).toEqual([]);
		expect(desk.disk.files().filter((name) => name.startsWith('out/results-'))).toEqual([]);
	});

	test('whose results are held open is tried again, and loses nothing', async () => {
		const desk = new Desk();
		await desk.run(named('a.csv', ['A']));
		const before = desk.disk.text('out/results.csv');
		desk.disk.before = ({ operation, path }) => {
			if (operation !== 'rename' || !/results(-a)?\.csv$/.test(path)) return;
			throw Object.assign(new Error('EBUSY'), { code: 'EBUSY', syscall: 'rename', path });
		};
		expect((await desk.run(named('b.csv', ['B']))).exitCode).toBe(0);
		expect(desk.disk.text('out/results.csv')).toBe(before);
		expect(statuses(desk, 'results-new.csv')).toEqual([['B', 'ready']]);
	});
});

describe('results that could be lost', () => {
	const busy = (path: string) =>
		Object.assign(new Error('EBUSY'), { code: 'EBUSY', syscall: 'rename', path });

	test('are those of a CSV whose name is that of a file beside a busy one', async () => {
		const desk = new Desk();
		await desk.run(named('new.csv', ['A']));
		const ran = await desk.run(named('b.csv', ['B']));
		const name = /kept as (\S+),/.exec(notices(ran)[0] ?? '')?.[1];
		expect(statuses(desk, name)).toEqual([['A', 'ready']]);
	});

	test('are those of another CSV that a virus scanner held for a moment', async () => {
		const desk = new Desk();
		await desk.run(named('a.csv', ['A']));
		let held = 2;
		desk.disk.before = ({ operation, path }) => {
			if (operation !== 'read' || path !== 'out/results.csv' || held === 0) return;
			held -= 1;
			throw busy(path);
		};
		await desk.run(named('b.csv', ['B', 'C', 'D']));
		expect(statuses(desk, 'results-a.csv')).toEqual([['A', 'ready']]);
		expect(statuses(desk)).toHaveLength(3);
	});

	test('are those of another CSV that cannot even be read: nothing takes their place', async () => {
		const desk = new Desk();
		await desk.run(named('a.csv', ['A']));
		const before = desk.disk.text('out/results.csv');
		desk.disk.before = ({ operation, path }) => {
			if (operation === 'read' && path === 'out/results.csv') throw busy(path);
		};
		const { failure } = await desk.run(named('b.csv', ['B']));
		expect(failure?.what).toContain('EBUSY');
		expect(desk.disk.text('out/results.csv')).toBe(before);
	});

	test('are those beside an open file while they are themselves run again', async () => {
		const desk = new Desk();
		desk.disk.before = ({ operation, path }) => {
			if (operation === 'rename' && path === 'out/results.csv') throw busy(path);
		};
		await desk.run(named('a.csv', ['A', 'B']), { max: 1 });
		desk.disk.before = () => undefined;
		await desk.run(desk.resultsTable()!);
		expect(statuses(desk)).toHaveLength(2);
		expect(desk.disk.files()).toContain('out/results-new.csv');
		expect(desk.records().resultsOf).toBe('a.csv');
	});

	test('are those of three CSVs whose names have no Latin letters', async () => {
		const desk = new Desk();
		for (const [name, product] of ['製品', '商品', 'Товары'].map(
			(one, i) => [one, `P${i}`] as const,
		))
			await desk.run(named(`${name}.csv`, [product]));
		const kept = desk.disk.files().filter((name) => name.startsWith('out/results-'));
		expect(kept).toHaveLength(2);
	});

	test('are not written over a kept file that is run itself', async () => {
		const desk = new Desk();
		await desk.run(named('a.csv', ['A']));
		desk.disk.put('out/results-a.csv', 'what this run reads');
		await desk.run(named('out/results-a.csv', ['B']));
		expect(desk.disk.text('out/results-a.csv')).toBe('what this run reads');
		expect(statuses(desk, 'results-a-2.csv')).toEqual([['A', 'ready']]);
	});

	test('are those of another CSV whose place is held by an older copy', async () => {
		const desk = new Desk();
		await desk.run(named('a.csv', ['A']));
		desk.disk.before = ({ operation, path }) => {
			if (operation === 'rename' && path === 'out/results-a.csv') throw busy(path);
		};
		await desk.run(named('b.csv', ['B']));
		expect(statuses(desk, 'results-a-2.csv')).toEqual([['A', 'ready']]);
		expect(statuses(desk)).toEqual([['B', 'ready']]);
	});

	test('are those that stood beside an open file when the next CSV is run', async () => {
		const desk = new Desk();
		await desk.run(named('a.csv', ['A']));
		desk.disk.before = ({ operation, path }) => {
			if (operation === 'rename' && path === 'out/results.csv') throw busy(path);
		};
		await desk.run(named('a.csv', ['A', 'B']));
		expect(statuses(desk, 'results-new.csv')).toHaveLength(2);
		desk.disk.before = () => undefined;
		await desk.run(named('c.csv', ['C']));
		expect(statuses(desk, 'results-a.csv')).toHaveLength(2);
		expect(desk.disk.files()).not.toContain('out/results-new.csv');
	});
});

describe('results.csv without the CSV', () => {
	const written = async (desk: Desk, table: ReturnType<typeof tableFromJournal>) =>
		await writeResults(desk.disk, 'out', table, AT_THE_END);

	test('keeps the rows and columns that it has, and learns what the journal knows', async () => {
		const desk = new Desk();
		await desk.run(['A', 'B', 'C'], { max: 1 });
		const old = desk.disk.text('out/results.csv');
		await desk.run(['A', 'B', 'C'], { max: 1 });
		desk.disk.put('out/results.csv', old);
		expect(statuses(desk).map(([, status]) => status)).toEqual(['ready', 'pending', 'pending']);
		desk.disk.put('out/failed.csv', 'of the run');
		await written(desk, tableFromResults(desk.resultsTable()!, desk.records()));
		expect(statuses(desk)).toEqual([
			['A', 'ready'],
			['B', 'ready'],
			['C', 'pending'],
		]);
		expect(lines(desk)[1]?.brief_file).toMatch(/^results\/b-.*\.md$/);
		expect(desk.disk.text('out/failed.csv')).toBe('of the run');
	});

	test('is what a run has written, where nothing happened since', async () => {
		const desk = new Desk({ failed: (index) => index === 2 });
		await desk.run(['A', 'B', 'A', '']);
		const before = desk.disk.text('out/results.csv');
		await written(desk, tableFromResults(desk.resultsTable()!, desk.records()));
		expect(desk.disk.text('out/results.csv')).toBe(before);
	});

	test('has the rows that the journal knows where there is none', async () => {
		const desk = new Desk();
		await desk.run(['A', 'B', 'C'], { max: 2 });
		await desk.disk.remove('out/results.csv');
		await written(desk, tableFromJournal(desk.records()));
		expect(lines(desk).map((line) => [line.product_name, line.brief_status])).toEqual([
			['A', 'ready'],
			['B', 'ready'],
		]);
	});
});
