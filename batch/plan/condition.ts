/** A condition of --where: a row is one of the list if its cell in this column has this text, or has another one. */
export interface Condition {
	column: string;
	text: string;
	isNot: boolean;
}

/** Reads "Column=value" or "Column!=value"; null if it is neither. */
export function conditionIn(words: string): Condition | null {
	const [, column = '', not = '', text = ''] = /^(.*?)(!?)=(.*)$/s.exec(words) ?? [];
	if (column.trim() === '') return null;
	return { column: column.trim(), text: text.trim(), isNot: not !== '' };
}
