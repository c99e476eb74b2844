import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Posted {
	path: string;
	headers: IncomingHttpHeaders;
	body: Record<string, unknown> & { text: string };
}

/** Where notifications arrive. */
export interface WebhookServer {
	/** Ends in a secret. */
	url: string;
	posted: Posted[];
	/** How the next posts are answered, one after the other; 200 when none is left. `hang` answers nothing, `endless` 200 and never ends. */
	answers: Array<number | 'hang' | 'cut' | 'endless'>;
	close(): Promise<void>;
}

export async function startWebhook(): Promise<WebhookServer> {
	const posted: Posted[] = [];
	const answers: WebhookServer['answers'] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
		request.on('end', () => {
			const body = JSON.parse(text === '' ? '{}' : text) as Posted['body'];
			posted.push({ path: request.url ?? '', headers: request.headers, body });
			const answer = answers.shift() ?? 200;
			if (answer === 'hang') return;
			if (answer === 'endless') return void response.writeHead(200).write('ok');
			if (answer === 'cut') return void request.socket.destroy();
			response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end('ok');
		});
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/services/T0/SECRET?token=hidden`,
		posted,
		answers,
		close: () =>
			new Promise((done) => {
				server.closeAllConnections();
				server.close(() => done());
			}),
	};
}
