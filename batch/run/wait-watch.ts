import { isTransient, type ServiceError } from '../../core/api/errors';
import type { Clock } from '../../core/api/ports';
import { MAX_FIRST_READ_MS, MAX_OUTAGE_MS, MAX_RATE_LIMIT_WAIT_MS } from '../../core/api/retry';
import { REQUEST_TIMEOUT_MS } from '../../core/api/transport';

/** Times are by this machine's clock. */
export interface TimeSpan {
	readonly since: number;
	readonly until: number;
}

export interface Outage extends TimeSpan {
	readonly error: ServiceError;
}

/**
 * The waits of a run, other than waits for slots and briefs, so that every view can name them:
 *
 *     outage      the service has not answered, or has declared a rate limit
 *     requests    on their way to the service
 *     listWaits   orders whose keys the service might have forgotten, until the brief list must show their briefs
 */
export class WaitWatch {
	private outage: Outage | null = null;
	private readonly requests = new Set<TimeSpan>();
	private readonly listWaits = new Set<TimeSpan>();

	constructor(private readonly clock: Clock) {}

	/** Null if the last request was answered. */
	get currentOutage(): Outage | null {
		return this.outage;
	}

	/** The request that was sent first; undefined if none is on its way. */
	get oldestRequest(): TimeSpan | undefined {
		return [...this.requests][0];
	}

	/** The waits for the brief list, one per order. */
	get currentListWaits(): readonly TimeSpan[] {
		return [...this.listWaits];
	}

	/**
	 * @param error of a request; null if it was answered
	 * @param hasAnswered true if the service has ever answered
	 */
	recordAnswer(error: ServiceError | null, hasAnswered: boolean): void {
		if (error === null || !isTransient(error.kind)) {
			this.outage = null;
			return;
		}
		const now = this.clock.now();
		const since = this.outage?.since ?? now;
		this.outage = { since, until: findLatestEnd(error, since, now, hasAnswered), error };
	}

	async nameRequest<T>(send: () => Promise<T>): Promise<T> {
		return await this.name(this.requests, REQUEST_TIMEOUT_MS, send);
	}

	/** @param ms how long the list can still take */
	async nameListWait(ms: number, wait: () => Promise<void>): Promise<void> {
		await this.name(this.listWaits, ms, wait);
	}

	private async name<T>(waits: Set<TimeSpan>, ms: number, work: () => Promise<T>): Promise<T> {
		const since = this.clock.now();
		const span = { since, until: since + ms };
		waits.add(span);
		try {
			return await work();
		} finally {
			waits.delete(span);
		}
	}
}

/** A request that began later can wait longer: then the limit counts from now. */
function findLatestEnd(
	{ kind, retryAt }: ServiceError,
	since: number,
	now: number,
	hasAnswered: boolean,
): number {
	if (kind === 'rate_limited') return retryAt ?? now + MAX_RATE_LIMIT_WAIT_MS;
	const limit = hasAnswered ? MAX_OUTAGE_MS : MAX_FIRST_READ_MS;
	const until = since + limit;
	return Math.max(until > now ? until : now + limit, retryAt ?? 0);
}
