import type { ErrorKind } from '../../../service/api/errors';
import type { OperationId } from '../../../service/api/operations';
import {
	endsOthers,
	forOthers,
	isLeftInDoubt,
	unbelievedText,
} from '../../../service/order/later-orders';
import { NEW_ORDER, type OrderState, type Stage } from '../../../service/order/life';
import { anError } from '../../support/builders';

const errorOf = (kind: ErrorKind, operation: OperationId = 'create_brief') =>
	anError(kind, { operation });
const order = (stage: Stage, facts: Partial<OrderState> = {}) => ({
	...NEW_ORDER,
	stage,
	...facts,
});
const givenUp = (kind: ErrorKind, operation?: OperationId) =>
	order('in_doubt', { isGivenUp: true, answer: errorOf(kind, operation) });

describe('the end of one order', () => {
	test.each<Stage>(['running', 'ended', 'done', 'refused', 'parked', 'waiting', 'cleared', 'sent'])(
		'means nothing for the others if it is %s',
		(stage) => {
			expect(forOthers(order(stage))).toBe('nothing');
			const refused = { answer: errorOf('key_refused'), isGivenUp: true };
			expect(forOthers(order(stage, refused))).toBe('nothing');
		},
	);

	test('means nothing if it was never tried, or is in doubt from an earlier run', () => {
		expect(forOthers(order('to_order'))).toBe('nothing');
		expect(forOthers(order('answered'))).toBe('nothing');
		expect(forOthers(order('in_doubt', { answer: errorOf('in_doubt') }))).toBe('nothing');
	});

	test('ends the ordering if nothing more may be ordered', () => {
		expect(forOthers(order('deferred'))).toBe('ordering_ends');
		expect(forOthers(order('in_doubt', { isGivenUp: true }))).toBe('ordering_ends');
		expect(forOthers(order('to_order', { answer: errorOf('allowance_used_up') }))).toBe(
			'ordering_ends',
		);
		expect(forOthers(givenUp('allowance_used_up'))).toBe('ordering_ends');
	});

	test.each<ErrorKind>(['key_refused', 'licence_missing', 'rate_limited', 'service_unavailable'])(
		'fails all if nothing came of it for %s',
		(kind) => {
			expect(forOthers(order('to_order', { answer: errorOf(kind) }))).toBe('all_fail');
			expect(forOthers(order('answered', { answer: errorOf(kind) }))).toBe('all_fail');
		},
	);

	test.each<ErrorKind>(['in_doubt', 'conflict', 'service_unavailable', 'unreadable_answer'])(
		'leaves it unclear if it is in doubt after %s: the service may be down, or answer others',
		(kind) => expect(forOthers(givenUp(kind))).toBe('unclear'),
	);

	test.each<ErrorKind>(['invalid_input', 'key_taken'])(
		'means nothing for them if it is in doubt and then refused for %s, which is its own',
		(kind) => expect(forOthers(givenUp(kind))).toBe('nothing'),
	);

	test.each<ErrorKind>(['key_refused', 'scope_missing', 'not_found', 'rate_limited'])(
		'fails all if it is in doubt and then refused for %s',
		(kind) => expect(forOthers(givenUp(kind))).toBe('all_fail'),
	);

	test('fails all if it was the look for a slot that got no answer', () => {
		expect(forOthers(givenUp('service_unavailable', 'list_briefs'))).toBe('all_fail');
	});
});

test('what the service has against one order alone does not end those that come after it', () => {
	expect(endsOthers(errorOf('invalid_input'))).toBe(false);
	expect(endsOthers(errorOf('conflict'))).toBe(false);
	expect(endsOthers(errorOf('key_taken'))).toBe(false);
	expect(endsOthers(errorOf('other_brief'))).toBe(false);
	expect(endsOthers(errorOf('in_doubt'))).toBe(true);
	expect(endsOthers(errorOf('key_refused'))).toBe(true);
});

test('the brief of another order fails all if it was the first answer to a new key, and else only this one', () => {
	const answer = errorOf('other_brief');
	const oneTry = { failures: 1, rateLimits: 0, since: 0 };
	const facts = { isGivenUp: true, answer, knownBefore: 0, tries: oneTry };
	expect(forOthers(order('parked', facts))).toBe('all_fail');
	// Its brief is listed.
	expect(forOthers(order('running', facts))).toBe('nothing');
	const twoTries = { ...oneTry, failures: 2 };
	expect(forOthers(order('parked', { ...facts, tries: twoTries }))).toBe('nothing');
	expect(forOthers(order('parked', { ...facts, tries: null }))).toBe('nothing');
	expect(forOthers(order('parked', { ...facts, answer: errorOf('in_doubt') }))).toBe('nothing');
	// An earlier process sent it.
	expect(forOthers(order('parked', { ...facts, knownBefore: null }))).toBe('nothing');
});

test('an order that is given up before this run sent it is not left in doubt by this run', () => {
	expect(isLeftInDoubt(order('in_doubt', { isGivenUp: true }))).toBe(false);
	expect(isLeftInDoubt(givenUp('in_doubt'))).toBe(true);
});

test('what the service shows is repeated without its control characters, and shortened', () => {
	const brief = { id: 'b1', product_name: `\u001b[31mRed\n\u202eCream ${'x'.repeat(200)}` };
	const { what, cure } = unbelievedText({ product_name: 'B', brief });
	expect(cure).toMatch(/^Nothing more was ordered\./);
	expect(what).toMatch(/order of “B” .*: b1 \(“\[31mRed Cream x{45}…”\)\.$/);
});
