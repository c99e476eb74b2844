/**
 * The links of one text, such as a cell of a sheet, separated by white space, by |, or by a comma or semicolon before
 * the next link.
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

/** A valid link as the URI (RFC 3986) that it stands for: what browsers show as umlauts, brackets or quotes is encoded. */
export function asUri(link: string): string {
	if (URI.test(link)) return link;
	const { origin, pathname, search, hash } = new URL(link);
	const encoded = (text: string) => text.replace(NO_CHARACTER, encodeURIComponent);
	const fragment = hash === '' ? '' : `#${encoded(hash.slice(1))}`;
	return `${origin}${encoded(pathname)}${encoded(search)}${fragment}`;
}
