import type { Row } from '../csv/table';

/** Rows that a person asks for: all, none, or those from one number to another. */
export type RowSelection = boolean | readonly Range[];
export type Range = readonly [from: number, to: number];

/** The same as it is typed: a text is a row's own number. */
export type NamedRows = boolean | ReadonlyArray<Range | string>;

export function isSelected(rows: RowSelection | undefined, row: number | undefined): boolean {
	if (rows === undefined || typeof rows === 'boolean') return rows === true;
	return row !== undefined && rows.some(([from, to]) => from <= row && row <= to);
}

/** Rows by their numbers: "3,5-9". */
export function rowsText(numbers: readonly number[]): string {
	const parts: Array<[from: number, to: number]> = [];
	for (const number of [...numbers].sort((a, b) => a - b)) {
		const last = parts.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');
}

/** The numbers of a row. */
export type RowName = Pick<Row, 'number' | 'ownNumber'>;

/** Rows for a command to copy: by their own numbers, which stay the same when rows move: "@4711,3,5-9". */
export function rowsInCommand(rows: readonly RowName[]): string {
	const names = new Set(rows.flatMap((row) => ownName(row) ?? []));
	const others = rows.filter((row) => ownName(row) === undefined);
	if (others.length > 0) names.add(rowsText(others.map(({ number }) => number)));
	return [...names].join(',');
}

/** Gives undefined if the row has no own number, or one that an option would be cut at. */
function ownName({ ownNumber }: RowName): string | undefined {
	return ownNumber === undefined || /[,=\s"'“”„‘’]/.test(ownNumber) ? undefined : `@${ownNumber}`;
}

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
