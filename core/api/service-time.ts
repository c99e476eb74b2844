import type { Now } from './ports';
import { parseTimestamp } from './timestamps';

const CLOCK_DIFFERENCE_MS = 120_000;
const SAMPLES = 5;

/** The lead of the service's clock over this machine's, by the Date headers of its answers. */
export class ServiceTime {
	private samples: number[] = [];
	private lastAt = -Infinity;

	/** Uses one Date header, with the times of this machine's clock at which its answer came and was asked for. */
	observe(date: string | undefined, now: number, askedAt = now): void {
		const instant = parseTimestamp(date);
		if (instant === null) return;
		const isKnown = this.samples.length > 0;
		// The computer slept meanwhile, or its clock was set: the next answer is better.
		if (isKnown && now - askedAt > CLOCK_DIFFERENCE_MS) return;
		if (isKnown && this.wasSetAhead(instant - askedAt, now)) this.samples = [];
		this.samples.push(instant - now);
		if (this.samples.length > SAMPLES) this.samples.shift();
		this.lastAt = now;
	}

	/**
	 * Checks whether this machine's clock was set ahead since the last answer, which makes earlier answers useless. A jump
	 * is never larger than the time that seems to have passed, so a larger difference is an odd proxy's.
	 * @param most how far the service's clock can be ahead at most, by the newest answer
	 */
	private wasSetAhead(most: number, now: number): boolean {
		const by = this.offset() - most;
		return by > CLOCK_DIFFERENCE_MS && by <= now - this.lastAt;
	}

	/** Milliseconds to add to this machine's clock. The median, so that one slow answer or odd proxy does not move it. */
	offset(): number {
		const sorted = this.samples.toSorted((a, b) => a - b);
		return sorted[Math.floor(sorted.length / 2)] ?? 0;
	}
}
