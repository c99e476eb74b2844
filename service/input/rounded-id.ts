/**
 * Product IDs that a spreadsheet has rounded. It keeps the first 15 digits of a number and writes zeros for the others,
 * so that 1729384756102938475 is saved as 1729384756102930000: another product, or none.
 *
 * A true ID may end in zeros too: one of 16 digits once in ten times, one of 19 digits once in ten thousand. Zeros that
 * chance explains at most once in a thousand times are not believed, in one ID or in all of them together.
 */
const KEPT_DIGITS = 15;
const UNBELIEVABLE_ZEROS = 3;

/** Counts the digits that the spreadsheet has probably replaced by zeros; 0 for an ID that was not rounded. */
export function roundedDigits(id: string): number {
	return /^[1-9]\d{14}0+$/.test(id) ? id.length - KEPT_DIGITS : 0;
}

export function isRounded(id: string): boolean {
	return roundedDigits(id) >= UNBELIEVABLE_ZEROS;
}

/** Judges what the IDs of one table or run say together, because a spreadsheet rounds a whole column. */
export function judgeIds(ids: Iterable<string | undefined>): 'sound' | 'rounded' | 'doubtful' {
	let zeros = 0;
	// A product in several rows is no further evidence.
	for (const id of new Set(ids)) {
		if (id === undefined || id.length <= KEPT_DIGITS) continue;
		const digits = roundedDigits(id);
		if (digits === 0) return 'sound';
		zeros += digits;
	}
	if (zeros === 0) return 'sound';
	return zeros >= UNBELIEVABLE_ZEROS ? 'rounded' : 'doubtful';
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

/** Words the notice about IDs that are sent although they may be rounded; there are one or two at most. */
export function doubtfulNotice(ids: Iterable<string | undefined>): string {
	const doubtful = [...new Set(ids)].filter((id = '') => roundedDigits(id) > 0);
	return (
		`Check the product ID ${doubtful.join(' and ')}: a spreadsheet that has rounded an ID leaves only zeros after its ` +
		'15th digit. It is sent as it is, because a true ID may end so too.'
	);
}
