import { checkAddress } from '../../../../batch/cli/doctor/address';
import { SendFailure } from '../../../../service/ports';

const BASE = 'https://api.vendor.example/v1';

const failing = (failure: SendFailure, env: NodeJS.ProcessEnv = {}, baseUrl = BASE) =>
	checkAddress(baseUrl, { exchange: { failure }, error: null }, env, 0);
const failingWith = (code: string, env?: NodeJS.ProcessEnv, baseUrl?: string) =>
	failing(new SendFailure('it failed', false, code), env, baseUrl);

describe('an address that is not reached', () => {
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
	])('because of %j has its own cure, and ends with 5', (code, cure) => {
		const found = failingWith(code);
		expect(found).toMatchObject({ state: 'problem', exit_code: 5 });
		expect(found.cure).toContain(cure);
		expect(found.what).toBe(
			`api.vendor.example was not reached: it failed${code === '' ? '' : ` (${code})`}.`,
		);
	});

	test.each([
		['https_proxy', 'http://user:secret@p.example:3128', 'https_proxy (p.example:3128)'],
		['ALL_PROXY', 'secret@:x', 'ALL_PROXY (an address that cannot be read)'],
	])('through %s sends one to that proxy first, without its password', (name, proxy, shown) => {
		const { cure } = failingWith('ECONNREFUSED', { [name]: proxy });
		expect(cure?.startsWith(`Look at the proxy of ${shown} first`)).toBe(true);
		expect(cure).not.toContain('secret');
	});

	test('on this machine, or without a variable of a proxy, has none to look at', () => {
		const env = { HTTPS_PROXY: 'http://p:1' };
		expect(failingWith('EPROTO', env, 'http://127.0.0.1:1/v1').cure).not.toContain('the proxy of');
		expect(failingWith('EPROTO', { HTTPS_PROXY: '' }).cure).not.toContain('the proxy of');
	});
});
