import { noRows, type Counts, type RowStatus } from '../folder/journal/row-status';
import type { Allowance } from '../../service/list/allowance';
import { nextMonthStart } from '../../service/list/month';
import type { Brief } from '../../service/api/resources';
import type { Look } from '../../service/order/shell';
import type { Row } from '../csv/table';
import type { OrderOf } from '../folder/events';
import { isTakenOver, type Order, type Records, statusOf } from '../folder/records';
import { isSelected, type RowSelection } from './row-selection';
import { changesIn, holderNow, mayBeHeldBack } from './changes';
import { isRetryable, tryOf } from './try';

/*
 * The plan: the rows of a CSV in its order, each with where it is and what is to be done with it. `plan` prints it,
 * `run` and `retry` carry it out, and results and report show what is in it afterwards. It is pure: rows, journal, and
 * what the list and results/ show make it.
 */

/** The next step with a row. */
export type Todo =
	/** It is ordered, which costs a brief. */
	| 'order'
	/** A brief that is there becomes its own, and costs nothing. */
	| 'take_over'
	/** A listed brief may be its own or not, so that a person must say. */
	| 'park'
	/** It was ordered: its brief is found, waited for and fetched. */
	| 'resume'
	/** It is parked: its brief is looked for once more. */
	| 'look'
	| 'nothing';

export interface PlannedRow {
	row: Row;
	/** The first row of the same content, whose brief it shares: then it has nothing of its own. */
	sameAs: PlannedRow | undefined;
	/** Its newest order. */
	record: Order | undefined;
	todo: Todo;
	/** The order of its product that it was made from, with other content. */
	heldBy: Order | undefined;
	/** The reason for another try although it may have a brief. */
	again: 'retry' | 'order_again' | undefined;
	/** The listed briefs that are or may be its own, to show. At its turn it is looked for again: others may have them by then. */
	briefIds: readonly string[];
	/** When it is ordered, if it is to be ordered. */
	when: When | undefined;
	/** When it could be ordered again, if a person asks for that and this run has no brief for it: it stays as it is. */
	notAgain: When | undefined;
}

/** The time of an order: this run, a later one because of --max, or a later month. */
export type When =
	| { is: 'now' | 'beyond_max' }
	/** ISO 8601; null if nothing of the allowance may be used. */
	| { is: 'deferred'; until: string | null };

/** The wishes of a person for the plan. */
export interface PlanOptions {
	/** The rows that are ordered again if they were ordered with other content. */
	orderChanged?: RowSelection;
	/** The briefs that a person gives to rows, by the number of the row. */
	adoptions?: ReadonlyMap<number, Brief>;
	/** The changed rows that keep the briefs that they have. */
	adoptChanged?: RowSelection;
	/** The rows that are ordered even if a listed brief is their own. */
	orderAgain?: RowSelection;
	/** Rows without a brief get another try, up to this many in all. Missing: they get none. */
	retryUpTo?: number | undefined;
}

export interface PlanSource {
	batch: string;
	rows: readonly Row[];
	/** All rows of the CSV, if these are not all: a row that is left out is not gone. */
	csv?: readonly Row[] | undefined;
	records: Records;
	options: PlanOptions;
	/** The keys of the orders that hold changed rows back, by the ID of the row, if they are known already. */
	changes?: ReadonlyMap<string, string> | undefined;
	/** The briefs in list and results/ that may be those of the rows to order, by the number of the row. */
	looks?: ReadonlyMap<number, Look>;
	bounds?: Bounds | undefined;
}

/** The number of rows that can be ordered. */
export interface Bounds {
	/** The rest of the allowance. */
	rest: number;
	max: number;
	/** The briefs of each month to come; null if that is not known. */
	perMonth: number | null;
	/** The service's time in milliseconds. */
	now: number;
}

export interface Plan {
	/** All that it was made of. Made of the same again later, it shows where the rows are by then. */
	source: PlanSource & { changes: ReadonlyMap<string, string> };
	/** In the order of the CSV. */
	rows: readonly PlannedRow[];
}

export function makePlan(from: PlanSource): Plan {
	const { csv = from.rows, records } = from;
	const source = { ...from, changes: from.changes ?? changesIn(from.rows, csv, records) };
	const firsts = new Map<string, PlannedRow>();
	const months = new Map<number, When>();
	let place = 0;
	const rows = from.rows.map((row) => {
		const first = firsts.get(row.contentId);
		if (first !== undefined) return unplanned(row, first);
		let plannedRow = planRow(row, source);
		const when = isToOrder(plannedRow) ? whenOrdered(place + 1, source.bounds, months) : undefined;
		if (when !== undefined && when.is !== 'now' && !isNew(plannedRow)) {
			// Ordered by a later run, it would be paid for again although nobody asks that run for it (P10).
			plannedRow = { ...planRow(row, { ...source, options: {} }), notAgain: when };
		} else if (isToOrder(plannedRow)) {
			plannedRow.when = when;
			place += 1;
		}
		if (row.problems.length === 0) firsts.set(row.contentId, plannedRow);
		return plannedRow;
	});
	return { source, rows };
}

/**
 * Plans the list as it is now, which shows what a batch has come to: all rows but those that --where leaves out, and
 * nothing that a person asks of one run.
 */
export function planOfList(
	{ batch, records, rows, csv = rows }: PlanSource,
	bounds?: Bounds,
): Plan {
	const listRows = csv.filter(({ isLeftOut }) => isLeftOut !== true);
	return makePlan({ batch, records, rows: listRows, csv, options: {}, bounds });
}

/**
 * Plans one row by its record now. A run asks again at the row's turn: meanwhile another row may have taken a brief, or
 * the order that held the row back may have been withdrawn.
 */
function planRow(row: Row, source: PlanSource): PlannedRow {
	const plannedRow = unplanned(row);
	// A row with problems has no ID, and so no record.
	if (row.problems.length > 0) return plannedRow;
	const record = source.records.of(row.contentId);
	plannedRow.record = record;
	if (mayBeHeldBack(record))
		plannedRow.heldBy = holderNow(source.changes?.get(row.contentId), source.records);
	return Object.assign(plannedRow, whatToDo(plannedRow, source));
}

const NO_IDS: readonly string[] = [];

/** One literal: several spreads for each row would take half the time of `plan`. */
function unplanned(row: Row, sameAs?: PlannedRow): PlannedRow {
	return {
		row,
		sameAs,
		record: undefined,
		todo: 'nothing',
		heldBy: undefined,
		again: undefined,
		briefIds: NO_IDS,
		when: undefined,
		notAgain: undefined,
	};
}

type Decision = Partial<Pick<PlannedRow, 'todo' | 'again' | 'briefIds'>>;

const ORDERED_AGAIN: Decision = { todo: 'order', again: 'order_again' };

function whatToDo(plannedRow: PlannedRow, source: PlanSource): Decision {
	const { row, record, heldBy } = plannedRow;
	const { options, looks } = source;
	// A person gives it a brief, or it keeps the one that it has.
	const adoption = options.adoptions?.get(row.number);
	if (adoption !== undefined && record?.state.briefId !== adoption.id)
		return { todo: 'take_over', briefIds: [adoption.id] };
	const briefId = briefToKeep(plannedRow, source);
	if (briefId !== null) return { todo: 'take_over', briefIds: [briefId] };
	// A person asks for another try of what has no brief.
	const last = lastOrder(plannedRow);
	const isOrderAgain = isSelected(options.orderAgain, row.number);
	if (last !== undefined && isRetryable(last) && last.try < (options.retryUpTo ?? 0))
		return { ...withLook(looks?.get(row.number), isOrderAgain), again: 'retry' };
	const stage = record?.state.stage ?? 'to_order';
	if (stage === 'to_order') {
		// Nothing of this content was ordered. What was edited since is held back until a person asks for it (P10).
		if (heldBy !== undefined && statusOf(heldBy) === 'failed') return {};
		if (heldBy !== undefined && !isSelected(options.orderChanged, row.number)) return {};
		return withLook(looks?.get(row.number), isOrderAgain);
	}
	// It was ordered: nothing more is sent, unless a person wants another brief beside one that was taken over.
	if (stage === 'in_doubt' || stage === 'running') return { todo: 'resume' };
	if (stage === 'parked') return { todo: 'look' };
	const isTaken = record !== undefined && statusOf(record) === 'ready' && isTakenOver(record);
	return isOrderAgain && isTaken ? ORDERED_AGAIN : {};
}

/**
 * Gives the brief of the order that holds a row back, if the row keeps it; otherwise null. A person says so, or the row was
 * put back: the brief was ordered with just this content, and then kept for another.
 */
export function briefToKeep(
	{ row, record, heldBy }: PlannedRow,
	{ records, options }: PlanSource,
): string | null {
	if (heldBy === undefined || statusOf(heldBy) === 'failed') return null;
	const isPutBack = record !== undefined && records.keeperOf(record)?.key === heldBy.key;
	const isKept = isPutBack || isSelected(options.adoptChanged, row.number);
	return isKept ? heldBy.state.briefId : null;
}

/** Gives the newest order of a row, or that of its product which it was made from. */
export function lastOrder({ record, heldBy }: PlannedRow): Order | undefined {
	return heldBy ?? record;
}

/**
 * Decides about a row that this journal has not ordered. Another journal may have: one that is lost, old or elsewhere.
 */
function withLook(look: Look | undefined, isAskedAgain: boolean): Decision {
	if (look === undefined || look.is === 'nothing') return { todo: 'order' };
	if (isAskedAgain) return ORDERED_AGAIN;
	if (look.is === 'found') return { todo: 'take_over', briefIds: [look.brief.id] };
	return { todo: 'park', briefIds: look.ids };
}

/** Gives how many rows can be ordered at the service's time `now`, by its allowance if that is known. */
export function boundsOf(
	allowance: Allowance | null,
	{ keep, max }: { keep: number; max: number },
	now: number,
): Bounds {
	return {
		rest: Math.max(0, (allowance?.remaining ?? Infinity) - keep),
		max,
		perMonth: allowance?.allowance == null ? null : allowance.allowance - keep,
		now,
	};
}

/**
 * Gives when a row is ordered.
 * @param place which of the rows to order it is, from 1 on
 * @param months what was given for rows of later months, by how many months later
 */
function whenOrdered(
	place: number,
	bounds: Bounds | undefined,
	months: Map<number, When>,
): When | undefined {
	if (bounds === undefined) return undefined;
	const { rest, max, perMonth, now } = bounds;
	if (place <= Math.min(rest, max)) return { is: 'now' };
	if (place <= rest) return { is: 'beyond_max' };
	const isEver = perMonth !== null && perMonth > 0;
	const month = isEver ? Math.ceil((place - rest) / perMonth) : 0;
	const when: When = months.get(month) ?? {
		is: 'deferred',
		until: isEver ? new Date(nextMonthStart(now, month)).toISOString() : null,
	};
	months.set(month, when);
	return when;
}

/** Gives where a row is: by the stage of its order, by what holds it back, and by what the allowance gives. */
export function rowStatus(plannedRow: PlannedRow): Exclude<RowStatus, 'left_out'> {
	const { row, sameAs, record, heldBy, when } = plannedRow;
	if (sameAs !== undefined) return rowStatus(sameAs);
	if (row.problems.length > 0) return 'invalid';
	if (isHeldBack(plannedRow))
		return heldBy !== undefined && statusOf(heldBy) === 'failed' ? 'failed' : 'changed';
	const status = record === undefined ? 'pending' : statusOf(record);
	return status === 'pending' && when?.is === 'deferred' ? 'deferred' : status;
}

/** Says whether it is changed itself, and not only of the same content as a row that is. */
export function isChanged(plannedRow: PlannedRow): boolean {
	return plannedRow.sameAs === undefined && rowStatus(plannedRow) === 'changed';
}

/** Says whether it is ordered, now or later. */
export function isToOrder({ todo }: PlannedRow): boolean {
	return todo === 'order';
}

/** Says whether it is ordered for the first time, as far as this journal knows its product. */
export function isNew({ todo, heldBy, again }: PlannedRow): boolean {
	return todo === 'order' && heldBy === undefined && again === undefined;
}

/** Says whether an earlier order holds it back: it was edited after that, and shows what became of that. */
export function isHeldBack({ todo, heldBy }: PlannedRow): boolean {
	return todo === 'nothing' && heldBy !== undefined;
}

/** Gives how many rows there are of each status; those that share a brief apart. */
export function countRows(rows: readonly PlannedRow[]): Counts {
	const counts = noRows();
	for (const row of rows) counts[row.sameAs === undefined ? rowStatus(row) : 'duplicate'] += 1;
	return counts;
}

/**
 * Gives a row as it is at its turn, if it is to be ordered. What an earlier run sent is on its way already. Each further
 * try that a person asks for is on record before the first turn, so what would need one by now is left as it is.
 */
export function toOrderNow(plannedRow: PlannedRow, source: PlanSource): PlannedRow | null {
	const { row, todo, sameAs, notAgain } = plannedRow;
	if (todo === 'resume' || sameAs !== undefined || notAgain !== undefined) return null;
	const now = planRow(row, source);
	return isToOrder(now) && now.again === undefined ? now : null;
}

/** Says whether a person asks for a row even if a listed brief is its own. */
export function isAskedAgain(
	{ row, notAgain }: PlannedRow,
	{ options: { orderAgain } }: PlanSource,
): boolean {
	return notAgain === undefined && isSelected(orderAgain, row.number);
}

/** Gives the try that the plan is about: the one that the row has, or the next one. */
export function tryOfPlanned(plannedRow: PlannedRow, batch: string): OrderOf {
	const { row, record, heldBy, again } = plannedRow;
	const before = again === 'retry' ? lastOrder(plannedRow) : record;
	// A key whose brief passed to another order would bring that brief.
	const isNext = again !== undefined || before?.passed_to !== undefined;
	const rowTry = tryOf(batch, row, (before?.try ?? 1) + (isNext ? 1 : 0));
	return heldBy === undefined ? rowTry : { ...rowTry, instead_of: heldBy.key };
}

/** Gives the keys of orders in doubt of which this run has no row: taken out, edited or left out. They are not sent. */
export function keysOfOrdersWithoutRow({ rows, source: { records } }: Plan): ReadonlySet<string> {
	const keysOfRows = new Set(rows.map(({ record }) => record?.key));
	const keysInDoubt = records.inDoubt().map(({ key }) => key);
	return new Set(keysInDoubt.filter((key) => !keysOfRows.has(key)));
}
