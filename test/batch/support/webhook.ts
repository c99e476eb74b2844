import { createServer } from 'node:http';
import { listenOnFreePort } from '../../support/listen-on-free-port';

interface PostedBody {
	readonly text: string;
	readonly exit_code?: number;
	readonly briefs?: ReadonlyArray<{ readonly row: number; readonly product_name: string }>;
	readonly attention?: readonly object[];
}

/** Starts a webhook until the end of the test. Returns its address and the bodies that are posted to it. */
export async function startWebhook(
	status = 200,
): Promise<{ url: string; bodies: readonly PostedBody[] }> {
	const bodies: PostedBody[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (bytes) => (text += String(bytes)));
		request.on('end', () => {
			bodies.push(JSON.parse(text) as PostedBody);
			response.writeHead(status).end('ok');
		});
	});
	return { bodies, url: `http://127.0.0.1:${await listenOnFreePort(server)}/secret` };
}
