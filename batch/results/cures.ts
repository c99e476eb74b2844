import { errorCodeOf, NO_ANSWER } from '../folder/journal/causes';
import type { Order } from '../folder/records';

/** What is worth doing about a failed row, in the words of the report and of `retry`. */
const WORTH = {
	retry:
		'Worth a retry: the service took the order and did not finish it, and another try may. Each one costs a brief.',
	send: 'Worth a retry once the service answers again: the last order did not arrive, so it cost nothing.',
	look: 'Without a change, a retry will probably fail again: the row failed more than once, or the service does not write about such a product. Change what the row says, or ask the vendor’s support.',
	correct:
		'A retry would be refused again: correct the CSV instead, and run the same command again.',
};

/** Codes that speak of the product and not of a mishap. The service does not list its codes. */
const OF_THE_PRODUCT = /policy|unavailable|unsupported|not_found/i;

/** Gives what another try of a failed order is worth. */
export function worthOf({ cause, state, try: tries }: Order): string {
	const code = errorCodeOf(cause);
	if (code === NO_ANSWER) return WORTH.send;
	if (state.briefId === null) return WORTH.correct;
	return tries > 1 || OF_THE_PRODUCT.test(code) ? WORTH.look : WORTH.retry;
}
