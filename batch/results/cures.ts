import { NO_ANSWER } from '../folder/journal/causes';
import type { RowResult } from './row-result';

/** What is worth doing about a failed row, in the words of the report and of `retry`. */
export const WORTH = {
	retry:
		'Worth a retry: the service took the order and did not finish it, and another try may. Each one costs a brief.',
	send: 'Worth a retry once the service answers again: the last order did not arrive, so it cost nothing.',
	look: 'Without a change, a retry will probably fail again: the row failed more than once, or the service does not write about such a product. Change what the row says, or ask the vendor’s support.',
	correct:
		'A retry would be refused again: correct the CSV instead, and run the same command again.',
} as const;

/** Codes that speak of the product and not of a mishap. The service does not list its codes. */
const OF_THE_PRODUCT = /policy|unavailable|unsupported|not_found/i;

export function cureOf({
	brief_id,
	error_code,
	tries,
}: Pick<RowResult, 'brief_id' | 'error_code' | 'tries'>): keyof typeof WORTH {
	if (error_code === NO_ANSWER) return 'send';
	if (brief_id === '') return 'correct';
	return tries > 1 || OF_THE_PRODUCT.test(error_code) ? 'look' : 'retry';
}
