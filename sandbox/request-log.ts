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
	/** Status of the answer; null while there is none or where the connection was reset without one. */
	status: number | null;
	/** Real time and sandbox time of its arrival, in ms. */
	at: number;
	sandboxAt: number;
	/** null for a request with no key or an unknown one. */
	key: KeyName | null;
	/** From the header or the body. */
	idempotencyKey: string | null;
	briefId: string | null;
	/** The Host header: it shows whether a redirect was followed. */
	host: string;
	/** Whether an Authorization header came along. */
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
