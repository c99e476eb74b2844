import type { InputField } from '../../service/input/input';
import { columnName, isSameHeader } from '../csv/column-names';
import type { Table } from '../csv/table';
import type { RunStart } from '../folder/journal/brief-record';
import type { SourceBefore } from '../folder/journal/stop-causes';

/** Gives from where an earlier run had a field; undefined if it had none. */
export function sourceBefore(
	field: InputField,
	{ headers, set }: RunStart,
	{ columns }: Table,
): SourceBefore | undefined {
	const { [field]: header } = headers;
	const { [field]: value } = set;
	if (header === undefined) return value === undefined ? undefined : { set: value };
	const is_there = columns.some((column) => isSameHeader(column, header));
	return { column: columnName(header), is_there };
}
