import { IdMap, IdSet } from '../brief-id';
import { MonthUse } from '../allowance';
import { SLOT_HELD_MS } from '../assumptions';
import { SLOTS } from '../limits';
import { isRunning, type BriefSummary, type Timestamp } from '../resources';
import { FreshOrders } from './fresh-orders';
import { OrdersInDoubt } from './orders-in-doubt';
import { SlotHolders, type SlotHolder } from './slot-holders';

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
