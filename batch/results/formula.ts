/**
 * What a spreadsheet takes for the start of a formula when it opens a CSV: = + - @, their full-width forms, and a
 * leading TAB, CR or LF. Blank and invisible characters may precede the sign, because some programs drop them.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/**
 * A cell that no spreadsheet runs as a formula. Titles, links and messages come from the service, and people open a CSV
 * with a double click. With an apostrophe spreadsheets themselves mark text.
 */
export function escapeFormula(cell: string): string {
	return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The cell that `escapeFormula` was given. */
export function unescapeFormula(cell: string): string {
	return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
