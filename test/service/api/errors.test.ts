import {
	anotherBrief,
	concernsAll,
	isTransient,
	leavesInDoubt,
	mayBeForSlots,
	otherBrief,
	ServiceError,
	type ErrorKind,
} from '../../../service/api/errors';
import type { OperationId } from '../../../service/api/operations';

/** Every kind: a new one has to be named here, and so decided below. */
const KINDS = Object.keys({
	invalid_input: 0,
	key_refused: 0,
	scope_missing: 0,
	licence_missing: 0,
	not_found: 0,
	rate_limited: 0,
	slots_busy: 0,
	allowance_used_up: 0,
	conflict: 0,
	key_taken: 0,
	service_unavailable: 0,
	unreadable_answer: 0,
	list_unreadable: 0,
	other_brief: 0,
	in_doubt: 0,
} satisfies Record<ErrorKind, 0>) as ErrorKind[];

const FACTS = {
	kind: 'conflict' as const,
	operation: 'create_brief' as const,
	status: 409,
	code: 'busy',
	message: 'Their words',
	details: ['a: b'],
	requestId: 'req_7',
	retryAt: 9,
	retryAfter: 5,
};

/** All that is known of an error, its message too, which is hidden from being copied. */
const factsOf = (error: ServiceError) => Object.assign({}, error, { message: error.message });

describe('what follows from a kind', () => {
	const kindsThat = (holds: (kind: ErrorKind) => boolean) => KINDS.filter((kind) => holds(kind));
	const isForSlots = (operation: OperationId) =>
		kindsThat((kind) => mayBeForSlots(new ServiceError({ kind, operation })));

	test('waiting may cure only these', () => {
		expect(kindsThat(isTransient)).toEqual([
			...(['rate_limited', 'slots_busy', 'service_unavailable', 'unreadable_answer'] as const),
			'in_doubt',
		]);
	});

	test('only these would end all other requests too', () => {
		expect(kindsThat(concernsAll)).toEqual(['key_refused', 'scope_missing', 'licence_missing']);
	});

	test('only these answers leave open whether a brief was created', () => {
		const isInDoubt = (kind: ErrorKind, status = 429, operation: OperationId = 'create_brief') =>
			leavesInDoubt(new ServiceError({ kind, operation, status }));
		expect(kindsThat((kind) => isInDoubt(kind))).toEqual(['conflict', 'other_brief', 'in_doubt']);
		expect([isInDoubt('slots_busy', 500), isInDoubt('slots_busy', 499)]).toEqual([true, false]);
		expect(isInDoubt('service_unavailable', 500, 'list_briefs')).toBe(false);
	});

	test('only these refusals of a create may be for want of a slot, and none of another request', () => {
		expect(isForSlots('create_brief')).toEqual([
			...(['invalid_input', 'scope_missing', 'licence_missing', 'conflict'] as const),
		]);
		expect(isForSlots('list_briefs')).toEqual([]);
		expect(isForSlots('get_brief')).toEqual([]);
	});
});

test('an error of which more is known keeps what the service said, and when to come back', () => {
	const known = new ServiceError(FACTS).with({ kind: 'slots_busy', inDoubt: true });
	expect(factsOf(known)).toEqual({
		...FACTS,
		name: 'ServiceError',
		kind: 'slots_busy',
		inDoubt: true,
	});
});

describe('an answer that brought another brief', () => {
	const theirs = { id: 'b1', product_name: 'Night Cream' };
	/** It was a success, so there are no words of a refusal, and nothing to wait for. */
	const nothingSaid = { code: '', details: [], requestId: '', status: null, retryAt: null };

	test('of a create names that brief, and puts no words into the mouth of the service', () => {
		expect(factsOf(otherBrief({ ...theirs, status: 'ready' } as typeof theirs))).toEqual({
			...nothingSaid,
			name: 'ServiceError',
			kind: 'other_brief',
			message: '',
			operation: 'create_brief',
			brief: theirs,
		});
	});

	test('of a get names it too, and is one that cannot be read', () => {
		expect(factsOf(anotherBrief(theirs))).toEqual({
			...nothingSaid,
			name: 'ServiceError',
			kind: 'unreadable_answer',
			operation: 'get_brief',
			brief: theirs,
			message: 'Under the ID b1 it gave a brief of “Night Cream”',
		});
	});
});
