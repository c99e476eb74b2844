/** Rows that a person asks for, by their number: all, none, or those from one number to another. */
export type AskedRows = boolean | readonly (readonly [from: number, to: number])[];

export function isAsked(rows: AskedRows | undefined, row: number): boolean {
	if (rows === undefined || typeof rows === 'boolean') return rows === true;
	return rows.some(([from, to]) => from <= row && row <= to);
}
