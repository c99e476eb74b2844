import { IdMap, IdSet } from '../brief-id';
import { MonthUse } from '../allowance';
import { LIST_LAG_MS, SLOT_HELD_MS, USUAL_LIST_LAG_MS } from '../assumptions';
import { SLOTS } from '../limits';
import { isRunning, type BriefStatus, type BriefSummary, type Timestamp } from '../resources';
import { instantOf } from '../timestamps';

/** A brief that runs, as far as is known. */
export interface SlotHolder {
	id: string;
	product_name: string;
	/** When it was created; where that cannot be read, since when it is known. */
	since: number;
	isOurs: boolean;
	/** As last seen; not known of a brief that only the journal names. */
	status?: BriefStatus | undefined;
}

/** The right to have one more brief running, from before its create is sent until the answer is known. */
export interface SlotPermit {
	/** The service took the create: the brief itself now holds the slot. */
	accepted(brief: BriefSummary): void;
	/** The service answered, but not with a brief. The slot is kept. */
	answered(): void;
	/** No brief came of it. */
	release(): void;
	/** A brief may have come of it: the slot counts as taken until the list shows one, or surely would. */
	keepInDoubt(): void;
	/** The service answered with a brief that is not believed: the next look shows who has the slots. */
	keepUntilLook(): void;
}

/**
 * What one process knows of the workspace: which briefs run, its own and those of others, and what the month has cost.
 * It sends no requests: it is given what they brought. Times are milliseconds of the service's clock.
 */
export class Workspace {
	private listedRunning = new IdSet();
	/**
	 * This process's briefs that are not known to have ended, listed or not (a new one may be listed late), with the time
	 * since when they are known.
	 */
	private readonly own = new IdMap<number>();
	private readonly known: SlotHolders;
	private readonly fresh = new FreshOrders();
	private permits = 0;
	private readonly inDoubt = new OrdersInDoubt();
	private readonly month = new MonthUse();
	/** Since when each brief is known. */
	private readonly firstKnown = new Map<string, number>();

	/**
	 * @param leaveSlots how many of the two slots are left to others, 0 or 1
	 * @param held how long a running brief is believed to hold a slot, in milliseconds
	 */
	constructor(
		private readonly leaveSlots = 0,
		held = SLOT_HELD_MS,
	) {
		this.known = new SlotHolders(held);
	}

	/** Takes in the newest page of the list. */
	observePage(newestPage: readonly BriefSummary[], now: number): void {
		const before = this.listedRunning;
		this.listedRunning = new IdSet(newestPage.filter(isRunning).map((brief) => brief.id));
		// A brief that was not there before may be that of an order in doubt, and takes its slot over; unless it may as well
		// be that of an order on its way, which has a slot of its own.
		const appeared = [...this.listedRunning].filter((id) => !before.has(id) && !this.own.has(id));
		this.inDoubt.observe(appeared.length - this.permits, now);
		for (const brief of newestPage) this.observe(brief, now);
		this.fresh.observePage(this.listedRunning, now);
		this.known.judge(this.running(), this.listedRunning, now);
	}

	/** Takes in one brief, from wherever it was learnt. */
	observe(brief: BriefSummary, now: number): void {
		this.note(brief.id, brief.created_at, now);
		if (isRunning(brief)) this.known.observe(brief, now);
		else this.forget(brief.id);
	}

	/** Takes in a brief that is this process's, by whichever run it was created. */
	adopt(brief: BriefSummary, now: number): void {
		if (isRunning(brief) && !this.own.has(brief.id)) this.own.set(brief.id, now);
		this.observe(brief, now);
	}

	/** Takes in a brief of this process that the list does not show: it was paid, and where it may run it holds a slot. */
	recall(
		id: string,
		facts: { product_name: string; created: Timestamp; mayRun: boolean },
		now: number,
	): void {
		this.note(id, facts.created, now);
		if (!facts.mayRun || this.own.has(id)) return;
		this.own.set(id, now);
		this.known.observe({ id, product_name: facts.product_name, created_at: facts.created }, now);
	}

	/** Takes in an order in doubt that was last sent at `since`: until the list would show its brief, that may run. */
	holdInDoubt(since: number, now: number): void {
		this.inDoubt.add(since, now);
	}

	/** Forgets a brief that has ended, or that the service does not know: it holds no slot. */
	forget(id: string): void {
		this.own.delete(id);
		this.listedRunning.delete(id);
		this.fresh.forget(id);
	}

	/** This process's briefs that count as running although the last page did not show them, and since when. */
	unlisted(): ReadonlyMap<string, number> {
		return new IdMap([...this.own].filter(([id]) => !this.listedRunning.has(id)));
	}

	/** Whether briefs of this process may run that the last page did not show. */
	isAheadOfList(): boolean {
		return this.unlisted().size + this.inDoubt.count > 0;
	}

	/** How many more briefs may be started. Both bounds hold: for all that run, and for this process's own (P4). */
	freeSlots(): number {
		const pending = this.permits + this.inDoubt.count;
		const all = [...this.running()].filter((id) => this.known.isBelieved(id));
		const own = all.filter((id) => this.own.has(id)).length + pending;
		return Math.max(0, Math.min(SLOTS - all.length - pending, SLOTS - this.leaveSlots - own));
	}

	/** How many orders may be sent now: one after the other (see FreshOrders). */
	slotsToGive(): number {
		return this.fresh.isAwaiting ? 0 : Math.min(1, this.freeSlots());
	}

	/** Whether a look made now would show more than the last one. */
	get isLookWanted(): boolean {
		return this.fresh.isLookWanted;
	}

	/**
	 * Whether both slots are taken, as far as is known, the order that holds a permit and asks left out. However long a
	 * brief runs, it may be what the service refuses another one for, unless others were seen to have the slots beside it.
	 * @param ended how many briefs had a slot at the time in question, and have ended since
	 */
	areSlotsTaken(ended = 0): boolean {
		const others = ended + this.inDoubt.count + Math.max(0, this.permits - 1);
		return this.known.mostHeld(this.running()) + others >= SLOTS;
	}

	/** The briefs that run, the oldest first. */
	holders(): SlotHolder[] {
		return this.known.list((id) => this.own.has(id));
	}

	/**
	 * The briefs that hold all slots, as the list shows them: none comes free before one of them ends. Null where a slot
	 * is free, where an order on its way may give one back, and where not all that may run are listed.
	 */
	slotsHeldBy(): SlotHolder[] | null {
		if (this.freeSlots() > 0 || this.permits > 0 || this.isAheadOfList()) return null;
		return this.holders().filter(({ id }) => this.known.isBelieved(id));
	}

	/** Until when each order in doubt holds a slot at the longest. */
	inDoubtUntil(): number[] {
		return this.inDoubt.until();
	}

	/** How many briefs of other people hold a slot, as far as the last look shows. */
	othersRunning(): number {
		return [...this.listedRunning].filter((id) => !this.own.has(id)).length;
	}

	/** Briefs created in the month of this instant, as far as they are known. */
	used(now: number): number {
		return this.month.used(now);
	}

	/** Since when a brief is known, from a list or from a request of its own. */
	knownSince(id: string): number | undefined {
		return this.firstKnown.get(id);
	}

	/** @param onAnswer called when the service has answered the create */
	permit(now: () => number, onAnswer: () => void = () => {}): SlotPermit {
		this.permits += 1;
		const endFreshness = this.fresh.begin();
		let isOpen = true;
		const answered = () => {
			endFreshness();
			onAnswer();
		};
		const close = () => {
			if (isOpen) this.permits -= 1;
			isOpen = false;
			answered();
		};
		return {
			accepted: (brief) => {
				this.adopt(brief, now());
				this.fresh.accepted(brief, now());
				close();
			},
			answered,
			release: close,
			keepInDoubt: () => {
				if (isOpen) this.holdInDoubt(now(), now());
				close();
			},
			keepUntilLook: () => {
				if (isOpen) this.inDoubt.addUntilLook();
				this.fresh.wantLook();
				close();
			},
		};
	}

	private note(id: string, created: Timestamp, now: number): void {
		this.month.add(id, created);
		if (!this.firstKnown.has(id)) this.firstKnown.set(id, now);
	}

	private running(): Set<string> {
		return new IdSet([...this.listedRunning, ...this.own.keys()]);
	}
}

/**
 * The orders that no look has shown yet. One is sent after the other, each after a look that shows the brief of the one
 * before: that look also shows what other processes have ordered meanwhile. Times are of the service's clock.
 */
class FreshOrders {
	/** Orders that may be on their way. */
	private unanswered = 0;
	/** Briefs that no page has shown, by the time of their creation. */
	private unshown = new IdMap<number>();
	private hasNews = false;

	/** Whether the next order is to wait. */
	get isAwaiting(): boolean {
		return this.unanswered > 0 || this.unshown.size > 0;
	}

	/** Whether the next look is worth making at once, such as after a brief was created. */
	get isLookWanted(): boolean {
		return this.hasNews;
	}

	/** @returns what is to be called when the order is answered; more than once changes nothing */
	begin(): () => void {
		this.unanswered += 1;
		let isOpen = true;
		return () => {
			if (isOpen) this.unanswered -= 1;
			isOpen = false;
		};
	}

	/** Takes in what an order brought. A repeated one may bring an old brief, which the newest page shows no longer. */
	accepted(brief: BriefSummary, now: number): void {
		const created = Math.min(instantOf(brief.created_at) ?? now, now);
		if (!isRunning(brief) || now - created > USUAL_LIST_LAG_MS) return;
		this.unshown.set(brief.id, created);
		this.hasNews = true;
	}

	/** Takes in that the list shows what nothing else does. */
	wantLook(): void {
		this.hasNews = true;
	}

	/** Takes in the newest page. */
	observePage(shown: ReadonlySet<string>, now: number): void {
		const isAwaited = ([id, since]: [string, number]) =>
			!shown.has(id) && now - since <= USUAL_LIST_LAG_MS;
		this.unshown = new IdMap([...this.unshown].filter(isAwaited));
		this.hasNews = false;
	}

	/** Takes in that a brief has ended or is gone. */
	forget(id: string): void {
		this.unshown.delete(id);
	}
}

/**
 * The orders in doubt of one process, each of which may have a brief that holds a slot, until the list shows that brief
 * or surely would. Times are of the service's clock.
 */
class OrdersInDoubt {
	/** When each was left so, oldest first. */
	private since: number[] = [];
	/** Those that hold a slot until the next look only. */
	private untilLook = 0;

	get count(): number {
		return this.since.length + this.untilLook;
	}

	/** Takes in one that was last sent at `since`. */
	add(since: number, now: number): void {
		this.since = this.since.concat(since).filter((one) => now - one <= LIST_LAG_MS);
		this.since.sort((a, b) => a - b);
	}

	/** Takes in one that was answered, so that the next look shows whether a brief came of it. */
	addUntilLook(): void {
		this.untilLook += 1;
	}

	/** Takes in a look, and how many briefs it showed that may be those of orders in doubt. */
	observe(appeared: number, now: number): void {
		this.untilLook = 0;
		this.since = this.since
			.slice(Math.max(0, appeared))
			// A clock that was set back does not make that longer.
			.map((since) => Math.min(since, now))
			.filter((since) => now - since <= LIST_LAG_MS);
	}

	/** Until when each holds a slot at the longest. */
	until(): number[] {
		return this.since.map((since) => since + LIST_LAG_MS);
	}
}

type Seen = Pick<BriefSummary, 'id' | 'product_name' | 'created_at'> & { status?: BriefStatus };

/** What is known of the briefs that run, and which of them have run for too long. Times are of the service's clock. */
class SlotHolders {
	private readonly known = new IdMap<Omit<SlotHolder, 'id' | 'isOurs'>>();
	private stuck = new IdSet();
	/** How many slots those that have run for too long may hold: each other one that was listed beside them had one. */
	private mostHeldByStuck = SLOTS;

	/** @param held how long a running brief is believed to hold a slot, in milliseconds */
	constructor(private readonly held: number) {}

	/** Takes in one that runs. A time that lies ahead, because a clock was set back, counts as now. */
	observe({ id, product_name, created_at, status }: Seen, now: number): void {
		const since = instantOf(created_at) ?? this.known.get(id)?.since ?? now;
		this.known.set(id, { product_name, since: Math.min(since, now), status });
	}

	/**
	 * Judges those that run, and forgets all others.
	 * @param listed those of them that one page shows as running at the same time
	 */
	judge(running: ReadonlySet<string>, listed: ReadonlySet<string>, now: number): void {
		for (const id of this.known.keys()) if (!running.has(id)) this.known.delete(id);
		const isStuck = ([, { since }]: [string, { since: number }]) => now - since > this.held;
		const before = this.stuck;
		this.stuck = new IdSet([...this.known].filter(isStuck).map(([id]) => id));
		const isNew = [...this.stuck].some((id) => !before.has(id));
		const others = [...listed].filter((id) => this.isBelieved(id)).length;
		const most = isNew ? SLOTS : this.mostHeldByStuck;
		this.mostHeldByStuck = Math.min(most, Math.max(0, SLOTS - others));
	}

	/** How many slots those that run may hold at most. */
	mostHeld(running: ReadonlySet<string>): number {
		const believed = [...running].filter((id) => this.isBelieved(id)).length;
		return believed + Math.min(running.size - believed, this.mostHeldByStuck);
	}

	/** Whether a brief that runs is believed to hold a slot. */
	isBelieved(id: string): boolean {
		return !this.stuck.has(id);
	}

	/** Those that run, the oldest first. */
	list(isOurs: (id: string) => boolean): SlotHolder[] {
		const all = [...this.known].map(([id, facts]) => ({ id, ...facts, isOurs: isOurs(id) }));
		return all.sort((a, b) => a.since - b.since);
	}
}
