import { UsageProblem } from '../cli-error';
import type { ProxyVariables } from '../cli/settings';

export interface Proxy {
	readonly name: string;
	readonly url: URL;
}

/**
 * Returns the proxy of requests to an address; null if they use none. A proxy can read plain http, which is for addresses on
 * this machine.
 * @throws {UsageProblem} if the variable does not contain the address of a proxy
 */
export function chooseProxy(variables: ProxyVariables | null, address: string): Proxy | null {
	const target = new URL(address);
	if (variables === null || target.protocol !== 'https:') return null;
	const hosts = variables.exceptions.toLowerCase().split(/[\s,]+/);
	if (hosts.some((host) => isException(host, target))) return null;
	const url = readProxyUrl(variables.address);
	if (url !== null) return { name: variables.name, url };
	throw new UsageProblem(
		`${variables.name} is not the address of a proxy.`,
		'Its form is http://HOST:PORT or http://USER:PASSWORD@HOST:PORT. In a user name or a password, write # as %23, @ as %40, / as %2F and % as %25.',
	);
}

/** An exception is a host, with a port if needed, or the end of hosts: .example.com, *.example.com or *. */
function isException(text: string, target: URL): boolean {
	const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
	if (host === '' || (port !== '' && port !== getPort(target))) return false;
	return /^[.*]/.test(host)
		? target.hostname.endsWith(host.replace(/^\*/, ''))
		: target.hostname === host;
}

function readProxyUrl(address: string): URL | null {
	const text = address.includes('://') ? address : `http://${address}`;
	if (!URL.canParse(text)) return null;
	const url = new URL(text);
	return /^https?:$/.test(url.protocol) && readCredentials(url) !== null ? url : null;
}

/** Returns user name and password in the form of an authorization header, or null if they contain a lone percent sign. */
export function readCredentials({ username, password }: URL): string | null {
	try {
		return [username, password].map(decodeURIComponent).join(':');
	} catch {
		return null;
	}
}

export function getPort({ port, protocol }: URL): string {
	return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
