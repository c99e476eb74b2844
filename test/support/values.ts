/** Returns items with different product names. */
export function makeProducts(count: number): Array<{ name: string }> {
	return Array.from({ length: count }, (_, index) => ({ name: `Glow Serum No. ${index + 1}` }));
}

/** Matches a text that contains the text or fits the pattern, with the type of a text. */
export const matchText = (text: string | RegExp) => expect.stringMatching(text) as string;
