import { readBaseUrl } from './base-url';

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

/** The connection, or why the address cannot be used and what to do. */
export function readConnection({
	baseUrl,
	apiKey,
}: CredentialData): Connection | { what: string; cure: string } {
	const read = readBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
	if ('what' in read) return read;
	const key = typeof apiKey === 'string' ? apiKey : '';
	// People copy the key together with the word before it.
	return { ...read, apiKey: key.replace(/^\s*Bearer\s+/i, '').trim() };
}
