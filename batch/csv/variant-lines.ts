import type { FieldColumns } from './columns';
import { normalised } from './headers';

/** What shops call the column that says which lines are of one product. */
const HANDLES = ['Handle', 'URL handle'].map(normalised);

/**
 * Tells the lines of a shop's export that hold further variants and images of the product above them: they have its
 * handle, and nothing that a brief could be made of.
 */
export class VariantLines {
	private readonly handle: number;
	private readonly serving: readonly number[];
	private current = '';

	constructor(headers: readonly string[], fieldColumns: FieldColumns) {
		this.serving = Object.values(fieldColumns);
		this.handle = headers.findIndex((header) => HANDLES.includes(normalised(header)));
	}

	/** To be asked of each row in the order of the file. */
	isVariant(cells: readonly string[]): boolean {
		if (this.handle === -1) return false;
		const handle = (cells[this.handle] ?? '').trim();
		const isEmpty = this.serving.every((index) => (cells[index] ?? '').trim() === '');
		const isVariant = isEmpty && handle !== '' && handle === this.current;
		if (!isEmpty) this.current = handle;
		return isVariant;
	}
}
