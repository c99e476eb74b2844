import type { Socket } from 'node:net';
import { runNode } from '../support/engine/engine';
import { continuing, create, get } from '../support/engine/fixtures';
import { getEngineClock } from '../support/engine/time';
import { listen } from '../support/raw-server';

const SERVICE = { url: 'https://api.vendor.example/v1', key: 'secret-key' };
const ITEM = { id: '7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11', name: 'Mug' };
const FORM = 'Its form is http://user:password@host:port.';

/** Lets n8n use a proxy that answers each tunnel like this. */
async function useProxy(answer: (socket: Socket) => void): Promise<void> {
	const address = `http://${await listen(answer)}`;
	jest.replaceProperty(process, 'env', { ...process.env, HTTPS_PROXY: address, NO_PROXY: '' });
}

function refuse(status: string, page: string): (socket: Socket) => void {
	const headers = `content-type: text/html\r\ncontent-length: ${page.length}\r\n`;
	return (socket) => socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n${page}`);
}

test.each<[what: string, answer: (socket: Socket) => void, error: string, step: string]>([
	[
		'closes the connection',
		(socket) => socket.end(),
		'the service cannot be reached: the proxy closed the connection',
		`Check the proxy in HTTPS_PROXY, or remove the variable. ${FORM}`,
	],
	[
		'asks for a password',
		refuse('407 No', '<html><title>Sign in first</title>'),
		'a proxy asks for a user name and a password (407): “Sign in first”',
		`Add them to HTTPS_PROXY. ${FORM}`,
	],
	[
		'refuses the host',
		refuse('403 No', '<html><title>Blocked host</title>'),
		'something other than the service answered (403): “Blocked host”',
		'Check the base URL',
	],
])('an item names a proxy that %s, with status and title', async (_what, answer, error, step) => {
	getEngineClock();
	await useProxy(answer);
	for (const node of [get(continuing), create(continuing)]) {
		const done = await runNode(SERVICE, [ITEM], node);
		const [item] = done.json(node.name) as Array<{ error: string; code: string; message: string }>;
		expect(item?.error.toLowerCase()).toContain(error.toLowerCase());
		expect(item?.code).toBe('service_unavailable');
		expect(item?.message).toContain(step);
	}
});
