import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { contentIdOf } from '../../../batch/csv/row';
import { isHeldUnsent, isTakenOver, type Records, statusOf } from '../../../batch/folder/records';
import { rowStatus, type Plan, type PlannedRow } from '../../../batch/plan/plan';
import type { BriefInput } from '../../../service/api/resources';
import { checkInput } from '../../../service/input/input';
import { JOURNAL, OUT } from '../../support/batch/desk';
import { draws, isTorture } from '../../support/long-run';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/time';
import {
	FAULTS,
	play,
	playedOut,
	type Action,
	type Case,
	type FaultName,
} from '../../support/world/actions';
import type { Start, World } from '../../support/world/world';

jest.setTimeout(isTorture ? 7_200_000 : 300_000);

const DRAWS = draws(Number(process.env.SEQUENCES ?? (isTorture ? 20_000 : 200)), 20261120);

const death = fc.record({
	at: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 600 })),
	when: fc.constantFrom('before' as const, 'after' as const, 'amid' as const),
});
const start = fc.record(
	{
		death,
		power: fc.boolean(),
		interruptAt: fc.integer({ min: 1, max: 300 }),
		sleepAt: fc.integer({ min: 1, max: 200 }),
		sleepMs: fc.constantFrom(10 * MINUTE, 3 * HOUR, 2 * DAY),
		heldUpAt: fc.integer({ min: 1, max: 40 }),
		heldUpMs: fc.constantFrom(50 * SECOND, 10 * MINUTE, 3 * HOUR, 2 * DAY),
		othersAt: fc.integer({ min: 1, max: 200 }),
		setRightAt: fc.integer({ min: 1, max: 100 }),
		retry: fc.boolean(),
		orderChanged: fc.boolean(),
		orderAgain: fc.boolean(),
		max: fc.constantFrom(1, 2),
		leaveSlots: fc.constantFrom(0, 1),
		keep: fc.constantFrom(0, 1),
	},
	{ requiredKeys: [] },
);
const run: fc.Arbitrary<Action> = start.map((facts) => ({ do: 'run', ...facts }));
const crash: fc.Arbitrary<Action> = fc
	.record({ death, power: fc.boolean() })
	.map((facts) => ({ do: 'run', ...facts }));

const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

const fault: fc.Arbitrary<Action> = fc.record({
	do: fc.constant('fault' as const),
	on: fc.oneof(
		{ weight: 3, arbitrary: fc.constant('create_brief' as const) },
		{
			weight: 2,
			arbitrary: fc.constantFrom<Array<(Action & { do: 'fault' })['on']>>(
				'get_brief',
				'list_briefs',
				'list_licences',
			),
		},
	),
	with: fc.constantFrom(...FAULT_NAMES),
	times: fc.constantFrom(1, 1, 1, 2, 7, 14),
});
const change: fc.Arbitrary<Action> = fc.record({
	do: fc.constant('edit' as const),
	how: fc.constantFrom(
		...(['add', 'remove', 'change', 'reverse', 'double', 'cell', 'cell', 'set', 'set'] as const),
	),
	at: fc.nat(9),
});
const others: fc.Arbitrary<Action> = fc.record(
	{
		do: fc.constant('others' as const),
		minutes: fc.constantFrom(1, 5, 40),
		of: fc.constantFrom(0, 1, 2),
	},
	{ requiredKeys: ['do', 'minutes'] },
);
const pass: fc.Arbitrary<Action> = fc.record({
	do: fc.constant('pass' as const),
	ms: fc.constantFrom(SECOND, 30 * SECOND, 3 * MINUTE, 11 * MINUTE, 45 * MINUTE, 2 * HOUR, 5 * DAY),
});
const skew: fc.Arbitrary<Action> = fc.record({
	do: fc.constantFrom('skew' as const, 'skew' as const, 'date' as const),
	ms: fc.constantFrom(0, -HOUR, HOUR, 3 * DAY, -3 * DAY),
});

const action: fc.Arbitrary<Action> = fc.oneof(
	{ weight: 4, arbitrary: crash },
	{ weight: 4, arbitrary: run },
	{ weight: 5, arbitrary: fault },
	{ weight: 2, arbitrary: change },
	{ weight: 2, arbitrary: others },
	{ weight: 3, arbitrary: pass },
	{ weight: 1, arbitrary: fc.constant({ do: 'next month' as const }) },
	{ weight: 1, arbitrary: skew },
);

/**
 * Services within which P1 is promised: a key is remembered for long, or the list shows a brief before it is forgotten.
 */
const options: fc.Arbitrary<Case['options']> = fc
	.record(
		{
			allowance: fc.constantFrom(2, 4, 1000),
			thirdBrief: fc.constantFrom('queue' as const, 'conflict' as const),
			failsEvery: fc.constantFrom(2, 3),
			listLag: fc.constantFrom(0, 20 * SECOND, 5 * MINUTE),
			getLag: fc.constantFrom(0, SECOND, 20 * SECOND),
			keyMemoryMs: fc.constantFrom(20 * MINUTE, 90 * MINUTE, DAY),
			replayStatus: fc.constantFrom(200 as const, 202 as const),
			ahead: fc.constantFrom(0, 40 * MINUTE, -40 * MINUTE),
			writtenAhead: fc.constantFrom(-3 * MINUTE, -20 * MINUTE, 5 * MINUTE),
			isDateless: fc.boolean(),
		},
		{ requiredKeys: [] },
	)
	.map((facts) => (facts.isDateless === true ? { ...facts, ahead: 0 } : facts));

/** Each sequence has a few kinds of faults only: a mix of all hides what takes one kind many times. */
const sequence: fc.Arbitrary<Case> = fc
	.record({
		options,
		actions: fc.array(action, { minLength: 1, maxLength: 14 }),
		kinds: fc.subarray(FAULT_NAMES, { minLength: 1, maxLength: 4 }),
	})
	.map(({ kinds, actions, ...rest }) => ({
		...rest,
		actions: actions.map((one) => (one.do === 'fault' ? withOneOf(kinds, one) : one)),
	}));

function withOneOf(kinds: readonly FaultName[], one: Extract<Action, { do: 'fault' }>): Action {
	return { ...one, with: kinds[FAULT_NAMES.indexOf(one.with) % kinds.length] ?? one.with };
}

const histories = fc.tuple(sequence, fc.array(change, { maxLength: 2 }));
const settings = fc.record(
	{
		max: fc.constantFrom(0, 1, 2),
		keep: fc.constantFrom(0, 1),
		orderChanged: fc.boolean(),
		orderAgain: fc.boolean(),
	},
	{ requiredKeys: [] },
);

/**
 * SEQUENCES=n plays so many; SEED and SEED_PATH, as a failure prints them, play one again. The printed counterexample
 * belongs into seeds.test.ts; until then CASE='…' plays it there, and prints each step.
 */
test('whatever happens, in whatever order: every promise holds after every step, and all ends well', async () => {
	await fc.assert(
		fc.asyncProperty(sequence, async (given) => {
			await play(given);
		}),
		DRAWS,
	);
});

test('whatever the journal, the list and the options: what plan says of each row is what run does', async () => {
	await fc.assert(
		fc.asyncProperty(
			histories,
			settings,
			fc.boolean(),
			async ([given, edits], asked, isJournalLost) => {
				const world = await playedOut(given, edits);
				if (isJournalLost && world.disk.files().includes(JOURNAL)) await world.disk.remove(JOURNAL);
				expect(await runAsPlanned(world, asked)).toEqual([]);
			},
		),
		DRAWS,
	);
});

/** Plans, then runs with the same options. Names each row with which the run did not do what the plan says. */
async function runAsPlanned(world: World, start: Start = {}): Promise<string[]> {
	const plan = await world.plan(start);
	const paid = world.paid().length;
	const ending = await world.run(start);
	const { requests, before, after } = world.past.at(-1)!;
	const creates = world.service.creates(requests.from, requests.to);
	const sentContents = new Set(creates.map(({ body = '' }) => contentIdOf(inputOf(body))));
	const isOver = 'report' in ending && ending.report.end.stop === undefined;
	// What comes of an order in doubt is known only once the run has asked for it; and a key that the service remembers
	// costs nothing, so that another row can be ordered.
	const isInDoubt = plan.source.records.inDoubt().length > 0;
	// A product of which a brief fails meanwhile is a retry's.
	const failed = after
		.all()
		.filter((record) => statusOf(record) === 'failed' && !isFailed(before, record.key))
		.map(({ product_name }) => product_name);
	const isNew = world.paid().length - paid === creates.length;
	const results = isOver ? resultsOf(world) : [];
	const wrong = plan.rows.map((plannedRow, at): string | null => {
		const { row, todo, when, record, briefIds } = plannedRow;
		const isSent = sentContents.has(row.contentId);
		const status = results[at]?.brief_status;
		if (isSent && !mayBeSent(plannedRow)) return 'was ordered';
		if (!isOver || isInDoubt || isReleased(plannedRow)) return null;
		if (plannedRow.sameAs !== undefined) return null;
		if (status === 'failed' && failed.includes(row.input.product_name)) return null;
		const now = after.of(row.contentId);
		switch (todo) {
			case 'order':
				if (when?.is === 'now') return isSent || !isMonthKnown(world) ? null : 'was not ordered';
				if (!isNew) return null;
				if (isSent) return 'was ordered';
				return plannedRow.again !== undefined || status === rowStatus(plannedRow)
					? null
					: `is ${status}`;
			case 'take_over':
				return now !== undefined && isTakenOver(now) && now.state.briefId === briefIds[0]
					? null
					: 'was not taken over';
			case 'park':
				return now !== undefined && isHeldUnsent(now) ? null : 'was not parked';
			case 'nothing':
				return status === rowStatus(plannedRow) && now?.state.stage === record?.state.stage
					? null
					: `is ${status}`;
			case 'resume':
			case 'look':
				return null;
		}
	});
	return wrong.flatMap((what, at) => (what === null ? [] : [`${textOf(plan, at)} ${what}`]));
}

/** The month in which a brief counts is known only from the clock that writes its time, as P5 is held. */
function isMonthKnown({ options, service }: World): boolean {
	return (options.writtenAhead ?? 0) === 0 && service.dateAhead === 0;
}

/** Whether a run may send a create for it: the key of an order in doubt is sent again. */
function mayBeSent(plannedRow: PlannedRow): boolean {
	const { todo, record, sameAs } = plannedRow;
	if (sameAs !== undefined || todo === 'order') return true;
	return (todo === 'resume' && record?.state.stage === 'in_doubt') || isReleased(plannedRow);
}

function isFailed(records: Records, key: string): boolean {
	return records.all().some((record) => record.key === key && statusOf(record) === 'failed');
}

/** Whether the order that holds it back may fail meanwhile. */
function isReleased(plannedRow: PlannedRow): boolean {
	const { heldBy } = plannedRow;
	const stage = heldBy?.state.stage;
	return rowStatus(plannedRow) === 'changed' && stage !== 'done' && stage !== 'parked';
}

function inputOf(body: string): BriefInput {
	return checkInput(JSON.parse(body) as BriefInput).input;
}

function resultsOf(world: World): Array<Record<string, string>> {
	return parse(world.disk.text(`${OUT}/results.csv`), { columns: true, bom: true });
}

function textOf({ rows }: Plan, at: number): string {
	const plannedRow = rows[at]!;
	const { row, todo, when } = plannedRow;
	return `row ${row.number} (${row.input.product_name}), planned as ${rowStatus(plannedRow)}, ${todo} ${when?.is ?? ''},`;
}
