import type { BriefInput } from '../../../../service/resources';
import type { BriefShape } from '../../../shared/brief-output';

/** What makes an order the same order when it is sent again. */
export interface OrderKey {
	/** As it is sent: a UUID. */
	key: string;
	/** As it stands in the field Order Key; null where that is empty. */
	ownKey: string | null;
	/** What is remembered of the order in manual runs. */
	manual?: ManualOrder;
}

/** One order of manual runs, which several of them may place. */
export interface ManualOrder {
	readonly key: string;
	/** When its brief was ordered, or last tried to be. */
	at: number;
	briefId?: string;
}

/** One brief to be created, checked and with its key. */
export interface Order extends OrderKey {
	itemIndex: number;
	input: BriefInput;
	/** The brief that an earlier execution, or pass of a loop, has ordered with this key. */
	earlierId?: string;
	waitUntilReady: boolean;
	shape: BriefShape;
}
