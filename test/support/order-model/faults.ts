import type { OrderEvent } from '../../../service/order/events';
import { LIFE } from '../../../service/order/life';
import type { OrderState } from '../../../service/order/states';
import type { Facts } from '../../../service/order/decide';
import type { PlainStep, Step } from '../../../service/order/steps';
import { likenessOf } from '../../../service/order/likeness';
import { INPUT } from './answers';
import { REAL_RULES, type Rules } from './process';

/** The rules with one of them broken: each deliberate fault changes one rung, one entry or one change of the order. */
export interface Fault {
	broken: string;
	promise: 'P1' | 'P2' | 'P4' | 'P5' | 'P11' | 'P12';
	/** The search in which it shows (see searches.ts). */
	search: string;
	rules: Rules;
}

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

function plain(what: PlainStep): Step {
	return { do: what, why: 'this is broken on purpose' };
}

export const FAULTS: readonly Fault[] = [
	{
		broken: 'no look at the list for an old key',
		promise: 'P1',
		search: 'one row',
		rules: believing(() => ({ key: 'young' })),
	},
	{
		broken: 'a row that the journal does not know is ordered without a look at the list',
		promise: 'P1',
		search: 'one row and a journal that is lost',
		rules: believing(() => ({ mayBeListed: false })),
	},
	{
		broken: 'a listed brief that shows no input is taken for that of another',
		promise: 'P1',
		search: 'one row and a journal that is lost',
		rules: decided((step) =>
			step.do === 'park' && step.reason === 'listed' ? plain('queue') : null,
		),
	},
	{
		broken: 'an answer is believed whatever brief it brings',
		promise: 'P12',
		search: 'one row',
		rules: { ...REAL_RULES, believes: () => true },
	},
	{
		broken: 'an answer is believed only if it shows what was sent',
		promise: 'P12',
		search: 'one row',
		rules: {
			...REAL_RULES,
			believes: (shown) => REAL_RULES.believes(shown) && likenessOf(shown.brief, INPUT) === 'same',
		},
	},
	{
		broken: 'an answer is believed only if it does not show another text',
		promise: 'P12',
		search: 'one row',
		rules: {
			...REAL_RULES,
			believes: (shown) => REAL_RULES.believes(shown) && likenessOf(shown.brief, INPUT) !== 'other',
		},
	},
	{
		broken: 'a brief that was there before is believed like a new one',
		promise: 'P12',
		search: 'one row',
		rules: {
			...REAL_RULES,
			believes: (shown) =>
				REAL_RULES.believes({ ...shown, answered: { firstTried: null, knownSince: undefined } }),
		},
	},
	{
		broken: 'a new brief is believed although another row has it',
		promise: 'P12',
		search: 'one row',
		rules: {
			...REAL_RULES,
			believes: (shown) => REAL_RULES.believes({ ...shown, isTaken: false }),
		},
	},
	{
		broken: 'an answer with another brief is taken for a refusal',
		promise: 'P2',
		search: 'one row',
		rules: decided((step) =>
			step.do === 'park' && step.reason === 'other_brief' ? plain('withdraw') : null,
		),
	},
	{
		broken: 'an old look is believed',
		promise: 'P2',
		search: 'one row beside a stranger’s brief',
		rules: believing(() => ({ isLookFresh: true })),
	},
	{
		broken: 'withdrawn although the list may lag behind',
		promise: 'P2',
		search: 'one row',
		rules: decided((_, { stage, finding }) =>
			stage === 'in_doubt' && finding?.is === 'nothing' ? plain('withdraw') : null,
		),
	},
	{
		broken: 'withdrawn after a refusal although an earlier try is in doubt',
		promise: 'P2',
		search: 'one row',
		rules: decided((step, { stage }) =>
			stage === 'answered' && step.do === 'give_up' ? plain('withdraw') : null,
		),
	},
	{
		broken: 'refused for good although an earlier try is in doubt',
		promise: 'P2',
		search: 'one row',
		rules: decided((step) =>
			step.do === 'park' && step.reason === 'refused_in_doubt' ? plain('refuse') : null,
		),
	},
	{
		broken: 'sent without an intent on record',
		promise: 'P2',
		search: 'one row',
		rules: believing(() => ({ isIntentFresh: true })),
	},
	{
		broken: 'an answer that leaves it in doubt does not',
		promise: 'P2',
		search: 'one row',
		rules: applied((order) => ({ inDoubt: order.inDoubt })),
	},
	{
		broken: 'a later refusal ends the doubt',
		promise: 'P2',
		search: 'one row',
		rules: applied((order, event) =>
			event.type === 'answered' && event.error.kind === 'invalid_input' ? { inDoubt: false } : {},
		),
	},
	{
		broken: 'the only likely brief is taken before the list is certain',
		promise: 'P2',
		search: 'one row beside a stranger’s brief',
		rules: decided((step, { finding }) =>
			step.do === 'wait' && step.for === 'list' && finding?.is === 'unclear' && finding.likely
				? { do: 'adopt', brief: finding.likely, why: 'broken' }
				: null,
		),
	},
	{
		broken: 'a brief is adopted that another row has',
		promise: 'P2',
		search: 'two rows of one content',
		rules: { ...REAL_RULES, claims: () => true },
	},
	{
		broken: 'a slot is used however long ago it was seen free',
		promise: 'P4',
		search: 'two rows and others',
		rules: believing(() => ({ isSlotFresh: true })),
	},
	{
		broken: 'the slot of an order in doubt is given away',
		promise: 'P4',
		search: 'three rows',
		rules: { ...REAL_RULES, slotAfter: () => 'free' },
	},
	{
		broken: 'the allowance is not asked before a create',
		promise: 'P5',
		search: 'two rows and one brief left',
		rules: believing((_, { stage }) => (stage === 'cleared' ? { end: null } : {})),
	},
	{
		broken: 'any order in doubt is sent again, whatever was reserved',
		promise: 'P5',
		search: 'two rows and one brief left',
		rules: believing((_, { inDoubt }) => (inDoubt ? { end: null } : {})),
	},
	{
		broken: 'the turn of the month is not waited for',
		promise: 'P5',
		search: 'one row and rate limits',
		rules: believing(() => ({ isMonthTurning: false })),
	},
	{
		broken: 'a slot is waited for without end',
		promise: 'P11',
		search: 'one row and briefs that never end',
		rules: believing((_, { answer }) =>
			answer?.kind === 'slots_busy' ? { again: 'with_another_slot' } : {},
		),
	},
	{
		broken: 'the words of a refusal are believed with both slots taken',
		promise: 'P11',
		search: 'one row and a third brief refused as not valid',
		rules: { ...REAL_RULES, isForSlot: () => false },
	},
	{
		broken: 'waits for a list that is certain already',
		promise: 'P11',
		search: 'one row',
		rules: decided((step, { stage }) =>
			step.do === 'withdraw' && stage === 'in_doubt'
				? { do: 'wait', for: 'list', why: 'this is broken on purpose' }
				: null,
		),
	},
	{
		broken: 'an order in doubt is never looked for by the run that finds it',
		promise: 'P11',
		search: 'one row',
		rules: decided((_, { stage }) => (stage === 'in_doubt' ? plain('stop') : null)),
	},
	{
		broken: 'an order in doubt cannot be given up before it is queued',
		promise: 'P11',
		search: 'one row and one brief left',
		rules: {
			...REAL_RULES,
			apply: (order, event) => {
				const stage = event.type === 'given_up' && order.stage === 'in_doubt' ? undefined : LIFE;
				if (stage === undefined) throw new Error('“given_up” cannot happen to an order in doubt');
				return REAL_RULES.apply(order, event);
			},
		},
	},
	{
		broken: 'an intent is put on record again and again',
		promise: 'P11',
		search: 'one row',
		rules: decided((step) => (step.do === 'send' ? plain('intend') : null)),
	},
];
