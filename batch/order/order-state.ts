import type { LastingEvent, OrderState } from '../../service/order/life';
import { isOlder } from '../../service/order/likeness';

/** Says whether nothing is known to be sent: it is new, or nothing came of it. */
export function isUnsent({ stage, inDoubt }: OrderState): boolean {
	return stage === 'to_order' || (stage === 'cleared' && !inDoubt);
}

/**
 * Says how an order got its brief: new and paid for, or else found in the list or old. A key that the service remembers
 * for long gives the brief of an earlier month, and nothing is paid.
 */
export function acceptanceOf(
	{ brief, isFound }: Extract<LastingEvent, { type: 'accepted' }>,
	{ firstTried }: OrderState,
): { isNew: boolean; isOld: boolean } {
	const isOld = !isFound && isOlder(brief, firstTried);
	return { isNew: !isFound && !isOld, isOld };
}
