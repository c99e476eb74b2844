import type { Licence } from '../api/resources';
import { instantOf } from '../api/timestamps';

/** The licence for briefs, and what it seems to say against orders. */
interface BriefLicence {
	/** Null if none is listed for creator-briefs. */
	licence: Licence | null;
	/** A sentence; null if nothing speaks against an order. */
	doubt: string | null;
}

/**
 * Finds the licence for creator-briefs. What it says against orders refuses nothing: a time that has passed may be that
 * of a renewal, and the service itself answers 403 to what the workspace may not do.
 */
export function briefLicence(licences: readonly Licence[], now: number): BriefLicence {
	const forBriefs = licences
		.filter(({ product }) => product === 'creator-briefs')
		.map((licence) => ({ licence, doubt: doubtOf(licence, now) }));
	const none = { licence: null, doubt: 'The workspace lists no licence for creator briefs.' };
	return forBriefs.find(({ doubt }) => doubt === null) ?? forBriefs[0] ?? none;
}

/** Gives the doubt as a notice, before orders go on. */
export function licenceNotices({ doubt }: BriefLicence): string[] {
	if (doubt === null) return [];
	return [`${doubt} The service itself refuses (403) what the workspace may not order.`];
}

function doubtOf({ name, channels, renews_or_ends_at }: Licence, now: number): string | null {
	if (!channels.includes('api')) {
		const others = channels.join(', ') || 'none';
		return `The licence “${name}” does not list the channel “api”, only: ${others}.`;
	}
	const end = instantOf(renews_or_ends_at);
	return end !== null && end < now
		? `The licence “${name}” was to renew or end at ${String(renews_or_ends_at)}.`
		: null;
}
