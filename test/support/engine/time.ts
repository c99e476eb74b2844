import type { ClientRequest } from 'node:http';
import { subscribe } from 'node:diagnostics_channel';
import timers from 'node:timers/promises';
import { clock } from '../../../nodes/shared/node-clock';
import { VirtualClock } from '../virtual-clock';

/** After this many turns of the event loop without a request, everything in n8n's engine sleeps. */
const QUIET_TURNS = 10;

/**
 * The clock of the nodes and the sandbox in a test. It stops while a request is being answered, and jumps to the end of the
 * next sleep when everything sleeps.
 */
class EngineTime extends VirtualClock {
	private readonly timeouts: Array<{ until: number; over: AbortController }> = [];
	private readonly conditions = new Set<() => boolean>();
	/** Requests that the sandbox answers late on purpose. */
	private delayed = 0;
	private quietTurns = 0;

	constructor() {
		// In the middle of a month, because the allowance changes at its end.
		super(Date.UTC(2026, 10, 12, 12));
		jest.spyOn(clock, 'now').mockImplementation(() => this.now());
		jest.spyOn(clock, 'sleep').mockImplementation((ms, signal) => this.sleep(ms, signal));
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => this.makeTimeout(ms));
		const delay = (ms = 0, _value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
			this.delay(ms, signal);
		jest.spyOn(timers, 'setTimeout').mockImplementation(delay);
	}

	/** Waits until the nodes meet a condition. No time passes before the next step of the test. */
	async waitUntil(isMet: () => boolean): Promise<void> {
		this.conditions.add(isMet);
		while (!isMet()) {
			if (time !== this) throw new Error('The test is over');
			await new Promise(setImmediate);
		}
		this.conditions.delete(isMet);
	}

	/** The clock does not jump to a timeout, because most timeouts are never reached. */
	private makeTimeout(ms: number): AbortSignal {
		const over = new AbortController();
		this.timeouts.push({ until: this.time + ms, over });
		return over.signal;
	}

	private async delay(ms: number, signal?: AbortSignal): Promise<void> {
		this.delayed += 1;
		await this.sleep(ms, signal).finally(() => (this.delayed -= 1));
	}

	protected override isBusy(): boolean {
		const isAnswering =
			openRequests > this.delayed || [...this.conditions].some((isMet) => isMet());
		this.quietTurns = isAnswering ? 0 : this.quietTurns + 1;
		return this.quietTurns < QUIET_TURNS;
	}

	protected override leap(): void {
		this.quietTurns = 0;
		const [next] = this.sleepers;
		if (next === undefined) return;
		const [timeout] = this.timeouts.sort((a, b) => a.until - b.until);
		if (timeout === undefined || timeout.until > next.until) return super.leap();
		this.timeouts.shift();
		this.time = Math.max(this.time, timeout.until);
		timeout.over.abort(new DOMException('The timeout has passed', 'TimeoutError'));
		this.leapSoon();
	}
}

let openRequests = 0;
subscribe('http.client.request.start', (message) => {
	openRequests += 1;
	(message as { request: ClientRequest }).request.once('close', () => (openRequests -= 1));
});

let time: EngineTime | undefined;
afterEach(() => {
	time?.stop();
	time = undefined;
	jest.restoreAllMocks();
});

/** Returns the clock of the test, which starts with the first call. */
export function getEngineClock(): EngineTime {
	return (time ??= new EngineTime());
}

export const waitUntil = (isMet: () => boolean) => getEngineClock().waitUntil(isMet);
