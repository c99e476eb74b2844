import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type Icon,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';
import { readConnection } from '../nodes/shared/connection';

/** The options of n8n's helper for nodes, and of the older helper of its HTTP Request node. */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Returns the origins of a request: of its base URL, and of its URL, which the HTTP Request node calls `uri`. */
function getOrigins({ baseURL, url, uri }: IHttpRequestOptions & { uri?: string }): string[] {
	const target = (url as string | undefined) ?? uri ?? '';
	return [baseURL ?? target, target].map((address) =>
		URL.canParse(address, baseURL) ? new URL(address, baseURL).origin : '',
	);
}

/**
 * Adds the key to a request to the scheme, host and port of the service, without redirects. An execution that began
 * before the credential was edited might still use the old address.
 * @throws {UserError} if the credential cannot be used, or the request goes to another host
 */
function addKey(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const connection = readConnection(credential);
	if ('message' in connection) {
		const steps = connection.nextSteps.map(({ text }) => text);
		throw new UserError([connection.message, ...steps].join(' '));
	}
	const { origin } = new URL(connection.baseUrl);
	if (getOrigins(request).some((each) => each !== origin)) {
		throw new UserError(
			`The API key was not sent, because it is only for ${origin}. Correct the URL of the request, or 'Base URL' in the credential.`,
		);
	}
	const headers = { ...request.headers, Authorization: `Bearer ${connection.apiKey}` };
	return { ...request, ...NO_REDIRECT, headers };
}

/** The messages of the credential test, by status. */
const STATUS_MESSAGES = {
	401: 'API key refused (401): it is wrong, has expired or was revoked. Create a new key in the Developers area of the vendor’s web app.',
	403: 'No access to the licences (403). Account was not ticked when the key was created (scope products:read), the workspace has no Business licence, or a firewall answered. A key that lacks only this scope works for briefs and hooks.',
	429: 'Rate limit reached (429). Wait a minute, then test again.',
};

function describeWrongAddress(status: number): string {
	return `The service did not answer at this 'Base URL' (${status}). Check that it is the API’s address, which ends in /v1, not the web app’s, and that no proxy or sign-in page is in front of it.`;
}

/** Statuses of an address that is not the service's. */
const WRONG_ADDRESS_STATUSES = [301, 302, 303, 307, 308, 400, 404, 405, 410];

function makeStatusRule(value: number, message: string) {
	return { type: 'responseCode', properties: { value, message } };
}

export class CreatorBriefingApi implements ICredentialType {
	name = 'creatorBriefingApi';

	displayName = 'Creator Briefing API';

	icon: Icon = {
		light: 'file:../nodes/CreatorBriefing/creatorBriefing.svg',
		dark: 'file:../nodes/CreatorBriefing/creatorBriefing.dark.svg',
	};

	documentationUrl =
		'https://github.com/creator-briefing/n8n-nodes-creator-briefing/blob/main/nodes/README.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/v1',
			hint: 'Begins with https:// and ends in /v1',
			description:
				'Address of the service, as in the vendor’s API documentation. Only a server on this machine can have http://.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Create it in the Developers area of the vendor’s web app, which shows it only once. Tick Account for the credential test, Creator Briefs for briefs, and ContentIQ for hooks.',
		},
	];

	/** A function, because n8n cannot evaluate an expression for two polls of one workflow at the same time. */
	authenticate = (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => Promise.resolve(addKey(credential, request));

	/**
	 * GET /licences costs nothing (docs/api.md 4.1). n8n before 2.41 ignores these messages and shows its own for each
	 * status.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/licences',
			headers: { Accept: 'application/json' },
		},
		// The type wants rules of one kind; n8n reads each rule by its own kind.
		rules: [
			...Object.entries(STATUS_MESSAGES).map(([status, message]) =>
				makeStatusRule(Number(status), message),
			),
			...WRONG_ADDRESS_STATUSES.map((status) =>
				makeStatusRule(status, describeWrongAddress(status)),
			),
			// A success without `data` is the page of another program.
			{
				type: 'responseSuccessBody',
				properties: { key: 'data', value: undefined, message: describeWrongAddress(200) },
			},
		] as ICredentialTestRequest['rules'],
	};
}
