import { NEW_ORDER, type OrderState } from '../../../service/order/life';
import { oneOf, PLENTY, type Adversary, type Row, type State } from './state';

/**
 * The state that a move leads to, without what can make no difference any more, so that fewer states are left to go
 * through. Rows that the move left alone are simple already.
 */
export function simplified(next: State, from: State, adversary: Adversary): State {
	const rows = next.rows.map((row, index) =>
		row === from.rows[index] ? row : oneOf(simplifiedRow(row, adversary)),
	);
	return { ...next, rows };
}

function simplifiedRow(row: Row, adversary: Adversary): Row {
	const isPlenty = adversary.allowance >= PLENTY;
	const { record, doing, isOnTheWay, recordBrief } = row;
	const order = row.place === 'over' && row.order?.stage !== 'in_doubt' ? null : row.order;
	const changes: { -readonly [Name in keyof Row]?: Row[Name] } = {
		order: order === null ? null : simplifiedOrder(order, adversary),
	};
	if (isPlenty) changes.hasReservation = changes.isCounted = false;
	if (!row.hasPermit || (order?.inDoubt && order.isSlotUsed)) {
		changes.isSlotFresh = false;
		changes.othersAtGrant = 0;
	}
	if (order?.stage !== 'answered' || doing !== null) changes.again = 'never';
	if (order?.finding == null) changes.isLookFresh = false;
	if (order === null) changes.wasLost = false;
	if (!row.isRunning && doing?.is !== 'send' && !isOnTheWay) changes.mayRun = false;
	// It holds its slot either way.
	if (row.isOurs) changes.isSeenRunning = false;
	// Only the process that put it on record knows that it was a moment ago.
	if (order === null && row.lastTried === 'fresh') changes.lastTried = 'recent';
	const isSettled = record === 'running' || record === 'parked' || record === 'refused';
	if (isSettled && !isOnTheWay && doing?.is !== 'send') {
		// Its key is not sent again.
		changes.firstTried = 'none';
		changes.runsUnanswered = 0;
		changes.isLeft = false;
		if (row.brief !== 'none') changes.isKeyKnown = true;
		if (record !== 'parked' || recordBrief !== null) changes.lastTried = 'none';
		else if (row.lastTried === 'fresh') changes.lastTried = 'recent';
	}
	const isUntried = row.firstTried === 'none' && row.lastTried === 'none';
	if (isUntried && doing?.is !== 'intend') changes.clocks = 'right';
	return { ...row, ...changes };
}

/** What no rung reads in this stage, nor in one that can follow. */
function simplifiedOrder(order: OrderState, { allowance, rows }: Adversary): OrderState {
	const { stage } = order;
	if (stage === 'running' || stage === 'ended') {
		const { briefId, isSeen, wasParked } = order;
		return { ...NEW_ORDER, stage, briefId, isSeen, wasParked };
	}
	const changes: { -readonly [Name in keyof OrderState]?: OrderState[Name] } = {};
	if (stage !== 'waiting') changes.notBefore = -Infinity;
	if (allowance >= PLENTY) changes.isReserved = false;
	if (stage === 'parked') changes.finding = null;
	// Time passes before it is read again, so that it is looked for again. One row alone shows that this is so.
	if (rows > 1 && (stage === 'sent' || stage === 'answered')) changes.finding = null;
	return { ...order, ...changes };
}
