/**
 * A spreadsheet keeps the first 15 digits of a number and writes zeros for the others, so that 1729384756102938475 is
 * saved as 1729384756102930000: another product, or none. A true ID ends in three zeros one time in a thousand.
 */
const ROUNDED = /^[1-9]\d{14}0{3,}$/;

export function isRounded(id: string): boolean {
	return ROUNDED.test(id);
}

/** Says what is wrong with a rounded ID, to follow the field's name in a sentence, and what to do about it. */
export function roundedProblem(id: string): { what: string; cure: string } {
	return {
		what: `is “${id}”: the digits after the 15th are zeros, because a spreadsheet has rounded the ID`,
		cure:
			'Format the column as Text in the spreadsheet and enter the ID again. ' +
			'If the ID really ends in zeros, leave it out and give the product’s link as its name.',
	};
}
