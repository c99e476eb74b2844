import {
	answeredWith,
	answerOf,
	errorOf,
	isForLater,
	type ServiceAnswer,
	type OrderCause,
} from '../../../../batch/folder/journal/causes';
import { ServiceError } from '../../../../service/api/errors';

const BARE: ServiceAnswer = { kind: 'in_doubt', operation: 'create_brief', status: null };
/** Facts that an error and its answer on record call the same. */
const FACTS = {
	kind: 'other_brief' as const,
	operation: 'create_brief' as const,
	status: 202,
	code: 'odd',
	message: 'Look at this.',
	details: ['audience: too long'],
	page: 'later' as const,
	proxy: 'HTTPS_PROXY',
	brief: { id: 'id', product_name: 'Lamp' },
} satisfies Partial<ServiceError>;
const WHOLE: ServiceAnswer = { ...FACTS, request_id: 'req_1', retry_after_ms: 0, in_doubt: true };
const IN_DOUBT = { ids: ['id'], tried: '2026-11-10T12:00:00Z' };

test.each([BARE, WHOLE])(
	'an answer is on record with what it said and nothing else: %j',
	(answer) => {
		expect(answerOf(errorOf(answer))).toStrictEqual(answer);
	},
);

test('an answer on record is explained like the error that it was', () => {
	const error = new ServiceError({ ...FACTS, requestId: 'req_1', retryAfter: 0, inDoubt: true });
	expect(errorOf(WHOLE)).toEqual(error);
	expect(errorOf(WHOLE).message).toBe(error.message);
	expect(errorOf(BARE)).toEqual(
		new ServiceError({ kind: 'in_doubt', operation: 'create_brief', status: null }),
	);
});

test.each<[boolean, OrderCause]>([
	[true, { reason: 'late', status: 'writing', waited_ms: 1, unseen_ms: 0 }],
	[true, { reason: 'without_text', status: 'ready' }],
	[true, { reason: 'wrong_brief', answer: WHOLE }],
	[false, { reason: 'unknown_brief' }],
	[false, { reason: 'listed', ids: ['id'] }],
	[false, { reason: 'unclear', ...IN_DOUBT }],
	[false, { reason: 'refused', answer: BARE }],
	[false, { reason: 'unanswered', runs: 3 }],
])('another run may cure it: %s, for %j', (isLater, cause) => {
	expect(isForLater(cause)).toBe(isLater);
});

test('only a create that was answered with another brief names that', () => {
	expect(answeredWith({ reason: 'other_brief', answer: WHOLE, ...IN_DOUBT })).toBe('id');
	expect(answeredWith({ reason: 'other_brief', answer: BARE, ...IN_DOUBT })).toBeUndefined();
	expect(answeredWith({ reason: 'other_brief', ...IN_DOUBT })).toBeUndefined();
	expect(answeredWith(null)).toBeUndefined();
});
