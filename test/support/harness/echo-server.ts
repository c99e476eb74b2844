import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EchoServer {
	url: string;
	close: () => Promise<void>;
}

/** Answers with the query of each request. /slow never answers, and /probe takes the key `right` only. */
export async function startEchoServer(): Promise<EchoServer> {
	const server = createServer((incoming, answer) => {
		const { searchParams, pathname } = new URL(incoming.url ?? '/', 'http://localhost');
		if (pathname === '/slow') return;
		const key = incoming.headers.authorization;
		const isRefused = pathname === '/probe' && key !== 'Bearer right';
		const body = pathname === '/probe' ? { key } : Object.fromEntries(searchParams);
		answer.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' });
		answer.end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
