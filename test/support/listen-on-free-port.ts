import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

const open: Server[] = [];
afterEach(async () => {
	await Promise.all(
		open.splice(0).map((server) => {
			if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
			return new Promise((done) => server.close(done));
		}),
	);
});

/** Lets a server listen on 127.0.0.1 until the test has ended, and returns its port. */
export async function listenOnFreePort(server: Server): Promise<number> {
	open.push(server);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	return (server.address() as AddressInfo).port;
}
