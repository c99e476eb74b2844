import { createServer, type AddressInfo } from 'node:net';

/** Returns the preferred port if it is free, or any free port. */
export async function findFreePort(preferred = 0): Promise<number> {
	const server = createServer();
	const isListening = await new Promise<boolean>((resolve) => {
		server.once('error', () => resolve(false));
		server.listen(preferred, '127.0.0.1', () => resolve(true));
	});
	if (!isListening) return await findFreePort();
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
