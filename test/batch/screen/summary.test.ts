import { showEnd } from '../../../batch/screen/summary';
import { shownOn } from '../../../batch/screen/wrap';
import type { Paragraph } from '../../../batch/command-text';
import type { Console } from '../../../batch/screen/console';
import { BATCH, SETTINGS, tableOf } from '../../support/batch/desk';
import { plainPaint } from '../../../batch/screen/event-lines';
import type { RunEnded } from '../../../batch/folder/events';
import { NOTHING_KNOWN } from '../../../batch/plan/marks';
import { countRows } from '../../../batch/plan/plan';
import { entry } from '../../support/batch/journal-events';
import type { RunOutcome } from '../../../batch/run/end-run';
import { Stop } from '../../../batch/stop';

const NOW = Date.parse('2026-11-03T14:03:12Z');

const FILE = { isTTY: false, columns: 0 };

type Said = Partial<Omit<RunEnded, 'counts'>> &
	Partial<Pick<RunOutcome, 'knownCounts' | 'hasResults'>> & { counts?: object };

function said(
	{ knownCounts = NOTHING_KNOWN, counts, hasResults = true, ...facts }: Said,
	csv = 'products.csv',
	outDir = 'briefs',
	typed: string[] = [],
	{ isQuiet = false, since = NOW }: { isQuiet?: boolean; since?: number } = {},
) {
	const numbers = { paid: 0, taken_over: 0, fetched: 0, allowance: 100, used: 0 };
	const end: RunEnded = {
		...entry.runEnded(),
		...numbers,
		...facts,
		counts: { ...countRows([]), ...counts },
	};
	const written = { hasResults, hasReport: hasResults };
	const whole: RunOutcome = { end, knownCounts, changedRows: [], othersOpen: 0, ...written };
	const table = { ...tableOf([]), file: csv };
	const rows = { table, rows: table.rows, batch: BATCH };
	const run = { ...SETTINGS, ...rows, outDir, max: 5, typed };
	const lines: string[] = [];
	const say = (paragraph: Paragraph) => lines.push(shownOn(FILE, paragraph));
	showEnd(whole, run, { paint: plainPaint, isQuiet, since, say } as unknown as Console, NOW);
	return lines;
}

test.each([
	[{ paid: 7, used: 7 }, '7 briefs paid. 93 of 100 left until 1 December.'],
	[{ paid: 1, used: 120 }, '1 brief paid. 0 of 100 left until 1 December.'],
	[{ used: 30, allowance: 1500 }, 'No brief paid. 1,470 of 1,500 left until 1 December.'],
	[{ paid: 2, allowance: null }, '2 briefs paid.'],
	[
		{ paid: 3, taken_over: 2, fetched: 6, used: 9 },
		'3 briefs paid, 2 taken over, 6 fetched. 91 of',
	],
])('%j is what it cost, and what is left', (report, line) => {
	expect(said(report).join('\n')).toContain(line);
	const since = Date.now() - 12 * 60_000;
	expect(said(report, 'a.csv', 'out', [], { since }).join('\n')).toContain(' 12 minutes.');
});

test('with --quiet whose run it is, and up to ten new briefs with title and link', () => {
	const new_briefs = Array.from({ length: 10 }, (_, at) => ({
		brief_id: String(at),
		product_name: `Mug ${at}`,
		title: at === 0 ? null : `Sip ${at}\u001b[2J`,
		url: at === 2 ? 'javascript:alert(1)' : `https://app.example/${at}`,
	}));
	const lines = said({ new_briefs, fetched: 12 }, 'products.csv', 'out', [], { isQuiet: true });
	expect(lines.slice(0, 4)).toEqual([
		'Acme: products.csv, 12 new briefs',
		'• Mug 0 https://app.example/0',
		'• Mug 1: Sip 1 [2J https://app.example/1',
		'• Mug 2: Sip 2 [2J',
	]);
	expect(lines[11]).toBe('and 2 more briefs');
	expect(said({}).join()).not.toContain('Acme');
});

test('each status has one line that says what to do', () => {
	const one = { failed: 1, invalid: 1, parked: 1, duplicate: 1 };
	expect(said({ counts: one }).slice(-4)).toEqual([
		'     1 duplicate: shares the brief of an earlier row',
		'     1 invalid: not sent. Correct it in products.csv, then:\n         brief-batch run products.csv',
		'     1 parked: what it needs:\n         brief-batch status',
		'     1 failed: this says why, and asks before it orders it again:\n         brief-batch retry products.csv',
	]);
	const more = { failed: 2, invalid: 2, deferred: 3, pending: 2, duplicate: 2 };
	expect(said({ counts: more }).slice(-5)).toEqual([
		'     2 duplicates: share the brief of an earlier row',
		'     2 invalid: not sent. Correct them in products.csv, then:\n         brief-batch run products.csv',
		'     2 failed: this says why, and asks before it orders them again:\n         brief-batch retry products.csv',
		'     3 deferred: the allowance is used up, run the same command again from 1 December 2026 (UTC)',
		'     2 pending: run the same command again to go on',
	]);
});

test('no file is named that could not be written', () => {
	const lines = said({ counts: { ready: 1, failed: 1, changed: 1 }, hasResults: false }).join('\n');
	expect(lines).not.toMatch(/briefs\/|results\.csv|failed\.csv|report\.html/);
});

test('known rows are called known', () => {
	const knownCounts = { failed: 2, invalid: 1, parked: 0, changed: 0 };
	const lines = said({ counts: { failed: 2, invalid: 3 }, knownCounts }).join('\n');
	expect(lines).toContain('2 failed, known: ');
	expect(lines).toContain('3 invalid, 1 of them known: not sent');
});

test('rows beyond --max are called so, and rows behind a refused key get no other advice', () => {
	const counts = { pending: 2 };
	expect(said({ counts, outcome: 'max' })).toContain(
		'     2 pending: left by --max 5; to order them:\n         brief-batch run products.csv',
	);
	const stop = new Stop('Unexpected error: x\u001b[2J', '', 'unexpected').onRecord;
	const lines = said({ counts, outcome: 'failure', stop });
	expect(lines).toContain('     2 pending: not ready yet, see below');
	expect(lines.at(-2)).toBe('Unexpected error: x [2J');
});

test('the command to copy has what was typed, and can be pasted', () => {
	const typed = ['--set', 'audience=Cat people'];
	const lines = said({ counts: { failed: 1 } }, 'my "best" list.csv', 'client a', typed);
	expect(lines.join('\n')).toContain(
		`brief-batch retry 'my "best" list.csv' --out "client a" --set "audience=Cat people"`,
	);
});
