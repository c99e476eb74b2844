import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import { columnName } from './column-names';
import type { Table } from './table';

/** A field with the number of valid rows that have it, and the source of its values. */
export interface Coverage {
	field: InputField;
	rows: number;
	/** The number of valid rows. */
	of: number;
	/** The name of its column, as the notices call it; null without a column. */
	column: string | null;
	/** True if --set fills the rows that have none. */
	isSet: boolean;
}

/** Counts what the briefs of a CSV are written from, field by field. */
export function coverage({ rows, headers, set }: Table): Coverage[] {
	const sound = rows.filter(({ problems }) => problems.length === 0);
	return INPUT_FIELDS.map((field) => {
		const header = headers[field];
		return {
			field,
			rows: sound.filter(({ input }) => input[field] !== undefined).length,
			of: sound.length,
			column: header === undefined ? null : columnName(header),
			isSet: set[field] !== undefined,
		};
	});
}
