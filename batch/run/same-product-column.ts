import { columnName, isSameHeader } from '../csv/columns';
import type { Table } from '../csv/table';
import { fileNameOf } from '../folder/journal/records';
import { isNew, type Plan, type PlannedRow } from '../plan/plan';
import { optionAsBefore, sourceBefore, sourceText } from './source-before';
import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { count } from '../text';

/**
 * Makes sure that the products of a CSV come from the same column as before: from another one each row names another
 * product, and all would be paid for once more. An added column or a forgotten --map is enough for that. What --map or
 * --set names is what a person wants.
 * @throws {Stop} if not
 */
export function checkProductColumn(table: Table, { rows, source: { records } }: Plan): void {
	const newRows = rows.filter(isNew);
	const isAsked =
		table.set.product_name !== undefined || table.map.some(({ field }) => field === 'product_name');
	const now = table.headers.product_name;
	if (isAsked || now === undefined || newRows.length === 0 || hasKnownRows(rows)) return;
	const ofCsv = records.runOf(fileNameOf(table.file));
	const lastRun = ofCsv ?? records.run;
	const before = lastRun && sourceBefore('product_name', lastRun, table);
	if (before === undefined) return;
	const isThere = 'column' in before && before.is_there;
	// Another CSV of the batch may call its columns otherwise.
	if (ofCsv === undefined && !isThere) return;
	if (isSameHeader(lastRun?.headers.product_name ?? '', now)) return;
	const column = columnName(now);
	const asBefore =
		'set' in before || before.is_there
			? `: ${optionAsBefore('product_name', before)}.`
			: `, put the column ${quote(before.column)} back.`;
	throw new Stop(
		`The products are read from the column ${quote(column)}, and were ${sourceText('product_name', before)} in the last run. So ${count(newRows.length, 'row')} would be ordered and paid for, perhaps again. Nothing was ordered.`,
		`To go on as before${asBefore} If these are other products, say so: --map "${column}=product_name".`,
		'other_product_column',
	);
}

function hasKnownRows(rows: readonly PlannedRow[]): boolean {
	const isKnown = ({ record }: PlannedRow) => record !== undefined && record.stage !== 'to_order';
	return rows.some((row) => row.heldBy !== undefined || isKnown(row));
}
