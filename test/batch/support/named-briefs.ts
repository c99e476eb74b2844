import type { Orders } from '../../../batch/orders/orders';

/** Returns the briefs among which the user has to choose. */
export function getNamedBriefIds(orders: Orders): ReadonlySet<string> {
	return new Set(
		orders.live.flatMap(({ state }) => {
			if (state.kind === 'undecided') return state.briefIds;
			if (state.kind !== 'unconfirmed' || state.review === null) return [];
			if (state.review.code === 'hidden_input') return state.review.briefIds;
			return state.review.code === 'other_brief' ? [state.review.briefId] : [];
		}),
	);
}
