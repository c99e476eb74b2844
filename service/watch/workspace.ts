/*
 * The slots and the briefs of a workspace as one process knows them, by what its callers report of their requests. A
 * slot is taken in one of three ways: by a brief that is running, reserved for an order on its way, or uncertain: an
 * order of this process may have a brief there. Nothing takes a slot for ever: a brief counts as running for
 * `holdTime`, and each uncertain order has a time, after which a look ends it.
 *
 * An example, in which nobody else orders anything:
 *   the create of A is answered       A is running. The next slot is given only once a look shows A
 *   a look shows A                    one slot is free, and is reserved for B
 *   no answer comes to B's create     its slot is uncertain: none is free
 *   a look shows a new brief          it may be B's, so it has the slot in the place of B's uncertain order
 *   a look shows that A has ended     one slot is free
 */

import { MonthUse } from '../list/allowance';
import { LIST_LAG_MS, SLOT_HELD_MS, USUAL_LIST_LAG_MS } from '../assumptions';
import { SLOTS } from '../api/limits';
import { isRunning, type BriefStatus, type BriefSummary, type Timestamp } from '../api/resources';
import { instantOf } from '../api/timestamps';

export interface SlotHolder {
	id: string;
	product_name: string;
	/** The time of its creation, or, if that cannot be read, since which we know it. */
	since: number;
	isOurs: boolean;
	/** As last seen; undefined for a brief that only the journal names. */
	status?: BriefStatus | undefined;
}

/** The slot of an order, from before its create until it is known what came of it. */
export interface ReservedSlot {
	/** Says that the create was accepted: now the brief itself holds the slot. */
	giveTo(brief: BriefSummary): void;
	/** Says that the service answered without a brief. The slot is kept. */
	noteAnswer(): void;
	release(): void;
	/** Says that there may be a brief: the slot is uncertain until the list shows the brief or must show it. */
	keepUncertain(key: string): void;
	/** Says that the service answered with another order's brief: the next look shows who has the slots. */
	keepUncertainUntilLook(key: string): void;
}

/** Times are milliseconds of the service's clock. */
export class Workspace {
	private readonly running = new Map<string, RunningBrief>();
	private readonly reserved = new Set<{ isAnswered: boolean }>();
	/** Until when each may have a brief, by its key: one key is one order, however often it was tried. */
	private uncertain = new Map<string, number>();
	private lookedAt = -Infinity;
	/** The number of slots that briefs past their time may hold. Looks have shown other briefs in the rest of the slots. */
	private mostHeldPastTime = SLOTS;
	/** True if something has happened that only a look at the list can show, such as a brief that was created. */
	isLookWanted = false;
	private readonly month = new MonthUse();
	/** How many briefs were known before each, by its ID. */
	private readonly places = new Map<string, number>();
	/** The number of briefs that we ever knew, from the list or from their own requests. */
	briefsKnown = 0;

	/**
	 * @param leaveSlots how many of the two slots are left to others, 0 or 1
	 * @param holdTime how long a running brief counts as holding a slot, in milliseconds
	 */
	constructor(
		private readonly leaveSlots = 0,
		private readonly holdTime = SLOT_HELD_MS,
	) {}

	observePage(newestPage: readonly BriefSummary[], now: number): void {
		const shownIds = new Set(newestPage.filter(isRunning).map(({ id }) => id));
		this.judgeUncertain([...shownIds].filter((id) => !this.running.has(id)).length, now);
		for (const brief of newestPage) {
			this.see(brief, now);
			this.observe(brief, now);
		}
		for (const [id, brief] of this.running) {
			brief.isListed = shownIds.has(id);
			if (!brief.isListed && brief.ownSince === undefined) this.running.delete(id);
		}
		const holdersBefore = this.holding();
		this.lookedAt = now;
		const listedHolders = this.holding().filter(({ isListed }) => isListed).length;
		const isAnyNew = holdersBefore.some((brief) => !this.holds(brief));
		const most = isAnyNew ? SLOTS : this.mostHeldPastTime;
		this.mostHeldPastTime = Math.min(most, Math.max(0, SLOTS - listedHolders));
		this.isLookWanted = false;
	}

	/**
	 * Ends the uncertainty that a look has settled. A new brief may be that of an uncertain order, the oldest first, and takes over its
	 * slot, unless it may as well be that of an order on its way, which has its own slot.
	 */
	private judgeUncertain(appeared: number, now: number): void {
		const ordersLeft = [...this.uncertain]
			.sort(([, a], [, b]) => a - b)
			.slice(Math.max(0, appeared - this.reserved.size))
			// A clock that was set back must not extend it.
			.map(([key, until]) => [key, Math.min(until, now + LIST_LAG_MS)] as const);
		this.uncertain = new Map(ordersLeft.filter(([, until]) => until >= now));
	}

	/** Records what is new of a brief. One that has ended is forgotten. */
	observe(brief: BriefSummary, now: number): void {
		this.note(brief.id, brief.created_at);
		if (!isRunning(brief)) this.forget(brief.id);
		else if (this.running.has(brief.id)) this.see(brief, now);
	}

	/** Records a brief of this process, created by this run or an earlier one. */
	addOwn(brief: BriefSummary, now: number): void {
		this.see(brief, now).ownSince ??= now;
		this.observe(brief, now);
	}

	/** Records a brief of this process that the list does not show. It was paid for, and holds a slot if it may run. */
	recall(
		id: string,
		facts: { product_name: string; created_at: Timestamp; mayRun: boolean },
		now: number,
	): void {
		this.note(id, facts.created_at);
		if (!facts.mayRun || this.running.get(id)?.ownSince !== undefined) return;
		const { product_name, created_at } = facts;
		this.see({ id, product_name, created_at }, now).ownSince = now;
	}

	/** Records an order that was last sent at `since` and has no answer: its brief may run until the list must show it. */
	addUncertain(key: string, since: number, now: number): void {
		this.uncertain.delete(key);
		if (since + LIST_LAG_MS >= now) this.uncertain.set(key, since + LIST_LAG_MS);
	}

	/** Ends the uncertainty about an order: it has a brief, or certainly none. */
	settle(key: string): void {
		this.uncertain.delete(key);
	}

	/** Forgets a brief that has ended or is unknown to the service: it holds no slot. */
	forget(id: string): void {
		this.running.delete(id);
	}

	/** Gives this process's running briefs that the last page did not show, and since when we know each. */
	unlisted(): ReadonlyMap<string, number> {
		return new Map(
			[...this.running].flatMap(([id, { isListed, ownSince }]) =>
				isListed || ownSince === undefined ? [] : [[id, ownSince] as const],
			),
		);
	}

	isAheadOfList(): boolean {
		return this.unlisted().size + this.uncertain.size > 0;
	}

	/** Says how many more briefs may start. Two limits hold: for all that run, and for this process's own (P4). */
	freeSlots(): number {
		const orders = this.reserved.size + this.uncertain.size;
		const all = this.holding();
		const ours = all.filter(({ ownSince }) => ownSince !== undefined).length + orders;
		return Math.max(0, Math.min(SLOTS - all.length - orders, SLOTS - this.leaveSlots - ours));
	}

	/**
	 * Says how many orders may be sent now: one at a time, each after a look that shows the brief of the one before,
	 * because that look also shows what other processes have ordered.
	 */
	slotsToGive(): number {
		const isUnanswered = [...this.reserved].some(({ isAnswered }) => !isAnswered);
		const isListBehind = [...this.running.values()].some((brief) => this.isNotListedYet(brief));
		return isUnanswered || isListBehind ? 0 : Math.min(1, this.freeSlots());
	}

	/**
	 * Checks whether both slots are taken, not counting the order that asks and has one reserved. Even a brief past
	 * its time may be why the service refuses, unless others were seen in the slots beside it.
	 * @param endedSince how many briefs had a slot at that time and have ended since
	 */
	areSlotsTaken(endedSince = 0): boolean {
		const others = Math.max(0, this.reserved.size - 1) + this.uncertain.size + endedSince;
		const holders = this.holding().length;
		const pastTime = Math.min(this.running.size - holders, this.mostHeldPastTime);
		return holders + pastTime + others >= SLOTS;
	}

	holders(): SlotHolder[] {
		return [...this.running.values()].map(asHolder).sort((a, b) => a.since - b.since);
	}

	/**
	 * Gives the listed briefs that hold all slots, so that none becomes free before one of them ends. Null if a slot is
	 * free, if an order on its way may give one back, or if some running briefs are not listed.
	 */
	slotsHeldBy(): SlotHolder[] | null {
		if (this.freeSlots() > 0 || this.reserved.size > 0 || this.isAheadOfList()) return null;
		return this.holding().map(asHolder);
	}

	/** Says until when each uncertain order holds a slot at most, if not only until the next look. */
	uncertainUntil(): number[] {
		return [...this.uncertain.values()].filter(Number.isFinite);
	}

	/** Says how many briefs of other people hold a slot, by the last look. */
	othersRunning(): number {
		return [...this.running.values()].filter(({ ownSince }) => ownSince === undefined).length;
	}

	monthUse(now: number): number {
		return this.month.inMonthOf(now);
	}

	/** Checks whether a brief is among the first `count` that we knew, which needs no clock. */
	wasKnown(id: string, count: number): boolean {
		return (this.places.get(id) ?? Infinity) < count;
	}

	/** @param onAnswer called when the service has answered the create */
	reserve(now: () => number, onAnswer: () => void = () => {}): ReservedSlot {
		const slot = { isAnswered: false };
		this.reserved.add(slot);
		const noteAnswer = () => {
			slot.isAnswered = true;
			onAnswer();
		};
		const close = () => {
			this.reserved.delete(slot);
			noteAnswer();
		};
		return {
			giveTo: (brief) => {
				this.addOwn(brief, now());
				this.isLookWanted ||= this.running.has(brief.id);
				close();
			},
			noteAnswer,
			release: close,
			keepUncertain: (key) => {
				if (this.reserved.has(slot)) this.addUncertain(key, now(), now());
				close();
			},
			keepUncertainUntilLook: (key) => {
				if (this.reserved.has(slot)) this.uncertain.set(key, -Infinity);
				this.isLookWanted = true;
				close();
			},
		};
	}

	/** Gives the running briefs that still hold a slot, as far as the last look shows. */
	private holding(): RunningBrief[] {
		return [...this.running.values()].filter((brief) => this.holds(brief));
	}

	private holds({ since }: RunningBrief): boolean {
		return this.lookedAt - since <= this.holdTime;
	}

	/** Checks whether the list may not show a brief yet, unless it is an old one that a repeated order brought. */
	private isNotListedYet({ isListed, ownSince, since }: RunningBrief): boolean {
		if (isListed || ownSince === undefined) return false;
		return Math.max(this.lookedAt, ownSince) - since <= USUAL_LIST_LAG_MS;
	}

	private note(id: string, createdAt: Timestamp): void {
		this.month.add(id, createdAt);
		if (!this.places.has(id)) this.places.set(id, this.briefsKnown++);
	}

	/** Notes a running brief. A time in the future counts as now: a clock was set back. */
	private see({ id, product_name, created_at, status }: SeenBrief, now: number): RunningBrief {
		const before = this.running.get(id) ?? { since: now, isListed: false };
		const since = Math.min(instantOf(created_at) ?? before.since, now);
		const noted: RunningBrief = { ...before, id, product_name, since, status };
		this.running.set(id, noted);
		return noted;
	}
}

type SeenBrief = Pick<BriefSummary, 'id' | 'product_name' | 'created_at'> & {
	status?: BriefStatus;
};

interface RunningBrief extends Omit<SlotHolder, 'isOurs'> {
	isListed: boolean;
	/** The time since which we know it as a brief of this process; undefined for other people's. */
	ownSince?: number | undefined;
}

function asHolder({ id, product_name, since, status, ownSince }: RunningBrief): SlotHolder {
	return { id, product_name, since, status, isOurs: ownSince !== undefined };
}
