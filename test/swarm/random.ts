/** Random choices that a seed repeats (mulberry32). */
export class Random {
	constructor(private state: number) {}

	/** Returns an integer from 0 to `count` - 1. */
	next(count: number): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
	}

	chance(percent: number): boolean {
		return this.next(100) < percent;
	}

	pick<T>(values: readonly [T, ...T[]] | readonly T[]): T {
		return values[this.next(values.length)] as T;
	}

	/** Returns each value with a chance of one half. */
	subset<T>(values: readonly T[]): T[] {
		return values.filter(() => this.chance(50));
	}
}
