import { createServer, type Socket } from 'node:net';
import { listenOnFreePort } from './listen-on-free-port';

/**
 * Starts a server that answers the first bytes of each connection like this, until the test has ended. Returns its host and
 * port. It is no HTTP server, so it can be a proxy that closes a connection or a service that never answers.
 */
export async function listen(answer: (socket: Socket) => void): Promise<string> {
	const server = createServer((socket) => {
		socket.on('error', () => undefined).once('data', () => answer(socket));
	});
	return `127.0.0.1:${await listenOnFreePort(server)}`;
}
