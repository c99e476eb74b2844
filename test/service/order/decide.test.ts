import type { ErrorKind } from '../../../service/api/errors';
import { decide, type Facts } from '../../../service/order/decide';
import { type Step, NEW_ORDER, type Finding, type OrderState } from '../../../service/order/life';
import type { BriefSummary } from '../../../service/api/resources';
import { anError } from '../../support/builders';

const BRIEF = { id: 'own' } as BriefSummary;

const FINE: Facts = {
	end: null,
	rateLimit: 'none',
	isMonthTurning: false,
	key: 'young',
	isLookDue: false,
	isLookFresh: true,
	isIntentFresh: true,
	isSlotFresh: true,
	again: 'never',
	isLastCall: false,
	maxTries: 3,
	isOverdue: false,
	mayBeListed: false,
};
const FOUND: Finding = { is: 'found', brief: BRIEF };
const NOTHING: Finding = { is: 'nothing', isCertain: false };
const SURELY_NOTHING: Finding = { is: 'nothing', isCertain: true };
const LIKELY: Finding = { is: 'unclear', ids: ['own'], likelyBrief: BRIEF, isCertain: true };
const LIKELY_SO_FAR: Finding = { ...LIKELY, isCertain: false };
const SEVERAL: Finding = { is: 'unclear', ids: ['own', 'next'], isCertain: true };

const answerOf = (kind: ErrorKind, operation: 'create_brief' | 'list_briefs' = 'create_brief') =>
	anError(kind, { operation });

type Case = [what: string, order: Partial<OrderState>, facts: Partial<Facts>, step: string];

const rungs = (stage: OrderState['stage'], cases: Case[]) =>
	describe(`an order that is ${stage}`, () => {
		test.each(cases)('%s', (_what, order, facts, expected) => {
			const isLookDue = facts.key !== undefined && facts.key !== 'young';
			const all = { ...FINE, isLookDue, ...facts };
			const step = decide({ ...NEW_ORDER, stage, ...order }, all);
			expect(nameOf(step)).toBe(expected);
			expect(step.why).not.toBe('');
		});
	});

function nameOf(step: Step): string {
	if (step.do === 'wait') return `wait for ${step.for}`;
	if (step.do === 'park') return `park: ${step.reason}`;
	if (step.do === 'return_slot') return `return_slot${step.isStale ? ', stale' : ''}`;
	return step.do;
}

const doubt = { inDoubt: true, isIntended: true };

rungs('to_order', [
	['asks for a slot', {}, {}, 'queue'],
	['is deferred if nothing more may be ordered', {}, { end: 'max' }, 'defer'],
	['is looked for if it may be listed', {}, { mayBeListed: true, end: 'allowance' }, 'look'],
	['gets a listed brief of its content', { finding: FOUND }, { end: 'allowance' }, 'take_over'],
	['is parked if one may be its own', { finding: LIKELY }, {}, 'park: listed'],
	['is ordered if none is', { finding: SURELY_NOTHING }, { mayBeListed: true }, 'queue'],
	['is left alone if nothing came of it', { answer: answerOf('key_refused') }, {}, 'stop'],
	['is left alone if its row is gone', { hasNoRow: true }, {}, 'stop'],
]);

rungs('waiting', [['takes a slot', {}, { end: 'allowance' }, 'take_slot']]);

rungs('sent', [
	['can only be answered', {}, {}, 'stop'],
	['is judged if it was refused', { unjudgedRefusal: answerOf('conflict') }, {}, 'look_at_slots'],
]);

rungs('cleared', [
	['is put on record before it is sent', {}, { isIntentFresh: false }, 'intend'],
	['is sent', {}, {}, 'send'],
	['reports a long rate limit', {}, { rateLimit: 'long' }, 'meet_rate_limit'],
	['waits a short rate limit out', {}, { rateLimit: 'short' }, 'wait for rate_limit'],
	['waits for the month to turn', {}, { isMonthTurning: true }, 'wait for month_turn'],
	['is not looked for without doubt', {}, { key: 'old' }, 'send'],
	['is not looked for with a young key', doubt, {}, 'send'],
	['is looked for with an older key', doubt, { key: 'trusted' }, 'look'],
	[
		'is looked for again after a while',
		{ ...doubt, finding: NOTHING },
		{ key: 'trusted', isLookFresh: false },
		'look',
	],
	['is taken over if it is found', { ...doubt, finding: FOUND }, { key: 'trusted' }, 'take_over'],
	['is sent with a trusted key', { ...doubt, finding: NOTHING }, { key: 'trusted' }, 'send'],
	['is withdrawn for certain', { ...doubt, finding: SURELY_NOTHING }, { key: 'old' }, 'withdraw'],
	['waits for the list', { ...doubt, finding: NOTHING }, { key: 'old' }, 'wait for list'],
	[
		'waits for the list if its own brief may not be listed yet',
		...([{ ...doubt, finding: LIKELY_SO_FAR }, { key: 'old' }, 'wait for list'] as const),
	],
	['is parked between several', { ...doubt, finding: SEVERAL }, { key: 'old' }, 'park: unclear'],
	['is sent between several', { ...doubt, finding: SEVERAL }, { key: 'trusted' }, 'send'],
	['is deferred at the end', {}, { end: 'max' }, 'defer'],
	['is withdrawn at the end', { isIntended: true }, { end: 'allowance' }, 'withdraw'],
	['is given up in doubt at the end', doubt, { end: 'allowance' }, 'give_up'],
	['is sent at the end if reserved', { ...doubt, isReserved: true }, { end: 'max' }, 'send'],
	['is not sent for a reservation', { isReserved: true }, { end: 'max' }, 'defer'],
	['gives an old slot back', {}, { isSlotFresh: false }, 'return_slot, stale'],
	['gives it back in doubt', doubt, { isSlotFresh: false }, 'return_slot, stale'],
	['keeps the slot that it used', { ...doubt, isSlotUsed: true }, { isSlotFresh: false }, 'send'],
	['gives a used slot back', { isSlotUsed: true }, { isSlotFresh: false }, 'return_slot, stale'],
]);

const invalid = { answer: answerOf('invalid_input') };
const refusedList = { answer: answerOf('invalid_input', 'list_briefs') };
rungs('answered', [
	['waits for the same slot', {}, { again: 'with_this_slot' }, 'wait for retry'],
	['gives its slot back', {}, { again: 'with_another_slot' }, 'return_slot'],
	['is refused', { ...invalid, isIntended: true }, {}, 'refuse'],
	['has a key of other content', { answer: answerOf('key_taken'), isIntended: true }, {}, 'refuse'],
	['is not refused by a refused look', { ...refusedList, isIntended: true }, {}, 'withdraw'],
	['stays in doubt', { ...doubt, answer: answerOf('in_doubt') }, {}, 'give_up'],
	['is given up if refused in doubt', { ...doubt, ...invalid }, {}, 'give_up'],
	[
		'is given up in doubt if it was sent again once, however young its key',
		{ ...doubt, isLastTry: true, answer: answerOf('in_doubt') },
		{ again: 'with_this_slot' },
		'give_up',
	],
	[
		'is sent again if the try after a loss surely did nothing',
		{ isLastTry: true, isIntended: true, answer: answerOf('rate_limited') },
		{ again: 'with_this_slot' },
		'wait for retry',
	],
	['is given up if the look is refused', { ...doubt, ...refusedList }, {}, 'give_up'],
	[
		'is given up if it brings another brief',
		{ ...doubt, answer: answerOf('other_brief') },
		{},
		'give_up',
	],
	['is withdrawn', { answer: answerOf('key_refused'), isIntended: true }, {}, 'withdraw'],
	['stops if nothing was sent', { answer: answerOf('key_refused') }, {}, 'stop'],
]);

const gone = { ...doubt, hasNoRow: true };
const givenUp = { ...doubt, isGivenUp: true };
const lastCall = { isLastCall: true };
rungs('in_doubt', [
	['is looked for, however young its key', doubt, {}, 'look'],
	['is taken over', { ...doubt, finding: FOUND }, {}, 'take_over'],
	['is withdrawn for certain', { ...doubt, finding: SURELY_NOTHING }, {}, 'withdraw'],
	['is sent again', { ...doubt, finding: NOTHING }, {}, 'queue'],
	['is sent again, though a brief may be its own', { ...doubt, finding: SEVERAL }, {}, 'queue'],
	['is sent again, though one is likely', { ...doubt, finding: LIKELY_SO_FAR }, {}, 'queue'],
	[
		'takes the only brief for certain',
		{ ...doubt, finding: LIKELY },
		{ key: 'trusted' },
		'take_over',
	],
	['is given up at the end', { ...doubt, finding: NOTHING }, { end: 'max' }, 'give_up'],
	[
		'has failed once no create of it was answered in as many runs as it may be tried',
		{ ...doubt, finding: SURELY_NOTHING, runsUnanswered: 3 },
		{},
		'fail',
	],
	['is left until the last call if given up', givenUp, {}, 'stop'],
	['is looked for at the last call', givenUp, lastCall, 'look'],
	[
		'is looked for at the last call if that was a while ago',
		{ ...givenUp, finding: FOUND },
		{ ...lastCall, isLookFresh: false },
		'look',
	],
	['is left at the last call', { ...givenUp, finding: NOTHING }, lastCall, 'stop'],
	['is taken over at the last call', { ...givenUp, finding: FOUND }, lastCall, 'take_over'],
	['takes the only brief at the last call', { ...givenUp, finding: LIKELY }, lastCall, 'take_over'],
	...[LIKELY_SO_FAR, SEVERAL, SURELY_NOTHING].map((finding): Case => [
		`is left to the next run, whatever the list shows: ${JSON.stringify(finding)}`,
		{ ...givenUp, finding },
		lastCall,
		'stop',
	]),
	['is left to the next run, refused', { ...givenUp, ...invalid }, {}, 'stop'],
	['is taken over, refused', { ...givenUp, ...invalid, finding: FOUND }, lastCall, 'take_over'],
	[
		'is looked for before it is parked, answered with another brief',
		{ ...givenUp, answer: answerOf('other_brief') },
		{},
		'look',
	],
	[
		'is parked, answered with another brief',
		{ ...givenUp, answer: answerOf('other_brief'), finding: NOTHING },
		{},
		'park: other_brief',
	],
	['is left if its look was refused', { ...givenUp, ...refusedList }, {}, 'stop'],
	['is looked for, its row gone', gone, {}, 'look'],
	[
		'is looked for again, its row gone',
		{ ...gone, finding: NOTHING },
		{ isLookFresh: false },
		'look',
	],
	['is taken over, its row gone', { ...gone, finding: FOUND }, {}, 'take_over'],
	['waits for the list, its row gone', { ...gone, finding: NOTHING }, {}, 'wait for list'],
	['waits for certainty, its row gone', { ...gone, finding: LIKELY_SO_FAR }, {}, 'wait for list'],
	['takes the likely brief, its row gone', { ...gone, finding: LIKELY }, {}, 'take_over'],
	['is parked between several, its row gone', { ...gone, finding: SEVERAL }, {}, 'park: unclear'],
	['is withdrawn, its row gone', { ...gone, finding: SURELY_NOTHING }, {}, 'withdraw'],
]);

rungs('running', [
	['is got once', {}, {}, 'get'],
	['is watched', { isSeen: true }, { isOverdue: true }, 'watch'],
	['is watched after it was parked', { isSeen: true, wasParked: true }, {}, 'watch'],
	['is left overdue', { isSeen: true, wasParked: true }, { isOverdue: true }, 'stop'],
]);

rungs('ended', [['is filed', {}, {}, 'file']]);

rungs('parked', [
	['by this run is left', {}, {}, 'stop'],
	['by an earlier run is looked for', { wasParked: true }, {}, 'look'],
	['is taken over', { wasParked: true, finding: FOUND }, {}, 'take_over'],
	['is looked for once', { wasParked: true, finding: NOTHING }, {}, 'stop'],
	['with a brief is got', { wasParked: true, briefId: 'own' }, {}, 'get'],
	[
		'with a brief that was seen is left',
		{ wasParked: true, briefId: 'own', isSeen: true },
		{},
		'stop',
	],
]);

for (const stage of ['done', 'refused', 'deferred'] as const)
	rungs(stage, [['is at its end', {}, {}, 'stop']]);
