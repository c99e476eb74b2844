import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults, StrikingFault } from '../faults';
import { findKeyName } from '../keys';
import { invalidRequest } from '../refusals';
import { answerRequest, toAnswer } from '../service';
import type { Service } from '../state';
import { answerToolMessage, readToolCall, TOOLS_PATH } from './assistant-tools';
import { makeFaultReply } from './fault-replies';
import {
	MAX_BODY_BYTES,
	readBody,
	toJsonReply,
	toWireRequest,
	type LoggedRequest,
	type Reply,
} from './messages';

interface RunningServer {
	port: number;
	close(): Promise<void>;
}

interface Context {
	service: Service;
	faults: Faults;
	/** Every request, in the sequence of arrival. */
	log: LoggedRequest[];
}

/** Uses plain node:http, because faults need the socket itself. */
export async function startServer(context: Context, port: number): Promise<RunningServer> {
	const closing = new AbortController();
	const server = createServer((request, response) => {
		handleRequest(context, request, response, closing.signal).catch((error: unknown) => {
			// If the client has disconnected or the sandbox closes, an error is expected.
			if (!closing.signal.aborted && !request.destroyed) console.error(error);
			request.socket.destroy();
		});
	});
	await listen(server, port);
	return {
		port: (server.address() as AddressInfo).port,
		close: () =>
			new Promise((resolve) => {
				closing.abort();
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function listen(server: Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
}

async function handleRequest(
	{ service, faults, log }: Context,
	request: IncomingMessage,
	response: ServerResponse,
	signal: AbortSignal,
): Promise<void> {
	const { clock, contract } = service;
	const body = await readBody(request);
	const wire = toWireRequest(request, body ?? '');
	const isToolMessage = wire.path === TOOLS_PATH;
	const toolCall = isToolMessage ? readToolCall(contract, wire) : undefined;
	const operation = toolCall?.operation ?? contract.findOperation(wire.method, wire.path);
	const fault = faults.take(operation);
	const entry: LoggedRequest = {
		method: wire.method,
		path: wire.path,
		query: wire.query,
		operation,
		status: null,
		at: Date.now(),
		sandboxAt: clock.now(),
		key: findKeyName(wire.headers) ?? null,
		briefId: null,
		fault: fault?.kind ?? null,
	};
	log.push(entry);

	async function work(): Promise<Reply> {
		if (body === undefined) return refuseBody(service);
		if (isToolMessage) return await answerToolMessage(service, wire, toolCall);
		return toJsonReply(answerRequest(service, operation, wire));
	}
	let reply = fault?.at === 'after-work' ? await work() : undefined;
	if (fault?.kind === 'slow') {
		await sleep((fault.delayMs ?? 2000) / (clock.factor ?? 1), undefined, { signal });
	}
	if (fault?.kind === 'reset') {
		request.socket.resetAndDestroy();
		return;
	}
	const { localPort: port = 0 } = request.socket;
	const faultReply = fault && makeFaultReply(fault, { service, port, url: request.url ?? '' });
	reply = faultReply ?? reply ?? (await work());
	entry.status = reply.status;
	entry.briefId = reply.briefId ?? null;
	sendReply(response, reply, clock.now(), fault);
}

function refuseBody(service: Service): Reply {
	const message = `The body must have at most ${MAX_BODY_BYTES} bytes`;
	const refusal = invalidRequest({ in: 'body', field: '', code: 'maxLength', message });
	return toJsonReply(toAnswer(service, refusal));
}

function sendReply(
	response: ServerResponse,
	{ status, headers, text }: Reply,
	now: number,
	fault: StrikingFault | undefined,
): void {
	const isBroken = fault?.kind === 'broken-json';
	const whole = Buffer.from(isBroken ? text.slice(0, text.length / 2) : text);
	response.sendDate = false;
	response.writeHead(isBroken && status >= 300 ? 200 : status, {
		Date: new Date(now).toUTCString(),
		...headers,
		'Content-Length': whole.length,
	});
	if (fault?.kind === 'cut') {
		// The header promises the whole length, and half of it arrives.
		response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
		return;
	}
	response.end(whole);
}
