/** Rows that a person asks for, by their number: all, none, or those from one number to another. */
export type RowSelection = boolean | readonly (readonly [from: number, to: number])[];

export function isSelected(rows: RowSelection | undefined, row: number | undefined): boolean {
	if (rows === undefined || typeof rows === 'boolean') return rows === true;
	return row !== undefined && rows.some(([from, to]) => from <= row && row <= to);
}

/** Rows as a person writes them, "3,5-9", for a command to copy. */
export function rowsText(numbers: readonly number[]): string {
	const parts: Array<[from: number, to: number]> = [];
	for (const number of [...numbers].sort((a, b) => a - b)) {
		const last = parts.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');
}
