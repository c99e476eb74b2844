import type { Clock } from './clock';
import type { Seed } from './random';

/** What API.md leaves open ("not shown"), and a few sizes. May be changed while the sandbox runs. */
export interface Switches {
	/** monthly_allowance of creator-briefs. */
	allowance: number;
	/** How many briefs run at a time in a workspace (section 8: two). */
	slots: number;
	/** A third brief while two run: 429, accepted and left `queued`, or 409. */
	thirdBrief: 'refuse' | 'queue' | 'conflict';

	/** Status of the answer to a replayed create. */
	replayStatus: 200 | 202;
	/** What a replay shows: the brief as it is now, or as it was when it was created. */
	replayState: 'present' | 'original';
	/** A key that comes back with another body: the original brief, 409 or 422. */
	replayOtherBody: 'original' | 'conflict' | 'unprocessable';
	/** Different keys in header and body: 400, or one of them counts. */
	keyMismatch: 'refuse' | 'header' | 'body';
	/** How long an idempotency key is remembered, in sandbox time. */
	keyMemoryMs: number;
	/** Which results are kept under a key and given again: 202s, also 409s and 429s, also 5xx. */
	keySaves: 'accepted' | 'refusals' | 'everything';

	usedThisMonth: 'true-count' | 'zero';
	/** The licence for creator-briefs: as bought, without the channel `api`, or not there. */
	licence: 'full' | 'no-api-channel' | 'missing';

	/** `details` of a 400. */
	detailsShape: 'list' | 'object' | 'string' | 'none';
	/** Specific codes for the three reasons of a 429, or always `rate_limited`. */
	errorCodes: 'specific' | 'generic';
	rateLimitHeaders: 'draft-03' | 'draft-10' | 'none';
	retryAfter: 'seconds' | 'date' | 'none';
	/** Requests per key and minute of sandbox time; 0 switches the limit off. */
	requestsPerMinute: number;

	/** `epoch-seconds` is a JSON number although the specification says string. */
	timestamps: 'iso' | 'iso-offset' | 'epoch-seconds' | 'epoch-ms-string' | 'rfc1123';
	/** A status that the specification does not know, in the life of every brief; '' for none. */
	unknownStatus: string;
	/** Fields that the specification does not know, in every answer. */
	unknownFields: boolean;
	/** The structure of a brief's `input`. */
	inputShape: 'as-submitted' | 'wrapped' | 'empty';

	/** An invalid or stale cursor: 400, the first page, or an empty one. */
	staleCursor: 400 | 'first-page' | 'empty';
	/** How long a cursor is good, in sandbox time. */
	cursorMemoryMs: number;
	/** A new brief appears in the list only this much later, in sandbox time. */
	listLagMs: number;

	/** Share of briefs that fail. */
	failureShare: number;
	/** `refreshed_at` may be null (section 2.3). */
	refreshedAt: 'shown' | 'null';
}

const HOUR = 3_600_000;

export const defaultSwitches: Readonly<Switches> = {
	allowance: 100,
	slots: 2,
	thirdBrief: 'refuse',
	replayStatus: 200,
	replayState: 'present',
	replayOtherBody: 'original',
	keyMismatch: 'refuse',
	keyMemoryMs: 24 * HOUR,
	keySaves: 'accepted',
	usedThisMonth: 'true-count',
	licence: 'full',
	detailsShape: 'list',
	errorCodes: 'specific',
	rateLimitHeaders: 'draft-03',
	retryAfter: 'seconds',
	requestsPerMinute: 600,
	timestamps: 'iso',
	unknownStatus: '',
	unknownFields: false,
	inputShape: 'as-submitted',
	staleCursor: 400,
	cursorMemoryMs: 24 * HOUR,
	listLagMs: 0,
	failureShare: 0.02,
	refreshedAt: 'shown',
};

export interface SandboxOptions extends Partial<Switches> {
	/** 0 (the default) takes any free port. */
	port?: number;
	/** Ids, durations, failures, hooks, texts and chance faults follow from it. */
	seed?: Seed;
	/** Sandbox seconds per real second. */
	speed?: number;
	/** Sandbox time at the start, in ms. The default is the real time. */
	startAt?: number;
	/** Takes the place of speed and startAt. */
	clock?: Clock;
	/** Faults by chance or at given requests, written as on the command line. */
	faults?: string;
}

export function switchesOf(options: SandboxOptions): Switches {
	const switches: Record<string, unknown> = { ...defaultSwitches };
	for (const name of Object.keys(defaultSwitches) as (keyof Switches)[]) {
		if (options[name] !== undefined) switches[name] = options[name];
	}
	// Every entry is either a default or the option of the same name, which has the same type.
	return switches as unknown as Switches;
}
