import { drawDuration } from '../../sandbox/briefs/brief';
import type { BriefView, Sandbox } from '../../sandbox/sandbox';
import { quantile } from '../figure';

/** The figures of a batch, in the time of the sandbox. */
export interface BatchFigures {
	/** The time from the first order until the last brief was noticed, divided by the lower bound for two slots. */
	makespan: number;
	requestsPerBrief: number;
	/** The 95th percentile of the seconds from ready until the first answer that shows it. */
	noticeSeconds: number;
}

export function measureFigures(sandbox: Sandbox): BatchFigures {
	const briefs = sandbox.briefs();
	const noticed = briefs.map((brief) => findNotice(sandbox, brief));
	const start = Math.min(...briefs.map(({ createdAt }) => createdAt));
	const delays = briefs.map(({ readyAt }, i) => (noticed[i] ?? Infinity) - (readyAt ?? Infinity));
	const durations = briefs.map(({ durationMs }) => durationMs);
	return {
		makespan: (Math.max(...noticed) - start) / getLowerBound(durations),
		requestsPerBrief: sandbox.requests.length / briefs.length,
		noticeSeconds: quantile(delays, 0.95) / 1000,
	};
}

/** Returns the time of the first request whose answer shows that the brief has ended. */
function findNotice(sandbox: Sandbox, { id, readyAt }: BriefView): number {
	const notice = sandbox.requests.find(
		({ method, briefId, sandboxAt, operation }) =>
			method === 'GET' &&
			sandboxAt >= (readyAt ?? Infinity) &&
			(operation === 'list_briefs' || briefId === id),
	);
	return notice?.sandboxAt ?? Infinity;
}

/** Returns a lower bound of the time that two slots need for briefs of these durations. */
function getLowerBound(durations: readonly number[]): number {
	return Math.max(...durations, durations.reduce((sum, each) => sum + each, 0) / 2);
}

/** The maximum makespan of a contender without any delay. */
const MAX_UNFAIRNESS = 1.005;

/**
 * Returns the seeds of batches on which a contender without any delay nearly reaches the lower bound. With other seeds, the
 * last briefs use the two slots unevenly by chance.
 */
export function findFairSeeds(count: number, briefs: number): string[] {
	const seeds: string[] = [];
	for (let i = 1; seeds.length < count; i += 1) {
		const seed = `forty-${i}`;
		const durations = Array.from({ length: briefs }, (_, ordinal) => drawDuration(seed, ordinal));
		const slots: [number, number] = [0, 0];
		for (const duration of durations) slots[slots[0] <= slots[1] ? 0 : 1] += duration;
		if (Math.max(...slots) / getLowerBound(durations) <= MAX_UNFAIRNESS) seeds.push(seed);
	}
	return seeds;
}
