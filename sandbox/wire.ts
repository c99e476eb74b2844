import type { IncomingMessage } from 'node:http';
import type { OperationRequest, WireRequest } from './contract';
import { keys, type Key } from './keys';

export const BIGGEST_BODY = 1_000_000;

/** undefined for a request with no key or an unknown one. */
export function keyOf(request: OperationRequest): Key | undefined {
	const [, secret] = /^Bearer +(\S+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
	return Object.values(keys).find((key) => key.secret === secret);
}

/** From the header or the body (docs/api.md section 4.3), whatever else is wrong with the request. */
export function idempotencyKeyOf(request: OperationRequest, body: unknown): string | undefined {
	const inBody = isObject(body) && 'idempotency_key' in body ? body.idempotency_key : undefined;
	return request.headers['idempotency-key'] ?? (typeof inBody === 'string' ? inBody : undefined);
}

export function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

export function wireRequest(request: IncomingMessage, body: string): WireRequest {
	const url = new URL(request.url ?? '/', 'http://sandbox');
	const query: WireRequest['query'] = {};
	for (const name of new Set(url.searchParams.keys())) {
		const values = url.searchParams.getAll(name);
		query[name] = values.length === 1 ? (values[0] ?? '') : values;
	}
	const headers = Object.fromEntries(
		Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
	);
	return { method: request.method ?? '', path: url.pathname, query, headers, body };
}

/** undefined for a body that is longer than any order can be. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= BIGGEST_BODY) chunks.push(chunk);
	}
	return size > BIGGEST_BODY ? undefined : Buffer.concat(chunks).toString('utf8');
}
