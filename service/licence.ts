import { LICENCE_GRACE_MS } from './assumptions';
import type { Licence } from './resources';
import { instantOf } from './timestamps';

/** Whether briefs may be created with a key: the licence that covers it, or why there is none, as a sentence. */
export type BriefLicence = { licence: Licence } | { refusal: string };

/**
 * Finds the licence for creator-briefs that covers the channel `api` and has not ended (docs/service.md section 2.1).
 */
export function briefLicence(licences: readonly Licence[], now: number): BriefLicence {
	const own = licences.filter((licence) => licence.product === 'creator-briefs');
	const covering = own.filter((licence) => licence.channels.includes('api'));
	const licence = covering.find((candidate) => !hasEnded(candidate, now));
	if (licence !== undefined) return { licence };
	const [lapsed] = covering;
	if (lapsed !== undefined) {
		return {
			refusal: `The licence “${lapsed.name}” ended at ${String(lapsed.renews_or_ends_at)}.`,
		};
	}
	const [other] = own;
	if (other !== undefined) {
		const channels = other.channels.join(', ') || 'none';
		return { refusal: `The licence “${other.name}” does not cover the API, only: ${channels}.` };
	}
	return { refusal: 'The workspace has no licence for creator briefs.' };
}

function hasEnded(licence: Licence, now: number): boolean {
	const end = instantOf(licence.renews_or_ends_at);
	return end !== null && end + LICENCE_GRACE_MS < now;
}
