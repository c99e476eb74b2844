export function isLink(text: string): boolean {
	return /^\s*(https?:\/\/|www\.)/i.test(text);
}

/**
 * Finds the links of a text such as a cell, separated by white space, by |, or by a comma or semicolon before the next
 * link.
 */
export function linksOf(text: string): string[] {
	const links = text.split(/[,;]?[\s|]|[,;](?=https?:\/\/)/);
	return links.filter((link) => link !== '');
}

const CHARACTER = "[\\w\\-.~:/@!$&'()*+,;=]|%[\\da-f]{2}";
const URI = new RegExp(
	`^https://[\\w.:\\[\\]-]+(/(${CHARACTER})*)?(\\?(${CHARACTER}|\\?)*)?(#(${CHARACTER}|\\?)*)?$`,
	'i',
);
const NO_CHARACTER = new RegExp(`(?!${CHARACTER}|\\?).`, 'gsi');

/** Writes a valid link as a URI (RFC 3986): the umlauts, brackets and quotes that browsers show are encoded. */
export function asUri(link: string): string {
	if (URI.test(link)) return link;
	const { origin, pathname, search, hash } = new URL(link);
	const encoded = (text: string) => text.replace(NO_CHARACTER, encodeURIComponent);
	const fragment = hash === '' ? '' : `#${encoded(hash.slice(1))}`;
	return `${origin}${encoded(pathname)}${encoded(search)}${fragment}`;
}

const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** As a URL writes an address: 0x7f.1 is 127.0.0.1 there. */
const PRIVATE_ADDRESS =
	/^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+)+$|^\[(::1?\]|::ffff:|f[cd]|fe[89ab])/;

/** Says why a link is not a public HTTPS link (docs/api.md section 4.3, reference_urls), or null if it is one. */
export function publicUrlProblem(text: string): string | null {
	if (!URL.canParse(text)) return 'is not a link';
	const url = new URL(text);
	if (url.protocol !== 'https:') return `starts with ${url.protocol}// instead of https://`;
	if (url.username !== '' || url.password !== '') return 'contains a user name or a password';
	// The URL parser corrects both of these, and the service may not.
	if (/\s/.test(text)) return 'contains a space';
	if (!/^https:\/\//i.test(text)) return 'does not start with https://';
	const host = url.hostname.replace(/\.$/, '');
	const isPrivate = PRIVATE_NAME.test(host) || PRIVATE_ADDRESS.test(host) || !/[.:]/.test(host);
	return isPrivate ? 'points into a private network' : null;
}
