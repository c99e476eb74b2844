import { Failure } from '../../failure';

/** A row is chosen if its cell in this column has this text, or has another one. */
export interface Condition {
	column: string;
	text: string;
	isNot: boolean;
}

/** @throws {Failure} if it is no condition */
export function readWhere(given: string): Condition {
	const [, column = '', not = '', text = ''] = /^(.*?)(!?)=(.*)$/s.exec(given) ?? [];
	if (column.trim() !== '') return { column: column.trim(), text: text.trim(), isNot: not !== '' };
	throw new Failure(
		`--where takes "Column=value" or "Column!=value", not “${given}”.`,
		'Write the header of a column and the value of its cells, as in --where "Status=active".',
	);
}
