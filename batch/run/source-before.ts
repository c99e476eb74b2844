import type { InputField } from '../../service/input/input';
import { quote } from '../../service/shortened-text';
import { columnName, isSameHeader } from '../csv/columns';
import type { Table } from '../csv/table';
import type { RunStart } from '../folder/journal/brief-record';

/** From where a run had a field that a later run has not from there. */
export type SourceBefore = { column: string; is_there: boolean } | { set: string };

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

export function sourceText(field: InputField, before: SourceBefore): string {
	return 'set' in before
		? `given by --set ${field}=${quote(before.set)}`
		: `read from the column ${quote(before.column)}`;
}

/** Gives the option with which a field comes from there again. */
export function optionAsBefore(field: InputField, before: SourceBefore): string {
	return 'set' in before ? `--set "${field}=${before.set}"` : `--map "${before.column}=${field}"`;
}
