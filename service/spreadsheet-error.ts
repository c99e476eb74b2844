/** What a spreadsheet shows in the place of a value that its formula could not find, in English, German, French, Spanish. */
const ERRORS = new Set([
	...['#N/A', '#REF!', '#NAME?', '#VALUE!', '#DIV/0!', '#NULL!', '#NUM!', '#ERROR!', '#SPILL!'],
	...['#CALC!', '#FIELD!', '#BUSY!', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#GETTING_DATA'],
	...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#ÜBERLAUF!', '#NOM?', '#VALEUR!', '#NOMBRE!', '#NUL!'],
	...['#N/D', '#¡REF!', '#¿NOMBRE?', '#¡VALOR!', '#¡DIV/0!', '#¡NULO!', '#¡NUM!'],
]);

/** Whether a text is the error of a formula, or the hashes of a column that was too narrow for its number. */
export function isSpreadsheetError(text: string): boolean {
	return ERRORS.has(text.toUpperCase()) || /^(#{2,}|Err:\d{3})$/i.test(text);
}
