import { NEW_ORDER, type OrderState } from '../../../service/order/life';
import type { Facts } from '../../../service/order/decide';
import { count, holderOf } from './service';
import { FORGOTTEN, withRow, type Row, type State } from './state';

/** What the run knows of a brief that another program ordered, which the guest itself does not change. */
const OF_THE_RUN = ['isOurs', 'isSeenRunning', 'isCounted', 'wasListed'] as const;

function knownToRun(row: Row): Partial<Row> {
	return Object.fromEntries(OF_THE_RUN.map((name) => [name, row[name]]));
}

/** The guest after an event: nothing is put on record, and no allowance is reserved. */
export function guestRow(row: Row, changes: Partial<Row>, order: OrderState): Row {
	const { firstTried, lastTried, ...rest } = { ...row, ...changes };
	const none = { record: 'none', recordBrief: null, hasReservation: false, mayRun: false } as const;
	return { ...rest, firstTried, lastTried, order, ...none, ...knownToRun(row) };
}

/** The execution has ended, and knows nothing any more. */
export function idle(state: State, index: number): State {
	const row = state.rows[index]!;
	return withRow(state, index, {
		...FORGOTTEN,
		...knownToRun(row),
		firstTried: 'none',
		lastTried: 'none',
		guest: { ...row.guest!, briefsSeen: 0, compared: 0 },
	});
}

/** What a run forgets of the guest's brief when it ends. */
export function unseen(row: Row): Row {
	return { ...row, isOurs: false, isSeenRunning: false, isCounted: false, wasListed: false };
}

/** As factsFor makes them for an order without a record. */
export function guestFacts(row: Row, key: Facts['key']): Facts {
	const { briefsSeen, compared } = row.guest!;
	return {
		end: null,
		isLastCall: false,
		maxTries: Infinity,
		isOverdue: false,
		rateLimit: 'none',
		isMonthTurning: false,
		mayBeListed: briefsSeen > compared,
		key,
		isLookDue: key === 'old',
		isLookFresh: row.isLookFresh,
		isIntentFresh: (row.order ?? NEW_ORDER).isIntended && row.lastTried === 'fresh',
		isSlotFresh: row.isSlotFresh,
		again: row.again,
	};
}

/** How many briefs of the content the list shows. */
export function listedOf({ rows }: State): number {
	return count(rows, ({ brief }) => brief === 'listed');
}

/** Whether the last look before an order showed a brief of its content that may be its own. */
export function isKnownToExist({ rows }: State, index: number): boolean {
	const { guest } = rows[index]!;
	if (guest !== null) return guest.briefsSeen > 0;
	return rows.some((row, at) => row.guest !== null && row.wasListed && holderOf(rows, at) === null);
}
