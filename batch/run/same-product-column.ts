import { quote } from '../../service/shortened-text';
import { columnName, normalised } from '../csv/column-names';
import { Failure } from '../failure';
import type { RunStart } from '../folder/journal/brief-record';
import { fileNameOf } from '../folder/journal/records';
import { count } from '../text';
import { isNew, type Plan, type PlannedRow } from '../plan/plan';
import type { RunRequest } from './request';

/**
 * Makes sure that the products of a CSV come from the same column as before: from another one each row names another
 * product, and all would be paid for once more. An added column or a forgotten --map is enough for that. What --map or
 * --set names is what a person wants.
 * @throws {Failure} with exit code 2
 */
export function checkProductColumn(
	{ table }: RunRequest,
	{ rows, source: { records } }: Plan,
): void {
	const fresh = rows.filter(isNew);
	const isAsked =
		table.set.product_name !== undefined || table.map.some(({ field }) => field === 'product_name');
	const now = table.headers.product_name;
	if (isAsked || now === undefined || fresh.length === 0 || hasKnownRows(rows)) return;
	const ofCsv = records.runOf(fileNameOf(table.file));
	const before = ofCsv ?? records.run;
	const header = before?.headers.product_name;
	const given = before?.set.product_name;
	const isThere = header !== undefined && table.columns.some((each) => isSame(each, header));
	// Another CSV of the batch may call its columns otherwise.
	if (before === undefined || (ofCsv == null && !isThere)) return;
	if (header === undefined ? given === undefined : isSame(header, now)) return;
	throw new Failure(
		`The products are read from the column ${quote(columnName(now))}, and were ${sourceText(before)} in the last run. So ${count(fresh.length, 'row')} would be ordered and paid for, perhaps again. Nothing was ordered.`,
		`${asBefore(header, given, isThere)} If these are other products, say so: --map "${columnName(now)}=product_name".`,
	);
}

function isSame(header: string, other: string): boolean {
	return (
		header === other || (normalised(header) !== '' && normalised(header) === normalised(other))
	);
}

function hasKnownRows(rows: readonly PlannedRow[]): boolean {
	const isKnown = ({ record }: PlannedRow) => record !== undefined && record.stage !== 'to_order';
	return rows.some((row) => row.change !== undefined || isKnown(row));
}

function sourceText({ headers, set }: RunStart): string {
	const header = headers.product_name;
	if (header !== undefined) return `read from the column ${quote(columnName(header))}`;
	return `given by --set product_name=${quote(set.product_name ?? '')}`;
}

function asBefore(header: string | undefined, given: string | undefined, isThere: boolean): string {
	if (header === undefined) return `To go on as before: --set "product_name=${given ?? ''}".`;
	if (isThere) return `To go on as before: --map "${columnName(header)}=product_name".`;
	return `To go on as before, put the column ${quote(columnName(header))} back.`;
}
