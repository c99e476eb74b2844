import { isLoopback } from '../../service/base-url';
import { neverSent } from '../../service/connection-codes';

describe('neverSent', () => {
	test.each([
		'ECONNREFUSED',
		'ENOTFOUND',
		'EAI_AGAIN',
		'CERT_HAS_EXPIRED',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'CERT_UNTRUSTED',
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
	])('%s is told in its own words', (code, words) => {
		expect(neverSent(code)).toMatch(words);
	});
});

describe('isLoopback', () => {
	test.each([
		'http://127.0.0.1:8787/v1',
		'http://LOCALHOST/v1',
		'http://[::1]:1/v1',
		'https://127.9.9.9',
		'http://127.10.200.30:80/',
	])('%s is on this machine', (address) => {
		expect(isLoopback(address)).toBe(true);
	});

	test.each([
		'https://localhost.example.com/v1',
		'http://127.0.0.1.example.com/v1',
		'https://example.com/127.0.0.1',
		'http://example.com/http://localhost/v1',
		'http://192.168.1.1/v1',
		'http://localhost@example.com/v1',
	])('%s is not', (address) => {
		expect(isLoopback(address)).toBe(false);
	});
});
