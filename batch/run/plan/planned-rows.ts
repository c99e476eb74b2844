import { nextMonthStart } from '../../../service/month';
import type { Row, Table } from '../../csv/table';
import type { BriefRecord, Records } from '../../journal/records';
import { differencesText } from '../rows/change-text';
import { classifyRows, type ClassifiedRow } from '../rows/classify-rows';
import type { Foreseen } from './foresee-listed';
import { hasListed } from '../listed/open-rows';
import type { Shares } from './plan-counts';
import type { Summary } from '../rows/summarise';

/** What a row is to a run: the counts of a plan, row by row. */
export type PlannedAs =
	| 'new'
	| 'changed'
	| 'adopted'
	| 'unclear'
	| 'again'
	| 'under_way'
	| 'done'
	| 'failed'
	| 'parked'
	| 'invalid'
	| 'duplicate';

export interface PlannedRow {
	row: number;
	product_name: string;
	is: PlannedAs;
	/** When a row that is to be ordered is: in this run, in a later one because of --max, or in a later month. */
	ordered?: 'now' | 'beyond_max' | 'deferred';
	/** When a deferred row can be ordered, ISO 8601; null where nothing of the allowance may be used. */
	deferred_until?: string | null;
	/** Its brief, or those that may be its own. */
	brief_ids?: readonly string[];
	/** What differs, what failed, or what is wrong with it. */
	why?: string;
}

export interface PlanBounds {
	shares: Shares;
	/** How many briefs each month to come gives; null where nobody asked the service. */
	perMonth: number | null;
	/** The service's time in milliseconds. */
	now: number;
}

/** The rows of a CSV in its order, each with what a run would do with it. */
export function plannedRows(
	table: Table,
	records: Records,
	options: { allowDuplicates: boolean; orderChanged: boolean; orderAgain: boolean },
	{ changes }: Pick<Summary, 'changes'>,
	{ adopted, unclear }: Pick<Foreseen, 'adopted' | 'unclear'>,
	bounds: PlanBounds,
): PlannedRow[] {
	const taken = new Map(adopted.map(({ row, brief_id }) => [row.number, brief_id]));
	const perhaps = new Map(unclear.map(({ row, ids }) => [row.number, ids]));
	let place = 0;
	const whenOrdered = () => {
		place += 1;
		return whenOf(place, bounds);
	};

	const planned = (classified: ClassifiedRow): Omit<PlannedRow, 'row' | 'product_name'> => {
		const { row } = classified;
		switch (classified.fate) {
			case 'invalid':
				return { is: 'invalid', why: problemsText(row) };
			case 'duplicate':
				return { is: 'duplicate', why: `same content as row ${classified.firstRow}` };
			case 'new': {
				const { change } = classified;
				const id = taken.get(row.number);
				if (id !== undefined) return { is: 'adopted', brief_ids: [id] };
				const ids = perhaps.get(row.number);
				if (ids !== undefined) return { is: 'unclear', brief_ids: ids };
				if (change === undefined) return { is: 'new', ...whenOrdered() };
				const why = differencesText(change, table.set);
				return { is: 'changed', why, ...(options.orderChanged ? whenOrdered() : {}) };
			}
			case 'begun':
				return { is: 'under_way', ...factsOf(classified.record) };
			case 'done':
			case 'parked': {
				const { record } = classified;
				if (options.orderAgain && hasListed(classified)) return { is: 'again', ...whenOrdered() };
				if (classified.fate === 'parked') return { is: 'parked', ...factsOf(record) };
				return { is: record.status === 'failed' ? 'failed' : 'done', ...factsOf(record) };
			}
		}
	};
	return classifyRows(table, records, { ...options, changes }).map((classified) => {
		const { number: row, input } = classified.row;
		return { row, product_name: input.product_name, ...planned(classified) };
	});
}

/** @param place 1 for the first row that is to be ordered */
function whenOf(
	place: number,
	{ shares: { takes, beyond_max }, perMonth, now }: PlanBounds,
): Pick<PlannedRow, 'ordered' | 'deferred_until'> {
	if (place <= takes) return { ordered: 'now' };
	const beyond = place - takes - beyond_max;
	if (beyond <= 0) return { ordered: 'beyond_max' };
	if (perMonth === null || perMonth <= 0) return { ordered: 'deferred', deferred_until: null };
	const start = nextMonthStart(now, Math.ceil(beyond / perMonth));
	return { ordered: 'deferred', deferred_until: new Date(start).toISOString() };
}

function factsOf({ brief_id, error, error_code }: BriefRecord) {
	const why = error ?? error_code ?? '';
	return {
		...(brief_id === null ? {} : { brief_ids: [brief_id] }),
		...(why === '' ? {} : { why }),
	};
}

function problemsText({ problems }: Row): string {
	return problems.map(({ column, what, cure }) => `${column} ${what}. ${cure}`).join(' ');
}
