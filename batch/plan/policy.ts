import { REUSE_WINDOW_MS } from '../../core/assumptions';
import type { Policy } from '../../core/orders/decide-order';

/** The policy of `run` for a row that it can order. */
export const RUN_POLICY: Policy = {
	wish: 'use',
	seen: new Set(),
	canResend: true,
	reuseWithinMs: REUSE_WINDOW_MS,
	resultsOfExecution: new Set(),
};
