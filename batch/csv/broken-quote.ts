/**
 * Whether text follows the closing quotation mark of a cell. A spreadsheet never writes that. It is the sign of a mark
 * that was never closed, so that its cell reaches up to the next one.
 */
export function hasBrokenQuote(record: string, delimiter: string): boolean {
	let at = 0;
	for (;;) {
		if (record[at] === '"') {
			at = afterClosingQuote(record, at + 1);
			if (at < record.length && !/^[\r\n]/.test(record.slice(at, at + 1))) {
				if (!record.startsWith(delimiter, at)) return true;
			}
		}
		const next = record.indexOf(delimiter, at);
		if (next === -1) return false;
		at = next + delimiter.length;
	}
}

function afterClosingQuote(record: string, from: number): number {
	let at = from;
	for (;;) {
		const quote = record.indexOf('"', at);
		if (quote === -1) return record.length;
		if (record[quote + 1] !== '"') return quote + 1;
		at = quote + 2;
	}
}
