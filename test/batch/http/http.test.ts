import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
	createServer as createTcpServer,
	type AddressInfo,
	type Server as TcpServer,
} from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { axiosSend, type SendOptions } from '../../../batch/http';
import {
	createBrief,
	getBrief,
	listBriefs,
	type ServiceRequest,
} from '../../../service/operations';
import { SendFailure } from '../../../service/ports';
import { startSandbox } from '../../../sandbox/sandbox';

const KEY = 'cb_live_SECRET0123456789';
const KEY_UUID = '6e1f0c22-7d41-4c52-9f3e-0a6f2b7c9d10';
const CREATE = createBrief({ product_name: 'Glow Serum' }, KEY_UUID);
const GET = getBrief('b-1');

const open: Array<Server | TcpServer> = [];
afterEach(async () => {
	for (const server of open.splice(0)) {
		if ('closeAllConnections' in server) server.closeAllConnections();
		await new Promise((done) => server.close(done));
	}
});

const listening = async (server: Server | TcpServer): Promise<string> => {
	open.push(server);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
};

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that answers as it is told, and its address. */
function serving(handler: Handler): Promise<string> {
	return listening(
		createServer((request, response) => {
			let body = '';
			request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
			request.on('end', () => handler(request, response, body));
		}),
	);
}

const sender = (baseUrl: string, options: Partial<SendOptions> = {}) =>
	axiosSend({ baseUrl, apiKey: KEY, graceMs: 200, ...options });

async function failure(
	baseUrl: string,
	request: ServiceRequest = CREATE,
	options: Partial<SendOptions> = {},
): Promise<SendFailure> {
	try {
		await sender(baseUrl, options)(request);
	} catch (error) {
		if (error instanceof SendFailure) return error;
		throw error;
	}
	throw new Error('It was answered.');
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

	test('reads answers that are packed', async () => {
		const url = await serving((request, response) => {
			expect(request.headers['accept-encoding']).toContain('gzip');
			response.setHeader('Content-Encoding', 'gzip');
			response.end(gzipSync('{"packed":true}'));
		});
		expect((await sender(url)(GET)).body).toBe('{"packed":true}');
	});

	test('opens a connection of its own for every request', async () => {
		const ports = new Set<number | undefined>();
		const url = await serving((request, response) => {
			ports.add(request.socket.remotePort);
			response.end('{}');
		});
		const send = sender(url);
		for (let i = 0; i < 3; i += 1) await send(GET);
		expect(ports.size).toBe(3);
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

	test('goes to no proxy of the environment where the address is plain http', async () => {
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

	test('stands in no error, whatever way it is looked at', async () => {
		const reset = await serving((request) => request.socket.destroy());
		const cut = await serving((_, response) => {
			response.writeHead(202, { 'Content-Length': '100' });
			response.write('{"id":');
			setTimeout(() => response.destroy(), 5);
		});
		const silent = await serving(() => undefined);
		const errors: Error[] = [
			await failure('http://127.0.0.1:9/v1'),
			await failure(reset),
			await failure(cut),
			await failure(silent, CREATE, { timeoutMs: 20 }),
		];
		const aborted = new AbortController();
		const sent = sender(silent)(GET, aborted.signal);
		aborted.abort();
		errors.push(
			await sent.then(
				() => new Error(),
				(error: unknown) => error as Error,
			),
		);
		for (const error of errors) {
			const texts = [inspect(error, { depth: 20, showHidden: true }), error.stack, String(error)];
			const own = Object.getOwnPropertyNames(error).map((name) => [
				name,
				Reflect.get(error, name) as unknown,
			]);
			texts.push(JSON.stringify(Object.fromEntries(own)));
			expect(texts.join('\n')).not.toContain(KEY);
			expect(error.cause).toBeUndefined();
		}
	});
});

describe('a request that nothing came of', () => {
	test('was never sent where nothing listens, or the host has no such name', async () => {
		const server = createTcpServer();
		const url = await listening(server);
		open.splice(0);
		await new Promise((done) => server.close(done));
		expect(await failure(url)).toMatchObject({
			sent: false,
			message: 'nothing listens at this address',
		});
		const { sent, message } = await failure('http://no-such-host.invalid/v1');
		expect(sent).toBe(false);
		expect(message).toMatch(/no host of this name|could not be looked up/);
	});

	test('was never sent where a name stands for several addresses, and none takes the connection', async () => {
		const server = createTcpServer();
		const port = new URL(await listening(server)).port;
		open.splice(0);
		await new Promise((done) => server.close(done));
		expect((await failure(`http://localhost:${port}/v1`)).sent).toBe(false);
	});

	test.each([
		['before an answer', (request: IncomingMessage) => void request.socket.destroy()],
		['by force', (request: IncomingMessage) => void request.socket.resetAndDestroy()],
	] as Array<[string, (request: IncomingMessage, response: ServerResponse) => void]>)(
		'may have been done where the connection was cut %s',
		async (_, handler) => {
			const error = await failure(await serving(handler));
			expect(error).toMatchObject({ sent: true, message: 'the connection was cut' });
		},
	);

	test('may have been done where the answer breaks off', async () => {
		const short = await serving((_, response) => {
			response.writeHead(202, { 'Content-Length': '1000' });
			response.write('{"id":"b-1"');
			setTimeout(() => response.destroy(), 5);
		});
		expect((await failure(short)).sent).toBe(true);
		const chunked = await serving((_, response) => {
			response.writeHead(202);
			response.write('{"id":"b-1"');
			setTimeout(() => response.destroy(), 5);
		});
		expect((await failure(chunked)).sent).toBe(true);
	});

	test('may have been done where the answer is no HTTP', async () => {
		const url = await listening(
			createTcpServer((socket) => {
				socket.on('error', () => undefined).on('data', () => socket.destroySoon());
				socket.write('SSH-2.0-OpenSSH_9.6\r\n');
			}),
		);
		const error = await failure(url);
		expect(error.sent).toBe(true);
		expect(error.message).toContain('the connection failed (HPE_');
	});

	test('may have been done where no answer comes in time, or trickles in without an end', async () => {
		const silent = await serving(() => undefined);
		expect(await failure(silent, CREATE, { timeoutMs: 40 })).toMatchObject({
			sent: true,
			message: 'no whole answer within 0.04 seconds',
		});
		const trickle = await serving((_, response) => {
			const timer = setInterval(() => response.write(' '), 5);
			response.on('close', () => clearInterval(timer));
		});
		expect((await failure(trickle, CREATE, { timeoutMs: 60 })).sent).toBe(true);
	});

	test('may have been done where the answer is longer than any answer of the service', async () => {
		const megabyte = Buffer.alloc(1_000_000, 'x');
		const url = await serving((_, response) => {
			const pour = () => {
				while (!response.destroyed && response.write(megabyte));
				response.once('drain', pour);
			};
			pour();
		});
		expect(await failure(url, GET)).toMatchObject({
			sent: true,
			message: 'the answer was cut off or is too long',
		});
		const bomb = gzipSync(Buffer.alloc(60_000_000));
		const packed = await serving((_, response) => {
			response.setHeader('Content-Encoding', 'gzip');
			response.end(bomb);
		});
		expect((await failure(packed, GET)).sent).toBe(true);
	});

	test('says that https is not spoken where that is so', async () => {
		const url = await serving((_, response) => void response.end());
		const { message } = await failure(url.replace('http:', 'https:'), GET);
		expect(message).toContain('no secure connection');
	});
});

describe('an abort', () => {
	const slow = (ms: number) =>
		serving((_, response) => void setTimeout(() => response.end('{"late":true}'), ms).unref());

	test('ends a GET at once', async () => {
		const abort = new AbortController();
		const sent = sender(await slow(5000))(GET, abort.signal);
		setTimeout(() => abort.abort(new Error('enough')), 20);
		const start = Date.now();
		await expect(sent).rejects.toThrow('enough');
		expect(Date.now() - start).toBeLessThan(1000);
	});

	test('lets a create that is under way come to its answer within the grace', async () => {
		const abort = new AbortController();
		const sent = sender(await slow(60), { graceMs: 2000 })(CREATE, abort.signal);
		setTimeout(() => abort.abort(), 10);
		expect((await sent).body).toBe('{"late":true}');
	});

	test('ends a create after the grace, with the reason of the abort', async () => {
		const abort = new AbortController();
		const sent = sender(await slow(5000), { graceMs: 40 })(CREATE, abort.signal);
		setTimeout(() => abort.abort(new Error('enough')), 10);
		await expect(sent).rejects.toThrow('enough');
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

test('the faults of the sandbox come out as what they are', async () => {
	const sandbox = await startSandbox({ speed: 1000, failureShare: 0, requestsPerMinute: 0 });
	try {
		const send = axiosSend({ baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes, graceMs: 0 });
		const came: string[] = [];
		const faults = [
			{ kind: 'reset', at: 'before-work' },
			{ kind: 'reset', at: 'after-work' },
			{ kind: 'cut' },
			{ kind: 'broken-json' },
			{ kind: 'html' },
		] as const;
		for (const fault of faults) {
			sandbox.faults.add(fault);
			const outcome = await send(createBrief({ product_name: fault.kind }, randomUUID())).then(
				({ body }) => (isJson(body) ? 'JSON' : 'text'),
				(error: unknown) => (error instanceof SendFailure ? error.message : 'other'),
			);
			came.push(`${fault.kind}: ${outcome}`);
		}
		expect(came).toEqual([
			'reset: the connection was cut',
			'reset: the connection was cut',
			'cut: the answer was cut off or is too long',
			'broken-json: text',
			'html: text',
		]);
	} finally {
		await sandbox.close();
	}
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
