import {
	type OrderEvent,
	type OrderState,
	type PlainStep,
	type Step,
} from '../../../service/order/life';
import type { Facts } from '../../../service/order/decide';
import {
	CLOCK_DIFFERENCE_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_LAG_MS,
	SAME_TRY_MS,
} from '../../../service/assumptions';
import type { Comparison } from '../../../service/order/find-brief';
import { longestAge } from '../../../service/order/times';
import { likenessOf } from '../../../service/order/likeness';
import { INPUT } from './answers';
import { REAL_RULES, type Rules } from './process';
import type { Workspace } from '../../../service/watch/workspace';

function having(broken: Partial<Rules>): Rules {
	return { ...REAL_RULES, ...broken };
}

/** What is decided, except if `instead` says otherwise. */
function decided(instead: (step: Step, order: OrderState, facts: Facts) => Step | null): Rules {
	return having({
		decide: (order, facts) => {
			const step = REAL_RULES.decide(order, facts);
			return instead(step, order, facts) ?? step;
		},
	});
}

/** What is decided if the facts were these. */
function believing(facts: (real: Facts, order: OrderState) => Partial<Facts>): Rules {
	return having({
		decide: (order, real) => REAL_RULES.decide(order, { ...real, ...facts(real, order) }),
	});
}

function applied(changes: (order: OrderState, event: OrderEvent) => Partial<OrderState>): Rules {
	return having({
		apply: (order, event) => ({ ...REAL_RULES.apply(order, event), ...changes(order, event) }),
	});
}

/** What is believed of an answer. */
function taking(believes: Rules['believes']): Rules {
	return having({ believes });
}

/** What a look takes for possible. */
function looking(possible: (...look: Parameters<Rules['look']>) => Comparison[]): Rules {
	return having({
		look: (compared, order) => REAL_RULES.look(possible(compared, order), order),
	});
}

function plain(what: PlainStep): Step {
	return { do: what, why: 'broken' };
}

/** A workspace in which these members are broken. */
function slots(broken: (real: Workspace) => Partial<Workspace>): Rules {
	const brokenOne = (real: Workspace) => Object.assign(real, broken(real));
	return having({ workspace: () => brokenOne(REAL_RULES.workspace()) });
}

/** Rules with one fault each, by the search in which it shows and the promise that it breaks (see searches.ts). */
const BY_SEARCH: Readonly<Record<string, Record<string, Rules>>> = {
	'one row': {
		'P1: no look at the list for an old key': believing(() => ({ key: 'young' })),
		'P12: an answer is believed whatever brief it brings': taking(() => true),
		'P12: an answer is believed only if it shows what was sent': having({
			believes: (shownBrief) =>
				REAL_RULES.believes(shownBrief) && likenessOf(shownBrief.brief, INPUT) === 'same',
		}),
		'P12: an answer is believed only if it does not show another text': having({
			believes: (shownBrief) =>
				REAL_RULES.believes(shownBrief) && likenessOf(shownBrief.brief, INPUT) !== 'other',
		}),
		'P12: a brief that was there before is believed like a new one': taking((shownBrief) =>
			REAL_RULES.believes({ ...shownBrief, facts: { firstTried: null, wasKnown: false } }),
		),
		'P12: a new brief is believed although another row has it': taking((shownBrief) =>
			REAL_RULES.believes({ ...shownBrief, isTaken: false }),
		),
		'P2: an answer with another brief is taken for a refusal': decided((step) =>
			step.do === 'park' && step.reason === 'other_brief' ? plain('withdraw') : null,
		),
		'P2: withdrawn although the list may lag behind': decided((_, { stage, finding }) =>
			stage === 'in_doubt' && finding?.is === 'nothing' ? plain('withdraw') : null,
		),
		'P2: withdrawn after a refusal although an earlier try is in doubt': decided(
			(step, { stage }) =>
				stage === 'answered' && step.do === 'give_up' ? plain('withdraw') : null,
		),
		'P2: refused for good although an earlier try is in doubt': decided(
			(step, { stage, answer }) =>
				stage === 'answered' && step.do === 'give_up' && answer?.kind === 'invalid_input'
					? plain('refuse')
					: null,
		),
		'P2: parked without a last look at the list': decided((step, { isGivenUp }) =>
			isGivenUp && step.do === 'look' ? { do: 'park', reason: 'other_brief', why: 'broken' } : null,
		),
		'P2: sent without an intent on record': believing(() => ({ isIntentFresh: true })),
		'P2: another process takes an order in doubt for one that was never sent': having({
			recall: (order, event) =>
				event.event === 'intended' ? order : REAL_RULES.recall(order, event),
		}),
		'P2: another process does not know the brief of an order that was parked': having({
			recall: (order, event) =>
				REAL_RULES.recall(event.event === 'parked' ? { ...order, briefId: null } : order, event),
		}),
		'P2: an answer that leaves it in doubt does not': applied((order) => ({
			inDoubt: order.inDoubt,
		})),
		'P2: a later refusal ends the doubt': applied((order, event) =>
			event.event === 'answered' && event.error.kind === 'invalid_input' ? { inDoubt: false } : {},
		),
		'P2: a page counts as a refusal': applied(({ inDoubt }, event) =>
			event.event === 'answered' && event.error.page !== undefined
				? { inDoubt, answer: event.error.with({ kind: 'invalid_input' }) }
				: {},
		),
		'P11: waits for a list that is certain already': decided((step, { stage }) =>
			step.do === 'withdraw' && stage === 'in_doubt'
				? { do: 'wait', for: 'list', why: 'broken' }
				: null,
		),
		'P11: the list is waited for, and it is sent again, as often as nothing comes of it': applied(
			() => ({ isLastTry: false }),
		),
		'P11: an order that no run gets an answer for is sent in each run': believing(() => ({
			maxTries: Infinity,
		})),
		'P2: failed although the list may lag behind': decided((step, { finding }) =>
			step.do === 'wait' && step.for === 'list' && finding?.is === 'nothing' ? plain('fail') : null,
		),
		'P11: an order in doubt is never looked for by the run that finds it': decided(
			(_, { stage }) => (stage === 'in_doubt' ? plain('stop') : null),
		),
		'P11: an intent is put on record again and again': decided((step) =>
			step.do === 'send' ? plain('intend') : null,
		),
	},
	'one row and a journal that is lost': {
		'P1: no listed brief is free for a row that the journal does not know': having({
			isFreeFor: () => false,
		}),
		'P1: a row that the journal does not know is ordered without a look at the list': believing(
			() => ({ mayBeListed: false }),
		),
		'P1: a listed brief that shows no input is taken for that of another': decided(
			(step, order, facts) =>
				step.do === 'park' && step.reason === 'listed'
					? REAL_RULES.decide({ ...order, finding: { is: 'nothing', isCertain: true } }, facts)
					: null,
		),
	},
	'one row and another program that orders the same without a record': {
		'P10: a row is ordered without a look at what others have ordered': believing((real, order) =>
			order.isIntended ? {} : { mayBeListed: false },
		),
		'P10: without a record, the list is not read again once there is a slot': believing(
			(real, { stage }) => (stage === 'cleared' ? { mayBeListed: false } : {}),
		),
		'P10: a listed brief that hides its content is ordered beside': decided((step, order, facts) =>
			step.do === 'park' && step.reason === 'listed'
				? REAL_RULES.decide({ ...order, finding: { is: 'nothing', isCertain: true } }, facts)
				: null,
		),
		'P1: without a record, each execution has a key of its own': having({
			isKeyOfContent: false,
		}),
	},
	'one row beside a stranger’s brief': {
		'P2: an old look is believed': believing(() => ({ isLookFresh: true })),
		'P2: the only likely brief is taken before the list is certain': decided((step, { finding }) =>
			step.do === 'wait' && step.for === 'list' && finding?.is === 'unclear' && finding.likelyBrief
				? { do: 'take_over', brief: finding.likelyBrief, why: 'broken' }
				: null,
		),
	},
	'one row whose clocks disagree': {
		'P2: minutes between clocks exclude a brief': looking((compared, { firstTried }) =>
			compared.filter(
				({ brief }) => Number(brief.created_at) >= (firstTried?.service ?? 0) - CLOCK_DIFFERENCE_MS,
			),
		),
		'P2: a brief that shows its input in other words is that of another': looking((compared) =>
			compared.filter(({ likeness }) => likeness !== 'other'),
		),
		'P2: beside one that may be its own, a brief in other words does not count': looking(
			(compared) =>
				compared.some(({ likeness }) => likeness === 'maybe')
					? compared.filter(({ likeness }) => likeness !== 'other')
					: compared,
		),
		'P1: a key is as old as the service’s clock says, and young before its time': having({
			keyTrust: ({ firstTried }, now) => {
				const age = now.service - (firstTried ?? now).service;
				if (age <= KEY_TRUSTED_UNSEEN_MS) return 'young';
				return age < KEY_TRUSTED_MS ? 'trusted' : 'old';
			},
		}),
		'P2: one clock is enough for the list to be certain': having({
			isSurelyListed: ({ lastTried }, now) =>
				lastTried === null || longestAge(lastTried, now) > LIST_LAG_MS + SAME_TRY_MS,
		}),
	},
	'two rows of one content': {
		'P2: a brief is taken over that another row has': having({
			owners: (records) => Object.assign(REAL_RULES.owners(records), { take: () => true }),
		}),
	},
	'two rows and others': {
		'P4: a slot is used however long ago it was seen free': believing(() => ({
			isSlotFresh: true,
		})),
		'P4: a slot is given although none is free': slots(() => ({ slotsToGive: () => 1 })),
	},
	'three rows': {
		'P4: what an earlier run withdrew goes on before what it left in doubt': having({
			inTurn: (orders) => [...orders],
		}),
		'P4: new rows are ordered before it is known what earlier runs left': having({
			phases: ['order', 'recover', 'carryOn'],
		}),
		'P4: what earlier runs left is carried on before all of it is known': having({
			phases: ['carryOn', 'recover', 'order'],
		}),
		'P4: new rows have their turns before what earlier runs left': having({
			phases: ['recover', 'order', 'carryOn'],
		}),
		'P4: other rows are ordered although one could not look for a slot': having({
			forOthers: () => 'nothing',
		}),
		'P4: the brief that an earlier run ordered has no slot until it is listed': having({
			slotOnRecord: () => 'none',
		}),
		'P4: an order that nobody carries any more has no slot': slots(() => ({
			addUncertain: () => {},
		})),
		'P4: an order on its way has no slot': slots((real) => {
			const reserve = real.reserve.bind(real);
			return {
				reserve: (...how) => {
					const slot = reserve(...how);
					slot.release();
					return slot;
				},
			};
		}),
		'P4: the slot of an order in doubt is given away': { ...REAL_RULES, slotAfter: () => 'free' },
	},
	'two rows and one brief left': {
		'P5: the allowance is not asked before a create': believing((_, { stage }) =>
			stage === 'cleared' ? { end: null } : {},
		),
		'P5: any order in doubt is sent again, whatever was reserved': believing((_, { inDoubt }) =>
			inDoubt ? { end: null } : {},
		),
	},
	'one row and rate limits': {
		'P5: the turn of the month is not waited for': believing(() => ({ isMonthTurning: false })),
	},
	'one row and briefs that never end': {
		'P11: a slot is waited for without end': believing((_, { answer }) =>
			answer?.kind === 'slots_busy' ? { again: 'with_another_slot' } : {},
		),
	},
	'one row and a server at fault that refuses a third brief': {
		'P2: a server at fault that speaks of slots has surely done nothing': applied((order, event) =>
			event.event === 'answered' && event.error.kind === 'slots_busy'
				? { inDoubt: order.inDoubt }
				: {},
		),
	},
	'one row and a third brief refused as not valid': {
		'P11: the words of a refusal are believed with both slots taken': slots(() => ({
			areSlotsTaken: () => false,
		})),
	},
	'one row and one brief left': {
		'P11: an order in doubt cannot be given up before it is queued': having({
			apply: (order, event) => {
				if (event.event === 'given_up' && order.stage === 'in_doubt')
					throw new Error('“given_up” cannot happen to an order in doubt');
				return REAL_RULES.apply(order, event);
			},
		}),
	},
};

export const FAULTS = Object.entries(BY_SEARCH).flatMap(([search, faults]) =>
	Object.entries(faults).map(([breach, rules]) => [breach, search, rules] as const),
);
