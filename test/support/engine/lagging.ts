import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../../sandbox/sandbox';
import type { Target } from './engine';

const servers: Server[] = [];
afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

/** How a get answers while it lags behind the list: with the brief before its end, or as if there were none. */
export type Lag = 'unfinished' | 'unknown';

/**
 * A sandbox whose gets lag behind its list: as long as `lagOf` says so for a brief's ID.
 * @param beforeCreate called before a create reaches the sandbox
 */
export async function laggingTarget(
	sandbox: Sandbox,
	lagOf: (id: string) => Lag | undefined,
	beforeCreate: () => void = () => undefined,
): Promise<Target> {
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const chunks: Buffer[] = [];
			for await (const chunk of incoming) chunks.push(chunk as Buffer);
			if (incoming.method === 'POST') beforeCreate();
			const { authorization = '', 'content-type': type = 'application/json' } = incoming.headers;
			const answer = await fetch(`${new URL(sandbox.url).origin}${incoming.url ?? ''}`, {
				method: incoming.method,
				headers: { authorization, 'content-type': type },
				body: chunks.length === 0 ? undefined : Buffer.concat(chunks),
			});
			const id = /\/briefs\/([^/?]+)$/.exec(incoming.url ?? '')?.[1];
			const lag = id === undefined || !answer.ok ? undefined : lagOf(id);
			const text = await answer.text();
			outgoing.writeHead(lag === 'unknown' ? 404 : answer.status, {
				'content-type': 'application/json',
				// The sandbox has a time of its own.
				date: answer.headers.get('date') ?? '',
			});
			outgoing.end(lag === undefined ? text : behind(text, lag));
		})();
	});
	servers.push(server);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/v1`, key: sandbox.keys.allScopes };
}

function behind(text: string, lag: Lag): string {
	if (lag === 'unknown') {
		return JSON.stringify({ error: { code: 'not_found', message: 'No such brief' } });
	}
	const earlier = { status: 'checking', title: null, markdown: null, document: null };
	return JSON.stringify({ ...(JSON.parse(text) as object), ...earlier, finished_at: null });
}
