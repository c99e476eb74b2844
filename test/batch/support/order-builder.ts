import { DEFAULT_CSV_OPTIONS } from '../../../batch/csv/types';
import type { NewRun } from '../../../batch/orders/runs';
import type { Brief, BriefInput, BriefSummary } from '../../../core/api/types';
import { toContentId } from '../../../core/input/content';
import type { Row, UsableRow } from '../../../batch/csv/types';
import { makeDraft, NOTHING } from '../../../core/orders/order';
import {
	getOrderBrief,
	makeFirstLine,
	type StoredOrder,
	type OrderRows,
	type OrderState,
} from '../../../batch/orders/order';
import { StoredOrders, type Orders } from '../../../batch/orders/orders';

export const START = Date.UTC(2026, 10, 10);

export const mug: BriefInput = { product_name: 'Mug', audience: 'Bakers' };
export const mugForCooks: BriefInput = { product_name: 'Mug', audience: 'Cooks' };
export const mugForKids: BriefInput = { product_name: 'Mug', audience: 'Kids' };
export const pan: BriefInput = { product_name: 'Pan' };
export const cup: BriefInput = { product_name: 'Cup' };

/** Returns the newest order that has a brief. */
export function findByBrief(orders: Orders, briefId: string): StoredOrder | undefined {
	return orders.live.findLast((order) => getOrderBrief(order)?.id === briefId);
}

type UsableChange = Partial<Pick<UsableRow, 'cells' | 'warnings' | 'rowId'>>;

interface RowChange extends UsableChange {
	readonly problems?: readonly string[];
	readonly isSkipped?: boolean;
}

export function makeRow(number: number, input: BriefInput, change?: UsableChange): UsableRow;
export function makeRow(number: number, input: BriefInput, change: RowChange): Row;
export function makeRow(number: number, input: BriefInput, change: RowChange = {}): Row {
	const { problems, isSkipped, cells = [], warnings = [], rowId = null } = change;
	const base = { number, cells, rowId, input };
	if (isSkipped === true)
		return { kind: 'skipped', ...base, contentId: problems ? null : toContentId(input) };
	if (problems) return { kind: 'invalid', ...base, problems };
	return { kind: 'usable', ...base, contentId: toContentId(input), warnings };
}

/** Returns rows from number 2 on. Text has row ID, product name, audience and objective: `A1: Mug, Bakers, Sell`. */
export function makeRows(...inputs: ReadonlyArray<BriefInput | string>): UsableRow[] {
	return inputs.map((given, index) => {
		if (typeof given !== 'string') return makeRow(index + 2, given);
		const { input, rowId } = parseProduct(given);
		return makeRow(index + 2, input, { rowId });
	});
}

function parseProduct(text: string): { input: BriefInput; rowId: string | null } {
	const [, rowId = null, fields = ''] = /^(?:(\w+): )?(.*)$/.exec(text) ?? [];
	const [product_name = '', audience, objective] = fields.split(', ');
	const input = { product_name, ...(audience && { audience }), ...(objective && { objective }) };
	return { input, rowId };
}

export function makeBrief(id: string, status: BriefSummary['status'] = 'ready'): BriefSummary {
	const at = new Date(START).toISOString();
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

export function makeFullBrief(id: string, change: Partial<Brief> = {}): Brief {
	return {
		...makeBrief(id),
		input: { ...mug },
		markdown: `# Brief ${id}`,
		document: {},
		sources: [],
		warnings: [],
		error_code: null,
		revision: 1,
		...change,
	};
}

export const STATES = {
	ready: (id = 'B1'): OrderState => ({
		kind: 'ready',
		brief: makeBrief(id),
		source: 'own',
		file: id,
		warnings: [],
	}),
	accepted: (review: 'late' | 'not_found' | null = null): OrderState => ({
		kind: 'accepted',
		brief: makeBrief('B1', 'writing'),
		source: 'own',
		review,
	}),
	failed: (id = 'B1'): OrderState => ({
		kind: 'failed',
		brief: makeBrief(id, 'failed'),
		source: 'own',
		errorCode: '',
	}),
	rejected: (): OrderState => ({ kind: 'rejected', message: 'Refused', isAboutRow: true }),
	unconfirmed: (change: object = {}): OrderState => ({
		kind: 'unconfirmed',
		firstSentAt: START,
		lastSentAt: START,
		runsWithoutAnswer: 0,
		error: '',
		review: null,
		...change,
	}),
	inReview: (): OrderState => STATES.unconfirmed({ review: { code: 'no_answer' } }),
	dropped: (): OrderState => ({ kind: 'dropped' }),
};

/** A row without a row ID. */
export const ONE_ROW: OrderRows = {
	rowIds: [],
	previousOrderId: null,
	hasRows: true,
	rowCount: 1,
};

export interface OrderSketch extends Partial<Omit<StoredOrder, 'id' | 'input' | 'state'>> {
	readonly input: BriefInput;
	/** The only row ID; null for none. */
	readonly rowId?: string | null;
	readonly state?: OrderState;
}

/** Returns the orders 1, 2, 3 … of these inputs, which are ready unless they have another state. Text is as for `makeRows`. */
export function makeOrders(...sketches: ReadonlyArray<OrderSketch | string>): StoredOrders {
	const orders = new StoredOrders();
	for (const [index, sketch] of sketches.entries()) {
		const given: OrderSketch = typeof sketch === 'string' ? parseProduct(sketch) : sketch;
		const { input, state = STATES.ready(`B${index + 1}`), rowId = null, ...fields } = given;
		const rowIds = rowId === null ? [] : [{ rowId, run: 0 }];
		const draft = makeDraft({ input, contentId: toContentId(input) }, NOTHING, []);
		const rows = { ...ONE_ROW, rowIds };
		orders.apply({ ...makeFirstLine(index + 1, draft, rows, state), ...fields });
	}
	return orders;
}

/** The fields of a run that begins. */
export const NEW_RUN: NewRun = {
	startedAt: '2026-11-10T06:00:00Z',
	csv: '/home/ada/products.csv',
	name: null,
	csvOptions: DEFAULT_CSV_OPTIONS,
	limits: { max: null },
	columns: {},
	isPartial: false,
	keyFingerprint: '5be02a4c',
	profiles: [],
	isConfirmed: false,
};
