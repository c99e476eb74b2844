import type { OperationId } from './contract';
import type { FaultKind } from './faults';
import type { KeyName } from './keys';

/** One request, in the order of arrival. */
export interface LoggedRequest {
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	/** undefined for an address that is not in the specification. */
	operation: OperationId | undefined;
	/** Null without an answer yet, or if the connection was reset. */
	status: number | null;
	/** Real time and sandbox time of its arrival, in ms. */
	at: number;
	sandboxAt: number;
	/** null for a request with no key or an unknown one. */
	key: KeyName | null;
	/** From the header or the body. */
	idempotencyKey: string | null;
	briefId: string | null;
	/** The Host header, which shows whether a redirect was followed. */
	host: string;
	/** Whether the request had an Authorization header. */
	authorised: boolean;
	fault: FaultKind | null;
}

const MOST = 100_000;

/** Keeps the latest requests. */
export class RequestLog {
	readonly entries: LoggedRequest[] = [];

	add(entry: LoggedRequest): void {
		this.entries.push(entry);
		if (this.entries.length > MOST) this.entries.shift();
	}
}
