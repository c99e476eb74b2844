import {
	checkAddress,
	checkConnection,
	checkProxy,
	proxyOf,
} from '../../../batch/doctor/connection';
import type { Exchange } from '../../../batch/doctor/exchanges';
import { ServiceError } from '../../../service/errors';
import { SendFailure } from '../../../service/ports';

const BASE = 'https://api.vendor.example/v1';
const NOW = Date.UTC(2026, 10, 20);

const answered: Exchange = {
	operation: 'list_licences',
	query: {},
	status: 200,
	body: { data: [] },
	took_ms: 34,
	headers: { 'content-type': 'application/json' },
	failure: null,
};
const check = (exchange: Partial<Exchange>, error: ServiceError | null = null, proxy?: string) =>
	checkConnection(BASE, { ...answered, ...exchange }, error, proxy ?? null, NOW);
const failing = (code: string, proxy?: string) =>
	check(
		{ status: null, body: undefined, failure: new SendFailure('it failed', false, code) },
		null,
		proxy,
	);

describe('the address by itself', () => {
	test('is shown with where it comes from', () => {
		expect(checkAddress(BASE, '--base-url').what).toBe(`${BASE} (--base-url)`);
	});

	test.each(['https://api.vendor.example', 'https://api.vendor.example/api'])(
		'that ends in no version is a warning: %s',
		(address) => {
			const { state, cure } = checkAddress(address, '--base-url');
			expect(state).toBe('warning');
			expect(cure).toContain(`${address}/v1`);
		},
	);
});

describe('a connection', () => {
	test('that is answered says how quickly', () => {
		expect(check({})).toMatchObject({
			state: 'ok',
			what: 'api.vendor.example answers, after 34 ms',
		});
	});

	test.each([
		['ENOTFOUND', 'typing error in “api.vendor.example”'],
		['EAI_AGAIN', 'name server'],
		['ECONNREFUSED', 'host and port'],
		['ETIMEDOUT', 'firewall'],
		['', 'firewall'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
		['CERT_HAS_EXPIRED', 'date'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'typing error'],
		['CERT_REVOKED', 'proxy'],
		['EPROTO', 'port'],
		['EWHATEVER', 'Check the address and the network'],
	])('that fails with %j has a cure of its own, and ends with 5', (code, cure) => {
		const found = failing(code);
		expect(found).toMatchObject({ state: 'problem', exit_code: 5 });
		expect(found.cure).toContain(cure);
		expect(found.what).toBe(
			`api.vendor.example was not reached: it failed${code === '' ? '' : ` (${code})`}.`,
		);
	});

	test('shows a code once, also where the failure is called by it', () => {
		const failure = new SendFailure('the connection failed (HPE_X)', false, 'HPE_X');
		const { what } = check({ status: null, body: undefined, failure });
		expect(what).toBe('api.vendor.example was not reached: the connection failed (HPE_X).');
	});

	test('that fails behind a proxy sends one to the proxy first', () => {
		expect(failing('ECONNREFUSED', 'HTTPS_PROXY (p:1)').cure).toMatch(
			/^Look at the proxy of HTTPS_PROXY \(p:1\) first/,
		);
	});

	test('that ends at a web page is none to the service', () => {
		const page = check({
			body: undefined,
			headers: { 'content-type': 'text/html; charset=utf-8' },
		});
		expect(page).toMatchObject({ state: 'problem', exit_code: 5 });
		expect(page.what).toContain('a web page (200)');
	});

	test('is there where the service refuses key, scope or licence', () => {
		for (const kind of ['key_refused', 'scope_missing', 'licence_missing'] as const)
			expect(check({ status: 403 }, refusal(kind)).state).toBe('ok');
		for (const kind of ['not_found', 'service_unavailable', 'rate_limited'] as const)
			expect(check({ status: 503 }, refusal(kind))).toMatchObject({
				state: 'problem',
				exit_code: 5,
			});
	});

	const refusal = (kind: ServiceError['kind']) =>
		new ServiceError({
			kind,
			operation: 'list_licences',
			status: 403,
			code: '',
			message: '',
			details: [],
			requestId: '',
			retryAt: null,
		});
});

describe('a proxy', () => {
	test('is named by its variable and host, without what it is given to log in', () => {
		const env = { HTTPS_PROXY: 'http://user:secret@proxy.example:3128', NO_PROXY: 'localhost' };
		const proxy = proxyOf(BASE, env);
		expect(proxy).toBe('HTTPS_PROXY (proxy.example:3128)');
		expect(checkProxy(proxy, env).what).toContain('but for the hosts of NO_PROXY');
		expect(proxyOf(BASE, { all_proxy: 'secret@:x' })).toBe(
			'all_proxy (an address that cannot be read)',
		);
	});

	test('is not used for this machine, nor where no variable names one', () => {
		expect(proxyOf('http://127.0.0.1:1/v1', { HTTPS_PROXY: 'http://p:1' })).toBeNull();
		expect(proxyOf(BASE, { HTTPS_PROXY: '', HTTP_PROXY: 'http://p:1' })).toBeNull();
		expect(checkProxy(null, {}).what).toBe('none is used');
	});
});
