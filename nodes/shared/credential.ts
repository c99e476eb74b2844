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

/** The credential's address with its /v1, without the slash that people paste behind it. */
export async function baseUrlOf(context: Context): Promise<string> {
	const { baseUrl } = await context.getCredentials<{ baseUrl?: unknown }>(CREDENTIAL);
	const address = typeof baseUrl === 'string' ? cleanBaseUrl(baseUrl) : '';
	if (/^https?:\/\/[^/]/i.test(address)) return address;
	throw new NodeOperationError(context.getNode(), "The credential's 'Base URL' is not an address", {
		description: 'Open the credential and give the address of the service. It ends in /v1.',
	});
}
