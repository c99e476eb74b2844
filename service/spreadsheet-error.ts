/** What a spreadsheet shows in the place of a value that its formula could not find. */
const ERRORS = new Set([
	...['#N/A', '#REF!', '#NAME?', '#VALUE!', '#DIV/0!', '#NULL!', '#NUM!', '#ERROR!', '#SPILL!'],
	...['#CALC!', '#FIELD!', '#BUSY!', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#GETTING_DATA'],
	// German, French, Spanish
	...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#ÜBERLAUF!'],
	...['#NOM?', '#VALEUR!', '#NOMBRE!', '#NUL!', '#PROPAGATION!'],
	...['#N/D', '#¡REF!', '#¿NOMBRE?', '#¡VALOR!', '#¡DIV/0!', '#¡NULO!', '#¡NUM!'],
	// Italian, Portuguese, Dutch
	...['#NOME?', '#RIF!', '#VALORE!', '#NULLO!', '#VALOR!', '#NÚM!', '#NULO!'],
	...['#N/B', '#WAARDE!', '#NAAM?', '#VERW!', '#DEEL/0!', '#GETAL!', '#LEEG!'],
	// Swedish, Danish, Norwegian, Finnish
	...['#SAKNAS!', '#VÄRDEFEL!', '#NAMN?', '#REFERENS!', '#DIVISION/0!', '#OGILTIGT!', '#SKÄRNING!'],
	...['#I/T', '#VÆRDI!', '#NAVN?', '#REFERENCE!', '#VERDI!'],
	...['#PUUTTUU!', '#ARVO!', '#NIMI?', '#VIITTAUS!', '#JAKO/0!', '#LUKU!', '#TYHJÄ!'],
	// Polish, Czech, Hungarian
	...['#N/D!', '#ARG!', '#NAZWA?', '#ADR!', '#DZIEL/0!', '#LICZBA!', '#ZERO!'],
	...['#NENÍ_K_DISPOZICI', '#HODNOTA!', '#NÁZEV?', '#ODKAZ!', '#DĚLENÍ_NULOU!', '#ČÍSLO!'],
	...['#HIÁNYZIK', '#ÉRTÉK!', '#NÉV?', '#HIV!', '#ZÉRÓOSZTÓ!', '#SZÁM!'],
	// Turkish, Russian
	...['#YOK', '#DEĞER!', '#AD?', '#BAŞV!', '#SAYI/0!', '#SAYI!', '#BOŞ!'],
	...['#Н/Д', '#ЗНАЧ!', '#ИМЯ?', '#ССЫЛКА!', '#ДЕЛ/0!', '#ЧИСЛО!', '#ПУСТО!'],
]);

/** Whether a text is the error of a formula, or the hashes of a column that was too narrow for its number. */
export function isSpreadsheetError(text: string): boolean {
	return ERRORS.has(text.toUpperCase()) || /^(#{2,}|Err\s?:\d{3})$/i.test(text);
}
