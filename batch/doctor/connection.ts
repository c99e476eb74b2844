import type { ServiceError } from '../../service/errors';
import { EXIT } from '../failure';
import { serviceFailure } from '../run/service-failure';
import { ok, problem, warning, type Check } from './check';
import type { Exchange } from './exchanges';

/** What to do about a connection that could not be made, by Node.js's codes. The first that fits counts. */
const CURES: ReadonlyArray<[codes: RegExp, cure: (host: string) => string]> = [
	[
		/^ENOTFOUND$/,
		(host) =>
			`Look for a typing error in “${host}”. In a company’s network: is a proxy needed (HTTPS_PROXY)?`,
	],
	[
		/^EAI_AGAIN$/,
		() => 'Check that this machine has a network and a name server, in a container too.',
	],
	[
		/^ECONNREFUSED$/,
		() =>
			'Check host and port of the address, and whether the server runs. From a container, localhost is the container itself.',
	],
	[
		/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|ECONNABORTED|)$/,
		() => 'Check the network and its firewall: it must let https to this host through.',
	],
	[
		/SELF_SIGNED|^UNABLE_TO_(VERIFY|GET)/,
		() =>
			'Where a company’s proxy or an own authority signs certificates, name its certificate: NODE_EXTRA_CA_CERTS=/path/to/authority.pem, set before brief-batch starts. Do not switch verification off: the key would go to whoever answers.',
	],
	[
		/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
		() => 'Check this machine’s date. If it is right, tell the vendor.',
	],
	[/^ERR_TLS_CERT_ALTNAME/, (host) => `Look for a typing error in “${host}”.`],
	[/CERT|^ERR_TLS/, () => 'Check the address, and which proxy stands between.'],
	[/^EPROTO$/, () => 'Check the address and its port.'],
];

const anyCure = () => 'Check the address and the network, and try again.';

export const HAS_VERSION = /\/v\d+$/;

/**
 * The address by itself, before anything is sent there.
 * @param source which option or variable it is from
 */
export function checkAddress(baseUrl: string, source: string): Check {
	if (HAS_VERSION.test(baseUrl)) return ok('address', `${baseUrl} (${source})`);
	return warning(
		'address',
		`${baseUrl} does not end in a version such as /v1.`,
		`If the service does not answer there, try ${baseUrl}/v1`,
	);
}

/** The service was not found at the address as given, but with its version behind it. */
export function versionMissing(baseUrl: string): Check {
	return problem('version', {
		what: `${baseUrl} lacks the version: the service answers at ${baseUrl}/v1`,
		cure: `Set the address to ${baseUrl}/v1`,
		exitCode: EXIT.unusable,
	});
}

const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** The proxy that requests go through, without what it is given to log in; null where there is none. */
export function proxyOf(baseUrl: string, env: NodeJS.ProcessEnv): string | null {
	// Plain http is for this machine, and goes through none.
	if (!/^https:/i.test(baseUrl)) return null;
	const name = PROXY_VARIABLES.find((variable) => (env[variable] ?? '') !== '');
	if (name === undefined) return null;
	const address = env[name] ?? '';
	const url = URL.canParse(address) ? new URL(address) : null;
	return `${name} (${url === null ? 'an address that cannot be read' : url.host})`;
}

export function checkProxy(proxy: string | null, env: NodeJS.ProcessEnv): Check {
	if (proxy === null) return ok('proxy', 'none is used');
	const exceptions =
		(env.no_proxy ?? env.NO_PROXY ?? '') === '' ? '' : ', but for the hosts of NO_PROXY';
	return ok('proxy', `requests go through that of ${proxy}${exceptions}`);
}

/**
 * Whether the service answers at all.
 * @param error how the first request ended, null where it brought what it asked for
 */
export function checkConnection(
	baseUrl: string,
	first: Exchange,
	error: ServiceError | null,
	proxy: string | null,
	now: number,
): Check {
	const { host } = new URL(baseUrl);
	const { failure } = first;
	if (failure !== null) {
		const [, cureFor = anyCure] = CURES.find(([codes]) => codes.test(failure.code)) ?? [];
		const isNamed = failure.code === '' || failure.message.includes(failure.code);
		const code = isNamed ? '' : ` (${failure.code})`;
		const proxyFirst =
			proxy === null ? '' : `Look at the proxy of ${proxy} first: it may be what fails. `;
		return problem('connection', {
			what: `${host} was not reached: ${failure.message}${code}.`,
			cure: `${proxyFirst}${cureFor(host)}`,
			exitCode: EXIT.stoppedEarly,
		});
	}
	if (/\bhtml\b/i.test(first.headers['content-type'] ?? '') && first.body === undefined) {
		return problem('connection', {
			what: `${host} answers with a web page (${first.status}), and not as the service does.`,
			cure: 'Check the address: it is that of the API and ends in /v1, not that of the web app. No proxy or login page may stand before it.',
			exitCode: EXIT.stoppedEarly,
		});
	}
	if (error !== null && isOfTheAddress(error))
		return problem('connection', serviceFailure(error, now));
	return ok('connection', `${host} answers, after ${first.took_ms} ms`);
}

/** Errors that say nothing about key, scope or licence. */
function isOfTheAddress({ kind }: ServiceError): boolean {
	return !['key_refused', 'scope_missing', 'licence_missing'].includes(kind);
}
