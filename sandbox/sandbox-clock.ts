export interface Clock {
	/** Milliseconds since 1970, as Date.now() gives them. */
	now(): number;
	/** Its seconds per second of this machine, if a client has this clock too; otherwise 1. */
	readonly factor?: number | undefined;
}

/** The sandbox's clock, from which everything the service says about time comes. */
export interface SandboxClock extends Clock {
	/** Sandbox seconds per second of the client. */
	readonly speed: number;
	setTime(ms: number): void;
	advance(ms: number): void;
}

/** Sandbox time = start + elapsed × speed. */
export function fastClock(start: number, speed: number): SandboxClock {
	let base = start;
	let realBase = performance.now();
	const now = () => Math.floor(base + (performance.now() - realBase) * speed);
	function setTime(ms: number): void {
		base = ms;
		realBase = performance.now();
	}
	return { speed, now, setTime, advance: (ms) => setTime(now() + ms) };
}

/** A clock of which a second is a second of the client. */
export function injectedClock(clock: Clock, start = clock.now()): SandboxClock {
	let ahead = start - clock.now();
	const setTime = (ms: number) => (ahead = ms - clock.now());
	const advance = (ms: number) => (ahead += ms);
	const { factor } = clock;
	return { speed: 1, factor, now: () => clock.now() + ahead, setTime, advance };
}

/** The first moment of the UTC month that `now` is in (docs/api.md section 8: allowance per calendar month). */
export function monthStart(now: number): number {
	const date = new Date(now);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export function nextMonthStart(now: number): number {
	const date = new Date(now);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * How long a client must wait in its own seconds, rounded up. In sandbox seconds it would wait `speed` times too long.
 */
export function clientSeconds(clock: SandboxClock, sandboxMs: number): number {
	return Math.max(1, Math.ceil(sandboxMs / clock.speed / 1000));
}
