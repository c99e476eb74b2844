import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { readBaseUrl } from '../../service/base-url';
import { action } from '../support/engine/fixtures';
import { runNode, workflowOf } from '../support/engine/engine';

const REFUSED = 'https://[use https]';

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
	])('is not asked in a test of the credential, as in a run: %s', (baseUrl) => {
		const { request } = new CreatorBriefingApi().test;
		const workflow = workflowOf([{ name: 'Start', type: 'items' }]);
		const asked = workflow.expression.getSimpleParameterValue(
			workflow.getNode('Start')!,
			String(request.baseURL),
			'internal',
			{ $credentials: { baseUrl } },
			undefined,
			'',
		);
		const read = readBaseUrl(baseUrl);
		expect(asked).toBe('baseUrl' in read ? read.baseUrl : REFUSED);
	});

	it('is put out of reach by what is no address', () => {
		expect(URL.canParse(`${REFUSED}/licences`)).toBe(false);
	});
});
