import { DEFAULT_CSV_OPTIONS } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { Runs, type RunEntry } from '../../../batch/orders/runs';
import { findConfirmations } from '../../../batch/plan/confirmations';
import type { Facts } from '../../../batch/plan/read-facts';
import { makeOrders, makeRows, mug, START, STATES } from '../support/order-builder';
import { plan } from '../support/show-plan';
import { makeTable } from '../support/world';

const rows = makeRows(mug);
const activeRows = { ...DEFAULT_CSV_OPTIONS, where: ['Status=active'] };
const ready = makeOrders({ input: mug });
const undecided = makeOrders({ input: mug, state: STATES.undecided('H1') });

/** Returns the confirmations of a run without --where, after runs with these entries. */
function find(orders: Orders, ...entries: Array<Partial<RunEntry>>) {
	const runs = new Runs();
	for (const [run, entry] of entries.entries())
		runs.apply({ run, csv: 'products.csv', csvOptions: activeRows, ...entry });
	const matches = matchRows(rows, orders);
	const listed = { now: START, listedSince: START, briefs: [] };
	const facts = { ...listed, orders, matches } as unknown as Facts;
	return findConfirmations({
		folder: 'briefs',
		table: { ...makeTable(rows), columns: { product_name: 'Name' } },
		runs,
		facts,
		planned: plan(rows, { orders }),
		repeatCommand: (_, ...options) => ['run', ...options].join(' '),
	});
}

const END = { at: '', exitCode: 0, message: null, allowanceLeft: null } as const;
const same = { csvOptions: DEFAULT_CSV_OPTIONS };
const trial = { ...same, isPartial: true };
const noRows = { end: { ...END, counts: { ready: 0, skipped: 1 } } };
const CHANGED = ['options-changed'];

test.each<[string, string[], Orders, Array<Partial<RunEntry>>]>([
	['the last run had another --where', CHANGED, ready, [{}]],
	['the only run had --only and another --where', CHANGED, ready, [{ isPartial: true }]],
	['a run with --only came after a run like this', [], ready, [same, { isPartial: true }]],
	['a refused run came after a run like this', [], ready, [same, { csv: '', isPartial: true }]],
	['--where of the last run left no row', [], ready, [same, noRows]],
	['--where left no row after a trial with --only', [], ready, [trial, noRows]],
	['no order of the folder was sent', [], undecided, [{}]],
	['a field had another header', CHANGED, ready, [{ ...same, columns: { product_name: 'Title' } }]],
	['a field had no header', [], ready, [{ ...same, columns: {} }]],
	['a field lost its header', [], ready, [{ ...same, columns: { audience: 'Audience' } }]],
	['the options were stored in another sequence', [], ready, [{ csvOptions: reverse() }]],
])('if %s, a run asks for %j', (_, codes, orders, entries) => {
	expect(find(orders, ...entries).map(({ code }) => code)).toEqual(codes);
});

test('options-changed has the command of the last run', () => {
	const [confirmation] = find(ready, {});
	expect(confirmation?.nextSteps.flatMap(({ commands = [] }) => commands)).toEqual([
		'run --where Status=active',
	]);
});

function reverse(): typeof DEFAULT_CSV_OPTIONS {
	const entries = Object.entries(DEFAULT_CSV_OPTIONS).toReversed();
	return Object.fromEntries(entries) as unknown as typeof DEFAULT_CSV_OPTIONS;
}
