import { createServer } from 'node:http';
import type { Sandbox } from '../../sandbox/sandbox';
import { listenOnFreePort } from './listen-on-free-port';

interface ProxyAnswer {
	status: number;
	body: string;
}

/** Answers a request in place of the sandbox. `forward` sends the request to the sandbox, with another path and query. */
type AnswerRequest = (
	request: { method: string; path: string },
	forward: (path: string) => Promise<ProxyAnswer>,
) => Promise<ProxyAnswer>;

/** Starts a proxy in front of the sandbox until the test has ended, and returns its base URL. */
export async function startProxy(
	sandbox: Pick<Sandbox, 'url'>,
	answerRequest: AnswerRequest,
): Promise<string> {
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const chunks: Buffer[] = [];
			for await (const chunk of incoming) chunks.push(chunk as Buffer);
			const { authorization = '', 'content-type': type = 'application/json' } = incoming.headers;
			const { method = '', url: path = '' } = incoming;
			const headers: Record<string, string> = { 'content-type': 'application/json' };
			const forward = async (to: string): Promise<ProxyAnswer> => {
				const answer = await fetch(`${new URL(sandbox.url).origin}${to}`, {
					method,
					headers: { authorization, 'content-type': type },
					body: chunks.length === 0 ? undefined : Buffer.concat(chunks),
				});
				// Clients compute waits from the Date header, and the sandbox has a virtual clock.
				headers['date'] = answer.headers.get('date') ?? '';
				return { status: answer.status, body: await answer.text() };
			};
			const { status, body } = await answerRequest({ method, path }, forward);
			outgoing.writeHead(status, headers).end(body);
		})();
	});
	return `http://127.0.0.1:${await listenOnFreePort(server)}/v1`;
}

/** Forwards every request, and changes the licence for creator briefs. */
export function changeLicence(changes: Readonly<Record<string, unknown>>): AnswerRequest {
	return async ({ path }, forward) => {
		const answer = await forward(path);
		if (!path.endsWith('/licences')) return answer;
		const { data } = JSON.parse(answer.body) as { data: object[] };
		const [licence, ...others] = data;
		return { ...answer, body: JSON.stringify({ data: [{ ...licence, ...changes }, ...others] }) };
	};
}
