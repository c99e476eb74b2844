import type { IncomingMessage } from 'node:http';
import type { OperationId, OperationRequest } from '../contract';
import type { FaultKind } from '../faults';
import type { KeyName } from '../keys';
import type { Answer } from '../state';

/** A request as it arrived. */
export interface WireRequest extends OperationRequest {
	query: Record<string, string | string[]>;
}

/** An answer as it is sent. */
export interface Reply {
	status: number;
	headers: Record<string, string>;
	text: string;
	/** The brief that the request was about. */
	briefId?: string | undefined;
}

/** A request in the log of the sandbox. */
export interface LoggedRequest {
	method: string;
	path: string;
	query: WireRequest['query'];
	/** undefined for an address that is not in docs/api.md. */
	operation: OperationId | undefined;
	/** null without an answer yet, or if the connection was reset. */
	status: number | null;
	/** When it arrived, in real time and in sandbox time, in ms. */
	at: number;
	sandboxAt: number;
	/** null for a missing or unknown key. */
	key: KeyName | null;
	/** The brief that it was about. */
	briefId: string | null;
	fault: FaultKind | null;
}

/** More than the longest valid order. */
export const MAX_BODY_BYTES = 1_000_000;

/** Returns undefined for a body of more than MAX_BODY_BYTES. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= MAX_BODY_BYTES) chunks.push(chunk);
	}
	return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

export function toWireRequest(request: IncomingMessage, body: string): WireRequest {
	const url = new URL(request.url ?? '/', 'http://sandbox');
	const query: WireRequest['query'] = {};
	for (const name of new Set(url.searchParams.keys())) {
		const values = url.searchParams.getAll(name);
		query[name] = values.length === 1 ? values.join() : values;
	}
	const headers = Object.fromEntries(
		Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
	);
	return { method: request.method ?? '', path: url.pathname, query, headers, body };
}

export function toJsonReply({ status, headers, body, briefId }: Answer): Reply {
	return {
		status,
		headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
		text: JSON.stringify(body),
		briefId,
	};
}
