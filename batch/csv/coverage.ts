import { INPUT_FIELDS, type InputField } from '../../service/input';
import type { Table } from './table';

/** How many of the rows that can be ordered have a field, and where it is from. */
export interface Coverage {
	field: InputField;
	rows: number;
	/** How many rows can be ordered. */
	of: number;
	/** The header of the column that it is read from; null where there is none. */
	column: string | null;
	/** Whether --set gives it to rows that have none. */
	isSet: boolean;
}

/** What the briefs of a CSV are written from, field by field. */
export function coverage({
	rows,
	headers,
	set,
}: Pick<Table, 'rows' | 'headers' | 'set'>): Coverage[] {
	const sound = rows.filter(({ problems }) => problems.length === 0);
	return INPUT_FIELDS.map((field) => ({
		field,
		rows: sound.filter(({ input }) => input[field] !== undefined).length,
		of: sound.length,
		column: headers[field] ?? null,
		isSet: set[field] !== undefined,
	}));
}
