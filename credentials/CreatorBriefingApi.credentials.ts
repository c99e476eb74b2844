import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type Icon,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';
import { readConnection } from '../service/api/connection';

const wrongAddress =
	'The service does not answer at this Base URL. The address must end in /v1, and no proxy or login page may be in front of it';

/** Follows no redirect, in n8n's helper for nodes and in the older one of its HTTP Request node. */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Gives the origin of a request, by its base and by its URL, which the HTTP Request node calls `uri`. */
function originsOf({ baseURL, url, uri }: IHttpRequestOptions & { uri?: string }): string[] {
	const target = (url as string | undefined) ?? uri ?? '';
	return [baseURL ?? target, target].map((address) =>
		URL.canParse(address, baseURL) ? new URL(address, baseURL).origin : '',
	);
}

/**
 * Adds the key to the request if it goes to the service's own scheme, host and port; it follows no redirect. An
 * execution that began before the credential was edited may ask the old address.
 */
function withKey(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const connection = readConnection(credential);
	if ('what' in connection) {
		throw new UserError(`'Base URL' cannot be used. ${connection.what} ${connection.cure}`);
	}
	const { origin } = new URL(connection.baseUrl);
	if (originsOf(request).some((each) => each !== origin)) {
		throw new UserError(
			`The API key was not sent, because it is for ${origin} only. Correct the URL of the request, or 'Base URL' in the credential`,
		);
	}
	const headers = { ...request.headers, Authorization: `Bearer ${connection.apiKey}` };
	return { ...request, ...NO_REDIRECT, headers };
}

export class CreatorBriefingApi implements ICredentialType {
	name = 'creatorBriefingApi';

	displayName = 'Creator Briefing API';

	icon: Icon = {
		light: 'file:../nodes/CreatorBriefing/creatorBriefing.svg',
		dark: 'file:../nodes/CreatorBriefing/creatorBriefing.dark.svg',
	};

	documentationUrl =
		'https://github.com/creator-briefing/n8n-nodes-creator-briefing/blob/main/docs/nodes.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/v1',
			description:
				'Address of the service, as the vendor’s API documentation names it: it starts with https:// and ends in /v1. Plain http:// is only for a server on this machine.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Created in the Developers area of the vendor’s web app, with the tools that you use here ticked. It is shown only once.',
		},
	];

	/** A function, because n8n cannot work out an expression for two polls of one workflow at a time. */
	authenticate = (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => Promise.resolve(withKey(credential, request));

	/**
	 * GET /licences costs nothing (docs/api.md section 4.1). n8n before 2.41 shows its own texts for the status codes and
	 * ignores these.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/licences',
			headers: { Accept: 'application/json' },
		},
		// The type wants rules of one kind; n8n reads each rule by its own kind.
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The API key was refused: it is wrong, has expired or was revoked (401). Create a new one in the Developers area of the vendor’s web app',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The address answers that this key may not list licences (403): it lacks the scope products:read, the workspace has no Business licence, or a firewall is in front of the service. Without that scope the key may still work for briefs and hooks, so you can save it and try',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 429,
					message:
						'The service asks to slow down (429), so the key could not be tested. Wait a minute and test again',
				},
			},
			...[301, 302, 303, 307, 308, 400, 404, 405, 410].map((value) => ({
				type: 'responseCode' as const,
				properties: { value, message: `${wrongAddress} (${value})` },
			})),
			// A success without `data` is the page of another program.
			{
				type: 'responseSuccessBody',
				properties: { key: 'data', value: undefined, message: wrongAddress },
			},
		] as ICredentialTestRequest['rules'],
	};
}
