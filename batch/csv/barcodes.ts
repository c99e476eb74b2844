/**
 * Whether a text is an EAN, UPC or GTIN: 8, 12, 13 or 14 digits, the last of which checks the others. Shops write them
 * into a column called Product ID.
 */
export function isBarcode(text: string): boolean {
	if (!/^(\d{8}|\d{12,14})$/.test(text)) return false;
	let sum = 0;
	// From the right, every second digit counts three times.
	for (let at = 0; at < text.length; at++)
		sum += Number(text[text.length - 1 - at]) * (at % 2 === 0 ? 1 : 3);
	return sum % 10 === 0;
}
