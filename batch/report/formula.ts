/** The characters with which a formula begins, and their full-width forms. */
const SIGN = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';

/**
 * The start of a formula, as a spreadsheet sees it when it opens a CSV: = + - @, and a leading tab, carriage return or line
 * feed. Some programs drop space and invisible characters before the sign.
 */
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|[\\s\\p{C}]*${SIGN})`, 'u');

/**
 * The start of a formula within a cell. Excel splits a CSV at the delimiter of its country, whatever the quotation marks say:
 * at semicolons, for example, although the file has commas. The text after a semicolon is then a cell of its own.
 */
const AFTER_DELIMITER = `[;\\t\\r\\n][\\s\\p{C}"]*|,"*`;
// Looking back from a sign takes no longer than the cell; looking ahead from each delimiter takes quadratic time.
const INNER = new RegExp(`(?<!')(?='*${SIGN})(?<=${AFTER_DELIMITER})`, 'gu');

/**
 * Returns a cell that no spreadsheet runs as a formula. Titles, links and messages come from the service, and users open a CSV
 * with a double click. Spreadsheets mark text with the same apostrophe.
 */
export function escapeFormula(cell: string): string {
	const inner = cell.replace(INNER, "'");
	return FORMULA.test(inner) ? `'${inner}` : inner;
}
