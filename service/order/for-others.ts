import { leavesInDoubt, type ServiceError } from '../errors';
import type { OrderState } from './states';

/** What the end of one order means for those that come after it. */
export type ForOthers =
	| 'nothing'
	/** The month's allowance, or what this run may order, is used up. */
	| 'ordering_ends'
	/** They would fare the same: the key, the licence or the service is at fault. */
	| 'all_fail'
	/** It may be this order alone that stays without an answer, or the service may be down. */
	| 'unclear';

export function forOthers({ stage, isGivenUp, answer }: OrderState): ForOthers {
	if (stage === 'deferred') return 'ordering_ends';
	if (isGivenUp && answer === null) return 'ordering_ends';
	const isOver = isGivenUp || stage === 'answered' || stage === 'to_order';
	if (!isOver || answer === null) return 'nothing';
	if (answer.kind === 'allowance_used_up') return 'ordering_ends';
	const isOpen =
		leavesInDoubt(answer.kind) ||
		answer.kind === 'service_unavailable' ||
		answer.kind === 'unreadable_answer';
	return isGivenUp && isOpen && answer.operation === 'create_brief' ? 'unclear' : 'all_fail';
}

/**
 * The same for whoever creates one brief after the other and keeps nothing: whether those that come after it are better
 * not sent. What the service has against one order alone, its input or its key, says nothing about them.
 */
export function endsOthers({ kind }: ServiceError): boolean {
	return kind !== 'invalid_input' && kind !== 'conflict' && kind !== 'other_brief';
}
