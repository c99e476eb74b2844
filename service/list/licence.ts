import type { Licence } from '../api/resources';

/** The licence for briefs, and what it seems to say against orders. */
interface BriefLicence {
	/** Null if none is listed for creator-briefs. */
	licence: Licence | null;
	/** A sentence; null if nothing speaks against an order. */
	doubt: string | null;
}

/** Finds the licence for creator-briefs. It refuses nothing: the service itself answers 403 to what is not allowed. */
export function briefLicence(licences: readonly Licence[]): BriefLicence {
	const forBriefs = licences.filter(({ product }) => product === 'creator-briefs');
	const good = forBriefs.find(({ channels }) => channels.includes('api'));
	if (good !== undefined) return { licence: good, doubt: null };
	const [licence = null] = forBriefs;
	if (licence === null)
		return { licence, doubt: 'The workspace lists no licence for creator briefs.' };
	const others = licence.channels.join(', ') || 'none';
	const doubt = `The licence “${licence.name}” does not list the channel “api”, only: ${others}.`;
	return { licence, doubt };
}

/** Gives the doubt as a notice, before orders go on. */
export function licenceNotices({ doubt }: BriefLicence): string[] {
	if (doubt === null) return [];
	return [`${doubt} The service itself refuses (403) what the workspace may not order.`];
}
