import { openConsole } from '../../../batch/screen/console';
import { colourPaint, lineFor, plainPaint } from '../../../batch/screen/event-lines';
import type { Paragraph } from '../../../batch/command-text';
import type { EventOf, Heard } from '../../../batch/folder/events';
import { told, TOLD_AT, ToldRun } from '../../support/batch/run-events';
import { Screen } from '../../support/batch/screen';

const HOSTILE = 'Glow\u001b[2J\r\nSerum\u0007\u009b1m \u202eevil';

afterEach(() => jest.restoreAllMocks());

/** The lines of the live view after these events, so many seconds later. */
async function viewAfter(seconds: number, columns: number, ...lines: Heard[]): Promise<string[]> {
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse(TOLD_AT) + seconds * 1000);
	const screen = new Screen(columns);
	const console = openConsole(screen.streams, { color: false });
	new ToldRun(console).tell(told.started(), ...lines);
	const printed = await screen.lines();
	console.close();
	const kept = new Set((await screen.lines()).filter((line) => line !== ''));
	return printed.filter((line) => line !== '' && !kept.has(line));
}

describe('the live view', () => {
	test('shows each brief being written with its stage and time, and the whole', async () => {
		const [two, three] = [told.accepted(2), told.accepted(3, 'Clip-On Fan')];
		expect(await viewAfter(65, 120, two, three, told.status(3, 'writing'))).toEqual([
			`row 2     queued       ${'Glow Serum'.padEnd(60)}  1:05`,
			`row 3     writing      ${'Clip-On Fan'.padEnd(60)}  1:05`,
			expect.stringMatching(
				/^░+ {2}0 of 9 rows · about 23 minutes left · 0 ready · 1 invalid · allowance 9 of 50 used$/,
			),
		]);
	});

	test('drops a brief that has ended, however it ended', async () => {
		const briefs = [2, 3, 4].map((row) => told.accepted(row));
		const ended = [...told.ready(2), told.failed(3), told.parked(4)];
		expect(await viewAfter(0, 120, ...briefs, ...ended)).toEqual([
			expect.stringMatching(/3 of 9 rows · about \d+ minutes left · 1 ready · 1 failed · 1 parked/),
		]);
	});

	test.each([
		[8, { found: true, paid: false }],
		[9, { found: true }],
	])('counts against the allowance what was paid for, found or not: %i', async (used, facts) => {
		const lines = [told.accepted(2), told.accepted(3, 'x', facts)];
		const whole = (await viewAfter(0, 120, ...lines)).at(-1);
		expect(whole).toContain(`allowance ${used} of 50 used`);
	});

	test('never shows more rows than all', async () => {
		const events = Array.from({ length: 11 }, (_, at) => told.ready(at + 2)).flat();
		expect((await viewAfter(0, 120, ...events)).join()).toContain('11 of 11 rows');
	});

	test('estimates by its own briefs once three are ready, and shows the slots of others', async () => {
		const ready = [2, 3, 4].flatMap((row) => told.ready(row));
		const lines = await viewAfter(60, 160, ...ready, told.accepted(5), told.others(1));
		expect(lines[0]).toContain('1:00  ~3:00 left');
		expect(lines[1]).toBe('1 slot taken by other briefs in the workspace');
		expect(lines[2]).toContain('about 12 minutes left');
	});

	test.each([200, 80, 40, 20, 5])(
		'has one line a brief on %i columns, whatever a product is called',
		async (columns) => {
			const long = `${HOSTILE} ${'very long '.repeat(30)}`;
			const [row, others] = [123_456, told.others(2)];
			const lines = await viewAfter(5000, columns, told.accepted(row, long), others);
			expect(lines).toHaveLength(3);
			for (const line of lines) expect(line).not.toMatch(/evil\u202c|very long {2}|\p{Cc}|\u202e/u);
		},
	);
});

const left = (row: number): Heard & EventOf<'left_running'> => ({
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
		const text = textOf(lineFor({ ...accepted, own_number: '4711' }, plainPaint));
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
		(_, line) => expect(textOf(lineFor(line, plainPaint)).replace(/\n/g, '')).toMatch(/^\P{Cc}*$/u),
	);

	test('has columns: in a log with files and IDs, on a terminal without', () => {
		const name = 'x'.padEnd(60);
		const [ended, ready] = told.ready(12, 'x', 4300) as [Heard, Heard];
		const run = new ToldRun().tell(told.accepted(12, 'x'), ended, ready, told.accepted(3, 'x'));
		const log = (line: Heard) => lineFor(line, plainPaint, run);
		const shown = (line: Heard, paint = plainPaint) => lineFor(line, paint, run, 80);
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
