import type { IHttpRequestOptions } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { readConnection, type Connection } from '../../nodes/shared/connection';
import type { Finding } from '../../core/finding';
import { makeWorkflow } from '../support/engine/engine';

describe('the key', () => {
	const type = new CreatorBriefingApi();
	const JSON_TYPE = 'application/json';
	const sent = { Accept: JSON_TYPE, Authorization: 'Bearer secret-key' };

	type Request = Partial<IHttpRequestOptions> & { uri?: string };

	/** The request as n8n sends it, or why it does not. */
	async function sentWith(given: { baseUrl: string; apiKey: string }, request: Request) {
		try {
			return await type.authenticate(given, request as IHttpRequestOptions);
		} catch (refused) {
			return (refused as Error).message;
		}
	}

	/** What a test of the credential sends, or why it does not, and what a run makes of the same address. */
	async function tested(baseUrl: string) {
		const { request } = type.test;
		const workflow = makeWorkflow([{ name: 'Start', type: 'items' }]);
		const baseURL = workflow.expression.getSimpleParameterValue(
			workflow.getNode('Start')!,
			String(request.baseURL),
			'internal',
			{ $credentials: { baseUrl } },
			undefined,
			'',
		) as string;
		const { url, headers } = request;
		const asked = await sentWith({ baseUrl, apiKey: 'secret-key' }, { baseURL, url, headers });
		return { asked, read: readConnection({ baseUrl, apiKey: 'secret-key' }) };
	}

	it.each([
		...['https://api.vendor.example/v1/', ' http://localhost:1/v1// ', 'http://127.0.0.1:1/v1'],
		'http://[::1]:1/v1',
	])('goes in a test of the credential where it goes in a run: %s', async (baseUrl) => {
		const { asked, read } = await tested(baseUrl);
		expect(asked).toMatchObject({ baseURL: (read as Connection).baseUrl, headers: sent });
	});

	it.each(['http://10.0.0.1/v1', 'http://localhost.evil.example/v1', 'x', ''])(
		'goes nowhere in a test of the credential where it goes nowhere in a run: %s',
		async (baseUrl) => {
			const { asked, read } = await tested(baseUrl);
			const { message, nextSteps } = read as Finding;
			expect(asked).toBe(`${message} ${nextSteps[0]!.text}`);
			expect(asked).toMatch(/^The credential's 'Base URL' cannot be used\. .+\. [A-Z].*\.$/);
		},
	);

	const given = { baseUrl: 'https://api.example.com/v1', apiKey: ' Bearer secret-key ' };

	it.each<[string, Request]>([
		['a node asks', { url: 'https://api.example.com/v1/briefs' }],
		['the HTTP Request node asks', { uri: 'https://API.example.com:443/v1/other' }],
		['a test asks', { baseURL: 'https://api.example.com/v1', url: '/licences' }],
	])('goes to the service, along no redirect: %s', async (_who, request) => {
		const stays = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };
		const asked = await sentWith(given, { ...request, headers: { Accept: JSON_TYPE } });
		expect(asked).toMatchObject({ ...request, headers: sent, ...stays });
	});

	it.each<Request>([
		{ url: 'https://other.example.com/v1/briefs' },
		{ uri: 'https://api.example.com.evil.example/v1' },
		{ url: 'https://api.example.com@evil.example/v1' },
		{ url: 'https://eu.api.example.com/v1' },
		{ url: 'https://api.example.com:8443/v1' },
		{ url: 'http://api.example.com/v1' },
		{ baseURL: 'https://api.example.com/v1', url: '//evil.example/v1' },
		{ baseURL: 'https://api.example.com/v1', url: 'https://evil.example/v1' },
		{ baseURL: 'http://evil.example', url: 'https:/api.example.com/v1' },
		{ url: '/v1/briefs' },
		{ url: '' },
		{},
	])('goes nowhere else: %j', async (request) => {
		expect(await sentWith(given, request)).toBe(
			"The API key was not sent, because it is only for https://api.example.com. Correct the URL of the request, or 'Base URL' in the credential.",
		);
	});
});
