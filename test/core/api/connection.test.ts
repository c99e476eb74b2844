import { findApiKeyProblem, isLoopback, readBaseUrl } from '../../../core/api/connection';

const ID = '7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11';
const HOST = 'api.vendor.example';
const NO_SERVICE = 'It is not the address of a service.';

describe('readBaseUrl', () => {
	test.each([
		[`https://${HOST}/v1`, `https://${HOST}/v1`],
		[` https://${HOST}/v1// `, `https://${HOST}/v1`],
		[`https://${HOST}/briefs/v1`, `https://${HOST}/briefs/v1`],
		['http://localhost:8080/v1', 'http://localhost:8080/v1'],
	])('reads %j as %s', (text, baseUrl) => {
		expect(readBaseUrl(text)).toEqual({ baseUrl });
	});

	test.each([
		[`https://user:secret@${HOST}/v1`, 'The address contains a user name or a password.'],
		[HOST, NO_SERVICE],
		['localhost:8080/v1', NO_SERVICE],
		[`user:secret@${HOST}/v1`, NO_SERVICE],
		[`${HOST}/v1?key=1`, NO_SERVICE],
		[`ftp://${HOST}/v1`, NO_SERVICE],
		[`https://${HOST}/v1?key=1`, NO_SERVICE],
		[`https://${HOST}/v1#top`, NO_SERVICE],
		['cb_live_SECRET', NO_SERVICE],
		['sk-live.SECRET/a+b==', NO_SERVICE],
		['', NO_SERVICE],
		[`http://${HOST}/v1`, `http://${HOST} would receive the API key without encryption.`],
	])('refuses %j: %s', (text, message) => {
		expect(readBaseUrl(text)).toMatchObject({ message });
	});

	test.each([`${HOST}/v1`, `${HOST}:8443/briefs/v12/`, `//${HOST}/v1`])(
		'names the scheme that %j lacks, and the whole address',
		(text) => {
			const address = `https://${text.replace(/^\/+|\/+$/g, '')}`;
			expect(readBaseUrl(text)).toEqual({
				message: 'It does not start with https://.',
				nextSteps: [{ text: `Put https:// in front: ${address}.` }],
			});
		},
	);

	test.each(['/Briefs', `/briefs/${ID}`, '/licences', '/content-iq', '/content-iq/hooks'])(
		'refuses the address of the operation %s and names the base URL',
		(path) => {
			expect(readBaseUrl(`https://${HOST}/v1${path}/`)).toEqual({
				message: `“https://${HOST}/v1${path}” is the address of one operation, not of the service.`,
				nextSteps: [{ text: `Use https://${HOST}/v1, without “${path}”.` }],
			});
		},
	);
});

test.each([
	['http://localhost:8080/v1', true],
	['https://127.0.0.1/v1', true],
	['http://[::1]:8080/v1', true],
	['https://localhost.vendor.example/v1', false],
	[`https://${HOST}/v1`, false],
])('whether %s is on this machine: %s', (address, expected) => {
	expect(isLoopback(address)).toBe(expected);
});

describe('findApiKeyProblem', () => {
	test.each([
		...['<YOUR_API_KEY>', '$API_KEY', '${API_KEY}', '%API_KEY%', '{{ api_key }}', '[key]'],
		...['YOUR_API_KEY', 'your-api-key-here', 'Your API key', 'my_key', 'API_KEY', 'api key'],
		...['paste-the-key-here', 'Paste your key', 'insert_key', 'enter key'],
		...['sk-...', 'cbk_…', 'cbk_****cdef', 'xxxx', 'changeme', 'CREATOR_BRIEFING_API_KEY=abc'],
	])('names %j as a placeholder', (key) => {
		expect(findApiKeyProblem(key)?.message).toBe('is a placeholder, not an API key.');
	});

	test.each([
		'op://vault/item/key',
		'arn:aws:secretsmanager:eu-1:1:secret:key',
		'vault:kv/key#value',
	])('names %j as a reference to a secret store', (key) => {
		expect(findApiKeyProblem(key)?.message).toBe(
			'is a reference to a secret store, not an API key.',
		);
	});

	test.each(['"cb_live_1"', 'Bearer cb_live_1', 'cb_live_1\n', 'cb_live_é'])(
		'names the characters of %j',
		(key) => {
			expect(findApiKeyProblem(key)?.message).toMatch(/^contains characters that no API key has/);
		},
	);

	test.each(['cb_live_SECRET0123456789', 'sk-ant-api03.a/b+c==', 'sandbox-key', 'k$1'])(
		'accepts %j',
		(key) => expect(findApiKeyProblem(key)).toBeNull(),
	);
});
