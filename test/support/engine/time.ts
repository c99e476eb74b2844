import type { ClientRequest } from 'node:http';
import { subscribe } from 'node:diagnostics_channel';
import timers from 'node:timers/promises';
import { clock } from '../../../nodes/shared/node-clock';
import { VirtualClock } from '../virtual-clock';

/** After so many turns of the event loop without a request, n8n's engine has nothing left to do but to sleep. */
const QUIET_TURNS = 10;

/**
 * The time of nodes and sandbox in a test: it stands still while a request is on its way, however long the machine takes
 * for it, and leaps to the next alarm when everybody sleeps.
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
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => this.limit(ms));
		const delay = (ms = 0, _value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
			this.delay(ms, signal);
		jest.spyOn(timers, 'setTimeout').mockImplementation(delay);
	}

	/** Waits for what the nodes do. When it has come to that, no time passes before the test has gone on. */
	async until(isMet: () => boolean): Promise<void> {
		this.conditions.add(isMet);
		while (!isMet()) {
			if (time !== this) throw new Error('The test is over');
			await new Promise(setImmediate);
		}
		this.conditions.delete(isMet);
	}

	/** Most limits are never reached, so nobody waits for one. */
	private limit(ms: number): AbortSignal {
		const over = new AbortController();
		this.limits.push({ until: this.time + ms, over });
		return over.signal;
	}

	private async delay(ms: number, signal?: AbortSignal): Promise<void> {
		this.delayed += 1;
		await this.sleep(ms, signal).finally(() => (this.delayed -= 1));
	}

	protected override isAnybodyAtWork(): boolean {
		const isAtWork = onTheirWay > this.delayed || [...this.conditions].some((isMet) => isMet());
		this.quietTurns = isAtWork ? 0 : this.quietTurns + 1;
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

let onTheirWay = 0;
subscribe('http.client.request.start', (message) => {
	onTheirWay += 1;
	(message as { request: ClientRequest }).request.once('close', () => (onTheirWay -= 1));
});

let time: EngineTime | undefined;
afterEach(() => {
	time?.stop();
	time = undefined;
	jest.restoreAllMocks();
});

/** The time of a test, from its first use. */
export function engineTime(): EngineTime {
	return (time ??= new EngineTime());
}

export const until = (isMet: () => boolean) => engineTime().until(isMet);
