import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createSend } from '../../batch/http';
import { createBrief, getBrief, listBriefs, type ServiceRequest } from '../../core/api/operations';
import { SendFailure } from '../../core/api/ports';
import { failureOf } from '../support/failure-of';
import { listening } from '../support/listening';

interface SendOptions {
	graceMs?: number;
	timeoutMs?: number;
}

const KEY = 'cb_live_SECRET0123456789';
const KEY_UUID = '6e1f0c22-7d41-4c52-9f3e-0a6f2b7c9d10';
const CREATE = createBrief({ product_name: 'Glow Serum' }, KEY_UUID);
const GET = getBrief('b-1');

const getAddress = async (server: Server) => `http://127.0.0.1:${await listening(server)}/v1`;

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a server and returns its address. */
function startServer(handler: Handler): Promise<string> {
	return getAddress(
		createServer((request, response) => {
			let body = '';
			request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
			request.on('end', () => handler(request, response, body));
		}),
	);
}

const makeSender = (baseUrl: string, { graceMs = 200, timeoutMs }: SendOptions = {}) =>
	createSend(baseUrl, KEY, graceMs, timeoutMs);

async function getFailure(
	baseUrl: string,
	request: ServiceRequest = CREATE,
	options: SendOptions = {},
): Promise<SendFailure> {
	return await failureOf(makeSender(baseUrl, options)(request), SendFailure);
}

describe('sending a request', () => {
	test('has its method, path, headers, key and exact body', async () => {
		const seen: unknown[] = [];
		const url = await startServer(({ method, url: path, headers }, response, body) => {
			seen.push({ method, path, body, ...headers });
			response.end('{}');
		});
		const create = createBrief({ product_name: 'Crème “Ré” 🧴' }, KEY_UUID);
		await makeSender(url)(create);
		expect(seen).toMatchObject([
			{
				method: 'POST',
				path: '/v1/briefs',
				authorization: `Bearer ${KEY}`,
				'content-type': 'application/json',
				'idempotency-key': KEY_UUID,
				body: create.body,
				'content-length': String(Buffer.byteLength(create.body ?? '')),
			},
		]);
	});

	test('encodes the query', async () => {
		let query: unknown;
		const url = await startServer((request, response) => {
			query = Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams);
			response.end('{}');
		});
		const cursor = 'a+b/c==&d=e f:$,é[]%20';
		await makeSender(url)(listBriefs({ cursor, limit: 100 }));
		expect(query).toEqual({ cursor, limit: '100' });
	});

	test.each([200, 202, 302, 307, 308, 400, 401, 404, 418, 429, 500, 503])(
		'returns an answer with the status %i unchanged',
		async (status) => {
			const url = await startServer((_, response) => {
				response.writeHead(status, { Location: '/elsewhere', 'X-Request-Id': 'r-1' });
				response.end('<html>Not what you expected</html>');
			});
			const answer = await makeSender(url)(CREATE);
			expect(answer).toMatchObject({ status, body: '<html>Not what you expected</html>' });
			expect(answer.headers['x-request-id']).toBe('r-1');
		},
	);

	test('returns the body as text without a byte-order mark', async () => {
		const bodies = ['{"a":1}', '', '\ufeff{"a":1}', '123'];
		const url = await startServer((request, response) => {
			response.end(bodies[Number(new URL(request.url ?? '', 'http://x').pathname.slice(-1))]);
		});
		const send = makeSender(url);
		const received = [];
		for (const id of ['0', '1', '2', '3']) received.push((await send(getBrief(id))).body);
		expect(received).toEqual(['{"a":1}', '', '{"a":1}', '123']);
	});

	test('returns header names in lower case, and repeated headers as one text', async () => {
		const url = await startServer((_, response) => {
			response.setHeader('RateLimit-Policy', '"burst";q=100;w=60');
			response.setHeader('Set-Cookie', ['a=1', 'b=2']);
			response.setHeader('RETRY-AFTER', '30');
			response.end();
		});
		const { headers } = await makeSender(url)(GET);
		expect(headers).toMatchObject({
			'ratelimit-policy': '"burst";q=100;w=60',
			'retry-after': '30',
		});
		expect(headers['set-cookie']).toBe('a=1,b=2');
	});
});

describe('the key (P8)', () => {
	test.each([301, 302, 303, 307, 308])(
		'does not follow a redirect with the status %i',
		async (status) => {
			const visits: string[] = [];
			const other = await startServer((request, response) => {
				visits.push(request.url ?? '');
				response.end('{}');
			});
			const url = await startServer((_, response) => {
				response.writeHead(status, { Location: `${other}/briefs` }).end();
			});
			for (const request of [CREATE, GET]) {
				expect((await makeSender(url)(request)).status).toBe(status);
			}
			expect(visits).toEqual([]);
		},
	);

	test('is not sent through a proxy if the address is plain http', async () => {
		const visits: string[] = [];
		const proxy = await startServer((request, response) => {
			visits.push(request.url ?? '');
			response.end('{}');
		});
		const url = await startServer((_, response) => void response.end('{"direct":true}'));
		const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy', 'ALL_PROXY'];
		const env = jest.replaceProperty(process, 'env', {
			...process.env,
			...Object.fromEntries(names.map((name) => [name, proxy])),
			no_proxy: '',
		});
		try {
			expect((await makeSender(url)(GET)).body).toBe('{"direct":true}');
		} finally {
			env.restore();
		}
		expect(visits).toEqual([]);
	});

	test('is in no property of any error', async () => {
		const reset = await startServer((request) => request.socket.destroy());
		const cut = await startServer((_, response) => {
			response.writeHead(202, { 'Content-Length': '100' });
			response.write('{"id":');
			setTimeout(() => response.destroy(), 5);
		});
		const silent = await startServer(() => undefined);
		const abort = new AbortController();
		const aborted = makeSender(silent)(GET, abort.signal).then(
			() => new Error(),
			(error: unknown) => error as Error,
		);
		abort.abort();
		const errors: Error[] = [
			await getFailure('http://127.0.0.1:9/v1'),
			await getFailure(reset),
			await getFailure(cut),
			await getFailure(silent, CREATE, { timeoutMs: 20 }),
			await aborted,
		];
		for (const error of errors) {
			const names = Object.getOwnPropertyNames(error);
			const own = names.map((name) => [name, Reflect.get(error, name) as unknown]);
			const texts = [inspect(error, { depth: 20, showHidden: true }), error.stack, String(error)];
			texts.push(JSON.stringify(Object.fromEntries(own)));
			expect(texts.join('\n')).not.toContain(KEY);
			expect(error.cause).toBeUndefined();
		}
	});
});

describe('a request without an answer', () => {
	/** Returns an address at which nothing listens. */
	async function getClosedAddress(): Promise<string> {
		const server = createTcpServer();
		const url = await getAddress(server);
		await new Promise((resolve) => server.close(resolve));
		return url;
	}

	test('was not sent if nothing listens at any of its addresses, or no host has the name', async () => {
		const url = await getClosedAddress();
		const message = 'nothing listens at this address';
		expect(await getFailure(url)).toMatchObject({ mayHaveArrived: false, message });
		expect((await getFailure(url.replace('127.0.0.1', 'localhost'))).mayHaveArrived).toBe(false);
		const unknown = await getFailure('http://no-such-host.invalid/v1');
		expect(unknown.mayHaveArrived).toBe(false);
		expect(unknown.message).toMatch(/no host has this name|could not be looked up/);
	});

	test.each(['https_proxy', 'ALL_PROXY'])('names %s if its proxy does not answer', async (name) => {
		const proxy = (await getClosedAddress()).replace('/v1', '');
		const variables = { https_proxy: '', HTTPS_PROXY: '', all_proxy: '', ALL_PROXY: '' };
		const env = jest.replaceProperty(process, 'env', {
			...process.env,
			...variables,
			no_proxy: '',
			NO_PROXY: '',
			[name]: proxy,
		});
		try {
			expect(await getFailure('https://api.vendor.example/v1')).toMatchObject({
				mayHaveArrived: false,
				message: `the proxy of ${name} does not answer (nothing listens at this address)`,
				proxy: name,
			});
		} finally {
			env.restore();
		}
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

	test.each<[string, Handler, string]>([
		['is closed before an answer', ({ socket }) => void socket.destroy(), 'the connection was cut'],
		['is reset', ({ socket }) => void socket.resetAndDestroy(), 'the connection was cut'],
		['has an answer that is cut off', cutOff({ 'Content-Length': '1000' }), 'cut off'],
		['has a chunked answer that is cut off', cutOff({}), 'cut off'],
		[
			'has an endless answer',
			(_, response) => {
				const write = () => {
					while (!response.destroyed && response.write(megabyte));
					response.once('drain', write);
				};
				write();
			},
			'the answer was cut off or is too long',
		],
		[
			'has a compressed answer that is too long',
			(_, response) => {
				response.setHeader('Content-Encoding', 'gzip');
				response.end(gzipSync(Buffer.alloc(60_000_000)));
			},
			'the answer was cut off or is too long',
		],
	])('might have arrived if it %s', async (_, handler, message) => {
		const error = await getFailure(await startServer(handler));
		expect(error.mayHaveArrived).toBe(true);
		expect(error.message).toContain(message);
	});

	const trickle: Handler = (_, response) => {
		const timer = setInterval(() => response.write(' '), 5);
		response.on('close', () => clearInterval(timer));
	};

	test.each<[string, Handler]>([
		['no answer starts', () => undefined],
		['the answer does not end', trickle],
	])('might have arrived if %s in time', async (_, handler) => {
		expect(await getFailure(await startServer(handler), CREATE, { timeoutMs: 40 })).toMatchObject({
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
		return await makeSender(url, { graceMs })(request, abort.signal);
	}

	test('ends a GET at once and a create request after the grace period, with its reason', async () => {
		const start = Date.now();
		await expect(sendAndAbort(GET, 20_000, 20_000)).rejects.toThrow('enough');
		await expect(sendAndAbort(CREATE, 20_000, 40)).rejects.toThrow('enough');
		expect(Date.now() - start).toBeLessThan(10_000);
	});

	test('lets a create request on its way get its answer within the grace period', async () => {
		expect((await sendAndAbort(CREATE, 60, 20_000)).body).toBe('{"late":true}');
	});

	test('before a request prevents it', async () => {
		let visits = 0;
		const url = await startServer((_, response) => void response.end(String((visits += 1))));
		await expect(makeSender(url)(CREATE, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
			'enough',
		);
		expect(visits).toBe(0);
	});

	test('of one signal serves many requests without a warning about listeners', async () => {
		const warnings: Error[] = [];
		const onWarning = (warning: Error) => warnings.push(warning);
		process.on('warning', onWarning);
		const { signal } = new AbortController();
		const add = jest.spyOn(signal, 'addEventListener');
		const remove = jest.spyOn(signal, 'removeEventListener');
		const send = makeSender(await startServer((_, response) => void response.end('{}')));
		for (let i = 0; i < 20; i += 1) await send(i % 2 === 0 ? CREATE : GET, signal);
		await new Promise(setImmediate);
		process.off('warning', onWarning);
		expect(warnings).toEqual([]);
		expect(add).toHaveBeenCalledTimes(20);
		expect(remove).toHaveBeenCalledTimes(20);
	});
});
