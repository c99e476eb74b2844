import { colourPaint, lineFor, plainPaint } from '../../../batch/screen/event-lines';
import { draw } from '../../../batch/screen/live-view';
import { progressOf, type Progress } from '../../../batch/screen/progress';
import type { Paragraph } from '../../../batch/command-text';
import type { Heard, HeardOf } from '../../../batch/folder/events';
import { told, TOLD_AT, ToldRun } from '../../support/batch/run-events';

const HOSTILE = 'Glow\u001b[2J\r\nSerum\u0007\u009b1m \u202eevil';
const CONTROL = /[\p{Cc}\u202a-\u202e]/u;
const NOW = Date.parse(TOLD_AT);

function after(...lines: Heard[]): Progress {
	const { records, nameOf } = new ToldRun().tell(told.started(), ...lines);
	const others = lines.findLast(({ event }) => event === 'others_running');
	const othersRunning = others?.event === 'others_running' ? others.others_running : 0;
	return progressOf(records, { usable: 2, othersRunning }, nameOf)!;
}

describe('the live view', () => {
	test('shows each brief being written with its stage and time, and the whole', () => {
		const [two, three] = [told.accepted(2), told.accepted(3, 'Clip-On Fan')];
		const progress = after(two, three, told.status(3, 'writing'));
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
			...[2, 3, 4].map((row) => told.accepted(row)),
			...[...told.ready(2), told.failed(3), told.parked(4)],
		);
		expect(progress.slots).toEqual([]);
		expect(draw(progress, NOW, 120).join()).toMatch(
			/3 of 9 rows · about \d+ minutes left · 1 ready · 1 failed · 1 parked/,
		);
	});

	test('counts against the allowance what was paid for, found or not, and nothing that is taken over', () => {
		const takenOver = told.accepted(3, 'x', { found: true, paid: false });
		expect(after(told.accepted(2), takenOver).used).toBe(8);
		expect(after(told.accepted(2), told.accepted(3, 'x', { found: true })).used).toBe(9);
	});

	test('never shows more rows than all', () => {
		const events = Array.from({ length: 11 }, (_, at) => told.ready(at + 2)).flat();
		expect(draw(after(...events), NOW, 120).join()).toContain('11 of 11 rows');
	});

	test('estimates by its own briefs once three are ready, and shows the slots of others', () => {
		const ready = [2, 3, 4].flatMap((row) => told.ready(row));
		const lines = draw(after(...ready, told.accepted(5), told.others(1)), NOW + 60_000, 160);
		expect(lines[0]).toContain('1:00  ~3:00 left');
		expect(lines[1]).toBe('1 slot taken by other briefs in the workspace');
		expect(lines[2]).toContain('about 12 minutes left');
	});

	test.each([200, 80, 40, 20, 5, 1])(
		'stays within %i columns, whatever a product is called',
		(width) => {
			const long = `${HOSTILE} ${'very long '.repeat(30)}`;
			const row = 123_456;
			const progress = after(told.accepted(row, long), told.status(row, long), told.others(2));
			for (const line of draw(progress, NOW + 5_000_000, width)) {
				expect(Array.from(line).length).toBeLessThanOrEqual(width);
				expect(line).not.toMatch(CONTROL);
			}
		},
	);
});

const left = (row: number): HeardOf<'left_running'> => ({
	at: TOLD_AT,
	event: 'left_running',
	key: `k${row}`,
	brief_id: `b${row}`,
	row,
	product_name: 'x',
});

/** Without the command below it. */
const textOf = (paragraph: Paragraph | null) =>
	typeof paragraph === 'string' ? paragraph : (paragraph?.text ?? '');

describe('the line of an event', () => {
	test('has the row’s own number beside its product, also if the name is cut off', () => {
		const accepted = told.accepted(2, 'A very long name of a product '.repeat(3));
		const text = textOf(lineFor({ ...accepted, own_number: '4711' }, { paint: plainPaint }));
		expect(text).toMatch(/^row 2 +ordered +A very long .*… \(4711\) +brief b$/);
	});

	const hostile: Heard[] = [
		told.started({}),
		{
			at: TOLD_AT,
			event: 'row_invalid',
			row: 2,
			product_name: HOSTILE,
			problems: [{ column: HOSTILE, what: HOSTILE, cure: HOSTILE }],
		},
		{ at: TOLD_AT, event: 'row_duplicate', row: 3, product_name: HOSTILE, first_row: 2 },
		told.accepted(2, HOSTILE, { brief: { id: HOSTILE } }),
		...told.ready(2, HOSTILE),
		told.failed(2, HOSTILE, HOSTILE),
		told.parked(2, HOSTILE),
		{ at: TOLD_AT, event: 'notice', text: HOSTILE },
		{ ...left(2), product_name: HOSTILE, brief_id: HOSTILE },
	];

	test.each(hostile.map((line) => [line.event, line] as const))(
		'%s holds nothing that a terminal obeys',
		(_, line) =>
			expect(textOf(lineFor(line, { paint: plainPaint })).replace(/\n/g, '')).toMatch(/^\P{Cc}*$/u),
	);

	test('has columns: in a log with files and IDs, on a terminal without', () => {
		const name = 'x'.padEnd(60);
		const [ended, ready] = told.ready(12, 'x', 4300) as [Heard, Heard];
		const run = new ToldRun().tell(told.accepted(12, 'x'), ended, ready, told.accepted(3, 'x'));
		const log = (line: Heard) => lineFor(line, { paint: plainPaint, run });
		const shown = (line: Heard, paint = plainPaint) => lineFor(line, { paint, run, width: 80 });
		expect(log(ready)).toBe(`row 12    ready        ${name}  results/x.md in 4 seconds`);
		expect(log(told.failed(3))).toBe(
			`row 3     failed       ${name}  The service could not write this brief (c).`,
		);
		expect(log(told.accepted(3))).toMatch(/^row 3 +ordered +Glow Serum +brief b$/);
		expect(log(told.started())).toBe(
			'Batch “b”: 12 rows, 8 to order, 1 pending, 2 ready or failed, 1 invalid. Allowance: 7 of 50 used.',
		);
		expect(log(told.status(2, 'writing'))).toBeNull();
		expect(shown(ready)).toMatch(/^row 12 +ready +x +4 seconds$/);
		expect(shown(told.failed(3))).toMatch(/^row 3 +failed +x +c$/);
		expect(shown(told.accepted(3))).toBeNull();
		const interrupted = (running: number): Heard => ({
			at: TOLD_AT,
			event: 'interrupted',
			running,
		});
		expect(shown(interrupted(2))).toBe(
			'Interrupted: nothing more is ordered. The service goes on writing 2 briefs. Run the same command again to go on and to fetch what is ready by then.',
		);
		expect(shown(left(2))).toBe('row 2     pending      x');
		expect(log(left(2))).toMatch(/^row 2 +pending +x +brief b2$/m);
		expect(log(interrupted(0))).toMatch(/^Interrupted: .* ordered\. Run/);
		expect(shown(ready, colourPaint)).toContain('\u001b[32mready\u001b[39m');
	});
});
