import type { BriefRecord } from '../../journal/records';

/** Rows that have no brief for the same reason, and what a new start is worth for them. */
export interface RetryGroup {
	/** To follow the number of the rows. */
	why: string;
	/** As a sentence. */
	worth: string;
	records: BriefRecord[];
}

/** So often a row is ordered at most, unless --max-generations says otherwise. */
export const MAX_GENERATIONS = 3;

/** The options with which `retry` orders failed rows again, if each was ordered as often as it does by itself. */
export function retryOptions(failed: readonly BriefRecord[], most = MAX_GENERATIONS): string[] {
	const least = Math.min(...failed.map(({ generation }) => generation));
	return least < most || failed.length === 0 ? [] : ['--max-generations', String(least + 1)];
}

/** Groups the rows that `retry` would start anew by their reason, the largest group first. */
export function groupByReason(records: readonly BriefRecord[]): RetryGroup[] {
	const groups = new Map<string, RetryGroup>();
	for (const record of records) {
		const reason = reasonOf(record);
		const group = groups.get(reason.why) ?? { ...reason, records: [] };
		groups.set(reason.why, group);
		group.records.push(record);
	}
	return [...groups.values()].sort((a, b) => b.records.length - a.records.length);
}

function reasonOf({ state, brief_id, error_code }: BriefRecord): Omit<RetryGroup, 'records'> {
	const code = error_code ?? 'no reason given';
	if (state === 'parked')
		return {
			why: 'parked, and nobody knows whether the brief exists',
			worth: 'Look in the vendor’s web app first: if it does, a new start pays for it twice.',
		};
	if (brief_id === null)
		return {
			why: `refused by the service (${code})`,
			worth: 'It would hardly take the same content now: correct the CSV instead.',
		};
	return {
		why: `the service could not write the brief (${code})`,
		worth: 'A new start helps only if the cause is gone, and each one costs a brief.',
	};
}
