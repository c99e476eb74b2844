import { isTransient, type ServiceError } from '../../core/api/errors';
import { MAX_OUTAGE_MS } from '../../core/api/retry';

/** A wait for the service. Times are by this machine's clock. */
export interface Outage {
	readonly since: number;
	readonly until: number;
	readonly error: ServiceError;
}

/** Tracks an outage or rate limit, so that a run can say what it is waiting for. */
export class OutageWatch {
	private outage: Outage | null = null;

	/** The outage or rate limit that is being waited out; null if the last request was answered. */
	get current(): Outage | null {
		return this.outage;
	}

	/** @param error of a request; null if it was answered */
	record(error: ServiceError | null, now: number): void {
		const isOutage = error !== null && isTransient(error.kind) && error.kind !== 'slots_busy';
		if (!isOutage) {
			this.outage = null;
			return;
		}
		const since = this.outage?.since ?? now;
		this.outage = { since, until: error.retryAt ?? since + MAX_OUTAGE_MS, error };
	}
}
