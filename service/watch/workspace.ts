import { IdMap, IdSet } from '../brief-id';
import { MonthUse } from '../allowance';
import { LIST_LAG_MS, SLOT_HELD_MS, USUAL_LIST_LAG_MS } from '../assumptions';
import { SLOTS } from '../limits';
import { isRunning, type BriefStatus, type BriefSummary, type Timestamp } from '../resources';
import { instantOf } from '../timestamps';

export interface SlotHolder {
	id: string;
	product_name: string;
	/** When it was created, or, if that cannot be read, when we first knew it. */
	since: number;
	isOurs: boolean;
	/** As last seen; undefined for a brief that only the journal names. */
	status?: BriefStatus | undefined;
}

/** The right to have one more brief running, from before its create until the answer is known. */
export interface SlotPermit {
	/** The create was accepted: now the brief itself holds the slot. */
	accepted(brief: BriefSummary): void;
	/** The service answered without a brief. The slot is kept. */
	answered(): void;
	/** There is no brief. */
	release(): void;
	/** There may be a brief: the slot counts as taken until the list shows it or must show it. */
	keepInDoubt(): void;
	/** The service answered with a brief that we do not believe: the next look shows who has the slots. */
	keepUntilLook(): void;
}

/**
 * What one process knows of the workspace: which briefs run, its own and other people's, and what the month has cost.
 * It sends no requests: its callers report what theirs showed. Times are milliseconds of the service's clock.
 */
export class Workspace {
	private listedRunning = new IdSet();
	/** This process's briefs that may still run, listed or not, and since when we know each. */
	private readonly own = new IdMap<number>();
	private readonly known: SlotHolders;
	private readonly fresh = new FreshOrders();
	private permits = 0;
	private readonly inDoubt = new OrdersInDoubt();
	private readonly month = new MonthUse();
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

	observePage(newestPage: readonly BriefSummary[], now: number): void {
		const before = this.listedRunning;
		this.listedRunning = new IdSet(newestPage.filter(isRunning).map((brief) => brief.id));
		// A new brief may be that of an order in doubt and then takes over its slot, unless it may as well be that of an
		// order on its way, which has its own slot.
		const appeared = [...this.listedRunning].filter((id) => !before.has(id) && !this.own.has(id));
		this.inDoubt.observe(appeared.length - this.permits, now);
		for (const brief of newestPage) this.observe(brief, now);
		this.fresh.observePage(this.listedRunning, now);
		this.known.judge(this.running(), this.listedRunning, now);
	}

	observe(brief: BriefSummary, now: number): void {
		this.note(brief.id, brief.created_at, now);
		if (isRunning(brief)) this.known.observe(brief, now);
		else this.forget(brief.id);
	}

	/** Records a brief of this process, created by this run or an earlier one. */
	adopt(brief: BriefSummary, now: number): void {
		if (isRunning(brief) && !this.own.has(brief.id)) this.own.set(brief.id, now);
		this.observe(brief, now);
	}

	/** Records a brief of this process that the list does not show. It was paid for, and holds a slot if it may run. */
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

	/** Records an order in doubt that was last sent at `since`: its brief may run until the list must show it. */
	holdInDoubt(since: number, now: number): void {
		this.inDoubt.add(since, now);
	}

	/** Forgets a brief that has ended or is unknown to the service: it holds no slot. */
	forget(id: string): void {
		this.own.delete(id);
		this.listedRunning.delete(id);
		this.fresh.forget(id);
	}

	/** This process's running briefs that the last page did not show, and since when we know each. */
	unlisted(): ReadonlyMap<string, number> {
		return new IdMap([...this.own].filter(([id]) => !this.listedRunning.has(id)));
	}

	isAheadOfList(): boolean {
		return this.unlisted().size + this.inDoubt.count > 0;
	}

	/** How many more briefs may start. Two limits hold: for all that run, and for this process's own (P4). */
	freeSlots(): number {
		const pending = this.permits + this.inDoubt.count;
		const all = [...this.running()].filter((id) => this.known.isBelieved(id));
		const own = all.filter((id) => this.own.has(id)).length + pending;
		return Math.max(0, Math.min(SLOTS - all.length - pending, SLOTS - this.leaveSlots - own));
	}

	/** How many orders may be sent now: one at a time (see FreshOrders). */
	slotsToGive(): number {
		return this.fresh.isAwaiting ? 0 : Math.min(1, this.freeSlots());
	}

	get isLookWanted(): boolean {
		return this.fresh.isLookWanted;
	}

	/**
	 * Whether both slots are taken, not counting the order that asks and holds a permit. Even a brief that runs very long
	 * may be why the service refuses, unless others were seen in the slots beside it.
	 * @param ended how many briefs had a slot at that time and have ended since
	 */
	areSlotsTaken(ended = 0): boolean {
		const others = ended + this.inDoubt.count + Math.max(0, this.permits - 1);
		return this.known.mostHeld(this.running()) + others >= SLOTS;
	}

	/** The running briefs, oldest first. */
	holders(): SlotHolder[] {
		return this.known.list((id) => this.own.has(id));
	}

	/**
	 * The listed briefs that hold all slots, so that none becomes free before one of them ends. Null if a slot is free,
	 * if an order on its way may give one back, or if some running briefs are not listed.
	 */
	slotsHeldBy(): SlotHolder[] | null {
		if (this.freeSlots() > 0 || this.permits > 0 || this.isAheadOfList()) return null;
		return this.holders().filter(({ id }) => this.known.isBelieved(id));
	}

	/** Until when each order in doubt holds a slot at most. */
	inDoubtUntil(): number[] {
		return this.inDoubt.until();
	}

	/** How many briefs of other people hold a slot, by the last look. */
	othersRunning(): number {
		return [...this.listedRunning].filter((id) => !this.own.has(id)).length;
	}

	/** Known briefs created in the month of this instant. */
	used(now: number): number {
		return this.month.used(now);
	}

	/** Since when we know a brief, from the list or from its own request. */
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
 * Orders that no look has shown yet. Orders are sent one at a time, each after a look that shows the brief of the one
 * before, because that look also shows what other processes have ordered. Times are of the service's clock.
 */
class FreshOrders {
	/** Orders that may be on their way. */
	private unanswered = 0;
	/** Briefs that no page has shown yet, by creation time. */
	private unshown = new IdMap<number>();
	private hasNews = false;

	/** Whether the next order must wait. */
	get isAwaiting(): boolean {
		return this.unanswered > 0 || this.unshown.size > 0;
	}

	/** Whether a look is worth making at once, for example after a brief was created. */
	get isLookWanted(): boolean {
		return this.hasNews;
	}

	/** @returns call it when the order is answered; more than one call changes nothing */
	begin(): () => void {
		this.unanswered += 1;
		let isOpen = true;
		return () => {
			if (isOpen) this.unanswered -= 1;
			isOpen = false;
		};
	}

	/** A repeated order may bring an old brief that the newest page no longer shows. */
	accepted(brief: BriefSummary, now: number): void {
		const created = Math.min(instantOf(brief.created_at) ?? now, now);
		if (!isRunning(brief) || now - created > USUAL_LIST_LAG_MS) return;
		this.unshown.set(brief.id, created);
		this.hasNews = true;
	}

	/** Only the list can show this news. */
	wantLook(): void {
		this.hasNews = true;
	}

	observePage(shown: ReadonlySet<string>, now: number): void {
		const isAwaited = ([id, since]: [string, number]) =>
			!shown.has(id) && now - since <= USUAL_LIST_LAG_MS;
		this.unshown = new IdMap([...this.unshown].filter(isAwaited));
		this.hasNews = false;
	}

	forget(id: string): void {
		this.unshown.delete(id);
	}
}

/**
 * This process's orders in doubt. Each may have a brief that holds a slot, until the list shows it or must show it.
 * Times are of the service's clock.
 */
class OrdersInDoubt {
	/** Oldest first. */
	private since: number[] = [];
	/** Those that hold a slot only until the next look. */
	private untilLook = 0;

	get count(): number {
		return this.since.length + this.untilLook;
	}

	/** Adds an order that was last sent at `since`. */
	add(since: number, now: number): void {
		this.since = this.since.concat(since).filter((one) => now - one <= LIST_LAG_MS);
		this.since.sort((a, b) => a - b);
	}

	/** Adds an order that was answered, so the next look shows whether it has a brief. */
	addUntilLook(): void {
		this.untilLook += 1;
	}

	/** @param appeared how many new briefs may be those of orders in doubt */
	observe(appeared: number, now: number): void {
		this.untilLook = 0;
		this.since = this.since
			.slice(Math.max(0, appeared))
			// A clock that was set back must not extend it.
			.map((since) => Math.min(since, now))
			.filter((since) => now - since <= LIST_LAG_MS);
	}

	/** Until when each holds a slot at most. */
	until(): number[] {
		return this.since.map((since) => since + LIST_LAG_MS);
	}
}

type Seen = Pick<BriefSummary, 'id' | 'product_name' | 'created_at'> & { status?: BriefStatus };

/** The running briefs, and which of them have run for too long. Times are of the service's clock. */
class SlotHolders {
	private readonly known = new IdMap<Omit<SlotHolder, 'id' | 'isOurs'>>();
	private stuck = new IdSet();
	/** How many slots the overlong briefs may hold: every other brief listed beside them had a slot. */
	private mostHeldByStuck = SLOTS;

	/** @param held how long a running brief is believed to hold a slot, in milliseconds */
	constructor(private readonly held: number) {}

	/** A time in the future counts as now: a clock was set back. */
	observe({ id, product_name, created_at, status }: Seen, now: number): void {
		const since = instantOf(created_at) ?? this.known.get(id)?.since ?? now;
		this.known.set(id, { product_name, since: Math.min(since, now), status });
	}

	/**
	 * Finds the overlong briefs, and forgets those that no longer run.
	 * @param listed those that one page shows running at the same time
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

	/** How many slots the running briefs may hold at most. */
	mostHeld(running: ReadonlySet<string>): number {
		const believed = [...running].filter((id) => this.isBelieved(id)).length;
		return believed + Math.min(running.size - believed, this.mostHeldByStuck);
	}

	/** Whether a running brief is believed to hold a slot. */
	isBelieved(id: string): boolean {
		return !this.stuck.has(id);
	}

	list(isOurs: (id: string) => boolean): SlotHolder[] {
		const all = [...this.known].map(([id, facts]) => ({ id, ...facts, isOurs: isOurs(id) }));
		return all.sort((a, b) => a.since - b.since);
	}
}
