import { canonical, uuidFrom } from '../../../../service/input/key';
import type { BriefInput } from '../../../../service/api/resources';
import type { BriefShape } from '../../../shared/brief-output';
import type { ManualOrder } from './manual-orders';

/** The key by which an order that is sent again is the same order. */
export interface OrderKey {
	/** As it is sent: a UUID. */
	key: string;
	/** The text of the field Order Key; null if that is empty. */
	ownKey: string | null;
	/** The memory of the order in manual runs. */
	manual?: ManualOrder;
}

/** One brief to be created for an item, checked and with its key. Several items may share key and input. */
export interface Order extends OrderKey {
	itemIndex: number;
	input: BriefInput;
	/** By which it is remembered. */
	mark: string;
	waitUntilReady: boolean;
	shape: BriefShape;
}

/** The same key and the same content, in whatever case: a key of one's own may be at another order the next time. */
export function markOf(key: string, input: BriefInput): string {
	return uuidFrom(key, canonical(input).toLowerCase());
}
