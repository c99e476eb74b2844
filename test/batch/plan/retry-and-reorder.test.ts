import {
	DAY_MS,
	makeBrief,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	pan,
	START,
	STATES,
} from '../support/order-builder';
import {
	found,
	HIDDEN,
	NONE,
	reorder,
	RETRY,
	showPlan,
	type Situation,
} from '../support/show-plan';

/* What an order of `retry` and --reorder supersedes: a brief, the key of a rejected order, or nothing. */

const of = (state: ReturnType<(typeof STATES)['ready']>) => makeOrders({ input: mug, state });
const one = makeRows(mug);
const edited = makeRows(mugForCooks);
const rejected = of(STATES.rejected());
const third = makeOrders({ input: mug, attempt: 3, state: STATES.failed() });
const inReview = STATES.unconfirmed({ review: { code: 'no_answer' } });
/** Less than 24 hours after the orders of `STATES`. */
const young = { now: START + DAY_MS - 1 };

type Case = [title: string, situation: Situation, expected: string];

describe('retry of a row', () => {
	test.each<Case>([
		['that is new orders nothing', {}, 'pending, leave'],
		['that is ready orders nothing', { orders: of(STATES.ready()) }, 'ready, leave'],
		['that is accepted orders nothing', { orders: of(STATES.accepted()) }, 'pending, leave'],
		['that is unconfirmed sends nothing', { orders: of(STATES.unconfirmed()) }, 'pending, leave'],
		[
			'that failed supersedes its brief',
			{ orders: of(STATES.failed()) },
			"failed, order after 'B1' attempt 2",
		],
		[
			'that failed reuses a brief that the workspace has',
			{ orders: of(STATES.failed()), search: found('L1') },
			'failed, reuse L1',
		],
		[
			'that failed supersedes the newest failed brief of the workspace',
			{ orders: of(STATES.failed()), search: found('L1', 'failed', START + 1) },
			"failed, order after 'L1' attempt 2",
		],
		[
			'that failed supersedes its own brief if that is newer than the failed brief of the workspace',
			{ orders: of(STATES.failed()), search: found('L1', 'failed', START - 1) },
			"failed, order after 'B1' attempt 2",
		],
		['that was rejected sends the same key again', { orders: rejected }, "failed, order after ''"],
		[
			'that was rejected after a failed brief sends the same key again',
			{
				orders: makeOrders(
					{ input: mug, state: STATES.failed() },
					{ input: mug, state: STATES.rejected(), supersedes: 'B1', attempt: 2 },
				),
			},
			"failed, order after 'B1' attempt 2",
		],
		['that failed three times orders nothing', { orders: third }, 'failed, leave, attempts_used'],
		[
			'that failed once after a reorder is the second attempt',
			{
				orders: makeOrders({ input: mug, attempt: 3 }, { input: mug, state: STATES.failed('B2') }),
			},
			"failed, order after 'B1' attempt 2",
		],
	])('%s', (_, situation, expected) => {
		const planned = showPlan(one, { selection: RETRY, search: NONE, ...situation });
		expect(planned).toEqual([expected]);
	});

	test.each<Case>([
		['orders it as new', {}, "failed, order after ''"],
		['reuses a brief that the workspace has', { search: found('L1') }, 'failed, reuse L1'],
		['counts attempts anew', { orders: third }, "failed, order after ''"],
	])('that was edited after it failed %s', (_, situation, expected) => {
		const failed = { orders: of(STATES.failed()), search: NONE };
		const planned = showPlan(edited, { selection: RETRY, ...failed, ...situation });
		expect(planned).toEqual([expected]);
	});
});

const untimed = { ...makeBrief('B1'), created_at: 'yesterday' };

describe('--reorder of a row', () => {
	test.each<Case>([
		[
			'that is ready supersedes its brief',
			{ orders: of(STATES.ready()) },
			"ready, order after 'B1'",
		],
		[
			'whose brief is less than a day old leaves it',
			{ orders: of(STATES.ready()), ...young },
			'ready, leave, ordered_recently',
		],
		[
			'whose brief has an unreadable creation time supersedes it',
			{
				orders: of({ kind: 'ready', brief: untimed, isPaid: true, file: 'B1' }),
				...young,
			},
			"ready, order after 'B1'",
		],
		[
			'that failed supersedes its brief on the same day, too',
			{ orders: of(STATES.failed()), ...young },
			"failed, order after 'B1'",
		],
		[
			'that was rejected supersedes the key',
			{ orders: rejected },
			`failed, order after '${rejected.get(1).key}'`,
		],
		['that failed three times starts a new count', { orders: third }, "failed, order after 'B1'"],
		['that is unconfirmed sends it again', { orders: of(STATES.unconfirmed()) }, 'pending, resend'],
		[
			'that is unconfirmed and in review sends it again',
			{ orders: of(inReview) },
			'needs_review, resend',
		],
		[
			'that is undecided orders it as new',
			{ orders: of(STATES.undecided('H1')), search: HIDDEN },
			"needs_review, order after ''",
		],
		[
			'with a late brief supersedes it',
			{ orders: of(STATES.accepted('late')) },
			"needs_review, order after 'B1'",
		],
		[
			'with a missing brief supersedes it',
			{ orders: of(STATES.accepted('not_found')) },
			"needs_review, order after 'B1'",
		],
		[
			'whose brief is being written leaves it',
			{ orders: of(STATES.accepted()) },
			'pending, leave, not_finished',
		],
		['that is new orders it', {}, "pending, order after ''"],
		[
			'that is new supersedes the brief that the workspace has',
			{ search: found('L1') },
			"pending, order after 'L1'",
		],
		[
			'that is new supersedes the failed brief that the workspace has',
			{ search: found('L1', 'failed'), ...young },
			"pending, order after 'L1'",
		],
		[
			'that is new reuses the ready brief of the workspace from the last day',
			{ search: found('L1'), ...young },
			'pending, reuse L1',
		],
		[
			'that is new reuses the brief that the workspace is writing',
			{ search: found('L1', 'writing') },
			'pending, reuse L1',
		],
	])('%s', (_, situation, expected) => {
		const planned = showPlan(one, { selection: reorder(2), search: NONE, ...situation });
		expect(planned).toEqual([expected]);
	});

	test('that was rejected in another spelling sends a key of its own', () => {
		const shouted = makeRows({ ...mug, product_name: 'MUG' });
		const planned = showPlan(shouted, { orders: rejected, selection: reorder(2), search: NONE });
		expect(planned).toEqual(["failed, order after ''"]);
	});

	test('with an accepted content supersedes the brief, however young', () => {
		const acceptedContentIds = [makeRow(2, mugForCooks).contentId];
		const orders = makeOrders({ input: mug, acceptedContentIds });
		const planned = showPlan(edited, { orders, selection: reorder(2), search: NONE, ...young });
		expect(planned).toEqual(["ready, order after 'B1'"]);
	});

	test('beyond --max leaves it ready', () => {
		const orders = makeOrders({ input: mug }, { input: pan });
		const situation = { orders, selection: reorder(2, 3), limits: { max: 1 }, search: NONE };
		expect(showPlan(makeRows(mug, pan), situation)).toEqual([
			"ready, order after 'B1'",
			'ready, leave, beyond_max',
		]);
	});
});

describe('--reorder of an edited row', () => {
	test.each<Case>([
		[
			'orders it as new, on the day of its order, too',
			{ orders: of(STATES.ready()), ...young },
			"changed, order after ''",
		],
		[
			'reuses a brief that the workspace has',
			{ orders: of(STATES.ready()), search: found('L1') },
			'changed, reuse L1',
		],
		['orders it as new after it failed', { orders: of(STATES.failed()) }, "failed, order after ''"],
		[
			'orders it as new if the former content is in review',
			{ orders: of(inReview) },
			"needs_review, order after ''",
		],
		[
			'leaves it while the brief of the former content is being written',
			{ orders: of(STATES.accepted()) },
			'pending, leave, not_finished',
		],
		[
			'leaves it while the order of the former content is unconfirmed',
			{ orders: of(STATES.unconfirmed()) },
			'pending, leave, not_finished',
		],
	])('%s', (_, situation, expected) => {
		const planned = showPlan(edited, { selection: reorder(2), search: NONE, ...situation });
		expect(planned).toEqual([expected]);
	});
});
