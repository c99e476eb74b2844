import { request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { SendFailure } from '../../core/api/ports';
import { readPageTitle } from '../../core/api/responses';
import { sendWithin } from '../../core/api/transport';
import { quote } from '../../core/input/text';
import { getPort, readCredentials, type Proxy } from './proxy';

/*
 * The connection of a request to an https address. The tunnel through a proxy is opened before the request is sent, so that
 * a proxy that fails is named, and an order that did not get past it counts as not sent:
 *
 *     CONNECT api.example.com:443        407 <title>Sign in</title>
 *     the proxy http://proxy.example:8080 of HTTPS_PROXY failed (it answered 407: “Sign in”)
 */

interface Target {
	readonly address: string;
	readonly proxy: Proxy | null;
}

interface Limits {
	readonly ms: number;
	readonly signal: AbortSignal;
}

/**
 * Sends a request with the agent of a new connection. The connection ends with the request, because a create request on a
 * connection that the other side has just closed would be unconfirmed.
 * @throws {SendFailure} if no complete answer arrives in time, or the signal's reason
 */
export async function sendOnNewConnection<T>(
	{ address, proxy }: Target,
	send: (agent: Agent, end: AbortSignal) => Promise<T>,
	{ ms, signal }: Limits,
): Promise<T> {
	const tunnel = { isOpen: false };
	const exchange = async (end: AbortSignal) => {
		const agent = new Agent({ keepAlive: false });
		if (proxy !== null) {
			const socket = await openTunnel(proxy, new URL(address), end);
			const createConnection = (options: ConnectionOptions) => connect({ ...options, socket });
			Object.assign(agent, { createConnection });
			tunnel.isOpen = true;
		}
		return await send(agent, end);
	};
	// The timer of the timeout does not keep the process alive, and an agent might have closed its socket.
	const alive = setInterval(() => undefined, ms);
	try {
		return await sendWithin(ms, exchange, signal);
	} catch (error) {
		if (proxy === null || tunnel.isOpen || !(error instanceof SendFailure)) throw error;
		throw nameProxy(proxy, error);
	} finally {
		clearInterval(alive);
	}
}

function nameProxy({ name, url }: Proxy, { message, code }: SendFailure): SendFailure {
	return new SendFailure(
		`the proxy ${url.origin} of ${name} failed (${message})`,
		false,
		code,
		name,
	);
}

async function openTunnel({ url }: Proxy, target: URL, signal: AbortSignal): Promise<Socket> {
	const credentials = readCredentials(url) ?? ':';
	const path = `${target.hostname}:${getPort(target)}`;
	const options = {
		method: 'CONNECT',
		// An IPv6 address has brackets in a URL only.
		host: url.hostname.replace(/^\[|\]$/g, ''),
		port: getPort(url),
		path,
		headers: {
			host: path,
			...(credentials !== ':' && {
				'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
			}),
		},
		agent: false,
		signal,
	};
	const request = url.protocol === 'https:' ? requestHttps(options) : requestHttp(options);
	const [answer, socket, start] = await new Promise<[IncomingMessage, Socket, Buffer]>(
		(resolve, reject) => {
			request.once('connect', (...result) => resolve(result));
			request.once('error', reject);
			request.end();
		},
	);
	if (answer.statusCode === 200) return socket;
	throw new SendFailure(`it answered ${await describeRefusal(answer, socket, start)}`, false);
}

/** Returns status and title of the page with which a proxy refuses a tunnel. */
async function describeRefusal(
	{ statusCode = 0, statusMessage = '', headers }: IncomingMessage,
	socket: Socket,
	start: Buffer,
): Promise<string> {
	const chunks = [start];
	const length = Number(headers['content-length'] ?? 0);
	if (start.length < length)
		for await (const chunk of socket) {
			chunks.push(chunk as Buffer);
			if (Buffer.concat(chunks).length >= length) break;
		}
	const body = Buffer.concat(chunks).toString();
	const title = readPageTitle({ status: statusCode, headers: {}, body });
	return `${statusCode}: ${quote(title === '' ? statusMessage : title)}`;
}
