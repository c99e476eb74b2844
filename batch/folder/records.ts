import { win32 } from 'node:path';
import type { Brief, BriefSummary, Timestamp } from '../../service/api/resources';
import { instantOf } from '../../service/api/timestamps';
import { NEW_ORDER, type OrderState } from '../../service/order/life';
import { recall } from '../../service/order/recall';
import {
	causeIn,
	type EventOf,
	type Line,
	type OrderLine,
	type OrderOf,
	type RunEnded,
} from './events';
import type { OrderCause } from './journal/causes';
import type { RowStatus } from './journal/row-status';

/** The beginning of a run. */
type Run = EventOf<'run_started'> & { at: string };

/**
 * One try of a row, as the journal knew it at one moment: what was ordered, what came of it, and where it had come to.
 * It does not change: what happens later makes another one of the same key.
 */
export type Order = Readonly<
	Omit<EventOf<'ordered'>, 'event' | 'keeps'> & {
		/** When it came on record. */
		at: string;
		/** As another process finds it. */
		state: OrderState;
		/** The newest run when it came on record. */
		run: Run | undefined;
		/** The key of the order that took its place. */
		replaced_by?: string | undefined;
		/** The key of the order that its brief passed to: a person kept it for the edited row. */
		passed_to?: string | undefined;
		/** A run has come to its end without an answer to it since it was last withdrawn. */
		is_left: boolean;
		/** Its brief as last seen: once that is known, it is paid for. */
		brief: (BriefSummary & Partial<Pick<Brief, 'error_code'>>) | null;
		/** False if its brief was there before it, and cost nothing. */
		is_paid: boolean;
		/** When the service took it, or its brief was found. */
		accepted_at: string | null;
		/** When this machine noticed that its brief had ended, or that it was refused. */
		ended_at: string | null;
		/** Milliseconds from accepted to ended; null if it was not watched all the time. */
		took_ms: number | null;
		/** The name of its files in results/ without the ending, once they are written. */
		file: string | null;
		/** Why it is parked or has failed. */
		cause: OrderCause | null;
	}
>;

/** Gives the names by which an order is the same in any CSV. */
export function orderOf({ key, content_id, try: n, product_name, own_number }: Order): OrderOf {
	return { key, content_id, try: n, product_name, own_number };
}

/** Says whether its brief cost nothing: it was there before, or a person gave it. */
export function isTakenOver({ brief, is_paid }: Order): boolean {
	return brief !== null && !is_paid;
}

/** Says whether it was put aside before it was sent. */
export function isHeldUnsent({ state, cause }: Order): boolean {
	return state.stage === 'to_order' && cause?.reason === 'listed';
}

/** Says whether anything may have come of an order. */
export function hasArrived({ state }: Order): boolean {
	return state.stage !== 'to_order';
}

/** Gives how its brief ended; null as long as that is not on record. */
export function endedAs({ brief, ended_at }: Order): 'ready' | 'failed' | null {
	if (brief === null || ended_at === null) return null;
	return brief.status === 'failed' ? 'failed' : 'ready';
}

/** Gives where a row is whose order has come so far. */
export function statusOf(
	order: Order,
): Extract<RowStatus, 'ready' | 'failed' | 'parked' | 'pending'> {
	const { stage } = order.state;
	if (stage === 'parked' || isHeldUnsent(order)) return 'parked';
	if (stage === 'refused') return 'failed';
	if (stage !== 'done') return 'pending';
	return endedAs(order) === 'failed' ? 'failed' : 'ready';
}

/**
 * Gives when a brief was created, for the month in which it counts. If the service's own time cannot be read, that of
 * its last intent is close enough; this machine's clock may have been set since.
 */
export function createdAt({ brief, state, accepted_at, at }: Order): Timestamp {
	const created = brief?.created_at;
	const readable = instantOf(created) === null ? undefined : created;
	return readable ?? state.lastTried?.service ?? accepted_at ?? at;
}

/** Gives a path without its folders, from any operating system. */
export function fileNameOf(path: string): string {
	return win32.basename(path);
}

/** What has happened since the newest run began: the keys of the orders, in the order in which it happened to them. */
type Lately = Record<'accepted' | 'ended' | 'filed' | 'parked', string[]>;

/** The state that the lines of a journal add up to. */
export class Records {
	batch: string | null = null;
	baseUrl: string | null = null;
	lastRun: (RunEnded & { at: string }) | null = null;
	/** A run has begun and its end is not on record: it is still at work, or was cut off. */
	isUnderWay = false;
	/** For what the run waited last; it may be over by now. Null once it has ordered again, or has ended. */
	wait: EventOf<'waits' | 'waits_for_slot'> | null = null;
	/** The marks that earlier runs have reported, and their exit codes (batch/plan/marks.ts). */
	readonly reportedMarks = new Map<string, Set<number>>();
	/** The newest run that began: results.csv lists the rows of its CSV. */
	run: Run | undefined;
	/** Set if the newest run could not begin. */
	notBegun: Extract<Line, { outcome: 'not_begun' }> | null = null;
	private keysLately: Lately = noneLately();
	private readonly byKey = new Map<string, Order>();
	/** The keys of the newest tries. */
	private readonly byContent = new Map<string, string>();
	/** The key of the order that has each brief, by the ID of the brief. */
	private readonly byBrief = new Map<string, string>();
	private readonly keysInDoubt = new Set<string>();
	/** The names of all briefs' files. */
	private readonly files = new Set<string>();

	/** The CSV of the newest run that began: the rows on record are its rows. If none has begun, of the one that could not. */
	get lastCsv(): string | null {
		return (this.run ?? this.notBegun)?.csv ?? null;
	}

	/** Gives what was typed for that run besides --out. */
	get lastOptions(): readonly string[] {
		return (this.run ?? this.notBegun)?.options ?? [];
	}

	/** Gives the order that has a brief. */
	ownerOf(briefId: string): Order | undefined {
		return this.withKey(this.byBrief.get(briefId));
	}

	/** Gives the order with a key. */
	withKey(key: string | undefined): Order | undefined {
		return key === undefined ? undefined : this.byKey.get(key);
	}

	/** Gives the newest try of a content, or undefined before the first. */
	of(contentId: string): Order | undefined {
		return this.withKey(this.byContent.get(contentId));
	}

	/** Gives the try before this one: of the same content, or of what the row was before a person edited it. */
	tryBefore({ key, content_id, try: n, instead_of }: OrderOf): Order | undefined {
		const isBefore = (one: Order) => one.content_id === content_id && one.try === n - 1;
		return this.all().find(isBefore) ?? this.withKey(instead_of ?? this.withKey(key)?.instead_of);
	}

	/** Gives every try of every row, oldest first. */
	all(): Order[] {
		return [...this.byKey.values()];
	}

	/** Gives the newest try of each row. */
	newestTries(): Order[] {
		return this.all().filter(({ key, content_id }) => this.byContent.get(content_id) === key);
	}

	/**
	 * Says whether a later order took the place of this one: another try of its row, or one of what its row became. A try
	 * that never arrived replaces nothing.
	 */
	isReplaced({ replaced_by }: Order): boolean {
		const later = this.withKey(replaced_by);
		return later !== undefined && (hasArrived(later) || this.isReplaced(later));
	}

	/** Gives the orders that were sent, or about to be, without an answer on record. */
	inDoubt(): Order[] {
		return [...this.keysInDoubt].flatMap((key) => this.withKey(key) ?? []);
	}

	/** Gives the orders to which something has happened since the newest run began, as they are now. */
	lately(what: keyof Lately): Order[] {
		return this.keysLately[what].flatMap((key) => this.withKey(key) ?? []);
	}

	/** Says whether the name belongs to the files of an order, other than the one of this key. */
	isNameTaken(file: string, key?: string): boolean {
		return this.files.has(file) && this.withKey(key)?.file !== file;
	}

	apply(line: Line): void {
		switch (line.event) {
			case 'batch':
				this.batch = line.batch;
				this.baseUrl = line.base_url;
				return;
			case 'run_started':
				this.isUnderWay = true;
				this.wait = null;
				this.notBegun = null;
				this.run = line;
				this.keysLately = noneLately();
				return;
			case 'run_ended':
				this.wait = null;
				if (line.outcome === 'not_begun') {
					this.notBegun = line;
					return;
				}
				this.lastRun = line;
				this.isUnderWay = false;
				if (line.outcome !== 'interrupted') this.leaveInDoubt();
				return;
			case 'waits':
			case 'waits_for_slot':
				this.wait = line;
				return;
			case 'reported':
				for (const mark of line.marks)
					this.reportedMarks.set(mark, new Set(this.reportedMarks.get(mark)).add(line.exit_code));
				return;
			case 'ordered':
				return this.add(line);
			case 'intended':
			case 'accepted':
			case 'withdrawn':
			case 'refused':
			case 'unanswered':
			case 'parked':
			case 'ended':
			case 'filed':
				return this.happen(line);
			case 'put_off':
				return this.change(line.key, { cause: causeIn(line) });
			// An unknown event changes nothing. If it did, the format would have another number.
			default:
				return;
		}
	}

	/** Keeps how a brief was seen last, for those who show this run. */
	see(key: string, brief: BriefSummary): void {
		this.change(key, { brief });
	}

	private change(key: string | undefined, changes: Partial<Order>): void {
		const order = this.withKey(key);
		if (order !== undefined) this.byKey.set(order.key, { ...order, ...changes });
	}

	private add(line: EventOf<'ordered'> & { at: string }): void {
		const { at, key, content_id, try: n, product_name, own_number, content } = line;
		const { listed: briefIds, instead_of, keeps } = line;
		const earlier = this.byKey.get(key);
		if (earlier !== undefined) {
			this.change(key, {
				own_number: own_number ?? earlier.own_number,
				listed: briefIds ?? earlier.listed,
			});
		} else {
			this.change(this.byContent.get(content_id), { replaced_by: key });
			const identity = { key, content_id, try: n, product_name, own_number, instead_of };
			const facts = { content, listed: briefIds, at, run: this.run };
			this.byKey.set(key, { ...NEW_RECORD, ...identity, ...facts });
			this.byContent.set(content_id, key);
		}
		this.change(instead_of, { replaced_by: key });
		if (keeps !== undefined) this.passBrief(instead_of, key);
	}

	/** Passes the brief of an order to another one, with all that is known of it. */
	private passBrief(fromKey: string | undefined, key: string): void {
		const from = this.withKey(fromKey);
		if (from === undefined || from.brief === null) return;
		const { state, brief, is_paid, accepted_at, ended_at, took_ms, file, cause } = from;
		this.change(key, { state, brief, is_paid, accepted_at, ended_at, took_ms, file, cause });
		this.change(fromKey, { ...NEW_RECORD, passed_to: key });
		this.byBrief.set(brief.id, key);
	}

	/** Gives the order that has the brief of this one by now, if a person kept it for what the row became. */
	keeperOf({ passed_to }: Order): Order | undefined {
		const keeper = this.withKey(passed_to);
		return keeper?.passed_to === undefined ? keeper : this.keeperOf(keeper);
	}

	private happen(line: HappenedLine): void {
		const { key } = line;
		const order = this.byKey.get(key);
		if (order === undefined) return;
		const state = recall(order.state, line);
		// One that changes nothing came when its brief was known.
		if (state === order.state) return;
		this.byKey.set(key, { ...order, state, ...changesBy(line) });
		if (state.stage === 'in_doubt') this.keysInDoubt.add(key);
		else this.keysInDoubt.delete(key);
		switch (line.event) {
			case 'intended':
				this.wait = null;
				return;
			case 'withdrawn':
				return;
			case 'accepted':
				this.byBrief.set(line.brief.id, key);
				this.keysLately.accepted.push(key);
				return;
			case 'ended':
			case 'refused':
			case 'unanswered':
				this.keysLately.ended.push(key);
				return;
			case 'filed':
				this.files.add(line.file);
				this.keysLately.filed.push(key);
				return;
			case 'parked':
				if (line.known !== true) this.keysLately.parked.push(key);
		}
	}

	/** Counts a run that came to its end without an answer to these orders. One that was cut off may not have heard it. */
	private leaveInDoubt(): void {
		for (const { key, state, is_left } of this.inDoubt())
			if (!is_left) {
				const runsUnanswered = state.runsUnanswered + 1;
				this.change(key, { is_left: true, state: { ...state, runsUnanswered } });
			}
	}
}

/** A line about an order that says how its state goes on. */
type HappenedLine = { at: string } & Exclude<OrderLine, { event: 'put_off' }>;

/** Gives what a line changes in its order besides the state. */
function changesBy(line: HappenedLine): Partial<Order> {
	switch (line.event) {
		case 'intended':
			return {};
		case 'withdrawn':
			return { is_left: false };
		case 'accepted': {
			const { brief, paid: is_paid, at: accepted_at } = line;
			return { brief, is_paid, accepted_at, cause: null };
		}
		case 'ended': {
			const { brief, took_ms, at: ended_at } = line;
			return { brief, took_ms, ended_at, cause: causeIn(line) };
		}
		case 'refused':
		case 'unanswered':
			return { ended_at: line.at, cause: causeIn(line) };
		case 'filed':
			return { file: line.file };
		case 'parked':
			return { cause: causeIn(line) };
	}
}

function noneLately(): Lately {
	return { accepted: [], ended: [], filed: [], parked: [] };
}

const NEW_RECORD = {
	state: NEW_ORDER,
	is_left: false,
	brief: null,
	is_paid: false,
	accepted_at: null,
	ended_at: null,
	took_ms: null,
	file: null,
	cause: null,
} as const;
