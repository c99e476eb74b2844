import { createServer } from 'node:http';
import type { Sandbox } from '../../sandbox/sandbox';
import { listenOnFreePort } from './listen-on-free-port';

interface FrontAnswer {
	status: number;
	body: string;
}

/** How a proxy before the sandbox answers a request. `pass` sends the request on, to a path with a query. */
type Front = (
	request: { method: string; path: string },
	pass: (path: string) => Promise<FrontAnswer>,
) => Promise<FrontAnswer>;

/** Starts a proxy before the sandbox, until the test has ended. Returns its base URL. */
export async function startFront(sandbox: Pick<Sandbox, 'url'>, front: Front): Promise<string> {
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const chunks: Buffer[] = [];
			for await (const chunk of incoming) chunks.push(chunk as Buffer);
			const { authorization = '', 'content-type': type = 'application/json' } = incoming.headers;
			const { method = '', url: path = '' } = incoming;
			const headers: Record<string, string> = { 'content-type': 'application/json' };
			const pass = async (to: string): Promise<FrontAnswer> => {
				const answer = await fetch(`${new URL(sandbox.url).origin}${to}`, {
					method,
					headers: { authorization, 'content-type': type },
					body: chunks.length === 0 ? undefined : Buffer.concat(chunks),
				});
				// The sandbox has a virtual clock.
				headers['date'] = answer.headers.get('date') ?? '';
				return { status: answer.status, body: await answer.text() };
			};
			const { status, body } = await front({ method, path }, pass);
			outgoing.writeHead(status, headers).end(body);
		})();
	});
	return `http://127.0.0.1:${await listenOnFreePort(server)}/v1`;
}

/** Changes the licence for creator briefs. */
export function withLicence(changes: Readonly<Record<string, unknown>>): Front {
	return async ({ path }, pass) => {
		const answer = await pass(path);
		if (!path.endsWith('/licences')) return answer;
		const { data } = JSON.parse(answer.body) as { data: object[] };
		const [licence, ...others] = data;
		return { ...answer, body: JSON.stringify({ data: [{ ...licence, ...changes }, ...others] }) };
	};
}
