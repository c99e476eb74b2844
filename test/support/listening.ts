import type { Server as HttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { generate } from 'selfsigned';

const open: Server[] = [];
afterEach(async () => {
	await Promise.all(
		open.splice(0).map((server) => {
			if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
			return new Promise((done) => server.close(done));
		}),
	);
});

/** Lets a server listen on this machine until the test has ended. Returns its port. */
export async function listening(server: Server): Promise<number> {
	open.push(server);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	return (server.address() as AddressInfo).port;
}

/** Starts a server with a self-signed certificate. Returns its port. */
export function listeningSecurely(): Promise<number> {
	const { cert, private: key } = generate([{ name: 'commonName', value: 'localhost' }], {
		algorithm: 'sha256',
	});
	return listening(createServer({ cert, key }, (_, response) => response.end()));
}
