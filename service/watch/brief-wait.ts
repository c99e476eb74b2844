import type { BriefSummary } from '../resources';
import { WaitTimeout, type WaitOptions, type Waiting } from './waiting';
import type { WatchedBrief } from './watched-briefs';

/** One who waits for the end of a brief. */
export interface BriefWait extends WatchedBrief {
	readonly waiting: Waiting<BriefSummary>;
	readonly onStatus?: (brief: BriefSummary) => void;
	/** Whether what the service shows under its ID is this brief. */
	readonly isItself?: (brief: BriefSummary) => boolean;
}

export interface BriefWaitOptions extends WaitOptions, Pick<BriefWait, 'onStatus' | 'isItself'> {
	since?: number;
	seenAt?: number;
}

export function stillRunning(brief: BriefSummary, unseenFor: number): WaitTimeout {
	const message = `The brief was not seen to end within the waiting time, and was ${brief.status} when last seen`;
	return new WaitTimeout(message, brief, unseenFor);
}
