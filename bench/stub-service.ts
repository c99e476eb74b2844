import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { briefIdOf } from './journal-file';

export interface StubService {
	url: string;
	/** `GET /licences` and the like, in the order of their arrival. */
	readonly requests: string[];
	/** Until the first create has come. */
	readonly firstOrder: Promise<void>;
	close(): Promise<void>;
}

/**
 * A service that has written the first `briefs` briefs of a batch this month, and takes one order, which never ends: for
 * what brief-batch does before it orders. The sandbox cannot begin with briefs that a journal names.
 */
export async function startStub(briefs: number): Promise<StubService> {
	const start = Date.now() - 60_000;
	const summaryOf = (index: number) => {
		const at = new Date(start - (briefs - index) * 60_000).toISOString();
		const id = briefIdOf(index);
		return {
			id,
			status: 'ready',
			product_name: `Steel bottle number ${index}`,
			title: 'A title',
			created_at: at,
			updated_at: at,
			finished_at: at,
			url: `https://app.example/${id}`,
		};
	};
	const fullOf = (index: number, status: string) => ({
		...summaryOf(index),
		status,
		input: {},
		markdown: '# A brief',
		document: {},
		sources: [],
		warnings: [],
		error_code: null,
		revision: 1,
	});
	const pageFrom = (cursor: string | null, limit: number) => {
		const from = cursor === null ? briefs : Number(cursor);
		const data = Array.from({ length: Math.min(limit, from) }, (_, i) => summaryOf(from - 1 - i));
		return { data, next_cursor: from > limit ? String(from - limit) : null };
	};
	const requests: string[] = [];
	let ordered: () => void = () => undefined;
	const firstOrder = new Promise<void>((resolve) => (ordered = resolve));
	const server = createServer((request, response) => {
		const { method = '', url = '' } = request;
		const { pathname, searchParams } = new URL(url, 'http://stub');
		requests.push(`${method} ${pathname}`);
		const answer = (status: number, body: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		if (method === 'POST') {
			ordered();
			return answer(202, fullOf(briefs, 'queued'));
		}
		if (pathname.endsWith('/licences')) return answer(200, { data: [LICENCE] });
		if (pathname.endsWith('/briefs')) {
			const limit = Number(searchParams.get('limit') ?? 20);
			return answer(200, pageFrom(searchParams.get('cursor'), limit));
		}
		const id = pathname.split('/').at(-1) ?? '';
		return answer(200, { ...fullOf(0, 'ready'), id });
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		requests,
		firstOrder,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

const LICENCE = {
	product: 'creator-briefs',
	name: 'Creator Briefs',
	channels: ['api'],
	monthly_allowance: 1_000_000,
	used_this_month: 0,
	renews_or_ends_at: null,
};
