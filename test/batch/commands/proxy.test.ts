import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { createSend } from '../../../batch/commands/http';
import { chooseProxy } from '../../../batch/commands/proxy';
import { createBrief } from '../../../core/api/operations';
import { SendFailure } from '../../../core/api/ports';
import { catchError } from '../../support/catch-error';
import { listenOnFreePort } from '../../support/listen-on-free-port';
import { listen } from '../../support/raw-server';

const ADDRESS = 'https://api.vendor.example/v1';
const choose = (address: string, exceptions = '', target = ADDRESS) =>
	chooseProxy({ name: 'HTTPS_PROXY', address, exceptions }, target)?.url.href ?? null;

describe('the proxy of a request', () => {
	test.each([
		['http://user:password@proxy.example:8080', 'http://user:password@proxy.example:8080/'],
		['proxy.example:8080', 'http://proxy.example:8080/'],
		['https://proxy.example', 'https://proxy.example/'],
	])('of %s is %s', (address, url) => expect(choose(address)).toBe(url));

	test.each([
		'http://user:pass#word@proxy.example:8080',
		'http://user:100%@proxy.example:8080',
		'socks5://proxy.example:1080',
		'"http://proxy.example:8080"',
	])('cannot be %s', (address) => {
		expect(() => choose(address)).toThrow('HTTPS_PROXY is not the address of a proxy.');
	});

	test.each([
		'*',
		'api.vendor.example',
		'other, api.vendor.example:443',
		'.vendor.example',
		'*.example',
	])('is not used if NO_PROXY is %s', (exceptions) =>
		expect(choose('proxy:1', exceptions)).toBeNull(),
	);

	test.each(['', 'vendor.example', 'api.vendor.example:80', 'my-api.vendor.example', '.vendor'])(
		'is used if NO_PROXY is %j',
		(exceptions) => expect(choose('proxy:1', exceptions)).toBe('http://proxy:1/'),
	);

	test('is not used for plain http, which it could read (P8)', () => {
		expect(choose('#', '', 'http://127.0.0.1:8787/v1')).toBeNull();
	});
});

/** Returns the failure of a create request that goes through the proxy at this address. */
async function getFailure(address: string, timeoutMs?: number): Promise<SendFailure> {
	const proxy = chooseProxy({ name: 'HTTPS_PROXY', address, exceptions: '' }, ADDRESS);
	const send = createSend({ baseUrl: ADDRESS, apiKey: 'cb_live_1', proxy }, 200, timeoutMs);
	return await catchError(send(createBrief({ product_name: 'Mug' }, 'key')), SendFailure);
}

describe('a create request was not sent, and the proxy is named without its password, if it', () => {
	const expectFailure = (failure: SendFailure, port: number, reason: unknown) =>
		expect(failure).toMatchObject({
			mayHaveArrived: false,
			proxy: 'HTTPS_PROXY',
			message: expect.stringMatching(
				`^the proxy http://127.0.0.1:${port} of HTTPS_PROXY failed \\(${String(reason)}\\)$`,
			) as string,
		});

	test.each<[string, string, (socket: Socket) => void]>([
		['closes the connection', 'the connection was cut', (socket) => socket.end()],
		['stays silent', 'no complete answer within 0.2 seconds', () => undefined],
		[
			'is not a proxy',
			'the connection failed \\(HPE_INVALID_CONSTANT\\)',
			(socket) => socket.end('x\n'),
		],
	])('%s', async (_what, reason, answer) => {
		const port = Number((await listen(answer)).split(':')[1]);
		expectFailure(await getFailure(`http://user:secret@127.0.0.1:${port}`, 200), port, reason);
	});

	test('does not listen', async () => {
		expectFailure(await getFailure('127.0.0.1:9'), 9, 'nothing listens at this address');
	});

	test.each([
		[{}, '<html><title>Sign in first</title>', 'it answered 407: “Sign in first”'],
		[{ 'content-length': '0' }, '', 'it answered 407: “Proxy Authentication Required”'],
	])('refuses it', async (headers, page, reason) => {
		const seen: unknown[] = [];
		const server = createServer().on('connect', (request, socket) => {
			seen.push(request.url, request.headers['proxy-authorization']);
			const length = { 'content-length': String(page.length), ...headers };
			const lines = Object.entries(length).map(([name, value]) => `${name}: ${value}\r\n`);
			socket.write(`HTTP/1.1 407 Proxy Authentication Required\r\n${lines.join('')}\r\n`);
			// The page arrives after the headers.
			setTimeout(() => socket.end(page), 20);
		});
		const port = await listenOnFreePort(server);
		expectFailure(await getFailure(`http://us%40er:p%23w@127.0.0.1:${port}`), port, reason);
		const credentials = Buffer.from('us@er:p#w').toString('base64');
		expect(seen).toEqual(['api.vendor.example:443', `Basic ${credentials}`]);
	});
});
