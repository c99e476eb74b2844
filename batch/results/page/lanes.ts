import type { BriefRecord } from '../../journal/records';

/** A brief as a bar: when it held a slot, and the lane that it is drawn in. */
export interface Bar {
	record: BriefRecord;
	lane: 0 | 1;
	from: number;
	to: number;
	/** Its end is not in the journal: it is still being written, or a person has to look. */
	isOpen: boolean;
}

/** The length of a bar without a known end: the time after which a brief is parked. */
const OPEN_LENGTH = 30 * 60_000;

/**
 * Puts the briefs that the service took into two lanes, oldest first. The service does not name its slots, so a brief
 * goes into the first that is free. Other people's briefs are not on record.
 * @param until the time of the last run in the journal
 */
export function lanesOf(tried: readonly BriefRecord[], until: number): Bar[] {
	const freeFrom: [number, number] = [-Infinity, -Infinity];
	return tried
		.flatMap((record) => spanOf(record, until))
		.sort((a, b) => a.from - b.from)
		.map((span) => {
			// If both are taken (a brief found late, or one without an end), the bars overlap visibly.
			const lane =
				freeFrom[0] <= span.from || (freeFrom[1] > span.from && freeFrom[0] <= freeFrom[1]) ? 0 : 1;
			freeFrom[lane] = Math.max(freeFrom[lane], span.to);
			return { ...span, lane };
		});
}

function spanOf(record: BriefRecord, until: number): Omit<Bar, 'lane'>[] {
	const from = Date.parse(record.accepted_at ?? '');
	if (Number.isNaN(from)) return [];
	const end = Date.parse(record.ended_at ?? '');
	const isOpen = Number.isNaN(end);
	// The clock may have been set back in between.
	const to = Math.max(from, isOpen ? Math.min(until, from + OPEN_LENGTH) : end);
	return [{ record, from, to, isOpen }];
}
