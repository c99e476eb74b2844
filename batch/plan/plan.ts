import { noRows, statusOf, type RowStatus, type Counts } from '../folder/journal/status';
import type { Allowance } from '../../service/list/allowance';
import { nextMonthStart } from '../../service/list/month';
import type { Look } from '../../service/order/shell';
import type { BriefInput } from '../../service/api/resources';
import type { Row } from '../csv/table';
import type { BriefRecord, Records } from '../folder/journal/records';
import { isAsked, type AskedRows } from './asked-rows';
import { changesIn, holdsBack, isUnasked, rowKey, type Changes } from './changes';
import { numbered, rowOrderOf, type NumberedRow, type RowOrder } from './row-order';

/*
 * The plan: the rows of a CSV in its order, each with where it is and what is to be done with it. `plan` prints it, `run`
 * and `retry` carry it out, and results and report show what is in it afterwards. It is pure: rows, journal and list make
 * it.
 */

/** What is to be done with a row. */
export type Todo =
	/** It is ordered, which costs a brief. */
	| 'order'
	/** The workspace lists briefs of its product: they are looked at, and it is taken over, parked or ordered. */
	| 'compare'
	/** A listed brief is its own, and costs nothing. */
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
	/** Which of the rows of the same content it is, from 1 on. */
	ordinal: number;
	/** Its newest order. */
	record: BriefRecord | undefined;
	status: RowStatus;
	todo: Todo;
	/** The order of its product that it was made from, with other content. */
	change: BriefRecord | undefined;
	/** It was taken over or parked because of a listed brief, and is ordered because --order-again asks for it. */
	isAgain: boolean;
	/** The number of the row whose content it has, and whose brief it shares. */
	sameAs: number | undefined;
	/** The listed briefs that are or may be its own. */
	briefIds: readonly string[];
	/** When it is ordered: in this run, in a later one because of --max, or in a later month. */
	ordered: 'now' | 'beyond_max' | 'deferred' | undefined;
	/** When a deferred row can be ordered, ISO 8601; null if nothing of the allowance may be used. */
	deferredUntil: string | null | undefined;
}

/** How a person wants a plan made. */
export interface PlanOptions {
	allowDuplicates: boolean;
	/** Whether rows that were ordered with other content are ordered again. */
	orderChanged?: AskedRows;
	/** Whether rows are ordered whose brief may be listed already. */
	orderAgain?: AskedRows;
}

export interface PlanSource {
	batch: string;
	rows: readonly Row[];
	/** If the CSV holds a part of its batch, all rows of that: what is not in the CSV is not gone. */
	whole?: readonly Row[] | undefined;
	records: Records;
	options: PlanOptions;
	/** The changed rows, if they are known already. */
	changes?: Changes;
	/** Whether the list shows a brief that may be a row's. */
	mayBeListed?: (row: { row: string; ordinal: number }, input: BriefInput) => boolean;
	/** What a look at those briefs showed, by the number of the row. */
	looks?: ReadonlyMap<number, Look>;
	bounds?: Bounds;
}

/** How many rows can be ordered. */
export interface Bounds {
	/** What the allowance gives. */
	left: number;
	max: number;
	/** How many briefs each month to come gives; null if that is not known. */
	perMonth: number | null;
	/** The service's time in milliseconds. */
	now: number;
}

export interface Plan {
	/** What it was made of. Made of the same again later, it shows where the rows are by then. */
	source: PlanSource & { changes: Changes };
	/** In the order of the CSV. */
	rows: readonly PlannedRow[];
}

export function makePlan(given: PlanSource): Plan {
	const rows = numbered(given.rows);
	const source = { ...given, changes: given.changes ?? changesIn(rows, given) };
	const planned: PlannedRow[] = [];
	let place = 0;
	for (const one of rows) {
		const first = one.first === undefined ? undefined : planned[one.first];
		if (first !== undefined && !source.options.allowDuplicates) {
			planned.push(sharing(first, one));
			continue;
		}
		const row = planRow(one, source);
		if (isToOrder(row)) postpone(row, (place += 1), source.bounds);
		planned.push(row);
	}
	return { source, rows: planned };
}

/**
 * Where one row is and what is to be done with it, by its record now. A run asks again at the row's turn: meanwhile
 * another row may have taken a brief, or an order that held the row back may have failed.
 */
function planRow(
	{ row, ordinal }: Pick<PlannedRow, 'row' | 'ordinal'>,
	source: PlanSource,
): PlannedRow {
	// A row with problems has no ID, and so no record.
	const record = source.records.of(row.id, ordinal);
	const change = changeOf({ row, ordinal, record }, source.changes);
	const planned: PlannedRow = {
		row,
		ordinal,
		record,
		status: record === undefined ? 'pending' : statusOf(record),
		todo: 'nothing',
		change,
		isAgain: false,
		sameAs: undefined,
		briefIds: [],
		ordered: undefined,
		deferredUntil: undefined,
	};
	if (row.problems.length > 0) planned.status = 'invalid';
	else decide(planned, source);
	return planned;
}

function decide(planned: PlannedRow, source: PlanSource): void {
	const { record, change } = planned;
	const orderAgain = isAsked(source.options.orderAgain, planned.row.number);
	const orderChanged = isAsked(source.options.orderChanged, planned.row.number);
	switch (record?.state) {
		case undefined:
		case 'withdrawn':
			if (change !== undefined && !orderChanged) planned.status = 'changed';
			else if (orderAgain) planned.todo = 'order';
			else compare(planned, source);
			return;
		case 'in_doubt':
		case 'accepted':
		case 'ended':
			planned.todo = 'resume';
			return;
		case 'parked':
			planned.isAgain = orderAgain && record.unsent === true;
			planned.todo = planned.isAgain ? 'order' : 'look';
			return;
		case 'done':
			planned.isAgain = orderAgain && record.adopted === true && record.status === 'ready';
			planned.todo = planned.isAgain ? 'order' : 'nothing';
			return;
	}
}

/** A new row may have been ordered before, with a journal that is lost, old or in another folder. */
function compare(planned: PlannedRow, { mayBeListed, looks }: PlanSource): void {
	const { row, ordinal } = planned;
	const look = looks?.get(row.number);
	const isListed = mayBeListed?.({ row: row.id, ordinal }, row.input) === true;
	switch (look?.is) {
		case undefined:
			planned.todo = isListed ? 'compare' : 'order';
			return;
		case 'nothing':
			planned.todo = 'order';
			return;
		case 'found':
			planned.todo = 'take_over';
			planned.briefIds = [look.brief.id];
			return;
		case 'unclear':
			planned.todo = 'park';
			planned.briefIds = look.ids;
			return;
	}
}

/** What holds a row back, or did until a person asked for it. The earlier order may have failed since. */
function changeOf(
	{ row, ordinal, record }: Pick<PlannedRow, 'row' | 'ordinal' | 'record'>,
	changes: Changes | undefined,
): BriefRecord | undefined {
	if (changes === undefined || changes.size === 0 || !isUnasked(record)) return undefined;
	const change = changes.get(rowKey(row.id, ordinal));
	return change !== undefined && holdsBack(change) ? change : undefined;
}

/** How many rows can be ordered at the service's time `now`, by its allowance if that is known. */
export function boundsOf(
	allowance: Allowance | null,
	{ keep, max }: { keep: number; max: number },
	now: number,
): Bounds {
	return {
		left: Math.max(0, (allowance?.remaining ?? Infinity) - keep),
		max,
		perMonth: allowance?.allowance == null ? null : allowance.allowance - keep,
		now,
	};
}

/** @param place which of the rows to order it is, from 1 on */
function postpone(planned: PlannedRow, place: number, bounds: Bounds | undefined): void {
	if (bounds === undefined) return;
	const { left, max, perMonth, now } = bounds;
	if (place <= Math.min(left, max)) planned.ordered = 'now';
	else if (place <= left) planned.ordered = 'beyond_max';
	else {
		planned.ordered = 'deferred';
		if (planned.status === 'pending') planned.status = 'deferred';
		const isEver = perMonth !== null && perMonth > 0;
		planned.deferredUntil = isEver
			? new Date(nextMonthStart(now, Math.ceil((place - left) / perMonth))).toISOString()
			: null;
	}
}

/** A row that shares its brief with an earlier one is where that row is. */
function sharing(first: PlannedRow, { row, ordinal }: NumberedRow): PlannedRow {
	const nothing = { todo: 'nothing', isAgain: false, briefIds: [], ordered: undefined } as const;
	return { ...first, ...nothing, row, ordinal, sameAs: first.row.number };
}

/** Whether it is ordered, now or later, unless a listed brief is its own. */
export function isToOrder({ todo }: PlannedRow): boolean {
	return todo === 'order' || todo === 'compare';
}

/** How many rows there are of each status; those that share a brief apart. */
export function countRows(rows: readonly PlannedRow[]): Counts {
	const counts = { ...noRows(), duplicate: 0 };
	for (const { status, sameAs } of rows) counts[sameAs === undefined ? status : 'duplicate'] += 1;
	return counts;
}

export function countIf(rows: readonly PlannedRow[], holds: (row: PlannedRow) => boolean): number {
	let n = 0;
	for (const row of rows) if (holds(row)) n += 1;
	return n;
}

/** A row as it is by now, if it is to be ordered. What an earlier run sent is on its way already. */
export function toOrderNow(planned: PlannedRow, source: PlanSource): PlannedRow | null {
	if (planned.todo === 'resume' || planned.sameAs !== undefined) return null;
	const now = planRow(planned, source);
	return isToOrder(now) ? now : null;
}

/** The order of a row: the one that it has, or its first. */
export function orderOf({ row, ordinal, record, change }: PlannedRow, batch: string): RowOrder {
	const order = rowOrderOf(batch, row, ordinal, record?.generation ?? 1);
	return change === undefined ? order : { ...order, instead_of: change.key };
}

/** The keys of orders in doubt whose row is no longer in the CSV: they are never sent again. */
export function keysOfGoneRows({ rows, source: { records } }: Plan): ReadonlySet<string> {
	const resumed = new Set(rows.filter(({ todo }) => todo === 'resume').map(({ record }) => record));
	return new Set(
		records
			.inDoubt()
			.filter((record) => !resumed.has(record))
			.map(({ key }) => key),
	);
}

/** Whether a run would send an order, new or once more. */
export function mayOrder({ rows }: Plan): boolean {
	return rows.some(
		(row) => isToOrder(row) || (row.todo === 'resume' && row.record?.state === 'in_doubt'),
	);
}
