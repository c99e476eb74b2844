/** 32-bit words per row: the last three of its id's four, the number of its first row, and how often it came. */
const WORDS = 5;
const FIRST_ROW = 3;
const COUNT = 4;
const ROWS_PER_PAGE = 1 << 10;

/**
 * Finds rows whose id came before, in about 36 bytes a row: a Set of a million texts would take over 100 MB. The rows
 * are in pages that never move. A hash table with open addressing finds them. It holds the first word of each id, which
 * is a hash already, beside the row's index, so that a search reads no pages of other rows. All 128 bits are compared.
 */
export class DuplicateIndex {
	private readonly pages: Uint32Array[] = [];
	private rows = 0;
	/** Pairs of an id's first word and the row's index plus one; an index of 0 is a free place. */
	private table = new Uint32Array(1 << 11);

	/** How many times this id has come, this time included, and the row in which it came first. */
	add(id: string, rowNumber: number): { ordinal: number; firstRow: number } {
		const a = word(id, 0);
		const b = word(id, 8);
		const c = word(id, 16);
		const d = word(id, 24);
		const { table } = this;
		const mask = table.length - 1;
		let place = (a << 1) & mask;
		for (let index = table[place + 1] ?? 0; index !== 0; index = table[place + 1] ?? 0) {
			if (table[place] === a) {
				const page = this.pageOf(index - 1);
				const at = ((index - 1) & (ROWS_PER_PAGE - 1)) * WORDS;
				if (page[at] === b && page[at + 1] === c && page[at + 2] === d) {
					const ordinal = (page[at + COUNT] ?? 0) + 1;
					page[at + COUNT] = ordinal;
					return { ordinal, firstRow: page[at + FIRST_ROW] ?? 0 };
				}
			}
			place = (place + 2) & mask;
		}
		const page = this.pageForNext();
		const at = (this.rows & (ROWS_PER_PAGE - 1)) * WORDS;
		page[at] = b;
		page[at + 1] = c;
		page[at + 2] = d;
		page[at + FIRST_ROW] = rowNumber;
		page[at + COUNT] = 1;
		this.rows++;
		table[place] = a;
		table[place + 1] = this.rows;
		// At most two thirds of the places are taken.
		if (this.rows * 3 > table.length) this.grow();
		return { ordinal: 1, firstRow: rowNumber };
	}

	private pageForNext(): Uint32Array {
		const isPageFull = (this.rows & (ROWS_PER_PAGE - 1)) === 0;
		if (isPageFull) this.pages.push(new Uint32Array(ROWS_PER_PAGE * WORDS));
		return this.pageOf(this.rows);
	}

	private pageOf(row: number): Uint32Array {
		const page = this.pages[Math.floor(row / ROWS_PER_PAGE)];
		if (page === undefined) throw new RangeError('No such row has been seen.');
		return page;
	}

	private grow(): void {
		const old = this.table;
		const table = new Uint32Array(old.length * 2);
		const mask = table.length - 1;
		for (let at = 0; at < old.length; at += 2) {
			const a = old[at] ?? 0;
			const index = old[at + 1] ?? 0;
			if (index === 0) continue;
			let place = (a << 1) & mask;
			while (table[place + 1] !== 0) place = (place + 2) & mask;
			table[place] = a;
			table[place + 1] = index;
		}
		this.table = table;
	}
}

/** Eight hex digits from `start` on as an unsigned number; parseInt of a slice takes five times as long. */
function word(id: string, start: number): number {
	let value = 0;
	for (let at = start; at < start + 8; at++) {
		const code = id.charCodeAt(at);
		value = (value << 4) | (code < 58 ? code - 48 : code - 87);
	}
	return value >>> 0;
}
