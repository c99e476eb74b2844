import { colourPaint, lineFor, plainPaint } from '../../../batch/screen/event-lines';
import { draw } from '../../../batch/screen/live-view';
import { advance, noProgress, type Progress } from '../../../batch/screen/progress';
import type { Paragraph } from '../../../batch/command-text';
import type { RunEvent } from '../../../batch/events';
import { reported } from '../../support/batch/run-events';

const HOSTILE = 'Glow\u001b[2J\r\nSerum\u0007\u009b1m \u202eevil';
const CONTROL = /[\p{Cc}\u202a-\u202e]/u;
const NOW = 1_000_000;

const after = (...events: RunEvent[]): Progress =>
	[reported.started(), ...events].reduce((all, event) => advance(all, event, NOW), noProgress());

describe('the live view', () => {
	test('shows each brief being written with its stage and time, and the whole', () => {
		const [two, three] = [reported.accepted(2), reported.accepted(3, 'Clip-On Fan')];
		const progress = after(two, three, reported.status(3, 'writing'));
		expect(draw(progress, NOW + 65_000, 120)).toEqual([
			`row 2     queued       ${'Glow Serum'.padEnd(60)}  1:05`,
			`row 3     writing      ${'Clip-On Fan'.padEnd(60)}  1:05`,
			expect.stringMatching(
				/^░+ {2}0 of 9 rows · about 23 minutes left · 0 ready · 1 invalid · allowance 9 of 50 used$/,
			),
		]);
	});

	test('drops a brief that has ended, however it ended', () => {
		const progress = after(
			...[2, 3, 4].map((row) => reported.accepted(row)),
			...[reported.ready(2), reported.failed(3), reported.parked(4)],
		);
		expect(progress.slots).toEqual([]);
		expect(draw(progress, NOW, 120).join()).toMatch(
			/3 of 9 rows · about \d+ minutes left · 1 ready · 1 failed · 1 parked/,
		);
	});

	test('counts what was ordered against the allowance, and nothing that is resumed or adopted', () => {
		const resumed = reported.accepted(3, 'x', true);
		expect(after(reported.accepted(2), resumed).used).toBe(8);
		const ordered: RunEvent = { event: 'brief_ordered', row: 3, product_name: 'x', key: 'k3' };
		expect(after(ordered, resumed).used).toBe(8);
		expect(after(ordered, { ...resumed, taken_over: true } as RunEvent).used).toBe(7);
	});

	test('never shows more rows than all', () => {
		const events = Array.from({ length: 11 }, (_, at) => reported.ready(at + 2));
		expect(draw(after(...events), NOW, 120).join()).toContain('11 of 11 rows');
	});

	test('estimates by its own briefs once three are ready, and shows the slots of others', () => {
		const ready = [2, 3, 4].map((row) => reported.ready(row));
		const lines = draw(
			after(...ready, reported.accepted(5), reported.others(1)),
			NOW + 60_000,
			160,
		);
		expect(lines[0]).toContain('1:00  ~3:00 left');
		expect(lines[1]).toBe('1 slot taken by others in the workspace');
		expect(lines[2]).toContain('about 12 minutes left');
	});

	test.each([200, 80, 40, 20, 5, 1])(
		'stays within %i columns, whatever a product is called',
		(width) => {
			const long = `${HOSTILE} ${'very long '.repeat(30)}`;
			const row = 123_456;
			const progress = after(
				reported.accepted(row, long),
				reported.status(row, long),
				reported.others(2),
			);
			for (const line of draw(progress, NOW + 5_000_000, width)) {
				expect(Array.from(line).length).toBeLessThanOrEqual(width);
				expect(line).not.toMatch(CONTROL);
			}
		},
	);
});

/** Without the command below it. */
const textOf = (paragraph: Paragraph | null) =>
	typeof paragraph === 'string' ? paragraph : (paragraph?.text ?? '');

describe('the line of an event', () => {
	const hostile: RunEvent[] = [
		reported.started({ batch: HOSTILE }),
		{
			event: 'row_invalid',
			row: 2,
			product_name: HOSTILE,
			problems: [{ column: HOSTILE, what: HOSTILE, cure: HOSTILE }],
		},
		{ event: 'row_duplicate', row: 3, first_row: 2 },
		{ ...reported.accepted(2, HOSTILE), brief_id: HOSTILE } as RunEvent,
		reported.ready(2, HOSTILE),
		reported.failed(2, HOSTILE, HOSTILE),
		reported.parked(2, HOSTILE, HOSTILE),
		{ event: 'notice', text: HOSTILE },
		{
			event: 'interrupted',
			running: [{ key: 'k', row: 2, product_name: HOSTILE, brief_id: HOSTILE }],
		},
	];

	test.each(hostile.map((event) => [event.event, event] as const))(
		'%s holds nothing that a terminal obeys',
		(_, event) =>
			expect(textOf(lineFor(event, plainPaint)).replace(/\n/g, '')).toMatch(/^\P{Cc}+$/u),
	);

	test('has columns: in a log with files and IDs, on a terminal without', () => {
		const name = 'x'.padEnd(60);
		const ready = reported.ready(12, 'x', { took_ms: 4300 });
		const log = (event: RunEvent) => lineFor(event, plainPaint);
		expect(log(ready)).toBe(`row 12    ready        ${name}  results/x.md in 4 seconds`);
		expect(log(reported.failed(3))).toBe(`row 3     failed       ${name}  e`);
		expect(log(reported.accepted(3))).toMatch(/^row 3 +ordered +Glow Serum +brief b$/);
		expect(log(reported.started())).toBe(
			'Batch “b”: 12 rows, 8 to order, 1 under way, 2 finished before, 1 invalid. Allowance: 7 of 50 used.',
		);
		expect(log(reported.status(2, 'writing'))).toBeNull();
		expect(lineFor(ready, plainPaint, 80)).toMatch(/^row 12 +ready +x +4 seconds$/);
		expect(lineFor(reported.failed(3), plainPaint, 80)).toMatch(/^row 3 +failed +x +c$/);
		expect(lineFor(reported.accepted(3), plainPaint, 80)).toBeNull();
		const running = [2, 3].map((row) => {
			const key = `k${row}`;
			return { key, row, product_name: 'Glow', brief_id: `b${row}` };
		});
		const interrupted: RunEvent = { event: 'interrupted', running };
		expect(textOf(lineFor(interrupted, plainPaint, 80)).split('\n')).toEqual([
			'Interrupted: nothing more is ordered. The service goes on writing 2 briefs:',
			...['row 2     running      Glow', 'row 3     running      Glow'],
			'Run the same command again to go on and to fetch what is ready by then.',
		]);
		expect(log(interrupted)).toMatch(/^row 2 +running +Glow +brief b2$/m);
		expect(log({ event: 'interrupted', running: [] })).toMatch(/^Interrupted: .* ordered\.\nRun/);
		expect(lineFor(ready, colourPaint, 80)).toContain('\u001b[32mready\u001b[39m');
	});
});
