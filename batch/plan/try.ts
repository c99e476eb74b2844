import { uuidFrom } from '../../service/input/key';
import type { Row } from '../csv/table';

/** One try of a row as the journal names it, with the key that it is ordered with. */
export interface Try {
	key: string;
	/** The ID of the row's content. */
	row: string;
	/** The number of the try of the row, from 1. */
	generation: number;
	product_name: string;
	/** The row's own number, if a run had --id. */
	id?: string | undefined;
	/** The key of the earlier order that held this row back. */
	instead_of?: string;
}

/** Makes a try. The same try of the same row of a batch has the same key on every machine (P7). */
export function tryOf(batch: string, row: Row, generation: number): Try {
	return {
		key: uuidFrom('brief-batch', batch, row.contentId, String(generation)),
		row: row.contentId,
		generation,
		product_name: row.input.product_name,
		...idField(row.ownNumber),
	};
}

/** Gives an order as events name it. Where its row is in the CSV is looked up when it is shown. */
export function orderName({ key, product_name, id }: Pick<Try, 'key' | 'product_name' | 'id'>) {
	return { key, product_name, ...idField(id) };
}

/** Gives a row's own number as events and journal have it: a row without one has no field for it. */
export function idField(id: string | undefined): { id?: string } {
	return id === undefined ? {} : { id };
}

/** Gives the order of a record, without what became of it. */
export function tryIn(record: Try): Try {
	const { key, row, generation, product_name, id } = record;
	return { key, row, generation, product_name, ...idField(id) };
}
