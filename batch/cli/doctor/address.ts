import { addressToTry } from '../../../service/connection';
import type { ServiceError } from '../../../service/errors';
import type { SendFailure, WireResponse } from '../../../service/ports';
import { EXIT } from '../../failure';
import { firstFailure } from '../../run/service-failure';
import { ok, problem, type Check } from './check';

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
			'If a company’s proxy or authority signs certificates, name its certificate: NODE_EXTRA_CA_CERTS=/path/to/authority.pem, set before brief-batch starts. Do not switch verification off: the key would go to whoever answers.',
	],
	[
		/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
		() => 'Check this machine’s date. If it is right, ask the vendor’s support.',
	],
	[/^ERR_TLS_CERT_ALTNAME/, (host) => `Look for a typing error in “${host}”.`],
	[/CERT|^ERR_TLS/, () => 'Check the address, and whether a proxy is in between.'],
	[/^EPROTO$/, () => 'Check the address and its port.'],
	[/^/, () => 'Check the address and the network, and try again.'],
];

/** What came of a request. */
export type Exchange = { response: WireResponse; tookMs: number } | { failure: SendFailure };

/**
 * Whether the service answers at the address.
 * @param error what the answer means, null if it brought what was asked for
 */
export function checkAddress(
	baseUrl: string,
	{ exchange, error }: { exchange: Exchange; error: ServiceError | null },
	env: NodeJS.ProcessEnv,
	now: number,
): Check {
	const { host } = new URL(baseUrl);
	if ('failure' in exchange) return unreached(host, exchange.failure, proxyOf(baseUrl, env));
	const { response, tookMs } = exchange;
	const isPage = /\bhtml\b/i.test(response.headers['content-type'] ?? '');
	if (error === null || (isOfTheKey(error) && !isPage))
		return ok('address', `${baseUrl} answers, after ${tookMs} ms`);
	if (!/\/v\d+$/.test(baseUrl)) {
		return problem('address', {
			what: `${baseUrl} does not end in a version, and the service does not answer there.`,
			cure: addressToTry(baseUrl),
			exitCode: EXIT.unusable,
		});
	}
	if (isPage) {
		return problem('address', {
			what: `${host} answers with a web page (${response.status}), not with JSON.`,
			cure: 'Check the address: it is that of the API and ends in /v1, not that of the web app. No proxy or login page may be in front of it.',
			exitCode: EXIT.stoppedEarly,
		});
	}
	return problem('address', firstFailure(error, now, baseUrl));
}

function unreached(host: string, { code, message }: SendFailure, proxy: string | null): Check {
	const [, cureFor] = CURES.find(([codes]) => codes.test(code)) ?? [];
	const named = code === '' || message.includes(code) ? '' : ` (${code})`;
	const proxyFirst =
		proxy === null ? '' : `Look at the proxy of ${proxy} first: it may be what fails. `;
	return problem('address', {
		what: `${host} was not reached: ${message}${named}.`,
		cure: `${proxyFirst}${cureFor?.(host) ?? ''}`,
		exitCode: EXIT.stoppedEarly,
	});
}

/** Such a refusal shows that it is the service that answers. */
function isOfTheKey({ kind }: ServiceError): boolean {
	return ['key_refused', 'scope_missing', 'licence_missing'].includes(kind);
}

const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** The proxy that requests go through, without what it is given to log in; null if there is none. */
function proxyOf(baseUrl: string, env: NodeJS.ProcessEnv): string | null {
	// Plain http is for this machine, and goes through none.
	if (!/^https:/i.test(baseUrl)) return null;
	const name = PROXY_VARIABLES.find((variable) => (env[variable] ?? '') !== '');
	if (name === undefined) return null;
	const address = env[name] ?? '';
	return `${name} (${URL.canParse(address) ? new URL(address).host : 'an address that cannot be read'})`;
}
