import { toSummary, type BriefSummary } from '../../core/api/types';
import { LIST_LAG_MS } from '../../core/assumptions';
import { isKeyRemembered } from '../../core/orders/create-brief';
import {
	findExistingBrief,
	findOwnBrief,
	type BriefSearch,
	type GetBrief,
} from '../../core/orders/existing-briefs';
import {
	toAcceptedState,
	toOwnBriefState,
	type AcceptedState,
	type Order,
	type OrderState,
	type UnconfirmedState,
} from '../orders/order';

/**
 * Settles an unconfirmed order: it was sent, and the process died or the answer was lost, so its brief might exist. The brief
 * list is searched first; if it shows nothing, the same key is sent again:
 *
 *     the brief list shows                 key younger than 58 min     older key
 *     a brief with the same content        accepted                    accepted
 *     a brief whose input is hidden        send the key                the user decides
 *     only briefs with other content       send the key                send the key *
 *     … and the run cannot send the key    dropped *                   dropped *
 *
 *     * once the last request is older than the list's lag
 *
 * A young key cannot create a second brief, because the service remembers it. An old key cannot create a second brief if the
 * list shows none, because the list catches up before the key is forgotten.
 */
interface SettleOptions {
	readonly rowState: RowState;
	/** The service's clock, when the brief list was read. */
	readonly now: number;
}

export type RowState =
	/** The run sends the order again, unless the list settles it. */
	| 'resend'
	/** A row has the order's content, but the run sends nothing for it. */
	| 'in_csv'
	/** No row has the order's content. */
	| 'removed';

/** Briefs that belong to no other order, newest first. */
export interface Candidates {
	readonly candidates: readonly BriefSummary[];
	readonly getBrief: GetBrief;
}

export interface Settlement {
	readonly state: OrderState;
	/**
	 * A brief that another process ordered with the same content, if the order's own brief failed. A second order uses it, so
	 * that the order keeps the brief that it has paid for.
	 */
	readonly reused: AcceptedState | null;
}

/** Settles an unconfirmed order with a complete brief list. Returns null if the order stays as it is. */
export async function settleOrder(
	order: Order & { state: UnconfirmedState },
	{ candidates, getBrief }: Candidates,
	options: SettleOptions,
): Promise<Settlement | null> {
	const found = await searchOwnBrief(order, candidates, getBrief);
	const failed = found.kind === 'found' ? findFailedBrief(found, candidates) : undefined;
	if (found.kind === 'found' && failed !== undefined) {
		const reused = toAcceptedState(toSummary(found.brief), false);
		return { state: toOwnBriefState(failed, order.state), reused };
	}
	const state = settle(order.state, found, options);
	return state === null ? null : { state, reused: null };
}

/**
 * Finds the brief that an unconfirmed order has created: the oldest with its content that is younger than the order. Without a
 * younger brief, an older brief with its content counts, unless it failed: clocks can be wrong, and another process might have
 * sent the same key before. An older brief with hidden input makes the order undecided for the same reasons.
 */
async function searchOwnBrief(
	{ input, supersedes, state }: Order & { state: UnconfirmedState },
	candidates: readonly BriefSummary[],
	getBrief: GetBrief,
): Promise<BriefSearch> {
	const { firstSentAt } = state;
	const found = await findOwnBrief({ input, supersedes, firstSentAt }, candidates, getBrief);
	if (found.kind === 'found') return found;
	const others = candidates.filter(({ id }) => id !== supersedes);
	const older = await findExistingBrief(input, others, getBrief);
	if (older.kind === 'none') return found;
	if (older.kind === 'undecided') return older;
	return older.brief.status === 'failed' ? found : { ...older, failedIds: [] };
}

/** Returns the order's own brief that failed, if another brief was found for its content. */
function findFailedBrief(
	{ brief, failedIds }: Extract<BriefSearch, { kind: 'found' }>,
	candidates: readonly BriefSummary[],
): BriefSummary | undefined {
	const [failedId] = brief.status === 'failed' ? [] : failedIds;
	return candidates.find(({ id }) => id === failedId);
}

/**
 * Returns the new state of the order; null if it stays as it is.
 * @param found the order's own brief in a complete brief list
 */
export function settle(
	state: UnconfirmedState,
	found: BriefSearch,
	options: SettleOptions,
): OrderState | null {
	const settled = chooseState(correctClock(state, options.now), found, options);
	return JSON.stringify(settled) === JSON.stringify(state) ? null : settled;
}

/** A clock was wrong if the last request is in the future. The list's lag counts from now. */
function correctClock(state: UnconfirmedState, now: number): UnconfirmedState {
	return state.lastSentAt > now ? { ...state, lastSentAt: now } : state;
}

function chooseState(
	state: UnconfirmedState,
	found: BriefSearch,
	{ rowState, now }: SettleOptions,
): OrderState {
	switch (found.kind) {
		case 'found':
			return toOwnBriefState(found.brief, state);
		case 'undecided': {
			const { briefIds } = found;
			// The service returns the order's brief, if there is one, when the key is sent again.
			const isDecidedByKey = state.review === null && isKeyRemembered(state.firstSentAt, now);
			return isDecidedByKey ? state : { ...state, review: { code: 'hidden_input', briefIds } };
		}
		case 'none': {
			// Briefs with hidden input that are no longer listed need no review.
			const open = state.review?.code === 'hidden_input' ? { ...state, review: null } : state;
			const isListBehind = now - state.lastSentAt < LIST_LAG_MS;
			return isListBehind ? open : chooseStateWithoutBrief(open, rowState);
		}
	}
}

/** The list would show the brief of the last request, so nothing was created. */
function chooseStateWithoutBrief(state: UnconfirmedState, rowState: RowState): OrderState {
	if (state.review?.code === 'refused') {
		const reason = { code: 'rejected', message: state.error, isAboutRow: false } as const;
		return { kind: 'failed', brief: null, isPaid: false, reason };
	}
	if (rowState === 'removed') return { kind: 'dropped' };
	// In review, the user decides about the row.
	return rowState === 'in_csv' && state.review === null ? { kind: 'dropped' } : state;
}
