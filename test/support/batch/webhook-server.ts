import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listening } from '../listening';

interface Posted {
	path: string;
	headers: IncomingHttpHeaders;
	body: Record<string, unknown> & { text: string };
}

/** Where notifications arrive, until the test has ended. */
export interface WebhookServer {
	/** Ends in a secret. */
	url: string;
	posted: Posted[];
	/** How the next posts are answered, one after the other; 200 when none is left. `hang` answers nothing, `endless` 200 and never ends. */
	answers: Array<number | 'hang' | 'cut' | 'endless'>;
	/** Called when a post has arrived that is answered nothing. */
	onHang: () => void;
}

export async function startWebhook(): Promise<WebhookServer> {
	const server: WebhookServer = { url: '', posted: [], answers: [], onHang: () => undefined };
	const { posted, answers } = server;
	const listener = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
		request.on('end', () => {
			const body = JSON.parse(text === '' ? '{}' : text) as Posted['body'];
			posted.push({ path: request.url ?? '', headers: request.headers, body });
			const answer = answers.shift() ?? 200;
			if (answer === 'hang') return server.onHang();
			if (answer === 'endless') return void response.writeHead(200).write('ok');
			if (answer === 'cut') return void request.socket.destroy();
			response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end('ok');
		});
	});
	server.url = `http://127.0.0.1:${await listening(listener)}/services/T0/SECRET?token=hidden`;
	return server;
}
