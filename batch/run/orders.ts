import { uuidFrom } from '../../service/key';
import type { Row } from '../csv/table';
import type { Order } from './tools';

/** The same row and generation of the same batch has the same key on every machine (P7). */
export function orderOf(batch: string, row: Row, ordinal: number, generation: number): Order {
	return {
		key: uuidFrom('brief-batch', batch, row.id, String(ordinal), String(generation)),
		row: row.id,
		...{ ordinal, generation },
		row_number: row.number,
		product_name: row.input.product_name,
	};
}
