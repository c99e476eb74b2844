import { anyOf } from './text';

export function isLink(text: string): boolean {
	return /^\s*(?:https?:\/\/|www\.)/i.test(text);
}

/** Splits a text, such as a cell, at white space, at “|”, and at a comma or semicolon before the next link. */
export function splitLinks(text: string): string[] {
	return text.split(/[,;]?[\s|]|[,;](?=https?:\/\/)/).filter((link) => link !== '');
}

const PRIVATE_HOST = new RegExp(
	'(?:^|\\.)(?:localhost|local|internal|intranet|lan|home|corp|home\\.arpa)$',
);

/** IPv4 addresses as `URL` writes them: 0x7f.1 is 127.0.0.1. */
const PRIVATE_IPV4 = new RegExp(
	`^${anyOf(
		'0',
		'10',
		'127',
		'169\\.254',
		'192\\.168',
		'172\\.(?:1[6-9]|2\\d|3[01])',
		'100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])',
	)}(?:\\.\\d+)+$`,
);
const PRIVATE_IPV6 = /^\[(?:::1?\]|::ffff:|f[cd]|fe[89ab])/;

/**
 * Returns why the service would refuse a link, as text that follows “which”; null if the link is valid. docs/api.md 4.3 asks
 * for public HTTPS links.
 */
export function findLinkProblem(link: string): string | null {
	if (!URL.canParse(link)) return 'is not a link';
	const { protocol, username, password, hostname } = new URL(link);
	if (protocol !== 'https:') return `starts with ${protocol}// instead of https://`;
	if (username !== '' || password !== '') return 'contains a user name or a password';
	// `URL` corrects this; the service might not.
	if (!/^https:\/\//i.test(link)) return 'does not start with https://';
	return isPrivate(hostname.replace(/\.$/, '')) ? 'points to a private network' : null;
}

function isPrivate(host: string): boolean {
	if (!/[.:]/.test(host)) return true;
	return PRIVATE_HOST.test(host) || PRIVATE_IPV4.test(host) || PRIVATE_IPV6.test(host);
}

const URI_CHARACTER = "[\\w\\-.~:/@!$&'()*+,;=]|%[\\da-f]{2}";
const URI = new RegExp(
	`^https://[\\w.:\\[\\]-]+(/(${URI_CHARACTER})*)?(\\?(${URI_CHARACTER}|\\?)*)?(#(${URI_CHARACTER}|\\?)*)?$`,
	'i',
);
const NO_URI_CHARACTER = new RegExp(`(?!${URI_CHARACTER}|\\?).`, 'gsi');

/** Returns a valid link as a URI (RFC 3986): letters, brackets and quotes that browsers show unencoded are encoded. */
export function toUri(link: string): string {
	if (URI.test(link)) return link;
	const { origin, pathname, search, hash } = new URL(link);
	const encode = (text: string) => text.replace(NO_URI_CHARACTER, encodeURIComponent);
	const fragment = hash === '' ? '' : `#${encode(hash.slice(1))}`;
	return `${origin}${encode(pathname)}${encode(search)}${fragment}`;
}
