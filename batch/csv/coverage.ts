import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import { columnName } from './column-names';
import type { Table } from './table';

/** How many of the valid rows have a field, and the source of its values. */
export interface Coverage {
	field: InputField;
	rows: number;
	/** How many rows are valid. */
	of: number;
	/** The name of its column, as the notices call it; null without a column. */
	column: string | null;
	/** Whether --set fills the rows that have none. */
	isSet: boolean;
}

/** What the briefs of a CSV are written from, field by field. */
export function coverage({
	rows,
	headers,
	set,
}: Pick<Table, 'rows' | 'headers' | 'set'>): Coverage[] {
	const sound = rows.filter(({ problems }) => problems.length === 0);
	const nameOf = (header: string | undefined) =>
		header === undefined ? null : columnName(header, 0);
	return INPUT_FIELDS.map((field) => ({
		field,
		rows: sound.filter(({ input }) => input[field] !== undefined).length,
		of: sound.length,
		column: nameOf(headers[field]),
		isSet: set[field] !== undefined,
	}));
}
