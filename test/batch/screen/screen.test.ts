import { openConsole } from '../../../batch/screen/console';
import type { Heard } from '../../../batch/folder/events';
import { ROWS_TO_DO } from '../../support/batch/journal-events';
import { now, told, TOLD_AT, ToldRun } from '../../support/batch/run-events';
import { Screen } from '../../support/batch/screen';

afterEach(() => jest.restoreAllMocks());

const ROWS = 108;
const NAMES = [
	'Glow Serum',
	'美白精华液 30ml',
	'🧴 Sun cream 👩‍🔬',
	'Clip-On Fan',
	'Bürste für Böden und alle anderen Oberflächen, mit austauschbarem Kopf und langem Stiel',
	'סרום פנים עם ויטמין C',
	'سيروم الوجه المضيء بفيتامين',
];
const nameOf = (row: number) => `${NAMES[row % NAMES.length] ?? ''} ${row}`;

const rows = { ...ROWS_TO_DO, all: ROWS, to_order: ROWS, invalid: 12 };
const started = told.started({ rows, allowance: 5000, used: 1234 });
const accepted = (row: number): Heard => ({ ...told.accepted(row, nameOf(row)), at: now() });
const status = (row: number, to: string) => told.status(row, to, nameOf(row));
const ready = (row: number) => told.ready(row, nameOf(row));

/** Two at a time, so that the view grows and shrinks with each row, and others come and go. */
function eventsOf(rows: number): Heard[] {
	const events: Heard[] = [started, accepted(2), accepted(3)];
	for (let row = 2; row < rows + 2; row += 1) {
		events.push(status(row, 'researching'));
		if (row % 7 === 0) events.push(told.others(row % 2));
		events.push(
			status(row + 1, 'checking'),
			...(row % 10 === 0 ? [told.failed(row, nameOf(row))] : ready(row)),
		);
		if (row + 2 < rows + 2) events.push(accepted(row + 2));
	}
	return events;
}

/** On a screen of so many columns the events of a run, up to one of them. */
async function after(columns: number, events: readonly Heard[], rows = 24) {
	const screen = new Screen(columns, rows);
	const console = openConsole(screen.streams, { color: false });
	new ToldRun(console).tell(...events);
	const during = await screen.lines();
	console.close();
	return { during, lines: await screen.lines() };
}

describe.each([60, 80, 120, 200])('on a terminal of %i columns', (columns) => {
	test.each([24, 5, 2])('of %i lines, no printed line is lost', async (rows) => {
		const { lines } = await after(columns, eventsOf(ROWS), rows);
		const printed = lines
			.map((line) => line.trimEnd())
			.filter((line) => /^(Batch|row) /.test(line));
		const expected = ['Batch “b”'];
		for (const event of eventsOf(ROWS)) {
			if (event.event === 'filed') expected.push(`row ${String(event.row).padEnd(5)} ready`);
			if (event.event === 'ended' && event.brief.status === 'failed')
				expected.push(`row ${String(event.row).padEnd(5)} failed`);
		}
		expect(printed.map((line, i) => line.slice(0, (expected[i] ?? '').length))).toEqual(expected);
		const screen = new Screen(columns);
		const ended = printed.filter((text) => / ready {2}/.test(text));
		const starts = new Set<number>();
		for (const line of ended) {
			expect(line).toMatch(/^row \d+ +ready {8}.+ {2}4 minutes$/);
			expect(line).not.toContain('results/');
			starts.add(await screen.widthOf(line.slice(0, line.indexOf('4 minutes'))));
			expect(await screen.widthOf(line)).toBeLessThanOrEqual(columns);
		}
		expect(starts.size).toBe(1);
	});

	test('the view is below, each line in one piece, with the time left', async () => {
		const events = eventsOf(40);
		const at = events.findIndex(({ event, row }) => event === 'accepted' && row === 33);
		const { during, lines } = await after(columns, events.slice(0, at + 1));
		const view = during.slice(during.findLastIndex((line) => /^row .* minutes$/.test(line)) + 1);
		const shown = view.filter((line) => line !== '');
		expect(shown.slice(0, -1)).toHaveLength(2);
		for (const line of shown.slice(0, -1))
			expect(line).toMatch(/^row \d+ .* \d:\d\d {2}~[34]:\d\d left$/);
		expect(shown.at(-1)).toMatch(/^█+░+ {2}\d+ of 108 rows · about [\dh ]+ left · \d+ ready/);
		expect(shown.at(-1)?.endsWith('…')).toBe(false);
		expect(shown.at(-1)?.includes('allowance')).toBe(columns > 120);
		expect(lines.filter((line) => line.includes('about'))).toEqual([]);
	});
});

test('a terminal that draws a character wider than it is measured cuts the line and breaks nothing', async () => {
	// This one gives each part of an emoji its own columns, as some do.
	const screen = new Screen(60, 24, {}, '15');
	const console = openConsole(screen.streams, { color: false });
	const name = '👩‍🔬'.repeat(40);
	const long = (row: number) => told.accepted(row, name);
	new ToldRun(console).tell(started, long(2), long(3), ...ready(2), ...ready(3));
	console.close();
	const left = (await screen.lines()).filter((line) => /^(Batch|row) /.test(line));
	expect(left.map((line) => line.slice(0, 14))).toEqual([
		'Batch “b”: 108',
		...['row 2     read', 'row 3     read'],
	]);
});

const command = `brief-batch run products.csv --set "objective=${'Sell more '.repeat(12)}"`;

test.each([60, 80, 120])(
	'a line that is too long for a terminal of %i columns breaks between words, below its column',
	async (columns) => {
		const screen = new Screen(columns);
		const console = openConsole(screen.streams, {});
		console.events.tell({
			event: 'row_invalid',
			row: 12,
			product_name: 'Glow',
			problems: [
				{ column: 'Product ID', what: `is “${'1 '.repeat(60)}”`, cure: 'Give its digits' },
			],
		});
		console.say(`  rows                   16   ${'in the list, and more of them '.repeat(5)}`);
		console.say({ text: 'Nothing was ordered. Then:', command });
		console.say('brief-batch status says more about it, '.repeat(4));
		console.warn('A remark about something '.repeat(8));
		console.close();
		const lines = (await screen.lines()).filter((line) => line !== '');
		const [first = '', ...more] = lines;
		const at = more.findIndex((line) => !line.startsWith(' '.repeat(23)));
		expect(first).toMatch(/^row 12 {4}invalid {6}Product ID is “1 1/);
		expect(at).toBeGreaterThan(0);
		expect(more[at]).toMatch(/^ {2}rows {19}16 {3}in the list/);
		expect(lines.filter((line) => line.trim() !== command && line.length > columns)).toEqual([]);
		expect(lines).toContain(`         ${command}`);
		expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('of them in the list, and more of them');
	},
);

test.each([
	[0, '2026-11-03 14:03 UTC', '2026-11-03 23:30 UTC'],
	[-60, '2026-11-03 15:03 UTC+1', '2026-11-04 00:30 UTC+1'],
	[210, '2026-11-03 10:33 UTC-3:30', '2026-11-03 20:00 UTC-3:30'],
])(
	'times are those of the place where the terminal is, with their zone: %i',
	async (offset, since, until) => {
		jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset);
		const { lines } = await after(120, [
			{
				event: 'waits_for_slot',
				cause: 'taken',
				since: '2026-11-03T14:03:12Z',
				until: '2026-11-03T23:30:00Z',
				running: [],
				at: TOLD_AT,
			},
		]);
		const text = lines.join(' ').replace(/\s+/g, ' ');
		expect(text).toContain(`Waiting for a slot since ${since}: both`);
		expect(text).toContain(`until ${until}.`);
	},
);

test('a wait for a slot names the briefs that run, and calls none somebody else’s that may be ours', async () => {
	const since = '2026-11-03T14:03:12Z';
	const wait = { at: since, event: 'waits_for_slot', cause: 'taken', since, until: since } as const;
	const running = [
		{ brief_id: 'b1', product_name: 'Mug', since, ours: true },
		{ brief_id: 'b2', product_name: 'Lamp', since, ours: false },
	];
	const { lines } = await after(400, [{ ...wait, running }]);
	expect(lines.join(' ')).toMatch(
		/brief b1 .“Mug”. of this batch since [^;]*; brief b2 .“Lamp”. since /,
	);
	const none = await after(400, [{ ...wait, running: [] }]);
	expect(none.lines.join(' ')).toContain('both slots are taken by orders that have no answer yet.');
});

test('a command to copy keeps the time that was typed', async () => {
	jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-60);
	const screen = new Screen(120);
	const console = openConsole(screen.streams, {});
	const typed = 'brief-batch run a.csv --set "campaign_terms=until 2026-11-03 14:03 UTC"';
	console.say({ text: 'Since 2026-11-03 14:03 UTC. To go on:', command: typed });
	console.close();
	const [text, shown] = await screen.lines();
	expect(text).toContain('15:03 UTC+1. To go on:');
	expect(shown).toBe(`         ${typed}`);
});

test.each([
	[120, 60],
	[100, 33],
	[80, 120],
	[60, 20],
])(
	'a window of %i columns that becomes one of %i doubles no line of the view',
	async (from, to) => {
		const screen = new Screen(from);
		const console = openConsole(screen.streams, { color: false });
		const run = new ToldRun(console).tell(started, accepted(2), accepted(3));
		await screen.lines();
		screen.resize(to);
		run.tell(status(3, 'writing'));
		const during = await screen.lines();
		console.close();
		expect(during.filter((line) => line.includes('row 3 '))).toHaveLength(1);
		expect(during.filter((line) => line.includes('░'))).toHaveLength(1);
		const left = (await screen.lines()).filter((line) => line !== '');
		expect(left.join(' ').replace(/\s+/g, ' ')).toMatch(/^Batch “b”: .* 5000 used\.$/);
	},
);
