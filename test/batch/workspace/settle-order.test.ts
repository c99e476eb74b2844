import { toSummary, type Brief, type BriefInput } from '../../../core/api/types';
import { KEY_RESEND_WINDOW_MS, LIST_LAG_MS } from '../../../core/assumptions';
import type { Order, UnconfirmedState } from '../../../batch/orders/order';
import { settleOrder, type RowState, type Settlement } from '../../../batch/workspace/settle-order';
import { makeBrief, makeOrders, mug, mugForCooks, START, STATES } from '../support/order-builder';

const MINUTE = 60_000;
const YOUNG = START + 1000;
const LISTED = START + LIST_LAG_MS;
const OLD = START + KEY_RESEND_WINDOW_MS;

interface BriefChange {
	readonly status?: Brief['status'];
	readonly createdAt?: number;
	readonly input?: BriefInput | object;
}

function makeListedBrief(id: string, change: BriefChange = {}): Brief {
	const { status = 'ready', createdAt = START, input = mug } = change;
	return { ...makeBrief(id, status, createdAt), input } as Brief;
}

interface Circumstances {
	readonly state?: Partial<UnconfirmedState>;
	readonly supersedes?: string;
	/** Newest first. */
	readonly listed?: readonly Brief[];
	readonly rowState?: RowState;
	readonly now?: number;
}

async function settle(circumstances: Circumstances): Promise<Settlement | null> {
	const {
		state = {},
		supersedes = '',
		listed = [],
		rowState = 'resend',
		now = YOUNG,
	} = circumstances;
	const orders = makeOrders({ input: mug, supersedes, state: STATES.unconfirmed(state) });
	const order = orders.get(1) as Order & { state: UnconfirmedState };
	const getBrief = async (id: string) => listed.find((brief) => brief.id === id) ?? null;
	return await settleOrder(
		order,
		{ candidates: listed.map(toSummary), getBrief },
		{ rowState, now },
	);
}

function show(settlement: Settlement | null): string {
	if (settlement === null) return 'stays';
	const { state } = settlement;
	if (state.kind === 'accepted') return `accepted ${state.brief.id}`;
	if (state.kind !== 'unconfirmed') return state.kind;
	return `unconfirmed, ${state.review === null ? 'without a review' : state.review.code}`;
}

const own = makeListedBrief('L1');
const hidden = makeListedBrief('H1', { input: {} });
const other = makeListedBrief('O1', { input: mugForCooks });
const REFUSED = { review: { code: 'refused' } } as const;
const NO_ANSWER = { review: { code: 'no_answer' } } as const;
const ASKED = { review: { code: 'hidden_input', briefIds: ['H1'] } } as const;

type Case = [shown: string, circumstances: Circumstances, expected: string];

describe('an order that the run can send again, by what the brief list shows', () => {
	test.each<Case>([
		// The list shows, key younger than an hour
		['a brief with the same content', { listed: [own] }, 'accepted L1'],
		['a brief whose input is hidden', { listed: [hidden] }, 'stays'],
		['a brief with other content', { listed: [other] }, 'stays'],
		['nothing', {}, 'stays'],
		['nothing, and must show the brief', { now: LISTED }, 'stays'],
	])('and a young key: %s', async (_, circumstances, expected) => {
		expect(show(await settle(circumstances))).toBe(expected);
	});

	test.each<Case>([
		['a brief with the same content', { listed: [own] }, 'accepted L1'],
		['a brief whose input is hidden', { listed: [hidden] }, 'unconfirmed, hidden_input'],
		['the hidden brief that the user was asked about', { state: ASKED, listed: [hidden] }, 'stays'],
		[
			'no hidden brief any more',
			{ state: ASKED, listed: [other] },
			'unconfirmed, without a review',
		],
		['a brief with other content', { listed: [other] }, 'stays'],
		['nothing', {}, 'stays'],
	])('and a key older than an hour: %s', async (_, circumstances, expected) => {
		expect(show(await settle({ now: OLD, ...circumstances }))).toBe(expected);
	});
});

describe('an order that the run cannot send again', () => {
	test.each<Case>([
		['its brief is listed', { listed: [own], rowState: 'removed' }, 'accepted L1'],
		['its row is removed, and the list can lag', { rowState: 'removed' }, 'stays'],
		['its row is removed', { rowState: 'removed', now: LISTED }, 'dropped'],
		['its row is skipped, and the list can lag', { rowState: 'in_csv' }, 'stays'],
		['its row is skipped', { rowState: 'in_csv', now: LISTED }, 'dropped'],
		['three runs got no answer', { state: NO_ANSWER, rowState: 'in_csv', now: LISTED }, 'stays'],
		[
			'three runs got no answer, and its row was edited',
			{ state: NO_ANSWER, rowState: 'removed', now: LISTED },
			'dropped',
		],
		['it was refused, and the list can lag', { state: REFUSED, rowState: 'in_csv' }, 'stays'],
		['it was refused', { state: REFUSED, rowState: 'in_csv', now: LISTED }, 'failed'],
		[
			'it was refused, and a hidden brief might be its own',
			{ state: REFUSED, listed: [hidden] },
			'unconfirmed, hidden_input',
		],
		['it was refused, and its brief is listed', { state: REFUSED, listed: [own] }, 'accepted L1'],
	])('%s', async (_, circumstances, expected) => {
		expect(show(await settle({ rowState: 'in_csv', ...circumstances }))).toBe(expected);
	});
});

describe('the brief of an order, of several with its content', () => {
	const older = makeListedBrief('L0', { createdAt: START - 30 * MINUTE });
	const younger = makeListedBrief('L2', { createdAt: START + 5 * MINUTE });
	const failed = makeListedBrief('F1', { status: 'failed', createdAt: START + MINUTE });
	const olderFailed = makeListedBrief('F0', { status: 'failed', createdAt: START - 30 * MINUTE });
	test.each<Case>([
		[
			'is the oldest that is younger than the order',
			{ listed: [younger, own, older] },
			'accepted L1',
		],
		['is an older brief, because clocks can be wrong', { listed: [older] }, 'accepted L0'],
		['is a failed brief that is younger than the order', { listed: [failed] }, 'accepted F1'],
		['is no failed brief that is older', { listed: [olderFailed] }, 'stays'],
		['is no brief that the order supersedes', { listed: [own], supersedes: 'L1' }, 'stays'],
		[
			'might be an older brief whose input is hidden',
			{ listed: [{ ...older, input: {} }], now: OLD },
			'unconfirmed, hidden_input',
		],
	])('%s', async (_, circumstances, expected) => {
		expect(show(await settle(circumstances))).toBe(expected);
	});

	test('is its own failed brief, and a second order reuses the brief of another process', async () => {
		const settlement = await settle({ listed: [younger, failed] });
		expect(settlement).toMatchObject({
			state: { kind: 'accepted', brief: { id: 'F1' }, isPaid: true },
			reused: { kind: 'accepted', brief: { id: 'L2' }, isPaid: false },
		});
	});
});

test('a last request in the future counts as sent now, because a clock was wrong', async () => {
	const state = { firstSentAt: START + 60 * MINUTE, lastSentAt: START + 60 * MINUTE };
	const settled = await settle({ state, rowState: 'removed', now: START });
	expect(settled?.state).toMatchObject({ kind: 'unconfirmed', lastSentAt: START });
});
