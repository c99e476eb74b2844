import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createSend } from '../../../batch/commands/http';
import {
	createBrief,
	getBrief,
	listBriefs,
	type ServiceRequest,
} from '../../../core/api/operations';
import { SendFailure, type Send } from '../../../core/api/ports';
import { catchError } from '../../support/catch-error';
import { listenOnFreePort } from '../../support/listen-on-free-port';

const KEY = 'cb_live_SECRET0123456789';
const KEY_UUID = '6e1f0c22-7d41-4c52-9f3e-0a6f2b7c9d10';
const CREATE = createBrief({ product_name: 'Crème “Ré” 🧴' }, KEY_UUID);
const GET = getBrief('b-1');

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a server and returns its address. */
async function startServer(handler: Handler): Promise<string> {
	const server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
		request.on('end', () => handler(request, response, body));
	});
	return `http://127.0.0.1:${await listenOnFreePort(server)}/v1`;
}

const makeSender = (baseUrl: string, graceMs = 200, timeoutMs?: number): Send =>
	createSend({ baseUrl, apiKey: KEY, proxy: null }, graceMs, timeoutMs);

/** Returns the failure of a create request, none of whose properties contains the key (P8). */
async function getFailure(baseUrl: string, timeoutMs?: number): Promise<SendFailure> {
	const error = await catchError(makeSender(baseUrl, 200, timeoutMs)(CREATE), SendFailure);
	expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(KEY);
	expect(error.cause).toBeUndefined();
	return error;
}

describe('a request', () => {
	test('has its method, path, headers, key and exact body', async () => {
		const seen: unknown[] = [];
		const url = await startServer(({ method, url: path, headers }, response, body) => {
			seen.push({ method, path, body, ...headers });
			response.end('{}');
		});
		await makeSender(url)(CREATE);
		expect(seen).toMatchObject([
			{
				method: 'POST',
				path: '/v1/briefs',
				authorization: `Bearer ${KEY}`,
				'content-type': 'application/json',
				'idempotency-key': KEY_UUID,
				body: CREATE.body,
			},
		]);
	});

	test('has an encoded query', async () => {
		const url = await startServer(({ url: path = '' }, response) => {
			const { searchParams } = new URL(path, 'http://x');
			response.end(JSON.stringify(Object.fromEntries(searchParams)));
		});
		const cursor = 'a+b/c==&d=e f:$,é[]%20';
		const { body } = await makeSender(url)(listBriefs({ cursor, limit: 100 }));
		expect(JSON.parse(body)).toEqual({ cursor, limit: '100' });
	});

	test.each([200, 202, 301, 307, 308, 400, 418, 503])(
		'with the status %i has its answer unchanged, and follows no redirect (P8)',
		async (status) => {
			let visits = 0;
			const other = await startServer((_, response) => void response.end(String((visits += 1))));
			const url = await startServer((_, response) => {
				response.writeHead(status, {
					location: `${other}/briefs`,
					'RETRY-AFTER': '30',
					'set-cookie': ['a=1', 'b=2'],
				});
				response.end('<html>Not what you expected</html>');
			});
			for (const request of [CREATE, GET])
				expect(await makeSender(url)(request)).toMatchObject({
					status,
					headers: { 'retry-after': '30', 'set-cookie': 'a=1,b=2' },
					body: '<html>Not what you expected</html>',
				});
			expect(visits).toBe(0);
		},
	);

	test.each(['{"a":1}', '', '\ufeff{"a":1}', '123'])(
		'has its answer as text without a byte-order mark: %j',
		async (text) => {
			const url = await startServer((_, response) => response.end(text));
			expect((await makeSender(url)(GET)).body).toBe(text.replace('\ufeff', ''));
		},
	);
});

describe('a request without an answer', () => {
	test('was not sent if nothing listens at its address, or no host has the name', async () => {
		const message = 'nothing listens at this address';
		expect(await getFailure('http://127.0.0.1:9/v1')).toMatchObject({
			mayHaveArrived: false,
			message,
		});
		expect(await getFailure('http://no-such-host.invalid/v1')).toMatchObject({
			mayHaveArrived: false,
			message: expect.stringMatching(/no host has this name|could not be looked up/) as string,
		});
	});

	/** Starts an answer with these headers and closes the connection. */
	const cutOff =
		(headers: Record<string, string>): Handler =>
		(_, response) => {
			response.writeHead(202, headers);
			response.write('{"id":"b-1"');
			setTimeout(() => response.destroy(), 5);
		};
	const megabyte = Buffer.alloc(1_000_000, 'x');

	test.each<[what: string, message: string, handler: Handler]>([
		['is closed before an answer', 'the connection was cut', ({ socket }) => socket.destroy()],
		['is reset', 'the connection was cut', ({ socket }) => socket.resetAndDestroy()],
		['has an answer that is cut off', 'cut off', cutOff({ 'Content-Length': '1000' })],
		['has a chunked answer that is cut off', 'cut off', cutOff({})],
		[
			'has an endless answer',
			'the answer was cut off or is too long',
			(_, response) => {
				const write = () => {
					while (!response.destroyed && response.write(megabyte));
					response.once('drain', write);
				};
				write();
			},
		],
		[
			'has a compressed answer that is too long',
			'the answer was cut off or is too long',
			(_, response) => {
				response.setHeader('Content-Encoding', 'gzip');
				response.end(gzipSync(Buffer.alloc(60_000_000)));
			},
		],
	])('might have arrived if it %s', async (_what, message, handler) => {
		const error = await getFailure(await startServer(handler));
		expect(error.mayHaveArrived).toBe(true);
		expect(error.message).toContain(message);
	});

	const trickle: Handler = (_, response) => {
		const timer = setInterval(() => response.write(' '), 5);
		response.on('close', () => clearInterval(timer));
	};

	test.each<[what: string, handler: Handler]>([
		['no answer starts', () => undefined],
		['the answer does not end', trickle],
	])('might have arrived if %s in time', async (_what, handler) => {
		expect(await getFailure(await startServer(handler), 40)).toMatchObject({
			mayHaveArrived: true,
			message: 'no complete answer within 0.04 seconds',
		});
	});
});

describe('an abort', () => {
	/** Sends a request, aborts it on its way, and answers it after `answerMs`. */
	async function sendAndAbort(request: ServiceRequest, answerMs: number, graceMs: number) {
		const abort = new AbortController();
		const url = await startServer((_, response) => {
			setTimeout(() => response.end('{"late":true}'), answerMs).unref();
			abort.abort(new Error('enough'));
		});
		return await makeSender(url, graceMs)(request, abort.signal);
	}

	test('ends a GET at once and a create request after the grace period, with its reason', async () => {
		const start = Date.now();
		await expect(sendAndAbort(GET, 20_000, 20_000)).rejects.toThrow('enough');
		await expect(sendAndAbort(CREATE, 20_000, 40)).rejects.toThrow('enough');
		expect(Date.now() - start).toBeLessThan(10_000);
	});

	test('lets a create request that was sent get its answer within the grace period', async () => {
		expect((await sendAndAbort(CREATE, 60, 20_000)).body).toBe('{"late":true}');
	});

	test('before a request prevents the request', async () => {
		let visits = 0;
		const url = await startServer((_, response) => void response.end(String((visits += 1))));
		const aborted = AbortSignal.abort(new Error('enough'));
		await expect(makeSender(url)(CREATE, aborted)).rejects.toThrow('enough');
		expect(visits).toBe(0);
	});

	test('signal can be shared by many requests, and leaves no listeners', async () => {
		const { signal } = new AbortController();
		const add = jest.spyOn(signal, 'addEventListener');
		const remove = jest.spyOn(signal, 'removeEventListener');
		const send = makeSender(await startServer((_, response) => void response.end('{}')));
		for (const request of [CREATE, GET, CREATE, GET]) await send(request, signal);
		expect(add).toHaveBeenCalledTimes(4);
		expect(remove).toHaveBeenCalledTimes(4);
	});
});
