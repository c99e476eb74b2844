/** Words per row: four of its id, then the number of its first row and how often it came. */
const WORDS = 6;
const FIRST_ROW = 4;
const COUNT = 5;
const ROWS_PER_PAGE = 1 << 14;

/**
 * Remembers which rows came before, in about 32 bytes a row: a Set of a million texts would take over 100 MB.
 * Rows lie in pages that never move; a table of their indexes (open addressing, at most three quarters full) finds
 * them by the first 32 bits of the id, which is a hash already. All 128 bits are compared.
 */
export class SeenRows {
	private readonly pages: Uint32Array[] = [];
	private rows = 0;
	/** Index of a row plus one; 0 is a free place. */
	private table = new Uint32Array(1 << 10);

	/** How many times this id has come, this time included, and the row in which it came first. */
	add(id: string, rowNumber: number): { ordinal: number; firstRow: number } {
		const a = word(id, 0);
		const b = word(id, 8);
		const c = word(id, 16);
		const d = word(id, 24);
		const mask = this.table.length - 1;
		let place = a & mask;
		for (let entry = this.table[place] ?? 0; entry !== 0; entry = this.table[place] ?? 0) {
			const page = this.pageOf(entry - 1);
			const at = ((entry - 1) % ROWS_PER_PAGE) * WORDS;
			if (page[at] === a && page[at + 1] === b && page[at + 2] === c && page[at + 3] === d) {
				const ordinal = (page[at + COUNT] ?? 0) + 1;
				page[at + COUNT] = ordinal;
				return { ordinal, firstRow: page[at + FIRST_ROW] ?? 0 };
			}
			place = (place + 1) & mask;
		}
		this.append([a, b, c, d, rowNumber, 1]);
		this.table[place] = this.rows;
		if (this.rows * 4 > this.table.length * 3) this.grow();
		return { ordinal: 1, firstRow: rowNumber };
	}

	private append(words: readonly number[]): void {
		const at = (this.rows % ROWS_PER_PAGE) * WORDS;
		if (at === 0) this.pages.push(new Uint32Array(ROWS_PER_PAGE * WORDS));
		this.pageOf(this.rows).set(words, at);
		this.rows++;
	}

	private pageOf(row: number): Uint32Array {
		const page = this.pages[Math.floor(row / ROWS_PER_PAGE)];
		if (page === undefined) throw new RangeError('No such row has been seen.');
		return page;
	}

	private grow(): void {
		const table = new Uint32Array(this.table.length * 2);
		const mask = table.length - 1;
		for (let row = 0; row < this.rows; row++) {
			let place = (this.pageOf(row)[(row % ROWS_PER_PAGE) * WORDS] ?? 0) & mask;
			while (table[place] !== 0) place = (place + 1) & mask;
			table[place] = row + 1;
		}
		this.table = table;
	}
}

/** Eight hex digits from `start` on as an unsigned number. */
function word(id: string, start: number): number {
	return parseInt(id.slice(start, start + 8), 16);
}
