import { CLOCK_DIFFERENCE_MS } from './assumptions';
import type { Clock } from './ports';
import { instantOf } from './timestamps';

const SAMPLES = 5;

/** How far the service's clock is ahead of this machine's, from the Date headers of its answers. */
export class ServiceTime {
	private samples: number[] = [];
	private lastAt = -Infinity;

	/** Takes in one Date header, and the times of this machine's clock at which its answer came and was asked for. */
	observe(date: string | undefined, now: number, askedAt = now): void {
		const instant = instantOf(date);
		if (instant === null) return;
		const isKnown = this.samples.length > 0;
		// A computer slept meanwhile, or its clock was set: the next answer tells more.
		if (isKnown && now - askedAt > CLOCK_DIFFERENCE_MS) return;
		if (isKnown && this.wasSetAhead(instant - askedAt, now)) this.samples = [];
		this.samples.push(instant - now);
		if (this.samples.length > SAMPLES) this.samples.shift();
		this.lastAt = now;
	}

	/**
	 * Whether this machine's clock was set ahead since the last answer, so that those before it say nothing any more. By
	 * no more than the time that has passed by it since: an odd proxy is seldom wrong by so little.
	 * @param most how far the service's clock can be ahead at most, as the newest answer tells it
	 */
	private wasSetAhead(most: number, now: number): boolean {
		const by = this.offset() - most;
		return by > CLOCK_DIFFERENCE_MS && by <= now - this.lastAt;
	}

	/**
	 * Milliseconds to add to this machine's clock. The median, so that one slow answer or one odd proxy does not move it.
	 */
	offset(): number {
		const sorted = [...this.samples].sort((a, b) => a - b);
		return sorted[Math.floor(sorted.length / 2)] ?? 0;
	}
}

/**
 * When a brief was created, as a time of this machine's clock; null where its own time cannot be read. That counts from
 * the service's clock, because this machine's may be wrong or have been set since, and is never in the future.
 */
export function createdByOurClock(
	{ created_at }: { created_at: unknown },
	service: Pick<Clock, 'now'>,
	clock: Pick<Clock, 'now'>,
): number | null {
	const created = instantOf(created_at);
	const now = clock.now();
	return created === null ? null : Math.min(now, created - service.now() + now);
}
