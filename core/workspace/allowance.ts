import type { Licence } from '../api/types';

/** The licence for briefs. Its allowance is an integer (docs/api.md 2.1). */
export interface BriefLicence extends Licence {
	readonly monthly_allowance: number;
}

/** The use of the licence for briefs in the current month (UTC). */
export interface Allowance {
	/** Briefs per month. */
	readonly limit: number;
	readonly used: number;
	readonly remaining: number;
}

/** The use that a licence showed when it was read. */
export interface LicenceUse {
	readonly used_this_month: number;
	/** IDs of the briefs that were known when the licence was read. */
	readonly seenBefore: ReadonlySet<string>;
}

/**
 * Returns how many briefs of the month are used. The larger figure counts: `used_this_month` can read 0 for briefs
 * (docs/api.md 2.1), and the brief list might not show deleted briefs.
 * @param monthBriefIds the different briefs of the month that are known now
 * @param openRequests create requests whose brief is not known yet
 */
export function countUsedBriefs(
	{ used_this_month, seenBefore }: LicenceUse,
	monthBriefIds: readonly string[],
	openRequests: number,
): number {
	const isNew = (id: string) => !seenBefore.has(id);
	const usedSinceRead = monthBriefIds.filter(isNew).length;
	return Math.max(used_this_month + usedSinceRead, monthBriefIds.length) + openRequests;
}

/** Returns the allowance of a licence from which `used` briefs are used. */
export function toAllowance({ monthly_allowance: limit }: BriefLicence, used: number): Allowance {
	return { limit, used, remaining: Math.max(0, limit - used) };
}

/** Returns the licence for briefs, preferably a licence that covers the API; null if the workspace has none. */
export function findBriefLicence(licences: readonly Licence[]): BriefLicence | null {
	const briefLicences = licences.filter(isBriefLicence);
	return briefLicences.find(({ channels }) => channels.includes('api')) ?? briefLicences[0] ?? null;
}

function isBriefLicence(licence: Licence): licence is BriefLicence {
	return licence.product === 'creator-briefs' && licence.monthly_allowance !== null;
}
