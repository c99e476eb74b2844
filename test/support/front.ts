import { createServer } from 'node:http';
import type { Sandbox } from '../../sandbox/sandbox';
import { listening } from './listening';

interface FrontAnswer {
	status: number;
	body: string;
}

/** What the proxy before the sandbox does with a request: `pass` sends it on, to this path and query. */
type Front = (
	request: { method: string; path: string },
	pass: (path: string) => Promise<FrontAnswer>,
) => Promise<FrontAnswer>;

/** Starts a server that answers in the sandbox’s place until the test has ended, and gives its address. */
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
				// The sandbox has a time of its own.
				headers['date'] = answer.headers.get('date') ?? '';
				return { status: answer.status, body: await answer.text() };
			};
			const { status, body } = await front({ method, path }, pass);
			outgoing.writeHead(status, headers).end(body);
		})();
	});
	return `http://127.0.0.1:${await listening(server)}/v1`;
}

/** A service that shows its licence for creator briefs in another way. */
export function withLicence(changes: Readonly<Record<string, unknown>>): Front {
	return async ({ path }, pass) => {
		const answer = await pass(path);
		if (!path.endsWith('/licences')) return answer;
		const { data } = JSON.parse(answer.body) as { data: object[] };
		const [ownBrief, ...others] = data;
		return { ...answer, body: JSON.stringify({ data: [{ ...ownBrief, ...changes }, ...others] }) };
	};
}
