import { findApiKeyProblem, readBaseUrl } from '../../core/api/connection';
import { makeFinding, type Finding } from '../../core/finding';

export interface Connection {
	/** Ends in /v1, without a slash at the end. */
	readonly baseUrl: string;
	readonly apiKey: string;
}

/** A credential as n8n returns it. A field with an expression can have any value. */
export interface CredentialData {
	readonly baseUrl?: unknown;
	readonly apiKey?: unknown;
}

/** Returns the connection of a credential, or what is wrong with its Base URL or API Key. */
export function readConnection({ baseUrl, apiKey }: CredentialData): Connection | Finding {
	const address = readBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
	if ('message' in address)
		return {
			...address,
			message: `The credential's 'Base URL' cannot be used. ${address.message}`,
		};
	const key = cleanKey(typeof apiKey === 'string' ? apiKey : '');
	if (key === '')
		return makeFinding("The credential's 'API Key' is empty.", { text: 'Enter the key.' });
	const problem = findApiKeyProblem(key);
	if (problem !== null)
		return { ...problem, message: `The credential's 'API Key' ${problem.message}` };
	return { ...address, apiKey: key };
}

const QUOTATION_MARKS = /^["'`“”‘’„«»]|["'`“”‘’„«»]$/g;

/** Users paste a key together with the word before it, or with quotation marks around it. */
function cleanKey(text: string): string {
	const unquoted = text.trim().replace(QUOTATION_MARKS, '').trim();
	return unquoted
		.replace(/^Bearer\s+/i, '')
		.replace(QUOTATION_MARKS, '')
		.trim();
}
