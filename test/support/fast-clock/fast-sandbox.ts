import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { makeFastTime } from './fast-clock.cjs';

export const FAST_CLOCK_FILE = resolve(__dirname, 'fast-clock.cjs');

/** Arguments of Node.js that come before the program, which then runs in the time of `FastClock.env`. */
export const FAST_TIME_ARGS = ['--import', pathToFileURL(FAST_CLOCK_FILE).href];

/**
 * A time that runs `factor` times as fast as real time. A sandbox and the programs that use it share it, so that a test of
 * minutes takes seconds. A real n8n does not use it, because the browser next to it runs in real time.
 *
 *     const { sandbox, clock } = await startFastSandbox({ speed: 60 });
 *     spawn(process.execPath, [...FAST_TIME_ARGS, 'program.js'], { env: { ...process.env, ...clock.env } });
 */
export class FastClock {
	private readonly start = Date.now();
	readonly now: () => number;

	constructor(readonly factor: number) {
		this.now = makeFastTime(factor, this.start);
	}

	/** The environment variables of a process that runs in this time. */
	get env(): Record<string, string> {
		return { FAST_CLOCK_FACTOR: String(this.factor), FAST_CLOCK_START: String(this.start) };
	}
}

/** Starts a sandbox in a time that runs `speed` times as fast as real time. */
export async function startFastSandbox({ speed = 1, ...options }: SandboxOptions): Promise<{
	sandbox: Sandbox;
	clock: FastClock;
}> {
	const clock = new FastClock(speed);
	return { sandbox: await startSandbox({ ...options, clock }), clock };
}
