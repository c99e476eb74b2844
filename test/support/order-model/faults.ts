import type { OrderEvent } from '../../../service/order/events';
import { LIFE } from '../../../service/order/life';
import type { OrderState } from '../../../service/order/states';
import type { Facts } from '../../../service/order/decide';
import type { PlainStep, Step } from '../../../service/order/steps';
import { likenessOf } from '../../../service/order/likeness';
import { INPUT } from './answers';
import { REAL_RULES, type Rules } from './process';

/**
 * A deliberate fault: it changes one rung, one entry or one change of the order. With it comes the promise that breaks,
 * and the search in which that shows (see searches.ts).
 */
type Fault = readonly [broken: string, promise: Promised, search: string, rules: Rules];
type Promised = 'P1' | 'P2' | 'P4' | 'P5' | 'P10' | 'P11' | 'P12';

type Decide = Rules['decide'];

/** What is decided, except where `instead` says otherwise. */
function decided(instead: (step: Step, order: OrderState, facts: Facts) => Step | null): Rules {
	const decide: Decide = (order, facts) => {
		const step = REAL_RULES.decide(order, facts);
		return instead(step, order, facts) ?? step;
	};
	return { ...REAL_RULES, decide };
}

/** What is decided where the facts were these. */
function believing(facts: (real: Facts, order: OrderState) => Partial<Facts>): Rules {
	const decide: Decide = (order, real) =>
		REAL_RULES.decide(order, { ...real, ...facts(real, order) });
	return { ...REAL_RULES, decide };
}

function applied(changes: (order: OrderState, event: OrderEvent) => Partial<OrderState>): Rules {
	return {
		...REAL_RULES,
		apply: (order, event) => ({ ...REAL_RULES.apply(order, event), ...changes(order, event) }),
	};
}

/** What is believed of an answer. */
function taking(believes: Rules['believes']): Rules {
	return { ...REAL_RULES, believes };
}

function plain(what: PlainStep): Step {
	return { do: what, why: 'broken' };
}

export const FAULTS: readonly Fault[] = [
	['no look at the list for an old key', 'P1', 'one row', believing(() => ({ key: 'young' }))],
	[
		'a row that the journal does not know is ordered without a look at the list',
		'P1',
		'one row and a journal that is lost',
		believing(() => ({ mayBeListed: false })),
	],
	[
		'a listed brief that shows no input is taken for that of another',
		'P1',
		'one row and a journal that is lost',
		decided((step, order, facts) =>
			step.do === 'park' && step.reason === 'listed'
				? REAL_RULES.decide({ ...order, finding: { is: 'nothing', isCertain: true } }, facts)
				: null,
		),
	],
	['an answer is believed whatever brief it brings', 'P12', 'one row', taking(() => true)],
	[
		'an answer is believed only if it shows what was sent',
		'P12',
		'one row',
		taking((shown) => REAL_RULES.believes(shown) && likenessOf(shown.brief, INPUT) === 'same'),
	],
	[
		'an answer is believed only if it does not show another text',
		'P12',
		'one row',
		taking((shown) => REAL_RULES.believes(shown) && likenessOf(shown.brief, INPUT) !== 'other'),
	],
	[
		'a brief that was there before is believed like a new one',
		'P12',
		'one row',
		taking((shown) =>
			REAL_RULES.believes({ ...shown, answered: { firstTried: null, knownSince: undefined } }),
		),
	],
	[
		'a new brief is believed although another row has it',
		'P12',
		'one row',
		taking((shown) => REAL_RULES.believes({ ...shown, isTaken: false })),
	],
	[
		'an answer with another brief is taken for a refusal',
		'P2',
		'one row',
		decided((step) =>
			step.do === 'park' && step.reason === 'other_brief' ? plain('withdraw') : null,
		),
	],
	[
		'an old look is believed',
		'P2',
		'one row beside a stranger’s brief',
		believing(() => ({ isLookFresh: true })),
	],
	[
		'withdrawn although the list may lag behind',
		'P2',
		'one row',
		decided((_, { stage, finding }) =>
			stage === 'in_doubt' && finding?.is === 'nothing' ? plain('withdraw') : null,
		),
	],
	[
		'withdrawn after a refusal although an earlier try is in doubt',
		'P2',
		'one row',
		decided((step, { stage }) =>
			stage === 'answered' && step.do === 'give_up' ? plain('withdraw') : null,
		),
	],
	[
		'refused for good although an earlier try is in doubt',
		'P2',
		'one row',
		decided((step) =>
			step.do === 'park' && step.reason === 'refused_in_doubt' ? plain('refuse') : null,
		),
	],
	['sent without an intent on record', 'P2', 'one row', believing(() => ({ isIntentFresh: true }))],
	[
		'an answer that leaves it in doubt does not',
		'P2',
		'one row',
		applied((order) => ({ inDoubt: order.inDoubt })),
	],
	[
		'a later refusal ends the doubt',
		'P2',
		'one row',
		applied((order, event) =>
			event.type === 'answered' && event.error.kind === 'invalid_input' ? { inDoubt: false } : {},
		),
	],
	[
		'the only likely brief is taken before the list is certain',
		'P2',
		'one row beside a stranger’s brief',
		decided((step, { finding }) =>
			step.do === 'wait' && step.for === 'list' && finding?.is === 'unclear' && finding.likely
				? { do: 'adopt', brief: finding.likely, why: 'broken' }
				: null,
		),
	],
	[
		'a brief is adopted that another row has',
		'P2',
		'two rows of one content',
		{ ...REAL_RULES, claims: () => true },
	],
	[
		'a slot is used however long ago it was seen free',
		'P4',
		'two rows and others',
		believing(() => ({ isSlotFresh: true })),
	],
	[
		'the slot of an order in doubt is given away',
		'P4',
		'three rows',
		{ ...REAL_RULES, slotAfter: () => 'free' },
	],
	[
		'the allowance is not asked before a create',
		'P5',
		'two rows and one brief left',
		believing((_, { stage }) => (stage === 'cleared' ? { end: null } : {})),
	],
	[
		'any order in doubt is sent again, whatever was reserved',
		'P5',
		'two rows and one brief left',
		believing((_, { inDoubt }) => (inDoubt ? { end: null } : {})),
	],
	[
		'the turn of the month is not waited for',
		'P5',
		'one row and rate limits',
		believing(() => ({ isMonthTurning: false })),
	],
	[
		'a slot is waited for without end',
		'P11',
		'one row and briefs that never end',
		believing((_, { answer }) =>
			answer?.kind === 'slots_busy' ? { again: 'with_another_slot' } : {},
		),
	],
	[
		'the words of a refusal are believed with both slots taken',
		'P11',
		'one row and a third brief refused as not valid',
		{ ...REAL_RULES, isForSlot: () => false },
	],
	[
		'waits for a list that is certain already',
		'P11',
		'one row',
		decided((step, { stage }) =>
			step.do === 'withdraw' && stage === 'in_doubt'
				? { do: 'wait', for: 'list', why: 'broken' }
				: null,
		),
	],
	[
		'an order in doubt is never looked for by the run that finds it',
		'P11',
		'one row',
		decided((_, { stage }) => (stage === 'in_doubt' ? plain('stop') : null)),
	],
	[
		'an order in doubt cannot be given up before it is queued',
		'P11',
		'one row and one brief left',
		{
			...REAL_RULES,
			apply: (order, event) => {
				const stage = event.type === 'given_up' && order.stage === 'in_doubt' ? undefined : LIFE;
				if (stage === undefined) throw new Error('“given_up” cannot happen to an order in doubt');
				return REAL_RULES.apply(order, event);
			},
		},
	],
	[
		'an intent is put on record again and again',
		'P11',
		'one row',
		decided((step) => (step.do === 'send' ? plain('intend') : null)),
	],
];
