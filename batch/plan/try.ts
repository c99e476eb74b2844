import { uuidFrom } from '../../service/input/key';
import type { Row } from '../csv/table';
import type { OrderOf } from '../folder/events';

/** Makes a try. The same try of the same row of a batch has the same key on every machine (P7). */
export function tryOf(batch: string, row: Row, n: number): OrderOf {
	return {
		key: uuidFrom('brief-batch', batch, row.contentId, String(n)),
		content_id: row.contentId,
		try: n,
		product_name: row.input.product_name,
		...ownNumberField(row.ownNumber),
	};
}

/** Gives a row's own number as lines have it: a row without one has no field for it. */
export function ownNumberField(ownNumber: string | undefined): { own_number?: string } {
	return ownNumber === undefined ? {} : { own_number: ownNumber };
}
