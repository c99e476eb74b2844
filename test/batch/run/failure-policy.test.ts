import type { OrderState } from '../../../batch/orders/order';
import { FailurePolicy } from '../../../batch/run/failure-policy';
import { STATES } from '../support/order-builder';

const { failed, rejected, ready, unconfirmed } = STATES;
const reused = { ...ready(), isPaid: false } as OrderState;
const reusedFailed = { ...failed(), isPaid: false } as OrderState;
const otherBrief = unconfirmed({ review: { code: 'other_brief', briefId: 'B9' } });

test.each<[string, OrderState[], number, boolean]>([
	['two failed briefs', [failed(), failed()], 2, true],
	['a failed brief and the brief of another order', [failed(), otherBrief], 2, true],
	['a ready brief after a failed brief', [failed(), ready()], 0, false],
	['a reused brief after a failed brief', [failed(), reused], 1, false],
	['two reused briefs that failed', [reusedFailed, reusedFailed], 0, false],
	['two rejected orders', [rejected(), rejected()], 0, false],
	['two orders without an answer', [unconfirmed(), unconfirmed()], 0, false],
])('%s, with --max-failures 2', (_, states, failuresInRow, hasTooMany) => {
	const policy = new FailurePolicy(2, 0);
	for (const state of states) policy.countState(state);
	expect(policy.failuresInRow).toBe(failuresInRow);
	expect(policy.hasTooManyFailures()).toBe(hasTooMany);
});

test('--max-failures 0 never stops a run', () => {
	const policy = new FailurePolicy(0, 100);
	policy.countState(failed());
	expect(policy.hasTooManyFailures()).toBe(false);
});

test('failures of earlier runs count', () => {
	const policy = new FailurePolicy(2, 1);
	policy.countState(failed());
	expect(policy.hasTooManyFailures()).toBe(true);
});

test('five orders in a row without an answer are an outage, and an answer ends it', () => {
	const policy = new FailurePolicy(5, 0);
	for (const id of [1, 2, 3, 4]) policy.recordNoAnswer(id, 'no_answer');
	expect(policy.hasTooManyNoAnswers()).toBe(false);
	policy.recordNoAnswer(5, 'no_answer');
	expect(policy.hasTooManyNoAnswers()).toBe(true);
	policy.recordAnswer();
	expect(policy.hasTooManyNoAnswers()).toBe(false);
});

test('an order counts once in a run, however often it is sent', () => {
	const policy = new FailurePolicy(5, 0);
	expect(policy.recordNoAnswer(1, 'no_answer')).toBe(true);
	expect(policy.recordNoAnswer(1, 'no_answer')).toBe(false);
});

test('an old key counts with its second try', () => {
	const policy = new FailurePolicy(5, 0);
	expect(policy.recordNoAnswer(1, 'key_expired')).toBe(false);
	expect(policy.recordNoAnswer(1, 'key_expired')).toBe(true);
});
