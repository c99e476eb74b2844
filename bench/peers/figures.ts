import { durationOf } from '../../sandbox/briefs/brief-life';
import type { BriefView, Sandbox } from '../../sandbox/sandbox';
import { quantile } from '../figures-table';

/** What a sandbox saw of a run, in its own time. */
export interface Figures {
	/** From the first order until the last brief was noticed ÷ the least that two slots need for what is wanted. */
	makespan: number;
	/** Per brief that was wanted, everything counted. */
	requests: number;
	/** From ready until the first request that shows it, 95th percentile, in seconds. */
	noticeDelay: number;
}

/** @param count how many briefs were to be written */
export function figuresOf(sandbox: Sandbox, count: number): Figures {
	const briefs = sandbox.briefs();
	const noticeTimes = briefs.map((brief) => noticedAt(sandbox, brief));
	const start = Math.min(...briefs.map(({ createdAt }) => createdAt));
	const end = Math.max(...noticeTimes);
	const delays = briefs.map(
		({ readyAt }, i) => (noticeTimes[i] ?? Infinity) - (readyAt ?? Infinity),
	);
	return {
		makespan: (end - start) / lowerBound(briefs.map(({ durationMs }) => durationMs)),
		requests: sandbox.requests.length / count,
		noticeDelay: quantile(delays, 0.95) / 1000,
	};
}

/** When the first request came that shows the end of a brief. */
function noticedAt(sandbox: Sandbox, { id, readyAt }: BriefView): number {
	const look = sandbox.requests.find(
		({ method, briefId, sandboxAt, operation }) =>
			method === 'GET' &&
			sandboxAt >= (readyAt ?? Infinity) &&
			(operation === 'list_briefs' || briefId === id),
	);
	return look?.sandboxAt ?? Infinity;
}

/** What two slots need that know all durations before. */
function lowerBound(durations: readonly number[]): number {
	return Math.max(...durations, durations.reduce((sum, each) => sum + each, 0) / 2);
}

/** How near a runner without any delay must come to the lower bound on a batch that is measured. */
const FAIR = 1.005;

/**
 * Who takes the next brief as soon as a slot is free comes near the lower bound or not by luck: how evenly the last
 * briefs fall on the two slots. That is no runner's doing, so the batches are the first ones on which a runner without
 * any delay is as good as the bound, and what is measured above it is the runner's own.
 */
export function fairSeeds(batches: number, briefs: number): string[] {
	const seeds: string[] = [];
	for (let i = 1; seeds.length < batches; i += 1) {
		const seed = `forty-${i}`;
		const durations = Array.from({ length: briefs }, (_, ordinal) => durationOf(seed, ordinal));
		const slots = [0, 0];
		for (const duration of durations) {
			const first = slots.indexOf(Math.min(...slots));
			slots[first] = (slots[first] ?? 0) + duration;
		}
		if (Math.max(...slots) / lowerBound(durations) <= FAIR) seeds.push(seed);
	}
	return seeds;
}
