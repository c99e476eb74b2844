import { uuidFrom } from '../../service/key';
import type { Row } from '../csv/table';
import type { Change } from '../run/rows/changed-rows';

/** One row and generation as the journal names it, with the key that it is ordered with. */
export interface RowOrder {
	key: string;
	row: string;
	ordinal: number;
	generation: number;
	row_number: number;
	product_name: string;
	/** The key of the earlier order that held this row back. */
	instead_of?: string;
}

/** The same row and generation of the same batch has the same key on every machine (P7). */
export function rowOrderOf(batch: string, row: Row, ordinal: number, generation: number): RowOrder {
	return {
		key: uuidFrom('brief-batch', batch, row.id, String(ordinal), String(generation)),
		row: row.id,
		ordinal,
		generation,
		row_number: row.number,
		product_name: row.input.product_name,
	};
}

/** The order of a row that an earlier order of its product held back, once a person has asked for it. */
export function inPlaceOf(change: Change | undefined, order: RowOrder): RowOrder {
	return change === undefined ? order : { ...order, instead_of: change.order.key };
}

/** A row as events and messages name it. */
export function named({ row_number, product_name }: RowOrder) {
	return { row: row_number, product_name };
}

/** The order of a record, without what became of it. */
export function rowOrderIn(record: RowOrder): RowOrder {
	const { key, row, ordinal, generation, row_number, product_name } = record;
	return { key, row, ordinal, generation, row_number, product_name };
}
