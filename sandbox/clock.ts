export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Seconds of this clock per second of the machine, if clients use this clock too; otherwise 1. */
	readonly factor?: number | undefined;
}

/** The sandbox's clock: every time that the service shows comes from it. */
export interface SandboxClock extends Clock {
	/** Sandbox seconds per second of the client. */
	readonly speed: number;
	advance(ms: number): void;
}

interface ClockOptions {
	/** A clock that the clients share, in place of `speed`. */
	clock?: Clock;
	startAt?: number;
	speed?: number;
}

/** Starts a clock: sandbox time = start + elapsed time × speed. */
export function startClock({ clock, startAt, speed = 1 }: ClockOptions): SandboxClock {
	// Date.now() can jump; performance.now() only advances.
	const source = clock ?? { now: () => performance.now() * speed };
	const base = source.now();
	const start = startAt ?? clock?.now() ?? Date.now();
	let advanced = 0;
	return {
		speed: clock === undefined ? speed : 1,
		factor: clock?.factor,
		now: () => Math.floor(start + source.now() - base) + advanced,
		advance: (ms) => (advanced += ms),
	};
}

/** Formats a time for answers. docs/api.md section 2 leaves the format open. */
export function toTimestamp(ms: number): string {
	return new Date(ms).toISOString();
}

/** Returns the start of the UTC month of `now`, or of a later month (docs/api.md section 8). */
export function getMonthStart(now: number, monthsLater = 0): number {
	const date = new Date(now);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1);
}

/** Converts a wait to the client's seconds and rounds it up. In sandbox seconds, it would be `speed` times too long. */
export function toClientSeconds(clock: SandboxClock, sandboxMs: number): number {
	return Math.max(1, Math.ceil(sandboxMs / clock.speed / 1000));
}
