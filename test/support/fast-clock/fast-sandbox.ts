import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { fastGlobals, fastTime } from './fast-clock.cjs';

export const PRELOAD = resolve(__dirname, 'fast-clock.cjs');

/** Arguments of Node, before those of the program: it runs in the time of `FastClock.env`, if that is among its variables. */
export const IN_FAST_TIME = ['--import', pathToFileURL(PRELOAD).href];

/**
 * A time that runs so many times as fast, for a sandbox and for all who use it: without any setting of theirs, they do in
 * seconds what takes minutes. A real n8n does not get it, because the browser beside it has the usual time.
 */
export class FastClock {
	private readonly start = Date.now();
	readonly now: () => number;

	constructor(readonly factor: number) {
		this.now = fastTime(factor, this.start);
	}

	/** The variables of a process that has this time. */
	get env(): Record<string, string> {
		return { FAST_CLOCK_FACTOR: String(this.factor), FAST_CLOCK_START: String(this.start) };
	}

	/** Does something in this process in this time. */
	async during<T>(work: () => Promise<T>): Promise<T> {
		const { Date, performance, setTimeout, setInterval } = globalThis;
		Object.assign(globalThis, fastGlobals(this.factor, this.now));
		try {
			return await work();
		} finally {
			Object.assign(globalThis, { Date, performance, setTimeout, setInterval });
		}
	}
}

/** A sandbox in the time that its `speed` says. */
export async function startFastSandbox({ speed = 1, ...options }: SandboxOptions): Promise<{
	sandbox: Sandbox;
	clock: FastClock;
}> {
	const clock = new FastClock(speed);
	return { sandbox: await startSandbox({ ...options, clock }), clock };
}
