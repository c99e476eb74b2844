/**
 * What a spreadsheet takes for the start of a formula when it opens a CSV: = + - @, their full-width forms, and a
 * leading TAB, CR or LF. Blank and invisible characters before the sign are looked through, for some programs drop
 * them.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/**
 * A cell that no spreadsheet runs: titles, links and messages come from the service, and a CSV is opened with a double
 * click. The apostrophe is the sign by which spreadsheets themselves mark text. csv-stringify's escape_formulas
 * leaves out the line feed, and would change the user's own cells too.
 */
export function escapeFormula(cell: string): string {
	return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** What `harmless` was given. */
export function unescapeFormula(cell: string): string {
	return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
