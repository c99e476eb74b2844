import type { Clock } from './ports';
import { instantOf } from './timestamps';

const SAMPLES = 5;

/** How far the service's clock is ahead of this machine's, from the Date headers of its answers. */
export class ServiceTime {
	private readonly samples: number[] = [];

	/** Takes in one Date header, and the time of this machine's clock at which it came. */
	observe(date: string | undefined, now: number): void {
		const instant = instantOf(date);
		if (instant === null) return;
		this.samples.push(instant - now);
		if (this.samples.length > SAMPLES) this.samples.shift();
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
