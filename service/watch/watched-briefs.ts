import { IdMap, IdSet, isSameId } from '../brief-id';
import { GET_LAG_MS } from '../assumptions';
import type { PollInterval } from '../poll-interval';
import { isRunning, type BriefStatus, type BriefSummary } from '../resources';
import { doneFrom, gapAfterLook, nearGap, type Learnt } from './schedule';

/** Whether a brief that is not shown may be too new to be shown. `since`: when it was created, as far as is known. */
export function mayBeTooNew(since: number, now: number): boolean {
	return now - since <= GET_LAG_MS;
}

/** A running brief for whose end somebody waits. Times are of this machine's clock. */
export interface WatchedBrief {
	/** As last seen. */
	brief: BriefSummary;
	/** From when its age counts. */
	readonly since: number;
	/** Whether it was created at `since`: then how long it took says when to look at others. */
	readonly isStartKnown: boolean;
	/** When whoever waits for it saw it, before the wait began. */
	readonly seenAt?: number;
	/** When the service last showed it. */
	shownAt?: number;
	/** Since when it could not be looked at although others could. */
	failingSince?: number;
}

/** The briefs that are watched, when the next look at them is due, and what is learnt from those that ended. */
export class WatchedBriefs<T extends WatchedBrief> {
	readonly all = new Set<T>();
	/** How long briefs took, in milliseconds, oldest first. */
	private readonly durations: number[];
	/** The status in which each brief that became ready was last seen running, oldest first. */
	private readonly lastSeen: BriefStatus[] = [];

	constructor(durations: readonly number[]) {
		this.durations = [...durations];
	}

	/** The one that is watched, where there is no other. */
	only(): T | undefined {
		const [first] = this.all;
		return this.all.size === 1 ? first : undefined;
	}

	/** All that wait for one brief. */
	waitsFor(id: string): T[] {
		return [...this.all].filter(({ brief }) => isSameId(brief.id, id));
	}

	/**
	 * When the first of them needs the next look; Infinity if none is watched.
	 * @param isCalm whether the service has not lately called for fewer requests
	 */
	nextLook(lastLook: number, interval: PollInterval, isCalm = true): number {
		const learnt = this.learnt(interval);
		const running = idsOf(this.all).size;
		const near = nearGap(running, isCalm, interval);
		const dues = [...this.all].map(({ since, seenAt = since, brief: { status } }) => {
			const last = Math.max(lastLook, since, seenAt);
			return last + gapAfterLook({ status, age: last - since }, learnt, interval, near);
		});
		return Math.min(...dues);
	}

	/** What those that ended tell of others. */
	learnt(interval: PollInterval): Learnt {
		return { doneFrom: doneFrom(this.durations, interval), lastSeen: this.lastSeen };
	}

	/** Takes in how one of them looks now. */
	observe(watched: T, brief: BriefSummary, now: number): void {
		const before = watched.brief.status;
		watched.brief = brief;
		watched.shownAt = now;
		watched.failingSince = undefined;
		if (isRunning(brief)) return;
		if (watched.isStartKnown) addTo(this.durations, now - watched.since);
		if (brief.status === 'ready') addTo(this.lastSeen, before);
	}
}

/** More than so many tell no more: what was long ago may be otherwise now. */
const MOST_LEARNT = 1000;

function addTo<V>(learnt: V[], value: V): void {
	learnt.push(value);
	if (learnt.length > MOST_LEARNT) learnt.shift();
}

/** The watched briefs that a page of the list shows, each with what it shows. */
export function foundOn<T extends WatchedBrief>(
	page: readonly BriefSummary[],
	watched: Iterable<T>,
): [T, BriefSummary][] {
	const byId = new IdMap(page.map((brief) => [brief.id, brief]));
	return [...watched].flatMap((one) => {
		const brief = byId.get(one.brief.id);
		return brief === undefined ? [] : [[one, brief]];
	});
}

/**
 * Whether to read one page more for the briefs still missing after `olderPages` of them. A page costs one request, like
 * a get of one brief, so that older pages are worth reading only while several are missing.
 */
export function isPageWorthReading(missing: number, olderPages: number): boolean {
	return missing - olderPages >= 2;
}

/** Takes in that one could not be looked at although others could, and returns for how long that has been so. */
export function failedFor(watched: WatchedBrief, now: number): number {
	watched.failingSince ??= now;
	return now - watched.failingSince;
}

export function idsOf(watched: Iterable<WatchedBrief>): Set<string> {
	return new IdSet([...watched].map(({ brief }) => brief.id));
}
