/** The signs with which a formula begins, and their full-width forms. */
const SIGN = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';

/**
 * The start of a formula, as a spreadsheet sees it when it opens a CSV: = + - @, and a leading TAB, CR or LF. Blank and
 * invisible characters may precede the sign, because some programs drop them.
 */
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|[\\s\\p{C}]*${SIGN})`, 'u');

/**
 * The same within a cell. Excel splits a CSV at its country's delimiter, whatever the quotation marks say: at semicolons,
 * for example, although the file has commas. The text after one of them is then a cell.
 */
const BEHIND_DELIMITER = `[;\\t\\r\\n][\\s\\p{C}"]*|,"*`;
// Looking back from a sign takes no longer than the cell; looking ahead from each delimiter does.
const INNER = new RegExp(`(?<!')(?='*${SIGN})(?<=${BEHIND_DELIMITER})`, 'gu');

/**
 * Makes a cell that no spreadsheet runs as a formula. Titles, links and messages come from the service, and people open a CSV
 * with a double click. With an apostrophe spreadsheets themselves mark text.
 */
export function escapeFormula(cell: string): string {
	const inner = cell.replace(INNER, "'");
	return FORMULA.test(inner) ? `'${inner}` : inner;
}
