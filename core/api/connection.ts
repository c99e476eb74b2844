import { makeFinding, type Finding } from '../finding';
import { UUID } from './uuid';

export interface Connection {
	/** The service's address with its /v1, without a slash at its end. */
	baseUrl: string;
	apiKey: string;
}

/** A credential as n8n gives it: an expression in a field may give anything. */
export interface CredentialData {
	baseUrl?: unknown;
	apiKey?: unknown;
}

export function readConnection({ baseUrl, apiKey }: CredentialData): Connection | Finding {
	const address = readBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
	if ('message' in address) return address;
	const key = typeof apiKey === 'string' ? apiKey : '';
	return { ...address, apiKey: bareKey(key) };
}

const QUOTATION_MARKS = /^["'`“”‘’„«»]|["'`“”‘’„«»]$/g;

/** People copy a key together with the word before it, or with quotation marks around it. */
function bareKey(text: string): string {
	const inside = text.trim().replace(QUOTATION_MARKS, '').trim();
	return inside
		.replace(/^Bearer\s+/i, '')
		.replace(QUOTATION_MARKS, '')
		.trim();
}

/** An address on this machine, on which no key can be overheard. */
const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i;

export function isLoopback(address: string): boolean {
	return LOOPBACK.test(address);
}

/**
 * An address that people paste from a request (docs/api.md 4): an operation's path right behind the version.
 * Anywhere else such a word is part of the address.
 */
const OPERATION = new RegExp(`(?<=/v\\d+)/(briefs(/${UUID})?|licences|content-iq(/hooks)?)$`, 'i');

/**
 * Reads a Base URL, or returns what is wrong with it. The key travels without encryption only to this
 * machine; a container or the same network needs https too.
 */
export function readBaseUrl(text: string): { baseUrl: string } | Finding {
	const baseUrl = text.trim().replace(/(?<!\/)\/+$/, '');
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
	if (url !== null && (url.username !== '' || url.password !== '')) {
		return makeFinding('The address contains a user name or a password.', {
			text: 'Leave them out: the service takes an API key only.',
		});
	}
	if (
		url === null ||
		!['http:', 'https:'].includes(url.protocol) ||
		url.search !== '' ||
		url.hash !== ''
	) {
		// Not repeated, because somebody may have pasted the API key here.
		return makeFinding('It is not the address of a service.', {
			text: 'Give one such as https://host/v1, with nothing after that.',
		});
	}
	const operation = OPERATION.exec(baseUrl)?.[0];
	if (operation !== undefined) {
		return makeFinding(`“${baseUrl}” is the address of one operation, not of the service.`, {
			text: `Give ${baseUrl.slice(0, -operation.length)} instead, without “${operation}”.`,
		});
	}
	if (url.protocol === 'http:' && !isLoopback(baseUrl)) {
		return makeFinding(`${url.origin} would send the API key without encryption.`, {
			text: 'Use https:// (http:// is for addresses on this machine only).',
		});
	}
	return { baseUrl };
}

/** Says what to try if nothing of the service is at an address. */
export function addressToTry(baseUrl: string): string {
	if (baseUrl.endsWith('/v1')) return 'Check its host and the path before /v1.';
	return `Try ${baseUrl.replace(/\/v\d+$/, '')}/v1`;
}

/** Node.js's codes for what fails before a byte leaves this machine, in words to follow "because". */
const NEVER_SENT: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at this address',
	ENOTFOUND: 'there is no host of this name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'there is no way to this host',
	ENETUNREACH: 'there is no way to this network',
	ENETDOWN: 'the network is down',
	ERR_INVALID_URL: 'it is not an address',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/**
 * Gives why certainly nothing was sent, or undefined if something may have been. It decides whether a failed create may
 * have been done.
 */
export function neverSent(code: string): string | undefined {
	const reason = NEVER_SENT[code];
	if (reason !== undefined) return reason;
	return /CERT|^ERR_TLS|^UNABLE_TO_(VERIFY|GET)/.test(code)
		? 'its certificate cannot be verified'
		: undefined;
}

const OWN_AUTHORITY =
	'If a company’s proxy or authority signs certificates, name its certificate: NODE_EXTRA_CA_CERTS=/path/to/authority.pem, set before the program starts. Do not switch verification off: the key would go to whoever answers.';

/** Says what to do if the signer of a certificate is not known; null for any other failure. */
export function authorityCure(code: string): string | null {
	return /SELF_SIGNED|^UNABLE_TO_(VERIFY|GET)/.test(code) ? OWN_AUTHORITY : null;
}
