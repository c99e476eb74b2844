/** Milliseconds since 1970, as Date.now() gives them. */
export interface Clock {
	now(): number;
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

/** A clock that a test moves. A second of it is a second of the client. */
export function injectedClock(clock: Clock): SandboxClock {
	function refuse(): never {
		throw new Error('The sandbox runs on an injected clock: move that clock instead');
	}
	return { speed: 1, now: () => clock.now(), setTime: refuse, advance: refuse };
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
