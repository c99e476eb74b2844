import { uuidFrom } from '../../service/input/key';
import type { Row } from '../csv/table';
import type { OrderOf } from '../folder/events';
import { type Order, statusOf } from '../folder/records';

/** A row has this many tries at most, unless --max-tries says otherwise: a schedule may repeat `retry` forever. */
export const MAX_TRIES = 3;

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

/** Says whether `retry` orders it again: it has failed, or is parked and its brief may or may not exist. */
export function isRetryable(order: Order): boolean {
	// One that is held and was never sent is none: only --order-again asks to pay for it beside the listed brief.
	const { stage, briefId } = order.state;
	return statusOf(order) === 'failed' || (stage === 'parked' && briefId === null);
}

/** Gives a row's own number as lines have it: a row without one has no field for it. */
export function ownNumberField(ownNumber: string | undefined): { own_number?: string } {
	return ownNumber === undefined ? {} : { own_number: ownNumber };
}
