import {
	NodeOperationError,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import { cleanBaseUrl } from '../../service/base-url';

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
	const { baseUrl, apiKey } = await context.getCredentials<{ baseUrl?: unknown; apiKey?: unknown }>(
		CREDENTIAL,
	);
	const address = typeof baseUrl === 'string' ? cleanBaseUrl(baseUrl) : '';
	if (/^https?:\/\/[^/]/i.test(address)) {
		return { baseUrl: address, apiKey: typeof apiKey === 'string' ? apiKey.trim() : '' };
	}
	throw new NodeOperationError(context.getNode(), "The credential's 'Base URL' is not an address", {
		description: 'Open the credential and give the address of the service. It ends in /v1.',
	});
}
