import { colourPaint, lineFor, plainPaint } from '../../../batch/cli/event-lines';
import { advance, draw, noProgress, type Progress } from '../../../batch/cli/progress';
import type { RunEvent } from '../../../batch/run/events';

const HOSTILE = 'Glow\u001b[2J\r\nSerum\u0007\u009b1m \u202eevil';
const NOW = 1_000_000;

const started: RunEvent = {
	event: 'run_started',
	batch: 'b',
	rows: 12,
	to_create: 8,
	to_resume: 1,
	done: 2,
	changed: 0,
	invalid: 1,
	duplicates: 0,
	allowance: 50,
	used: 7,
	others_running: 0,
};
const accepted = (row: number, product_name = 'Glow Serum', found = false): RunEvent => ({
	event: 'brief_accepted',
	row,
	product_name,
	brief_id: 'b',
	status: 'queued',
	found,
});
const ready = (row: number, took_ms: number | null = 240_000): RunEvent => ({
	event: 'brief_ready',
	row,
	product_name: 'x',
	brief_id: 'b',
	title: 'T',
	url: 'https://app.example/b',
	file: 'results/x.md',
	took_ms,
});
const failed = (row: number): RunEvent => ({
	event: 'row_failed',
	row,
	product_name: 'x',
	brief_id: null,
	error_code: 'c',
	error: 'e',
});
const status = (row: number, text: string): RunEvent => ({
	event: 'brief_status',
	row,
	product_name: 'x',
	brief_id: 'b',
	status: text,
});

const after = (...events: RunEvent[]): Progress =>
	events.reduce((progress, event) => advance(progress, event, NOW), noProgress());

describe('the live view', () => {
	test('shows each brief being written with its stage and time, and the whole', () => {
		const progress = after(started, accepted(2), accepted(3, 'Clip-On Fan'), status(3, 'writing'));
		expect(draw(progress, NOW + 65_000, 120)).toEqual([
			`row 2     queued       ${'Glow Serum'.padEnd(60)}  1:05`,
			`row 3     writing      ${'Clip-On Fan'.padEnd(60)}  1:05`,
			expect.stringMatching(
				/^░+ {2}0 of 9 rows · about 23 minutes left · 0 ready · 1 invalid · allowance 9 of 50 used$/,
			),
		]);
	});

	test('takes a brief away when it has ended, however it ended', () => {
		const progress = after(
			...[started, accepted(2), accepted(3), ready(2), failed(3), accepted(4)],
			{ event: 'row_parked', row: 4, product_name: 'x', brief_id: null, error: 'e' },
		);
		expect(progress.slots).toEqual([]);
		expect(progress.finished).toEqual({ ready: 1, failed: 1, parked: 1 });
		expect(draw(progress, NOW, 120).join()).toMatch(
			/3 of 9 rows · about \d+ minutes left · 1 ready · 1 failed · 1 parked/,
		);
	});

	test('counts what it orders against the allowance, and not what it takes up again', () => {
		expect(after(started, accepted(2), accepted(3, 'x', true))).toMatchObject({ used: 8, paid: 1 });
	});

	test('counts a brief that it ordered and found in the list, and not one that it takes over', () => {
		const ordered: RunEvent = { event: 'brief_ordered', row: 2, product_name: 'x', key: 'k' };
		const found = accepted(2, 'x', true);
		expect(after(started, ordered, found).paid).toBe(1);
		expect(after(started, ordered, { ...found, adopted: true } as RunEvent).paid).toBe(0);
	});

	test('never says more than all', () => {
		const events = Array.from({ length: 11 }, (_, i) => ready(i + 2));
		expect(draw(after(started, ...events), NOW, 120).join()).toContain('11 of 11 rows');
	});

	test('says how long it takes by its own briefs once three are ready, and what others take', () => {
		const progress = after(started, ready(2), ready(3), ready(4), accepted(5), {
			event: 'others_running',
			others_running: 1,
		});
		const lines = draw(progress, NOW + 60_000, 160);
		expect(lines[0]).toContain('1:00  ~3:00 left');
		expect(lines[1]).toBe('1 slot taken by others in the workspace');
		expect(lines[2]).toContain('about 12 minutes left');
	});

	test('stays within the terminal at any width, whatever a product or a status is called', () => {
		const long = `${HOSTILE} ${'very long '.repeat(30)}`;
		const progress = after(...[started, accepted(123_456, long), status(123_456, long), ready(2)], {
			event: 'others_running',
			others_running: 2,
		});
		for (const width of [200, 80, 60, 40, 20, 5, 1]) {
			for (const line of draw(progress, NOW + 5_000_000, width)) {
				expect(Array.from(line).length).toBeLessThanOrEqual(width);
				expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
			}
		}
	});
});

describe('the line of an event', () => {
	const all: RunEvent[] = [
		{ ...started, batch: HOSTILE },
		{ event: 'row_invalid', row: 2, problems: [{ column: HOSTILE, what: HOSTILE, cure: HOSTILE }] },
		{ event: 'row_duplicate', row: 3, first_row: 2 },
		{ ...accepted(2, HOSTILE), brief_id: HOSTILE } as RunEvent,
		{ ...ready(2), product_name: HOSTILE } as RunEvent,
		{ ...failed(2), product_name: HOSTILE, error: HOSTILE } as RunEvent,
		{ event: 'row_parked', row: 2, product_name: HOSTILE, brief_id: null, error: HOSTILE },
		{ event: 'notice', text: HOSTILE },
		{ event: 'interrupted', running: [{ row: 2, product_name: HOSTILE, brief_id: HOSTILE }] },
	];

	test.each(all.map((event) => [event.event, event] as const))(
		'%s holds nothing that a terminal obeys',
		(_, event) => {
			const line = lineFor(event, plainPaint);
			expect(line?.replace(/\n/g, '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
			expect(line).not.toBeNull();
		},
	);

	test('says what happened, in columns: in a log with files and IDs, on a terminal without', () => {
		const name = 'x'.padEnd(60);
		expect(lineFor(ready(12, 4300), plainPaint)).toBe(
			`row 12    ready        ${name}  results/x.md in 4 seconds`,
		);
		expect(lineFor(failed(3), plainPaint)).toBe(`row 3     failed       ${name}  e`);
		expect(lineFor(accepted(3), plainPaint)).toMatch(/^row 3 +ordered +Glow Serum +brief b$/);
		expect(lineFor(ready(12, 4300), plainPaint, 80)).toMatch(/^row 12 +ready +x +4 seconds$/);
		expect(lineFor(failed(3), plainPaint, 80)).toMatch(/^row 3 +failed +x +c$/);
		expect(lineFor(accepted(3), plainPaint, 80)).toBeNull();
		expect(lineFor(ready(12), colourPaint, 80)).toContain('\u001b[32mready\u001b[39m');
		expect(lineFor(started, plainPaint)).toBe(
			'Batch “b”: 12 rows, 8 to order, 1 under way, 2 finished before, 1 invalid. Allowance: 7 of 50 used.',
		);
		expect(lineFor(status(2, 'writing'), plainPaint)).toBeNull();
	});
});
