import { toSummary, type Brief } from '../../../core/api/types';
import { KEY_RESEND_WINDOW_MS, LIST_LAG_MS } from '../../../core/assumptions';
import type { Order, UnconfirmedState } from '../../../batch/orders/order';
import { settleOrder, type RowState, type Settlement } from '../../../batch/workspace/settle-order';
import { MINUTE } from '../../support/time';
import {
	makeBrief,
	makeFullBrief,
	makeOrders,
	mug,
	mugForCooks,
	START,
	STATES,
} from '../support/order-builder';

const YOUNG = START + 1000;
const LISTED = START + LIST_LAG_MS;
const OLD = START + KEY_RESEND_WINDOW_MS;

interface Circumstances {
	readonly state?: Partial<UnconfirmedState>;
	readonly supersedes?: string;
	/** Newest first. */
	readonly listed?: readonly Brief[];
	readonly rowState?: RowState;
	readonly now?: number;
}

/** Settles an order for the mug. */
async function settle(given: Circumstances): Promise<Settlement | null> {
	const { supersedes = '', listed = [], rowState = 'resend', now = YOUNG } = given;
	const orders = makeOrders({ input: mug, supersedes, state: STATES.unconfirmed(given.state) });
	const order = orders.get(1) as Order & { state: UnconfirmedState };
	const getBrief = async (id: string) => listed.find((brief) => brief.id === id) ?? null;
	const candidates = { candidates: listed.map(toSummary), getBrief };
	return await settleOrder(order, candidates, { rowState, now });
}

async function show(circumstances: Circumstances): Promise<string> {
	const settlement = await settle(circumstances);
	if (settlement === null) return 'unchanged';
	const { state } = settlement;
	if (state.kind === 'accepted') return `accepted ${state.brief.id}`;
	if (state.kind !== 'unconfirmed') return state.kind;
	return `unconfirmed, ${state.review === null ? 'without a review' : state.review.code}`;
}

function makeListed(id: string, minutes = 0, status: Brief['status'] = 'ready'): Brief {
	return makeFullBrief(id, makeBrief(id, status, START + minutes * MINUTE));
}

const own = makeListed('L1');
const hidden = { ...makeListed('H1'), input: {} };
const other = { ...makeListed('O1'), input: { ...mugForCooks } };
const REFUSED = { review: { code: 'refused' } } as const;
const NO_ANSWER = { review: { code: 'no_answer' } } as const;
const ASKED = { review: { code: 'hidden_input', briefIds: ['H1'] } } as const;

type Case = [title: string, circumstances: Circumstances, expected: string];

describe('an order that the run can send again, if the list shows', () => {
	test.each<Case>([
		['its content, and the key is young', { listed: [own] }, 'accepted L1'],
		['hidden input, and the key is young', { listed: [hidden] }, 'unchanged'],
		['other content, and the key is young', { listed: [other] }, 'unchanged'],
		['nothing, and the key is young', { now: LISTED }, 'unchanged'],
		['its content, and the key is old', { listed: [own], now: OLD }, 'accepted L1'],
		['hidden input', { listed: [hidden], now: OLD }, 'unconfirmed, hidden_input'],
		['hidden input that the user knows', { state: ASKED, listed: [hidden], now: OLD }, 'unchanged'],
		['no hidden input any more', { state: ASKED, now: OLD }, 'unconfirmed, without a review'],
		['other content, and the key is old', { listed: [other], now: OLD }, 'unchanged'],
		['nothing, and the key is old', { now: OLD }, 'unchanged'],
	])('%s', async (_, circumstances, expected) => {
		expect(await show(circumstances)).toBe(expected);
	});
});

describe('an order that the run cannot send again, if', () => {
	test.each<Case>([
		['its brief is listed', { listed: [own], rowState: 'removed' }, 'accepted L1'],
		['its row is removed, and the list can lag', { rowState: 'removed' }, 'unchanged'],
		['its row is removed', { rowState: 'removed', now: LISTED }, 'dropped'],
		['its row is skipped, and the list can lag', {}, 'unchanged'],
		['its row is skipped', { now: LISTED }, 'dropped'],
		['three runs got no answer', { state: NO_ANSWER, now: LISTED }, 'unchanged'],
		[
			'three runs got no answer, and its row was edited',
			{ state: NO_ANSWER, rowState: 'removed', now: LISTED },
			'dropped',
		],
		['it was refused, and the list can lag', { state: REFUSED }, 'unchanged'],
		['it was refused', { state: REFUSED, now: LISTED }, 'failed'],
		[
			'it was refused, and the list shows hidden input',
			{ state: REFUSED, listed: [hidden] },
			'unconfirmed, hidden_input',
		],
		['it was refused, and its brief is listed', { state: REFUSED, listed: [own] }, 'accepted L1'],
	])('%s', async (_, circumstances, expected) => {
		expect(await show({ rowState: 'in_csv', ...circumstances })).toBe(expected);
	});
});

describe('the brief of an order', () => {
	const older = makeListed('L0', -30);
	const younger = makeListed('L2', 5);
	const failed = makeListed('F1', 1, 'failed');
	test.each<Case>([
		['is the oldest after its first request', { listed: [younger, own, older] }, 'accepted L1'],
		['can be older, because clocks can be wrong', { listed: [older] }, 'accepted L0'],
		['can have failed', { listed: [failed] }, 'accepted F1'],
		['is no older brief that failed', { listed: [makeListed('F0', -30, 'failed')] }, 'unchanged'],
		['is not the brief that it supersedes', { listed: [own], supersedes: 'L1' }, 'unchanged'],
		[
			'can be an older brief with hidden input',
			{ listed: [{ ...older, input: {} }], now: OLD },
			'unconfirmed, hidden_input',
		],
	])('%s', async (_, circumstances, expected) => {
		expect(await show(circumstances)).toBe(expected);
	});

	test('is its own failed brief, and a second order reuses the brief of another process', async () => {
		expect(await settle({ listed: [younger, failed] })).toMatchObject({
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
