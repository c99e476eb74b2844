import { KEY_TRUSTED_MS } from '../../../../service/assumptions';
import type { BriefInput } from '../../../../service/api/resources';
import { canonical, uuidFrom } from '../../../../service/input/key';
import { clock } from '../../../shared/clock';

/** One order of manual runs, which several of them may place. */
export interface ManualOrder {
	readonly key: string;
	/** When its brief was ordered, or last tried to be. */
	at: number;
	briefId?: string;
}

/** The orders of manual runs, by their key without the time. n8n saves nothing of such runs. */
const manualOrders = new Map<string, ManualOrder>();

/**
 * Gives the order of these values, which stays the same as long as a key is trusted, in copies of node and workflow too:
 * people who build a workflow execute its steps again and again. The hour is in the key for an n8n that was restarted
 * meanwhile: it makes the same key again until the next full hour.
 * @param credential its ID
 */
export function manualOrder(credential: string, input: BriefInput): ManualOrder {
	const now = clock.now();
	for (const [other, { at }] of manualOrders) {
		if (now - at >= KEY_TRUSTED_MS) manualOrders.delete(other);
	}
	const values = uuidFrom('n8n', 'manual', credential, canonical(input));
	const hour = Math.floor(now / KEY_TRUSTED_MS);
	const order = manualOrders.get(values) ?? { key: uuidFrom(values, String(hour)), at: now };
	// An order without an answer is tried again within the hour too.
	if (order.briefId === undefined) order.at = now;
	manualOrders.set(values, order);
	return order;
}
