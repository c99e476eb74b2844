import type { BriefSummary, Licence } from '../api/types';
import { monthStart } from '../dates';
import { getCreationTime } from './brief-time';

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

/**
 * Computes the allowance from the licence and the briefs of the month. The larger figure counts, because
 * `used_this_month` can read 0 for briefs (docs/api.md 2.1), and the brief list might not show deleted briefs.
 * @param briefs all known briefs of this month; an ID that occurs twice counts once
 */
export function computeAllowance(
	{ monthly_allowance: limit, used_this_month }: BriefLicence,
	briefs: readonly BriefSummary[],
	now: number,
): Allowance {
	const start = monthStart(now);
	const thisMonth = briefs.filter((brief) => getCreationTime(brief) >= start);
	const counted = new Set(thisMonth.map(({ id }) => id)).size;
	const used = Math.max(counted, used_this_month);
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
