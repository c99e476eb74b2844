import { SLOTS } from '../api/limits';
import type { PollInterval } from '../api/limits';
import { isRunning, type Brief, type BriefSummary } from '../api/types';
import { sleepUntil } from '../api/sleep';
import { LIST_LAG_MS } from '../assumptions';
import type { BriefList, ListPage } from './brief-list';
import { getCreationTime } from './brief-time';
import type { RequestContext } from './request-context';

export type WaitResult =
	| { kind: 'finished'; brief: Brief }
	/** Still running at the deadline. */
	| { kind: 'late'; status: string }
	/** Listed as ready, but without its `markdown` at the deadline. */
	| { kind: 'incomplete' }
	/** Neither listed nor known to a GET, although the list must show it by now. */
	| { kind: 'not_found' };

/**
 * Polls the brief list once for all callers that wait, whether for a brief or for a slot:
 *
 *     waiting                              next poll
 *     for brief A, in `researching`        after 90 s
 *     for brief A, now in `writing`        after 30 s
 *     for brief A, now in `checking`       after 15 s
 *     for A and B, one in `checking`       after 7.5 s: one request per brief and 15 s (docs/api.md 8)
 *
 * Each caller has its own interval. The caller with the shortest interval decides how often the list is polled, because the others
 * share its pages.
 */
export class BriefPoller {
	/** The number of callers that wait for each brief, by brief ID. */
	private readonly waiters = new Map<string, number>();
	private slotWaiters = 0;

	constructor(
		private readonly list: BriefList,
		private readonly readBrief: (id: string, context: RequestContext) => Promise<Brief | null>,
	) {}

	/**
	 * Waits until the brief is ready or failed, and returns the full brief.
	 * @param onEnded called when the list shows that the brief has ended, before it is fetched
	 * @throws {ServiceError} if the workspace cannot be polled
	 */
	async waitUntilFinished(
		brief: BriefSummary,
		deadline: number,
		context: RequestContext,
		onEnded?: () => void,
	): Promise<WaitResult> {
		this.waiters.set(brief.id, (this.waiters.get(brief.id) ?? 0) + 1);
		try {
			return await this.pollUntilFinished(brief, deadline, context, onEnded);
		} finally {
			const others = (this.waiters.get(brief.id) ?? 1) - 1;
			if (others === 0) this.waiters.delete(brief.id);
			else this.waiters.set(brief.id, others);
		}
	}

	/** Runs `wait`. Until it ends, the poll follows every running brief, because any of them can free the slot. */
	async watchSlots<T>(wait: () => Promise<T>): Promise<T> {
		this.slotWaiters += 1;
		try {
			return await wait();
		} finally {
			this.slotWaiters -= 1;
		}
	}

	/** Sleeps until the next poll is due, or until `deadline` if that is earlier, and returns the newest page. */
	async pollNext(deadline: number, context: RequestContext): Promise<ListPage> {
		const nextPollAt = Math.max(
			context.clock.now(),
			this.list.polledAt + this.getInterval(context),
		);
		await sleepUntil(context.clock, Math.min(deadline, nextPollAt), context.signal);
		return await this.list.readNewestPage(context, this.getInterval(context) / 2);
	}

	private async pollUntilFinished(
		brief: BriefSummary,
		deadline: number,
		context: RequestContext,
		onEnded?: () => void,
	): Promise<WaitResult> {
		const { client, clock } = context;
		const { id } = brief;
		let listed = this.list.get(id);
		for (;;) {
			const hasEnded = listed !== undefined && !isRunning(listed);
			if (hasEnded) onEnded?.();
			const full = listed === undefined || hasEnded ? await this.readBrief(id, context) : null;
			// A GET can lag behind the list, and a brief can be `ready` before it has its markdown.
			if (full !== null && isComplete(full)) return { kind: 'finished', brief: full };
			const current = listed ?? full;
			const age = client.now() - getCreationTime(brief);
			if (current === null && age > LIST_LAG_MS) return { kind: 'not_found' };
			if (clock.now() >= deadline)
				return current !== null && !isRunning(current)
					? { kind: 'incomplete' }
					: { kind: 'late', status: (current ?? brief).status };
			const page = await this.pollNext(deadline, context);
			// A brief that is not on the page is older than a hundred others, or is not listed yet.
			listed = page.briefs.find((each) => each.id === id);
		}
	}

	private getInterval({ pollInterval }: RequestContext): number {
		const listed = this.slotWaiters > 0 ? this.list.newestBriefs : [];
		const ids = new Set([...this.waiters.keys(), ...listed.map(({ id }) => id)]);
		// The newest page does not show a brief that was created since, but the list knows its status.
		const watched = [...ids].flatMap((id) => this.list.get(id) ?? []).filter(isRunning);
		return choosePollInterval(watched, pollInterval);
	}
}

/** Returns the time between two polls: long while no brief can be ready soon, short while a brief is in its last status. */
function choosePollInterval(
	watched: readonly BriefSummary[],
	{ shortest, usual }: PollInterval,
): number {
	if (watched.length === 0) return usual;
	const intervals: Readonly<Record<string, number>> = {
		// No brief becomes ready from this status, so every third poll is enough (docs/decisions.md).
		researching: 3 * usual,
		checking: shortest / Math.min(SLOTS, watched.length),
	};
	return Math.min(...watched.map(({ status }) => intervals[status] ?? usual));
}

/** True if the brief is ready, with its text, or failed. */
export function isComplete(brief: Brief): boolean {
	return !isRunning(brief) && (brief.status !== 'ready' || brief.markdown !== null);
}
