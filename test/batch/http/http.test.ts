import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { axiosSend } from '../../../batch/http';
import {
	createBrief,
	getBrief,
	listBriefs,
	type ServiceRequest,
} from '../../../service/api/operations';
import { SendFailure } from '../../../service/api/ports';
import { failureOf } from '../../support/failure-of';
import { listening } from '../../support/listening';

interface SendOptions {
	graceMs?: number;
	timeoutMs?: number;
}

const KEY = 'cb_live_SECRET0123456789';
const KEY_UUID = '6e1f0c22-7d41-4c52-9f3e-0a6f2b7c9d10';
const CREATE = createBrief({ product_name: 'Glow Serum' }, KEY_UUID);
const GET = getBrief('b-1');

const addressOf = async (server: Server) => `http://127.0.0.1:${await listening(server)}/v1`;

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that gives the test's answer, and its address. */
function serving(handler: Handler): Promise<string> {
	return addressOf(
		createServer((request, response) => {
			let body = '';
			request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
			request.on('end', () => handler(request, response, body));
		}),
	);
}

const sender = (baseUrl: string, { graceMs = 200, timeoutMs }: SendOptions = {}) =>
	axiosSend(baseUrl, KEY, graceMs, timeoutMs);

async function failure(
	baseUrl: string,
	request: ServiceRequest = CREATE,
	options: SendOptions = {},
): Promise<SendFailure> {
	return await failureOf(sender(baseUrl, options)(request), SendFailure);
}

describe('sending a request', () => {
	test('sends method, path, query, headers, key and the exact body', async () => {
		const seen: unknown[] = [];
		const url = await serving(({ method, url: path, headers }, response, body) => {
			seen.push({ method, path, body, ...headers });
			response.end('{}');
		});
		const create = createBrief({ product_name: 'Crème “Ré” 🧴' }, KEY_UUID);
		await sender(url)(create);
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

	test('encodes the query so that a server reads what was meant', async () => {
		let query: unknown;
		const url = await serving((request, response) => {
			query = Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams);
			response.end('{}');
		});
		const cursor = 'a+b/c==&d=e f:$,é[]%20';
		await sender(url)(listBriefs({ cursor, limit: 100 }));
		expect(query).toEqual({ cursor, limit: '100' });
	});

	test.each([200, 202, 302, 307, 308, 400, 401, 404, 418, 429, 500, 503])(
		'gives back an answer of status %i as it is',
		async (status) => {
			const url = await serving((_, response) => {
				response.writeHead(status, { Location: '/elsewhere', 'X-Request-Id': 'r-1' });
				response.end('<html>Not what you expected</html>');
			});
			const answer = await sender(url)(CREATE);
			expect(answer).toMatchObject({ status, body: '<html>Not what you expected</html>' });
			expect(answer.headers['x-request-id']).toBe('r-1');
		},
	);

	test('gives JSON and empty answers as text, without a byte order mark', async () => {
		const bodies = ['{"a":1}', '', '\ufeff{"a":1}', '123'];
		const url = await serving((request, response) => {
			response.end(bodies[Number(new URL(request.url ?? '', 'http://x').pathname.slice(-1))]);
		});
		const send = sender(url);
		const got = [];
		for (const id of ['0', '1', '2', '3']) got.push((await send(getBrief(id))).body);
		expect(got).toEqual(['{"a":1}', '', '{"a":1}', '123']);
	});

	test('gives header names in lower case, and several of one name as one text', async () => {
		const url = await serving((_, response) => {
			response.setHeader('RateLimit-Policy', '"burst";q=100;w=60');
			response.setHeader('Set-Cookie', ['a=1', 'b=2']);
			response.setHeader('RETRY-AFTER', '30');
			response.end();
		});
		const { headers } = await sender(url)(GET);
		expect(headers).toMatchObject({
			'ratelimit-policy': '"burst";q=100;w=60',
			'retry-after': '30',
		});
		expect(headers['set-cookie']).toBe('a=1,b=2');
	});
});

describe('the key (P8)', () => {
	test.each([301, 302, 303, 307, 308])('follows no redirect of status %i', async (status) => {
		const visits: string[] = [];
		const other = await serving((request, response) => {
			visits.push(request.url ?? '');
			response.end('{}');
		});
		const url = await serving((_, response) => {
			response.writeHead(status, { Location: `${other}/briefs` }).end();
		});
		for (const request of [CREATE, GET]) {
			expect((await sender(url)(request)).status).toBe(status);
		}
		expect(visits).toEqual([]);
	});

	test('goes to no proxy of the environment if the address is plain http', async () => {
		const visits: string[] = [];
		const proxy = await serving((request, response) => {
			visits.push(request.url ?? '');
			response.end('{}');
		});
		const url = await serving((_, response) => void response.end('{"direct":true}'));
		const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy', 'ALL_PROXY'];
		const env = jest.replaceProperty(process, 'env', {
			...process.env,
			...Object.fromEntries(names.map((name) => [name, proxy])),
			no_proxy: '',
		});
		try {
			expect((await sender(url)(GET)).body).toBe('{"direct":true}');
		} finally {
			env.restore();
		}
		expect(visits).toEqual([]);
	});

	test('is in no error, however it is looked at', async () => {
		const reset = await serving((request) => request.socket.destroy());
		const cut = await serving((_, response) => {
			response.writeHead(202, { 'Content-Length': '100' });
			response.write('{"id":');
			setTimeout(() => response.destroy(), 5);
		});
		const silent = await serving(() => undefined);
		const abort = new AbortController();
		const aborted = sender(silent)(GET, abort.signal).then(
			() => new Error(),
			(error: unknown) => error as Error,
		);
		abort.abort();
		const errors: Error[] = [
			await failure('http://127.0.0.1:9/v1'),
			await failure(reset),
			await failure(cut),
			await failure(silent, CREATE, { timeoutMs: 20 }),
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

describe('a request that nothing came of', () => {
	/** An address at which nothing listens any more. */
	async function closed(): Promise<string> {
		const server = createTcpServer();
		const url = await addressOf(server);
		await new Promise((done) => server.close(done));
		return url;
	}

	test('was never sent if nothing listens at any of its addresses, or the host has no such name', async () => {
		const url = await closed();
		const message = 'nothing listens at this address';
		expect(await failure(url)).toMatchObject({ mayHaveArrived: false, message });
		expect((await failure(url.replace('127.0.0.1', 'localhost'))).mayHaveArrived).toBe(false);
		const unknown = await failure('http://no-such-host.invalid/v1');
		expect(unknown.mayHaveArrived).toBe(false);
		expect(unknown.message).toMatch(/no host of this name|could not be looked up/);
	});

	/** Begins an answer with these headers, and never ends it. */
	const breaksOff =
		(headers: Record<string, string>): Handler =>
		(_, response) => {
			response.writeHead(202, headers);
			response.write('{"id":"b-1"');
			setTimeout(() => response.destroy(), 5);
		};
	const megabyte = Buffer.alloc(1_000_000, 'x');

	test.each<[string, Handler, string]>([
		['is cut before an answer', ({ socket }) => void socket.destroy(), 'the connection was cut'],
		['is cut by force', ({ socket }) => void socket.resetAndDestroy(), 'the connection was cut'],
		['has an answer that breaks off', breaksOff({ 'Content-Length': '1000' }), 'cut off'],
		['has a chunked answer that breaks off', breaksOff({}), 'cut off'],
		[
			'has an answer without an end',
			(_, response) => {
				const pour = () => {
					while (!response.destroyed && response.write(megabyte));
					response.once('drain', pour);
				};
				pour();
			},
			'the answer was cut off or is too long',
		],
		[
			'has an answer that is packed and too long',
			(_, response) => {
				response.setHeader('Content-Encoding', 'gzip');
				response.end(gzipSync(Buffer.alloc(60_000_000)));
			},
			'the answer was cut off or is too long',
		],
	])('may have been done if it %s', async (_, handler, message) => {
		const error = await failure(await serving(handler));
		expect(error.mayHaveArrived).toBe(true);
		expect(error.message).toContain(message);
	});

	const trickle: Handler = (_, response) => {
		const timer = setInterval(() => response.write(' '), 5);
		response.on('close', () => clearInterval(timer));
	};

	test.each<[string, Handler]>([
		['comes at all', () => undefined],
		['comes to its end', trickle],
	])('may have been done if in time no answer %s', async (_, handler) => {
		expect(await failure(await serving(handler), CREATE, { timeoutMs: 40 })).toMatchObject({
			mayHaveArrived: true,
			message: 'no whole answer within 0.04 seconds',
		});
	});
});

describe('an abort', () => {
	/** What comes of a request that is aborted when it is on its way, and answered so much later. */
	async function aborted(request: ServiceRequest, answeredMs: number, graceMs: number) {
		const abort = new AbortController();
		const url = await serving((_, response) => {
			setTimeout(() => response.end('{"late":true}'), answeredMs).unref();
			abort.abort(new Error('enough'));
		});
		return await sender(url, { graceMs })(request, abort.signal);
	}

	test('ends a GET at once, and a create after the grace, with its reason', async () => {
		const start = Date.now();
		await expect(aborted(GET, 20_000, 20_000)).rejects.toThrow('enough');
		await expect(aborted(CREATE, 20_000, 40)).rejects.toThrow('enough');
		expect(Date.now() - start).toBeLessThan(10_000);
	});

	test('lets a create that is on its way come to its answer within the grace', async () => {
		expect((await aborted(CREATE, 60, 20_000)).body).toBe('{"late":true}');
	});

	test('before the request keeps it from being sent', async () => {
		let visits = 0;
		const url = await serving((_, response) => void response.end(String((visits += 1))));
		await expect(sender(url)(CREATE, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
			'enough',
		);
		expect(visits).toBe(0);
	});

	test('of one signal serves hundreds of requests without a warning, and holds none of them', async () => {
		const warnings: Error[] = [];
		const onWarning = (warning: Error) => warnings.push(warning);
		process.on('warning', onWarning);
		const { signal } = new AbortController();
		const add = jest.spyOn(signal, 'addEventListener');
		const remove = jest.spyOn(signal, 'removeEventListener');
		const send = sender(await serving((_, response) => void response.end('{}')));
		for (let i = 0; i < 20; i += 1) await send(i % 2 === 0 ? CREATE : GET, signal);
		await new Promise(setImmediate);
		process.off('warning', onWarning);
		expect(warnings).toEqual([]);
		expect(add).toHaveBeenCalledTimes(20);
		expect(remove).toHaveBeenCalledTimes(20);
	});
});
