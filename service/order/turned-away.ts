import { READ_TRIES } from '../assumptions';
import { leavesInDoubt, type ServiceError } from '../api/errors';
import { outcomeOf } from '../api/outcome';
import { withRetries } from '../api/retry';
import type { OrderDependencies } from './facts';
import type { OrderState } from './states';

/**
 * Finds out whether a refusal was for want of a slot. If both slots are taken it was, whatever the service called it.
 * If the look fails it is not known, so the order is not refused for good.
 */
export async function judgeRefusal(
	{ refusal }: OrderState,
	{ poller, service, clock, interval }: OrderDependencies,
	signal?: AbortSignal,
): Promise<ServiceError> {
	if (refusal === null) throw new Error('Only a refusal can be for want of a slot');
	const refusedAt = service.now();
	const retrying = { clock, interval, limits: READ_TRIES, signal };
	const look = await outcomeOf(
		withRetries(() => poller.wereSlotsTaken(refusedAt, signal), retrying),
	);
	if ('value' in look) return look.value ? refusal.with({ kind: 'slots_busy' }) : refusal;
	return leavesInDoubt(refusal) ? refusal : look.error;
}
