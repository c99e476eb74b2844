import { readBaseUrl } from './base-url';

/** What n8n's credential says. */
export interface Connection {
	/** The service's address with its /v1, without the slash that people paste behind it. */
	baseUrl: string;
	apiKey: string;
}

/** What n8n gives of a credential: an expression in a field may give anything. */
export interface CredentialData {
	baseUrl?: unknown;
	apiKey?: unknown;
}

/** The connection, or as sentences why the address cannot be used and what to do. */
export function readConnection({
	baseUrl,
	apiKey,
}: CredentialData): Connection | { what: string; cure: string } {
	const read = readBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
	if ('what' in read) return read;
	const key = typeof apiKey === 'string' ? apiKey : '';
	// A key that was copied with the word before it is taken too.
	return { ...read, apiKey: key.replace(/^\s*Bearer\s+/i, '').trim() };
}
