import type { BriefInput } from '../../../../service/resources';
import type { BriefShape } from '../../../shared/brief-output';

/** What makes an order the same order when it is sent again. */
export interface OrderKey {
	/** As it is sent: a UUID. */
	key: string;
	/** As it stands in the field Order Key; null where that is empty. */
	ownKey: string | null;
}

/** One brief to be created, checked and with its key. */
export interface Order extends OrderKey {
	itemIndex: number;
	input: BriefInput;
	waitUntilReady: boolean;
	shape: BriefShape;
}
