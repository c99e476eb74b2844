import type { PollInterval } from '../api/limits';
import type { Clock } from '../api/ports';
import { chooseReadLimits, withRetries, type RetryLimits } from '../api/retry';
import type { ApiClient } from '../api/client';

/** What every request needs. n8n has one context per execution, brief-batch has one per run. */
export interface RequestContext {
	readonly client: ApiClient;
	readonly clock: Clock;
	/** Aborted by Ctrl-C, or by Stop in n8n. */
	readonly signal?: AbortSignal;
	/** The time between two polls. In n8n, each execution has its own. */
	readonly pollInterval: PollInterval;
	/** Limits for retries of a GET once the service has answered. */
	readonly readLimits: RetryLimits;
	/** Limits for retries of a create request without an answer. */
	readonly createLimits: RetryLimits;
}

/**
 * Sends a GET and retries transient failures within `readLimits`.
 * @throws {ServiceError} the last error
 */
export function readWithRetries<T>(
	context: RequestContext,
	send: (client: ApiClient) => Promise<T>,
): Promise<T> {
	const { client, readLimits } = context;
	const getLimits = () => chooseReadLimits(readLimits, client.hasAnswered);
	return withRetries(() => send(client), { ...context, getLimits });
}
