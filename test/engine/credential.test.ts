import type { IHttpRequestOptions } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { readConnection } from '../../nodes/shared/connection';
import { makeWorkflow } from '../support/engine/engine';

const type = new CreatorBriefingApi();
const Accept = 'application/json';
const sentHeaders = { Accept, Authorization: 'Bearer secret-key' };

type Request = Partial<IHttpRequestOptions> & { uri?: string };

/** Returns the request as n8n sends it, or the error. */
async function addKey(baseUrl: string, apiKey: string, request: Request) {
	try {
		return await type.authenticate({ baseUrl, apiKey }, request as IHttpRequestOptions);
	} catch (thrown) {
		return (thrown as Error).message;
	}
}

describe('a test of the credential', () => {
	/** Returns the request of a test, or the error. */
	async function testCredential(baseUrl: string) {
		const { url, headers, baseURL } = type.test.request;
		const { expression, nodes } = makeWorkflow([{ name: 'Start', type: 'items' }]);
		const resolved = expression.getSimpleParameterValue(
			nodes['Start']!,
			String(baseURL),
			'internal',
			{ $credentials: { baseUrl } },
		) as string;
		return await addKey(baseUrl, 'secret-key', { baseURL: resolved, url, headers });
	}

	test.each([
		['https://api.vendor.example/v1/', 'https://api.vendor.example/v1'],
		[' http://localhost:1/v1// ', 'http://localhost:1/v1'],
		['http://[::1]:1/v1', 'http://[::1]:1/v1'],
	])('sends the key where a run sends it: %s', async (baseUrl, baseURL) => {
		expect(await testCredential(baseUrl)).toMatchObject({ baseURL, headers: sentHeaders });
		expect(readConnection({ baseUrl, apiKey: 'k' })).toMatchObject({ baseUrl: baseURL });
	});

	test.each(['http://10.0.0.1/v1', 'http://localhost.evil.example/v1', 'x', ''])(
		'names what is wrong with the address and sends no key: %s',
		async (baseUrl) => {
			expect(await testCredential(baseUrl)).toMatch(
				/^The credential's 'Base URL' cannot be used\. .+\. [A-Z].*\.$/,
			);
		},
	);
});

describe('the key', () => {
	const baseUrl = 'https://api.example.com/v1';
	const apiKey = ' Bearer secret-key ';

	test.each<[string, Request]>([
		['a node', { url: 'https://api.example.com/v1/briefs' }],
		['the HTTP Request node', { uri: 'https://API.example.com:443/v1/other' }],
		['a test', { baseURL: 'https://api.example.com/v1', url: '/licences' }],
	])('is added to a request of %s, which follows no redirect', async (_, request) => {
		expect(await addKey(baseUrl, apiKey, { ...request, headers: { Accept } })).toMatchObject({
			...request,
			headers: sentHeaders,
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	test.each<Request>([
		{ url: 'https://other.example.com/v1/briefs' },
		{ uri: 'https://api.example.com.evil.example/v1' },
		{ url: 'https://api.example.com@evil.example/v1' },
		{ url: 'https://api.example.com:8443/v1' },
		{ url: 'http://api.example.com/v1' },
		{ baseURL: 'https://api.example.com/v1', url: '//evil.example/v1' },
		{ baseURL: 'http://evil.example', url: 'https:/api.example.com/v1' },
		{ url: '/v1/briefs' },
		{},
	])('is not added to any other request: %j', async (request) => {
		expect(await addKey(baseUrl, apiKey, request)).toBe(
			"The API key was not sent, because it is only for https://api.example.com. Correct the URL of the request, or 'Base URL' in the credential.",
		);
	});
});
