import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { readBaseUrl } from '../../service/base-url';
import { nodeErrorFrom, operationError, withCode } from './errors';

export const CREDENTIAL = 'creatorBriefingApi';

/** n8n's contexts in which these nodes speak to the service. */
export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Connection {
	/** The service's address with its /v1, without the slash that people paste behind it. */
	baseUrl: string;
	/** Only to be blanked in what comes back: n8n itself adds it to requests. */
	apiKey: string;
}

export async function connectionOf(context: Context): Promise<Connection> {
	const { baseUrl, apiKey } = await context
		.getCredentials<{ baseUrl?: unknown; apiKey?: unknown }>(CREDENTIAL)
		.catch((thrown: unknown) => {
			throw withCode(nodeErrorFrom(context.getNode(), thrown, Date.now()), 'credential_invalid');
		});
	const read = readBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
	if ('baseUrl' in read) {
		const key = typeof apiKey === 'string' ? apiKey : '';
		// As the credential sends it.
		return { ...read, apiKey: key.replace(/^\s*Bearer\s+/i, '').trim() };
	}
	throw operationError(context.getNode(), {
		code: 'credential_invalid',
		message: `The credential's 'Base URL' cannot be used: ${read.what.replace(/\.$/, '')}`,
		description: `Open the credential and correct it. ${read.cure}`,
	});
}
