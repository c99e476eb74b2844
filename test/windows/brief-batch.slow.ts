import { setTimeout as sleep } from 'node:timers/promises';
import type { Desk } from '../support/batch/brief-batch';
import type { Ended } from '../support/started';
import { platformDeskOf, startNode } from '../support/windows/platform-desk';

let desk: Desk;

const run = (...options: string[]) => desk.start(['run', 'products.csv', ...options]);

/** So many rows have a brief each, in whole files. */
function expectAllPaidOnce(rows: number): void {
	desk.expectPaid(rows);
	desk.expectOnRecord();
	expect(desk.statuses()).toEqual(Array.from({ length: rows }, () => 'ready'));
	desk.expectFiles();
}

test('twelve rows are ordered once, and the same command again pays for nothing', async () => {
	desk = await platformDeskOf(12);
	expect(await run().ended).toMatchObject({ code: 0, err: '' });
	expectAllPaidOnce(12);
	expect(await run().ended).toMatchObject({ code: 0, err: '' });
	expectAllPaidOnce(12);
});

test('a run that is killed is taken over by the next, and nothing is paid twice', async () => {
	desk = await platformDeskOf(6, { speed: 200 });
	for (const row of [2, 4]) await desk.killAt(new RegExp(`row ${row} +ordered`));
	const { code, out } = await run().ended;
	expect(out).toMatch(/lock of process \d+ on .* Looking for up to 20 seconds/);
	expect(code).toBe(0);
	expectAllPaidOnce(6);
});

test('of runs that are started together one works, and the others name it', async () => {
	// No brief is ready before the service's time is moved.
	desk = await platformDeskOf(2, { speed: 1 });
	const often = ['--poll-interval', '0.5', '--poll-interval-max', '1'];
	const runs = [1, 2, 3].map(() => run(...often).ended);
	const over: Ended[] = [];
	for (const ended of runs) void ended.then((end) => over.push(end));
	while (over.length < 2 || desk.creates() < 2) await sleep(50);
	const err = expect.stringMatching(/in use by (process \d+ on|another run)/) as string;
	expect(over).toMatchObject([
		{ code: 6, err },
		{ code: 6, err },
	]);
	desk.sandbox.advance(600_000);
	await Promise.all(runs);
	expect(over[2]).toMatchObject({ code: 0, err: '' });
	expectAllPaidOnce(2);
});

/** What only Windows has. On Linux, wine stands in for it. */
const onWindows = process.platform === 'darwin' ? describe.skip : describe;

onWindows('on Windows', () => {
	test('a results.csv that another program has open is written beside it, and replaced later', async () => {
		desk = await platformDeskOf(2);
		expect((await run('--max', '1').ended).code).toBe(3);
		// Opens the file as Windows programs do: for itself alone (UV_FS_O_EXLOCK).
		const script = `fs.openSync('briefs/results.csv', 0x10000000 | fs.constants.O_RDWR);
			console.log('open'); setTimeout(() => {}, 600_000)`;
		const excel = startNode(['-e', script], {}, desk.folder);
		await excel.prints('open');
		const { code, out } = await run().ended;
		await excel.kill();
		expect(out).toContain('It was written as briefs\\results-new.csv');
		expect(code).toBe(0);
		expect(desk.read('briefs/results-new.csv').match(/,ready,/g)).toHaveLength(2);
		expect((await run().ended).code).toBe(0);
		expect(desk.exists('briefs/results-new.csv')).toBe(false);
		expectAllPaidOnce(2);
	});

	test.each([
		['a name that Windows keeps for itself', 'NUL'],
		['another one', 'CON'],
		['a drive that is gone', 'Q:\\briefs'],
		['a name of 300 characters', 'x'.repeat(300)],
		['a path of 300 characters', Array.from({ length: 30 }, () => 'abcdefghi').join('\\')],
	])('--out may be %s: a run, or one clear error', async (_, folder) => {
		desk = await platformDeskOf(1);
		const { code, err } = await run('--out', folder).ended;
		expect(`${code}: ${err}`).toMatch(
			/^(0: |2: .*No folder can be made at .*\nChoose another --out)/s,
		);
	});
});
