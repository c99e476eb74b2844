import { makeOtherBriefError, ServiceError } from '../../../core/api/errors';
import type { Brief } from '../../../core/api/types';
import { nextState, type OrderEvent } from '../../../batch/orders/next-state';
import type { OrderState } from '../../../batch/orders/order';
import { DAY_MS, makeBrief, START, STATES } from '../support/order-builder';

const MINUTE = 60_000;

function makeFullBrief(status: Brief['status'], createdAt = START): Brief {
	const summary = makeBrief('B1', status, createdAt);
	const error_code = status === 'failed' ? 'research_failed' : null;
	return { ...summary, error_code } as Brief;
}

const times = { firstSentAt: START, lastSentAt: START + MINUTE };
const lost = new ServiceError({ kind: 'unconfirmed', operation: 'create_brief' });
const otherBriefError = makeOtherBriefError(makeBrief('B9'));

type NoAnswer = Extract<OrderEvent, { kind: 'unconfirmed' }>;
function noAnswer(cause: NoAnswer['cause'], change: Partial<NoAnswer> = {}): NoAnswer {
	return { kind: 'unconfirmed', cause, error: lost, countsAsRun: false, ...change };
}

const EVENTS = {
	sent: { kind: 'sent', times },
	created: { kind: 'created', brief: makeFullBrief('queued') },
	'created by another process': {
		kind: 'created',
		brief: makeFullBrief('queued', START - 10 * MINUTE),
	},
	rejected: {
		kind: 'rejected',
		error: new ServiceError({ kind: 'invalid_input', operation: 'create_brief' }),
	},
	slots_busy: { kind: 'slots_busy' },
	stopped: { kind: 'stopped', error: lost },
	'no answer': noAnswer('no_answer'),
	'no answer in this run': noAnswer('no_answer', { countsAsRun: true }),
	outage: noAnswer('outage'),
	refused: noAnswer('refused'),
	'other brief': noAnswer('other_brief', { error: otherBriefError }),
	finished: { kind: 'finished', brief: makeFullBrief('ready'), file: 'mug-B1' },
	'finished, failed': { kind: 'finished', brief: makeFullBrief('failed'), file: null },
	late: { kind: 'late', status: 'checking' },
	incomplete: { kind: 'incomplete' },
	not_found: { kind: 'not_found' },
} as const satisfies Record<string, OrderEvent>;

const { unconfirmed, accepted } = STATES;
const STATES_BY_NAME: Readonly<Record<string, OrderState | null>> = {
	none: null,
	dropped: STATES.dropped(),
	unconfirmed: unconfirmed(),
	'unconfirmed for a run': unconfirmed({ runsWithoutAnswer: 1 }),
	'unconfirmed for two runs': unconfirmed({ runsWithoutAnswer: 2 }),
	'unconfirmed, refused': unconfirmed({ review: { code: 'refused' } }),
	accepted: accepted(),
	'accepted, late': accepted('late'),
	'accepted, for nothing': { ...accepted(), isPaid: false } as OrderState,
	ready: STATES.ready(),
	failed: STATES.failed(),
	undecided: STATES.undecided('H1'),
};

/** Returns what matters of a state: its kind, then what distinguishes it. */
function show(state: OrderState | null): string {
	if (state === null) return 'none';
	switch (state.kind) {
		case 'unconfirmed': {
			const review = state.review === null ? '' : `, ${state.review.code}`;
			const runs = state.runsWithoutAnswer === 0 ? '' : `, ${state.runsWithoutAnswer} runs`;
			return `unconfirmed${runs}${review}`;
		}
		case 'accepted': {
			const review = state.review === null ? '' : `, ${state.review}`;
			return `accepted, ${state.isPaid ? 'paid' : 'free'}${review}`;
		}
		case 'ready':
			return `ready, ${state.isPaid ? 'paid' : 'free'}, ${state.file}`;
		case 'failed':
			return `failed, ${state.isPaid ? 'paid' : 'free'}, ${state.reason.code}`;
		case 'undecided':
		case 'dropped':
			return state.kind;
	}
}

describe('the next state of an order', () => {
	test.each<[string, keyof typeof EVENTS, string, string]>([
		// state, event, next state, which a minute after the brief was created is the same as later
		['none', 'sent', 'unconfirmed', 'before its request'],
		['none', 'stopped', 'none', 'nothing is written for an order that was not sent'],
		['dropped', 'sent', 'unconfirmed', 'a dropped order begins again'],
		['unconfirmed for a run', 'sent', 'unconfirmed, 1 runs', 'a resend keeps the count'],
		['unconfirmed', 'created', 'accepted, paid', ''],
		['unconfirmed', 'created by another process', 'accepted, free', 'it is older than the order'],
		['unconfirmed', 'rejected', 'failed, free, rejected', ''],
		['unconfirmed', 'slots_busy', 'dropped', 'nothing was created'],
		['unconfirmed', 'stopped', 'dropped', 'nothing was created'],
		['unconfirmed', 'outage', 'unconfirmed', 'the order is not the cause'],
		['unconfirmed', 'no answer', 'unconfirmed', 'once more in the same run'],
		['unconfirmed', 'no answer in this run', 'unconfirmed, 1 runs', ''],
		['unconfirmed for a run', 'no answer in this run', 'unconfirmed, 2 runs', ''],
		['unconfirmed for two runs', 'no answer in this run', 'unconfirmed, 3 runs, no_answer', ''],
		['unconfirmed for two runs', 'no answer', 'unconfirmed, 2 runs', 'once more in the same run'],
		['unconfirmed', 'refused', 'unconfirmed, refused', 'an earlier request had no answer'],
		['unconfirmed', 'other brief', 'unconfirmed, other_brief', ''],
		['unconfirmed, refused', 'outage', 'unconfirmed, refused', 'the review stays'],
		['accepted', 'finished', 'ready, paid, mug-B1', ''],
		['accepted, for nothing', 'finished', 'ready, free, mug-B1', 'a reused brief never counts'],
		['accepted', 'finished, failed', 'failed, paid, generation_failed', ''],
		['accepted', 'late', 'accepted, paid', 'within a day'],
		['accepted', 'incomplete', 'accepted, paid', 'within a day'],
		['accepted, late', 'incomplete', 'accepted, paid', 'its time was corrected'],
		['accepted', 'not_found', 'accepted, paid, not_found', ''],
		['accepted', 'created', 'accepted, paid', 'the list has settled the order meanwhile'],
		['accepted', 'rejected', 'accepted, paid', 'the list has settled the order meanwhile'],
		['unconfirmed', 'finished', 'unconfirmed', 'no brief is known'],
		['ready', 'rejected', 'ready, paid, B1', 'nothing changes a ready order'],
		['failed', 'sent', 'failed, paid, generation_failed', 'nothing changes a failed order'],
		['undecided', 'sent', 'undecided', 'the user decides'],
	])('of %s, on %s, is %s (%s)', (state, event, expected) => {
		const before = STATES_BY_NAME[state] ?? null;
		expect(show(nextState(before, EVENTS[event], START + MINUTE))).toBe(expected);
	});

	test.each(['late', 'incomplete'] as const)(
		'of accepted, on %s, is in review a day after the brief was created',
		(event) => {
			const next = nextState(accepted(), EVENTS[event], START + DAY_MS + 1);
			expect(show(next)).toBe('accepted, paid, late');
		},
	);

	test('on sent, keeps everything but the times', () => {
		const before = unconfirmed({ error: 'Reset' });
		expect(nextState(before, EVENTS.sent, START)).toEqual({ ...before, ...times });
	});

	test('on other brief, names the brief', () => {
		expect(nextState(unconfirmed(), EVENTS['other brief'], START)).toMatchObject({
			review: { code: 'other_brief', briefId: 'B9' },
		});
	});

	test('on late, has the newest status of the brief', () => {
		const next = nextState(accepted(), EVENTS.late, START);
		expect(next).toMatchObject({ brief: { status: 'checking' } });
	});

	test('on rejected, says what the service refused', () => {
		const { reason } = nextState(unconfirmed(), EVENTS.rejected, START) as {
			reason: { message: string };
		};
		expect(reason.message).toMatch(/\.$/);
	});
});
