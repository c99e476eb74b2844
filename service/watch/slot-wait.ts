import { ServiceError } from '../errors';
import type { SlotRequest } from './slot-queue';
import { WaitTimeout, type Waiting } from './waiting';
import type { SlotPermit } from './workspace';

/** A permit for a slot that the list showed to be free. */
export interface FreeSlot extends SlotPermit {
	/** When the page was asked for that showed it, by this machine's clock: others may have taken it since. */
	readonly seenAt: number;
}

/** One who waits for a slot. */
export interface SlotWait extends SlotRequest {
	readonly waiting: Waiting<FreeSlot>;
}

/** The answer where looks showed no free slot: no create was sent. */
export function slotsBusy(): ServiceError {
	return new ServiceError({
		kind: 'slots_busy',
		operation: 'create_brief',
		status: null,
		code: '',
		message: 'Two briefs are already running in the workspace',
		details: [],
		requestId: '',
		retryAt: null,
	});
}

export function noSlotInTime(unseenFor: number): WaitTimeout {
	return new WaitTimeout('No slot was seen free within the waiting time', undefined, unseenFor);
}
