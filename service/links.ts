export function isLink(text: string): boolean {
	return /^\s*(https?:\/\/|www\.)/i.test(text);
}

/**
 * The links of a text such as a cell, separated by white space, by |, or by a comma or semicolon before the next link.
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

/** A valid link as a URI (RFC 3986): the umlauts, brackets and quotes that browsers show are encoded. */
export function asUri(link: string): string {
	if (URI.test(link)) return link;
	const { origin, pathname, search, hash } = new URL(link);
	const encoded = (text: string) => text.replace(NO_CHARACTER, encodeURIComponent);
	const fragment = hash === '' ? '' : `#${encoded(hash.slice(1))}`;
	return `${origin}${encoded(pathname)}${encoded(search)}${fragment}`;
}
