import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { LOOPBACK } from '../service/base-url';

const address = '$credentials.baseUrl.trim().replace(/\\/+$/, "")';
/**
 * In a test too, the key is not sent unencrypted to another machine. No message can be given from here, so the address
 * becomes one that cannot be asked.
 */
const encryptedAddress = `={{ /^https:/i.test(${address}) || ${String(LOOPBACK)}.test(${address}) ? ${address} : "https://[use https]" }}`;

const wrongAddress =
	'The service does not answer at this Base URL. The address must end in /v1, and no proxy or login page may stand in front of it';

export class CreatorBriefingApi implements ICredentialType {
	name = 'creatorBriefingApi';

	displayName = 'Creator Briefing API';

	icon: Icon = {
		light: 'file:../nodes/CreatorBriefing/creatorBriefing.svg',
		dark: 'file:../nodes/CreatorBriefing/creatorBriefing.dark.svg',
	};

	documentationUrl = 'https://github.com/creator-briefing/n8n-nodes-creator-briefing#credential';

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

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				// A key that was copied with the word before it is taken too.
				Authorization: '=Bearer {{$credentials.apiKey.replace(/^\\s*Bearer\\s+/i, "").trim()}}',
			},
		},
	};

	/**
	 * GET /licences costs nothing (docs/service.md section 4.1). Redirects are not followed: the key is for the configured
	 * host only, and a login page that answers 200 would look like success. n8n before 2.41 shows its own texts for the
	 * status codes and ignores these.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: encryptedAddress,
			url: '/licences',
			headers: { Accept: 'application/json' },
			disableFollowRedirect: true,
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
						'The address answers that this key may not list licences (403): it lacks the scope products:read, the workspace has no Business licence, or a firewall stands in front of the service. Without that scope the key may still work for briefs and hooks, so you can save it and try',
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
