import { createServer } from 'node:net';

/** A free port: the one that is wished for, if possible. */
export async function freePort(wish = 0): Promise<number> {
	const server = createServer();
	const isListening = await new Promise<boolean>((resolve, reject) => {
		server.once('error', (error) => (wish === 0 ? reject(error) : resolve(false)));
		server.listen(wish, '127.0.0.1', () => resolve(true));
	});
	if (!isListening) return await freePort();
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === 'string') throw new Error('No free port was found.');
	return address.port;
}
