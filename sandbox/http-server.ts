import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerRequest } from './answer-request';
import { parse, type OperationId, type OperationRequest, type WireRequest } from './contract';
import { faultReply } from './fault-answers';
import type { Faults, SettledFault } from './faults';
import { protocolReply } from './protocol/endpoint';
import { PROTOCOL_PATH, toolCallOf } from './protocol/tool-call';
import { invalidRequest } from './refusal';
import { jsonReply, type Reply } from './reply';
import type { LoggedRequest, RequestLog } from './request-log';
import { refusalAnswer } from './refusal-answer';
import type { Service } from './service-state';
import { BIGGEST_BODY, bodyOf, idempotencyKeyOf, keyOf, wireRequest } from './wire';

interface Listening {
	port: number;
	close(): Promise<void>;
}

/** Plain node:http: resets and cut answers need the socket itself. */
export async function listen(
	service: Service,
	faults: Faults,
	log: RequestLog,
	port: number,
): Promise<Listening> {
	const closing = new AbortController();
	const server = createServer((request, response) => {
		handle({ service, faults, log, signal: closing.signal }, request, response).catch(
			(error: unknown) => {
				// Either the client is gone or the sandbox closes. Anything else is a bug of the sandbox, and a reset with a
				// message is the most honest answer.
				if (!closing.signal.aborted && !request.destroyed) console.error(error);
				request.socket.destroy();
			},
		);
	});
	await listening(server, port);
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

function listening(server: Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
}

interface Context {
	service: Service;
	faults: Faults;
	log: RequestLog;
	signal: AbortSignal;
}

async function handle(
	context: Context,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { service, faults } = context;
	const body = await bodyOf(request);
	const wire = wireRequest(request, body ?? '');
	const { operation, request: toOperation } = operationAndRequest(service, wire);
	const fault = faults.take(operation);
	const entry = logged(context, wire, toOperation, fault);
	entry.operation = operation;

	if (fault?.kind === 'slow' && fault.at === 'before-work') await delay(fault, context);
	const work = async (): Promise<Reply> => {
		if (body === undefined) return tooBig(service);
		if (isProtocol(wire)) return await protocolReply(service, wire, about(entry));
		return jsonReply(answerRequest(service, 'api', operation, wire, about(entry)));
	};
	const instead =
		fault && faultReply(service, fault, { port: localPort(request), url: request.url ?? '' });

	if (fault?.at === 'before-work') {
		if (fault.kind === 'reset') return reset(request);
		return send(service, response, entry, instead ?? (await work()), fault);
	}
	const reply = await work();
	if (fault?.kind === 'slow') await delay(fault, context);
	if (fault?.kind === 'reset') return reset(request);
	return send(service, response, entry, instead ?? reply, fault);
}

function isProtocol(wire: WireRequest): boolean {
	return wire.path === PROTOCOL_PATH;
}

/** The operation and the request to it, over HTTP or from a tool call. */
function operationAndRequest(
	service: Service,
	wire: WireRequest,
): { operation: OperationId | undefined; request: OperationRequest } {
	const call = isProtocol(wire) ? toolCallOf(service.contract, wire) : undefined;
	if (call !== undefined) return { operation: call.operation, request: call.request };
	return { operation: service.contract.operationOf(wire.method, wire.path), request: wire };
}

function send(
	service: Service,
	response: ServerResponse,
	entry: LoggedRequest,
	reply: Reply,
	fault: SettledFault | undefined,
): void {
	const half = reply.text.slice(0, Math.floor(reply.text.length / 2));
	const isBroken = fault?.kind === 'broken-json';
	const whole = Buffer.from(isBroken ? half : reply.text);
	const status = isBroken && reply.status >= 300 ? 200 : reply.status;
	entry.status = status;
	response.sendDate = false;
	response.writeHead(status, {
		Date: new Date(service.clock.now()).toUTCString(),
		...reply.headers,
		'Content-Length': whole.length,
	});
	if (fault?.kind === 'cut') {
		// The whole length is promised, and half of it comes.
		response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy());
		return;
	}
	response.end(whole);
}

function reset(request: IncomingMessage): void {
	request.socket.resetAndDestroy();
}

async function delay(fault: SettledFault, { service, signal }: Context): Promise<void> {
	await sleep((fault.delayMs ?? 2000) / (service.clock.factor ?? 1), undefined, { signal });
}

function tooBig(service: Service): Reply {
	const problem = {
		in: 'body' as const,
		field: '',
		code: 'too_large',
		message: `The body must have at most ${BIGGEST_BODY} bytes`,
	};
	return jsonReply(refusalAnswer(service, invalidRequest([problem])));
}

function logged(
	context: Context,
	wire: WireRequest,
	toOperation: OperationRequest,
	fault: SettledFault | undefined,
): LoggedRequest {
	const entry: LoggedRequest = {
		method: wire.method,
		path: wire.path,
		query: wire.query,
		operation: undefined,
		status: null,
		at: Date.now(),
		sandboxAt: context.service.clock.now(),
		key: keyOf(wire)?.name ?? null,
		idempotencyKey: idempotencyKeyOf(toOperation, parse(toOperation.body)) ?? null,
		briefId: null,
		host: wire.headers['host'] ?? '',
		authorised: wire.headers['authorization'] !== undefined,
		fault: fault?.kind ?? null,
	};
	context.log.add(entry);
	return entry;
}

function about(entry: LoggedRequest): (briefId: string) => void {
	return (briefId) => {
		entry.briefId = briefId;
	};
}

function localPort(request: IncomingMessage): number {
	return request.socket.localPort ?? 0;
}
