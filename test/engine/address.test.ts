import type { IHttpRequestOptions } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { readBaseUrl } from '../../service/base-url';
import { action } from '../support/engine/fixtures';
import { runNode, workflowOf } from '../support/engine/engine';

const type = new CreatorBriefingApi();
const JSON_TYPE = 'application/json';
const KEY = { Authorization: 'Bearer secret-key' };

type Request = Partial<IHttpRequestOptions> & { uri?: string };

/** The request as n8n sends it, or why it does not. */
function sentWith(credential: { baseUrl: string; apiKey?: string }, request: Request) {
	return Promise.resolve()
		.then(() =>
			type.authenticate({ apiKey: 'secret-key', ...credential }, request as IHttpRequestOptions),
		)
		.catch((refused: unknown) => (refused as Error).message);
}

describe('an address that would send the key unencrypted to another machine', () => {
	it.each(['http://10.0.0.1:1/v1', 'http://host.docker.internal:1/v1'])(
		'is refused by the nodes before anything is sent: %s',
		async (url) => {
			const started = Date.now();
			const done = await runNode({ url, key: 'k' }, [{}], action('licence', 'getAll'));
			expect(done.error.message).toMatch(
				/'Base URL' cannot be used: http:.* would send the API key without encryption$/,
			);
			expect(done.error.description).toMatch(/Open the credential.*Use https:\/\//);
			expect(Date.now() - started).toBeLessThan(1_000);
		},
	);

	it.each([
		...['https://api.vendor.example/v1/', ' http://localhost:1/v1// ', 'http://127.0.0.1:1/v1'],
		...['http://[::1]:1/v1', 'http://10.0.0.1/v1', 'http://localhost.evil.example/v1', 'x', ''],
	])('is not asked in a test of the credential, as in a run: %s', async (baseUrl) => {
		const { request } = type.test;
		const workflow = workflowOf([{ name: 'Start', type: 'items' }]);
		const baseURL = workflow.expression.getSimpleParameterValue(
			workflow.getNode('Start')!,
			String(request.baseURL),
			'internal',
			{ $credentials: { baseUrl } },
			undefined,
			'',
		) as string;
		const read = readBaseUrl(baseUrl);
		const { url, headers } = request;
		const asked = await sentWith({ baseUrl }, { baseURL, url, headers });
		if ('what' in read) expect(asked).toBe(`'Base URL' cannot be used. ${read.what} ${read.cure}`);
		else
			expect(asked).toMatchObject({
				baseURL: read.baseUrl,
				headers: { Accept: JSON_TYPE, ...KEY },
			});
	});
});

describe('the key', () => {
	const credential = { baseUrl: 'https://api.example.com/v1', apiKey: ' Bearer secret-key ' };

	it.each<[string, Request]>([
		['a node asks', { url: 'https://api.example.com/v1/briefs' }],
		['the HTTP Request node asks', { uri: 'https://API.example.com:443/v1/other' }],
		['a test asks', { baseURL: 'https://api.example.com/v1', url: '/licences' }],
	])('goes to the service, along no redirect: %s', async (_who, request) => {
		const sent = await sentWith(credential, { ...request, headers: { Accept: JSON_TYPE } });
		expect(sent).toMatchObject({ ...request, headers: { Accept: JSON_TYPE, ...KEY } });
		expect(sent).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
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
		const refused = await sentWith(credential, request);
		expect(refused).toBe(
			"The API key was not sent, because it is for https://api.example.com only. Correct the URL of the request, or 'Base URL' in the credential",
		);
	});
});
