import type { Row, Table } from '../../csv/table';
import type { BriefRecord, Records } from '../../journal/records';
import type { Changes } from './changed-rows';
import { classifyRows, type ClassifiedRow } from './classify-rows';
import { findChanges } from './find-changes';
import type { Part } from '../request';

/** A CSV compared with the journal: numbers, and the few rows that an earlier run did not bring to an end. */
export interface Summary {
	rows: number;
	/** Rows that can be ordered, without those that are changed. */
	fresh: number;
	changes: Changes;
	invalid: number;
	duplicates: number;
	done: number;
	failed: number;
	begun: Array<{ row: Row; record: BriefRecord }>;
	parked: Array<{ row: Row; record: BriefRecord }>;
}

export interface SummaryListener {
	invalid?(row: Row): void;
	duplicate?(row: Row, firstRow: number): void;
}

export interface SummaryOptions {
	allowDuplicates: boolean;
	/** Where the CSV holds only a part of its batch: a row which is not in it is not gone. */
	part?: Pick<Part, 'openResults'> | undefined;
}

export async function summariseRows(
	table: Table,
	records: Records,
	{ part, ...options }: SummaryOptions,
	listener: SummaryListener = {},
): Promise<Summary> {
	const summary: Summary = {
		rows: 0,
		fresh: 0,
		invalid: 0,
		duplicates: 0,
		done: 0,
		failed: 0,
		begun: [],
		parked: [],
		changes: new Map(),
	};
	const standing = new Set<string>();
	const classifiedRows = classifyRows(table, records, options);
	summary.rows = classifiedRows.length;
	for (const classified of classifiedRows) {
		const order = orderOf(classified, records);
		if (order !== undefined) standing.add(order.key);
		switch (classified.fate) {
			case 'invalid':
				summary.invalid += 1;
				listener.invalid?.(classified.row);
				break;
			case 'duplicate':
				summary.duplicates += 1;
				listener.duplicate?.(classified.row, classified.firstRow);
				break;
			case 'new':
				summary.fresh += 1;
				break;
			case 'begun':
			case 'parked':
				summary[classified.fate].push(classified);
				break;
			case 'done':
				if (classified.record.status === 'failed') summary.failed += 1;
				else summary.done += 1;
				break;
		}
	}
	if (summary.fresh === 0) return summary;
	const whole = await part?.openResults();
	// Where nobody knows which rows the batch has besides, it is better to ask once more than to pay once more.
	for (const classified of whole ? classifyRows(whole, records, options) : []) {
		const order = orderOf(classified, records);
		if (order !== undefined) standing.add(order.key);
	}
	summary.changes = findChanges(table, records, options, standing);
	summary.fresh -= summary.changes.size;
	return summary;
}

/** Whether a run would send an order, new or once more. */
export function mayOrder(
	summary: Summary,
	options: OrderChanged & { orderAgain: boolean },
): boolean {
	const isInDoubt = summary.begun.some(({ record }) => record.state === 'in_doubt');
	const isAskedFor = options.orderAgain && summary.parked.length + summary.done > 0;
	return toOrder(summary, options) > 0 || isInDoubt || isAskedFor;
}

/** How many rows a run may order. */
export function toOrder({ fresh, changes }: Summary, { orderChanged }: OrderChanged): number {
	return fresh + (orderChanged ? changes.size : 0);
}

/** How many rows it holds back. */
export function heldBack({ changes }: Summary, { orderChanged }: OrderChanged): number {
	return orderChanged ? 0 : changes.size;
}

interface OrderChanged {
	orderChanged: boolean;
}

/** What the journal has of a row, also where the row is left out as a duplicate now. */
function orderOf(classified: ClassifiedRow, records: Records): BriefRecord | undefined {
	if (classified.fate === 'invalid') return undefined;
	if (classified.fate !== 'duplicate') return classified.record;
	return records.of(classified.row.id, classified.ordinal);
}
