import type { OperationId } from '../../service/operations';
import { SendFailure, type Clock, type Send } from '../../service/ports';

/** One request and what came of it, as it was sent and answered. */
export interface Exchange {
	operation: OperationId;
	query: Readonly<Record<string, string>>;
	/** Null where no whole answer came; then `failure` says why. */
	status: number | null;
	headers: Readonly<Record<string, string>>;
	/** The JSON of the answer, undefined where it is none. */
	body: unknown;
	took_ms: number;
	failure: SendFailure | null;
}

/** Sends GETs only, whoever asks for more, and keeps each with its answer in `log`. */
export function recordingGets(send: Send, clock: Pick<Clock, 'now'>, log: Exchange[]): Send {
	return async (request, signal) => {
		const { operation, query, method } = request;
		if (method !== 'GET') throw new Error(`doctor sends no ${method}`);
		const began = clock.now();
		const keep = (answer: Pick<Exchange, 'status' | 'headers' | 'body' | 'failure'>) =>
			log.push({ operation, query, took_ms: clock.now() - began, ...answer });
		try {
			const response = await send(request, signal);
			const { status, headers } = response;
			keep({ status, headers, body: jsonOf(response.body), failure: null });
			return response;
		} catch (error) {
			if (error instanceof SendFailure)
				keep({ status: null, headers: {}, body: undefined, failure: error });
			throw error;
		}
	};
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
