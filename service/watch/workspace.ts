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

/** An order that may be on its way, or that keeps its slot after the service has refused it. */
interface OpenPermit {
	/** The service has answered its create. */
	isAnswered: boolean;
}

/** The right to have one more brief running, from before its create until the answer is known. */
export interface SlotPermit {
	/** Says that the create was accepted: now the brief itself holds the slot. */
	accepted(brief: BriefSummary): void;
	/** Says that the service answered without a brief. The slot is kept. */
	answered(): void;
	/** Says that there is no brief. */
	release(): void;
	/**
	 * Says that there may be a brief: the slot counts as taken until the list shows it or must show it. One key is one
	 * order, however often it was tried.
	 */
	keepInDoubt(key: string): void;
	/** Says that the service answered with a brief that we do not believe: the next look shows who has the slots. */
	keepUntilLook(): void;
}

/**
 * The workspace as one process knows it: which briefs run, its own and other people's, and what the month has cost. It
 * sends no requests: its callers report what theirs showed. Times are milliseconds of the service's clock.
 */
export class Workspace {
	private readonly running = new Map<string, RunningBrief>();
	private readonly permits = new Set<OpenPermit>();
	/** True if something has happened that only a look at the list can show, such as a brief that was created. */
	isLookWanted = false;
	private readonly inDoubt = new OrdersInDoubt();
	private readonly month = new MonthUse();
	/** How many briefs were known before each, by its ID. */
	private readonly places = new Map<string, number>();
	/** The number of briefs that we ever knew, from the list or from their own requests. */
	known = 0;
	/** The number of slots that the overlong briefs may hold: every other brief listed beside them had a slot. */
	private mostHeldByOverlong = SLOTS;

	/**
	 * @param leaveSlots how many of the two slots are left to others, 0 or 1
	 * @param held how long a running brief is believed to hold a slot, in milliseconds
	 */
	constructor(
		private readonly leaveSlots = 0,
		private readonly held = SLOT_HELD_MS,
	) {}

	observePage(newestPage: readonly BriefSummary[], now: number): void {
		const shown = new Set(newestPage.filter(isRunning).map(({ id }) => id));
		// A new brief may be that of an order in doubt and then takes over its slot, unless it may as well be that of an
		// order on its way, which has its own slot.
		const appeared = [...shown].filter((id) => !this.running.has(id));
		this.inDoubt.observe(appeared.length - this.permits.size, now);
		for (const brief of newestPage) {
			if (isRunning(brief)) this.see(brief, now);
			this.observe(brief, now);
		}
		for (const [id, brief] of this.running) {
			brief.isListed = shown.has(id);
			brief.isAwaited &&= !brief.isListed && now - brief.since <= USUAL_LIST_LAG_MS;
			if (!brief.isListed && brief.ownSince === undefined) this.running.delete(id);
		}
		this.isLookWanted = false;
		this.judgeOverlong(now);
	}

	observe(brief: BriefSummary, now: number): void {
		this.note(brief.id, brief.created_at);
		if (!isRunning(brief)) this.forget(brief.id);
		else if (this.running.has(brief.id)) this.see(brief, now);
	}

	/** Records a brief of this process, created by this run or an earlier one. */
	addOwn(brief: BriefSummary, now: number): void {
		if (isRunning(brief)) this.see(brief, now).ownSince ??= now;
		this.observe(brief, now);
	}

	/** Records a brief of this process that the list does not show. It was paid for, and holds a slot if it may run. */
	recall(
		id: string,
		facts: { product_name: string; created: Timestamp; mayRun: boolean },
		now: number,
	): void {
		this.note(id, facts.created);
		if (!facts.mayRun || this.running.get(id)?.ownSince !== undefined) return;
		const { product_name, created } = facts;
		this.see({ id, product_name, created_at: created }, now).ownSince = now;
	}

	/** Records an order in doubt that was last sent at `since`: its brief may run until the list must show it. */
	holdInDoubt(key: string, since: number, now: number): void {
		this.inDoubt.add(key, since, now);
	}

	/** Forgets the doubt about an order: it has a brief, or certainly none. */
	settle(key: string): void {
		this.inDoubt.delete(key);
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
		return this.unlisted().size + this.inDoubt.count > 0;
	}

	/** Says how many more briefs may start. Two limits hold: for all that run, and for this process's own (P4). */
	freeSlots(): number {
		const pending = this.permits.size + this.inDoubt.count;
		const all = [...this.running.values()].filter(isBelieved);
		const own = all.filter(({ ownSince }) => ownSince !== undefined).length + pending;
		return Math.max(0, Math.min(SLOTS - all.length - pending, SLOTS - this.leaveSlots - own));
	}

	/**
	 * Says how many orders may be sent now: one at a time, each after a look that shows the brief of the one before,
	 * because that look also shows what other processes have ordered.
	 */
	slotsToGive(): number {
		const isUnanswered = [...this.permits].some(({ isAnswered }) => !isAnswered);
		const isAwaited = [...this.running.values()].some((brief) => brief.isAwaited);
		return isUnanswered || isAwaited ? 0 : Math.min(1, this.freeSlots());
	}

	/**
	 * Checks whether both slots are taken, not counting the order that asks and holds a permit. Even a brief that runs
	 * very long may be why the service refuses, unless others were seen in the slots beside it.
	 * @param ended how many briefs had a slot at that time and have ended since
	 */
	areSlotsTaken(ended = 0): boolean {
		const others = ended + this.inDoubt.count + Math.max(0, this.permits.size - 1);
		const believed = [...this.running.values()].filter(isBelieved).length;
		const overlong = Math.min(this.running.size - believed, this.mostHeldByOverlong);
		return believed + overlong + others >= SLOTS;
	}

	/** Gives the running briefs, oldest first. */
	holders(): SlotHolder[] {
		return [...this.running.values()].map(asHolder).sort((a, b) => a.since - b.since);
	}

	/**
	 * Gives the listed briefs that hold all slots, so that none becomes free before one of them ends. Null if a slot is
	 * free, if an order on its way may give one back, or if some running briefs are not listed.
	 */
	slotsHeldBy(): SlotHolder[] | null {
		if (this.freeSlots() > 0 || this.permits.size > 0 || this.isAheadOfList()) return null;
		return [...this.running.values()].filter(isBelieved).map(asHolder);
	}

	/** Says until when each order in doubt holds a slot at most. */
	inDoubtUntil(): number[] {
		return this.inDoubt.until();
	}

	/** Says how many briefs of other people hold a slot, by the last look. */
	othersRunning(): number {
		return [...this.running.values()].filter(({ ownSince }) => ownSince === undefined).length;
	}

	/** Counts the known briefs created in the month of this instant. */
	used(now: number): number {
		return this.month.used(now);
	}

	/** Checks whether a brief was known already when so many were. This asks no clock. */
	wasKnown(id: string, known: number): boolean {
		return (this.places.get(id) ?? Infinity) < known;
	}

	/** @param onAnswer called when the service has answered the create */
	permit(now: () => number, onAnswer: () => void = () => {}): SlotPermit {
		const permit: OpenPermit = { isAnswered: false };
		this.permits.add(permit);
		const answered = () => {
			permit.isAnswered = true;
			onAnswer();
		};
		const close = () => {
			this.permits.delete(permit);
			answered();
		};
		return {
			accepted: (brief) => {
				this.addOwn(brief, now());
				this.awaitOnList(brief.id, now());
				close();
			},
			answered,
			release: close,
			keepInDoubt: (key) => {
				if (this.permits.has(permit)) this.holdInDoubt(key, now(), now());
				close();
			},
			keepUntilLook: () => {
				if (this.permits.has(permit)) this.inDoubt.addUntilLook();
				this.isLookWanted = true;
				close();
			},
		};
	}

	/** Has the next order wait for the list to show this brief, unless it is an old one that a repeated order brought. */
	private awaitOnList(id: string, now: number): void {
		const brief = this.running.get(id);
		if (brief === undefined || now - brief.since > USUAL_LIST_LAG_MS) return;
		brief.isAwaited = true;
		this.isLookWanted = true;
	}

	private note(id: string, created: Timestamp): void {
		this.month.add(id, created);
		if (!this.places.has(id)) this.places.set(id, this.known++);
	}

	/** Notes a running brief. A time in the future counts as now: a clock was set back. */
	private see({ id, product_name, created_at, status }: Seen, now: number): RunningBrief {
		const unknown = { since: now, isListed: false, isAwaited: false, isOverlong: false };
		const before = this.running.get(id) ?? unknown;
		const since = Math.min(instantOf(created_at) ?? before.since, now);
		const seen: RunningBrief = { ...before, id, product_name, since, status };
		this.running.set(id, seen);
		return seen;
	}

	/** Finds the briefs that have run for too long. The page shows how many of them may still hold a slot. */
	private judgeOverlong(now: number): void {
		const running = [...this.running.values()];
		const overlong = running.filter(({ since }) => now - since > this.held);
		if (overlong.some(isBelieved)) this.mostHeldByOverlong = SLOTS;
		for (const brief of running) brief.isOverlong = overlong.includes(brief);
		const others = running.filter((brief) => brief.isListed && isBelieved(brief)).length;
		this.mostHeldByOverlong = Math.min(this.mostHeldByOverlong, Math.max(0, SLOTS - others));
	}
}

type Seen = Pick<BriefSummary, 'id' | 'product_name' | 'created_at'> & { status?: BriefStatus };

/** A brief that runs as far as we know. Times are of the service's clock. */
interface RunningBrief extends Omit<SlotHolder, 'isOurs'> {
	/** The last page shows it. */
	isListed: boolean;
	/** It was ordered a moment ago, and the next order waits for a page that shows it. */
	isAwaited: boolean;
	/** The time since which we know it as a brief of this process; undefined for other people's. */
	ownSince?: number | undefined;
	/** It has run for longer than a brief is believed to hold a slot. */
	isOverlong: boolean;
}

function isBelieved({ isOverlong }: RunningBrief): boolean {
	return !isOverlong;
}

function asHolder({ id, product_name, since, status, ownSince }: RunningBrief): SlotHolder {
	return { id, product_name, since, status, isOurs: ownSince !== undefined };
}

/**
 * This process's orders in doubt. Each may have a brief that holds a slot, until the list shows it or must show it.
 * Times are of the service's clock.
 */
class OrdersInDoubt {
	/** The time at which each was last sent, by its key, the oldest first. */
	private orders: Array<readonly [key: string, since: number]> = [];
	/** Those that hold a slot only until the next look. */
	private untilLook = 0;

	get count(): number {
		return this.orders.length + this.untilLook;
	}

	/** Adds an order that was last sent at `since`. */
	add(key: string, since: number, now: number): void {
		this.delete(key);
		this.orders.push([key, since]);
		this.orders.sort(([, a], [, b]) => a - b);
		this.forgetListed(now);
	}

	delete(key: string): void {
		this.orders = this.orders.filter(([other]) => other !== key);
	}

	/** Adds an order that was answered, so the next look shows whether it has a brief. */
	addUntilLook(): void {
		this.untilLook += 1;
	}

	/** @param appeared how many new briefs may be those of orders in doubt */
	observe(appeared: number, now: number): void {
		this.untilLook = 0;
		this.orders = this.orders
			.slice(Math.max(0, appeared))
			// A clock that was set back must not extend it.
			.map(([key, since]) => [key, Math.min(since, now)] as const);
		this.forgetListed(now);
	}

	/** Says until when each holds a slot at most. */
	until(): number[] {
		return this.orders.map(([, since]) => since + LIST_LAG_MS);
	}

	private forgetListed(now: number): void {
		this.orders = this.orders.filter(([, since]) => now - since <= LIST_LAG_MS);
	}
}
