import { ServiceError, type ErrorKind } from '../../../service/api/errors';
import type { OperationId } from '../../../service/api/operations';
import { whenAgain, type SendBounds, type Limits } from '../../../service/order/facts';
import { DEFAULT_POLL_INTERVAL } from '../../../service/api/poll-interval';
import { anError } from '../../support/builders';
import { SECOND } from '../../support/time';

const NOW = 1_000_000;
const errorOf = (
	kind: ErrorKind,
	retryAt: number | null = null,
	operation: OperationId = 'create_brief',
) => anError(kind, { operation, status: 429, retryAt });
const tries = { failures: 1, rateLimits: 1, conflicts: 0, since: NOW };
const again = (
	error: ServiceError,
	facts: object = {},
	bounds: SendBounds & Pick<Limits, 'isSlotWaitOver'> = {},
) =>
	whenAgain(
		error,
		{ tries, refusals: 1, inDoubt: false, ...facts },
		{ now: NOW, interval: DEFAULT_POLL_INTERVAL, ...bounds },
	);

describe('after a refusal for want of a slot', () => {
	test('the time that the service names counts if it is later', () => {
		const at = (seconds: number) => again(errorOf('slots_busy', NOW + seconds * SECOND));
		expect(at(90)).toEqual({ how: 'with_another_slot', at: NOW + 90 * SECOND });
		expect(at(5)).toEqual({ how: 'with_another_slot', at: NOW + 15 * SECOND });
	});

	test('named for longer than an hour, it is reported and not waited for', () => {
		expect(again(errorOf('slots_busy', NOW + 3_600_000)).how).toBe('with_another_slot');
		expect(again(errorOf('slots_busy', NOW + 3_600_001))).toEqual({ how: 'never' });
	});

	test('nobody asks again once slots have been waited for long enough', () => {
		const over = { isSlotWaitOver: true };
		expect(again(errorOf('slots_busy'), {}, over)).toEqual({ how: 'never' });
		expect(again(errorOf('rate_limited'), {}, over).how).not.toBe('never');
	});

	test('nobody asks again who asks a single time', () => {
		expect(again(errorOf('slots_busy'), {}, { once: true })).toEqual({ how: 'never' });
	});

	test('another slot is asked for whatever came of it before', () => {
		expect(again(errorOf('slots_busy'), { tries: null, inDoubt: true }).how).toBe(
			'with_another_slot',
		);
	});
});

describe('the slot', () => {
	const limited = (seconds: number) => errorOf('rate_limited', NOW + seconds * SECOND);

	test('is kept over a wait as short as that between two looks, and given back over a longer one', () => {
		expect(again(limited(15))).toEqual({ how: 'with_this_slot', at: NOW + 15 * SECOND });
		expect(again(limited(15.001))).toEqual({ how: 'with_another_slot', at: NOW + 15_001 });
	});

	test('is kept over a long wait if the brief may exist, or no other slot is to be waited for', () => {
		expect(again(limited(60), { inDoubt: true }).how).toBe('with_this_slot');
		expect(again(limited(60), {}, { once: true }).how).toBe('with_this_slot');
	});
});

test.each<ErrorKind>(['in_doubt', 'service_unavailable', 'unreadable_answer'])(
	'the create is sent again after %s, ever later, seven times at most',
	(kind) => {
		const after = (failures: number) => again(errorOf(kind), { tries: { ...tries, failures } });
		expect(after(1)).toEqual({ how: 'with_this_slot', at: NOW + 2 * SECOND });
		expect(after(7)).toEqual({ how: 'never' });
	},
);

describe('the create is never sent again', () => {
	test('if the time comes after the deadline', () => {
		const limited = errorOf('rate_limited', NOW + 10 * SECOND);
		expect(again(limited, {}, { deadline: NOW + 10 * SECOND }).how).toBe('with_this_slot');
		expect(again(limited, {}, { deadline: NOW + 10 * SECOND - 1 })).toEqual({ how: 'never' });
	});

	test('if it was the look for a slot that failed', () => {
		expect(again(errorOf('service_unavailable', null, 'list_briefs'))).toEqual({ how: 'never' });
	});

	test.each<ErrorKind>(['invalid_input', 'key_refused', 'allowance_used_up', 'not_found'])(
		'after %s',
		(kind) => expect(again(errorOf(kind))).toEqual({ how: 'never' }),
	);

	test('if no try is counted', () => {
		expect(again(errorOf('in_doubt'), { tries: null })).toEqual({ how: 'never' });
	});
});
