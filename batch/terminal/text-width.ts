/** Measures and cuts text by the columns that it takes in a terminal: 商 takes two, a combining accent none. */
export interface TextWidth {
	readonly measure: (text: string) => number;
	/** Returns the text with spaces up to the width, or cut off with an ellipsis. */
	readonly pad: (text: string, width: number) => string;
}

/** The package is an ES module, which most commands do not need. */
export async function loadTextWidth(): Promise<TextWidth> {
	const { default: measure } = await import('fast-string-truncated-width');
	const pad = (text: string, width: number) => {
		const { index, truncated } = measure(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 });
		const cut = truncated ? `${text.slice(0, index)}…` : text;
		return cut + ' '.repeat(Math.max(0, width - measure(cut).width));
	};
	return { measure: (text) => measure(text).width, pad };
}
