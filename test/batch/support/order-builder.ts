import type { BriefInput, BriefSummary } from '../../../core/api/types';
import { toContentId } from '../../../core/input/content';
import type { Row } from '../../../batch/csv/types';
import { makeDraft, makeFirstLine, type Order, type OrderState } from '../../../batch/orders/order';
import { Orders } from '../../../batch/orders/orders';

/* Rows and orders for tests of pure functions. Times are milliseconds after `START`. */

export const START = Date.UTC(2026, 10, 10);
export const DAY_MS = 86_400_000;

export const mug: BriefInput = { product_name: 'Mug', audience: 'Bakers' };
export const mugForCooks: BriefInput = { product_name: 'Mug', audience: 'Cooks' };
export const mugForKids: BriefInput = { product_name: 'Mug', audience: 'Kids' };
export const pan: BriefInput = { product_name: 'Pan' };
export const cup: BriefInput = { product_name: 'Cup' };

type RowChange = Partial<Omit<Row, 'number' | 'input'>>;

export function makeRow(number: number, input: BriefInput, change: RowChange = {}): Row {
	const contentId = (change.problems ?? []).length > 0 ? '' : toContentId(input);
	const usual = { cells: [], problems: [], warnings: [], rowId: null, isSkipped: false };
	return { number, input, contentId, ...usual, ...change };
}

/** Rows from number 2 on; a pair is an input with its row ID. */
export function makeRows(
	...inputs: ReadonlyArray<BriefInput | readonly [BriefInput, string]>
): Row[] {
	return inputs.map((given, index) =>
		Array.isArray(given)
			? makeRow(index + 2, given[0] as BriefInput, { rowId: given[1] as string })
			: makeRow(index + 2, given as BriefInput),
	);
}

export function makeBrief(
	id: string,
	status: BriefSummary['status'] = 'ready',
	createdAt = START,
): BriefSummary {
	const at = new Date(createdAt).toISOString();
	return {
		id,
		status,
		product_name: 'Mug',
		title: null,
		created_at: at,
		updated_at: at,
		finished_at: status === 'ready' || status === 'failed' ? at : null,
		url: 'https://example.com',
	};
}

export const STATES = {
	ready: (id = 'B1', createdAt = START): OrderState => ({
		kind: 'ready',
		brief: makeBrief(id, 'ready', createdAt),
		isPaid: true,
		file: id,
	}),
	accepted: (review: 'late' | 'not_found' | null = null): OrderState => ({
		kind: 'accepted',
		brief: makeBrief('B1', 'writing'),
		isPaid: true,
		review,
	}),
	failed: (id = 'B1'): OrderState => ({
		kind: 'failed',
		brief: makeBrief(id, 'failed'),
		isPaid: true,
		reason: { code: 'generation_failed', errorCode: '' },
	}),
	rejected: (): OrderState => ({
		kind: 'failed',
		brief: null,
		isPaid: false,
		reason: { code: 'rejected', message: 'Refused', isAboutRow: true },
	}),
	unconfirmed: (change: object = {}): OrderState => ({
		kind: 'unconfirmed',
		firstSentAt: START,
		lastSentAt: START,
		runsWithoutAnswer: 0,
		error: '',
		review: null,
		...change,
	}),
	undecided: (...briefIds: string[]): OrderState => ({ kind: 'undecided', briefIds }),
	dropped: (): OrderState => ({ kind: 'dropped' }),
};

export interface OrderSketch extends Partial<Omit<Order, 'id' | 'input' | 'state'>> {
	readonly input: BriefInput;
	readonly state?: OrderState;
}

/** Orders 1, 2, 3 … of these inputs. */
export function makeOrders(...sketches: readonly OrderSketch[]): Orders {
	const orders = new Orders();
	for (const [
		index,
		{ input, state = STATES.ready(`B${index + 1}`), ...fields },
	] of sketches.entries()) {
		const draft = makeDraft({ row: makeRow(0, input), rowCount: 1 });
		orders.apply({ ...makeFirstLine(index + 1, draft, state), ...fields });
	}
	return orders;
}
