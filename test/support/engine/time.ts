import type { ClientRequest } from 'node:http';
import { subscribe } from 'node:diagnostics_channel';
import timers from 'node:timers/promises';
import { clock } from '../../../nodes/shared/node-clock';
import { VirtualClock } from '../virtual-clock';

/** After this many turns of the event loop without a request, n8n's engine has nothing to do but to sleep. */
const QUIET_TURNS = 10;

/**
 * The clock of nodes and sandbox in a test. Time stands still while a request is being answered, however long the machine
 * takes, and jumps to the next alarm when everything sleeps.
 */
class EngineTime extends VirtualClock {
	private readonly limits: Array<{ until: number; over: AbortController }> = [];
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

	/** Waits until the nodes meet a condition. No time passes between that and the next step of the test. */
	async until(isMet: () => boolean): Promise<void> {
		this.conditions.add(isMet);
		while (!isMet()) {
			if (time !== this) throw new Error('The test is over');
			await new Promise(setImmediate);
		}
		this.conditions.delete(isMet);
	}

	/** A timeout is no alarm: most are never reached. */
	private makeTimeout(ms: number): AbortSignal {
		const over = new AbortController();
		this.limits.push({ until: this.time + ms, over });
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
		const [limit] = this.limits.sort((a, b) => a.until - b.until);
		if (limit === undefined || limit.until > next.until) return super.leap();
		this.limits.shift();
		this.time = Math.max(this.time, limit.until);
		limit.over.abort(new DOMException('The time is up', 'TimeoutError'));
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

/** Returns the clock of the test, which begins with the first call. */
export function engineTime(): EngineTime {
	return (time ??= new EngineTime());
}

export const until = (isMet: () => boolean) => engineTime().until(isMet);
