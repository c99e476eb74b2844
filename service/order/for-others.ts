import { leavesInDoubt, type ErrorKind, type ServiceError } from '../api/errors';
import type { OrderState } from './states';

/** What the end of one order means for later ones. */
export type ForOthers =
	| 'nothing'
	/** The month's allowance, or what this run may order, is used up. */
	| 'ordering_ends'
	/** They would fail in the same way, because of the key, the licence or the service. */
	| 'all_fail'
	/** Perhaps only this order gets no answer, perhaps the service is down. */
	| 'unclear';

export function forOthers({ stage, answer, ...order }: OrderState): ForOthers {
	if (stage === 'deferred') return 'ordering_ends';
	const isGivenUp = order.isGivenUp && stage === 'in_doubt';
	if (isGivenUp && answer === null) return 'ordering_ends';
	const isOver = isGivenUp || stage === 'answered' || stage === 'to_order';
	if (!isOver || answer === null) return 'nothing';
	if (answer.kind === 'allowance_used_up') return 'ordering_ends';
	const isOpen =
		leavesInDoubt(answer) ||
		answer.kind === 'service_unavailable' ||
		answer.kind === 'unreadable_answer';
	return isGivenUp && isOpen && answer.operation === 'create_brief' ? 'unclear' : 'all_fail';
}

const ABOUT_ONE_ORDER: ReadonlySet<ErrorKind> = new Set([
	'invalid_input',
	'conflict',
	'key_taken',
	'other_brief',
]);

/**
 * For a caller that creates one brief after the other and keeps no record: whether the later ones should not be sent. A
 * problem with one order's input or key says nothing about them.
 */
export function endsOthers({ kind }: ServiceError): boolean {
	return !ABOUT_ONE_ORDER.has(kind);
}
