import {
	addressToTry,
	neverSent,
	readBaseUrl,
	readConnection,
} from '../../../service/api/connection';

describe('the Base URL', () => {
	test.each([
		['https://api.vendor.example/v1/', 'https://api.vendor.example/v1'],
		[' https://api.vendor.example/v1// ', 'https://api.vendor.example/v1'],
		['HTTP://LOCALHOST:4010/v1', 'HTTP://LOCALHOST:4010/v1'],
		['http://127.10.200.30:80/v1', 'http://127.10.200.30:80/v1'],
		['http://[::1]:80/v1', 'http://[::1]:80/v1'],
		...[
			...['https://host.example/content-iq/v1', 'https://host.example/briefs/v1'],
			...['https://host.example/licences/api/v1', 'https://host.example/v1/briefs/api/v1'],
			...['https://host.example/briefs', 'https://briefs.vendor.example/v1'],
		].map((address) => [address, address]),
	])('%s is taken as %s', (given, baseUrl) => {
		expect(readBaseUrl(given)).toEqual({ baseUrl });
	});

	test.each([
		['http://api.vendor.example/v1', /^http:\/\/api\.vendor\.example would send.*encryption/],
		['http://10.0.0.1:8080/v1', /encryption/],
		['http://host.docker.internal:4010/v1', /encryption/],
		['http://localhost.evil.example/v1', /encryption/],
		['http://127.0.0.1.evil.example/v1', /encryption/],
		['http://evil.example/http://localhost/v1', /encryption/],
		['http://127.0.0.1@evil.example/v1', /a user name/],
		['https://user:secret@api.vendor.example/v1', /a user name or a password/],
		['https://user:secret@api.vendor.example/v1?x=1', /a user name or a password/],
		['https://:secret@api.vendor.example/v1', /a user name or a password/],
		['ftp://api.vendor.example/v1', /is not the address/],
		['shttp://api.vendor.example/v1', /is not the address/],
		['https2://api.vendor.example/v1', /is not the address/],
		['https://api.vendor.example/v1?x=1', /is not the address/],
		['https://api.vendor.example/v1#x', /is not the address/],
		['api.vendor.example/v1', /is not the address/],
		['', /is not the address/],
		['secret', /is not the address/],
		['https://api.vendor.example/v1?api_key=secret', /is not the address/],
		['https://api.vendor.example/v1/briefs', /is the address of one operation/],
		['https://api.vendor.example/v1/briefs/6e1f0c22-7d41-4c52-9f3e-0a6f2b7c9d10', /one operation/],
		['https://api.vendor.example/v1/licences/', /one operation/],
		['https://api.vendor.example/v1/content-iq/hooks', /one operation/],
	])('%s is refused, without repeating a password or a key', (given, what) => {
		const read = readBaseUrl(given);
		expect(read).toMatchObject({ what: expect.stringMatching(what) as string });
		expect(JSON.stringify(read)).not.toContain('secret');
	});

	test.each([
		['https://user:secret@api.vendor.example/v1', /Leave them out/],
		['api.vendor.example/v1', /https:\/\/host\/v1/],
		['http://api.vendor.example/v1', /Use https:\/\/ \(http:\/\/ is for addresses on this machine/],
	])('%s is refused with what to do', (given, cure) => {
		expect(readBaseUrl(given)).toMatchObject({ cure: expect.stringMatching(cure) as string });
	});

	test('of an operation is refused with the address to give instead', () => {
		expect(readBaseUrl('https://api.vendor.example/v1/Briefs/')).toEqual({
			what: '“https://api.vendor.example/v1/Briefs” is the address of one operation, not of the service',
			cure: 'Give https://api.vendor.example/v1 instead, without “/Briefs”.',
		});
	});

	test.each([
		['https://host.example', 'Try https://host.example/v1'],
		['https://host.example/v2', 'Try https://host.example/v1'],
		['https://host.example/x/v1', 'Check its host and the path before /v1.'],
	])('%s, if nothing is there, has another one to try: %s', (baseUrl, cure) => {
		expect(addressToTry(baseUrl)).toBe(cure);
	});
});

describe('neverSent', () => {
	test.each([
		...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED', 'CERT_UNTRUSTED'],
		...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
		'ERR_TLS_CERT_ALTNAME_INVALID',
	])('%s arises before a byte has left the machine, and says why', (code) => {
		expect(neverSent(code)).toMatch(/\w+ \w+/);
	});

	test.each([
		...['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'EPIPE', 'EPROTO', 'ERR_BAD_RESPONSE', ''],
		...['PROXY_UNABLE_TO_GET_ANSWER', 'PROXY_ERR_TLS_AFTER_SEND'],
	])('%s leaves open whether the service did the work', (code) => {
		expect(neverSent(code)).toBeUndefined();
	});

	test.each([
		['ERR_TLS_HANDSHAKE_TIMEOUT', /certificate cannot be verified/],
		['EHOSTUNREACH', /no way to this host/],
		['ENETUNREACH', /no way to this network/],
	])('%s is reported in its own words', (code, words) => {
		expect(neverSent(code)).toMatch(words);
	});
});

test.each([
	'secret-key',
	' Bearer secret-key ',
	'"secret-key"',
	'“bearer  secret-key”\n',
	"Bearer 'secret-key'",
])('the API key is read from %j', (apiKey) => {
	const baseUrl = 'https://host.example/v1';
	expect(readConnection({ baseUrl, apiKey })).toEqual({ baseUrl, apiKey: 'secret-key' });
});
