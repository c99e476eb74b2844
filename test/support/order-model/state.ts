import type { ServiceError } from '../../../service/api/errors';
import type { Facts } from '../../../service/order/decide';
import {
	NEW_ORDER,
	type Finding,
	type OrderState,
	type RecordStage,
	type Wait,
} from '../../../service/order/life';
import type { Look } from '../../../service/order/shell';
import type { BriefSummary } from '../../../service/api/resources';
import type { Clocks } from './clocks';
import type { Answer } from './refusals';
import { aSummary } from '../builders';

/** Whose brief, seen from a row: its own, that of the other row of two, or one of a stranger with the same product. */
export type Ref = 'own' | 'next' | 'alike';

/** How long ago, as far as anything depends on it. */
export type Age = 'none' | 'young' | 'trusted' | 'old';
/** `fresh`: a moment ago; `recent`: the list may not show it; `listed`: so long ago that the list would show it. */
type Since = 'none' | 'fresh' | 'recent' | 'listed';

/** After half a minute a slot is old, after a minute an intent, and after an hour a key. Ten minutes is the list's lag. */
export type Span = 'half a minute' | 'a minute' | 'ten minutes' | 'an hour';

/** What a create got instead of its brief; `again` is what the counted tries and waits make of it. */
export interface Refusal {
	error: ServiceError;
	again: Facts['again'];
	/** In truth it is for want of a slot. */
	isForSlot?: boolean;
}

/** In so many runs a row may stay without an answer. */
export const MAX_TRIES = 2;

/** What a row has begun and not ended. */
type Doing =
	| { is: 'slot' }
	| { is: 'wait'; for: Wait; isOver: boolean }
	| { is: 'look'; finding: Finding }
	| { is: 'intend'; age: Age; since: Since }
	| { is: 'send'; isAccepted: boolean }
	/** Looks at the slots after a refusal. */
	| { is: 'judge' }
	| { is: 'watch' };

/** One row: what is on record of it, what the service has of it, and what the process knows of it. */
export interface Row {
	// On record. It outlives the process.
	/** `listed`: parked before it was sent, and to be ordered for another process. */
	readonly record: 'none' | RecordStage | 'listed';
	readonly recordBrief: Ref | null;
	readonly firstTried: Age;
	readonly lastTried: Since;
	/** So many runs ended without an answer to it, and one of them since it was last withdrawn. */
	readonly runsUnanswered: number;
	readonly isLeft: boolean;
	/** Which clocks were wrong when these times were put on record. */
	readonly clocks: Clocks;
	// In the service.
	readonly brief: 'none' | 'hidden' | 'listed';
	readonly isRunning: boolean;
	readonly isKeyKnown: boolean;
	/** A request that nobody waits for any more, and that may still arrive. */
	readonly isOnTheWay: boolean;
	/** Whether its brief was in the list when the process began. */
	readonly wasListed: boolean;
	// In the process.
	/** Null if this run has nothing to do with it, or no longer. */
	readonly order: OrderState | null;
	readonly place:
		| ('none' | 'recovering' | 'recovering_paid' | 'recovered' | 'active' | 'beside')
		/** All others are through. */
		| 'settling'
		| 'over';
	readonly doing: Doing | null;
	readonly hasPermit: boolean;
	readonly hasReservation: boolean;
	readonly isLookFresh: boolean;
	readonly isSlotFresh: boolean;
	readonly again: Facts['again'];
	readonly isOverdue: boolean;
	/** In this run it was in doubt, and withdrawn. */
	readonly wasLost: boolean;
	/** The service refused it for want of a slot, whatever it called that. */
	readonly isForSlot: boolean;
	/** This run knows, from the record or because it sent it, that its brief may be running. */
	readonly mayRun: boolean;
	/** Briefs of others that the look showed which gave it its slot. */
	readonly othersAtGrant: number;
	/** The workspace counts its brief as ours, has seen it running in the list, and has counted it for the month. */
	readonly isOurs: boolean;
	readonly isSeenRunning: boolean;
	readonly isCounted: boolean;
	/** Set for the order of another program that keeps no record (see guest.ts). */
	readonly guest: Guest | null;
}

/** An order of the same content that another program places, execution after execution, without a record. */
export interface Guest {
	/** How old its key is at the service. Each execution sends the same one. */
	readonly keyAge: Age;
	/** How many briefs of this content its execution has seen in the list, and has compared itself with. */
	readonly briefsSeen: number;
	readonly compared: number;
}

/** All that there is: the rows, the service and the process. Rows are alike, so that their order means nothing. */
export interface State {
	readonly rows: readonly Row[];
	readonly isUp: boolean;
	/** Briefs of others: how many run, how many of these the list shows, how many the process has seen there. */
	readonly others: number;
	readonly othersListed: number;
	readonly othersSeen: number;
	/** How many of them have run for so long that they are not believed to hold a slot. */
	readonly othersStuck: number;
	/** Somebody else’s brief of the same product is in the list. */
	readonly isAlikeListed: boolean;
	/** The same when the process began. */
	readonly wasAlikeListed: boolean;
	/** What was on record of the rows is gone. */
	readonly isJournalLost: boolean;
	/** Slots that the workspace keeps for orders in doubt that nobody carries. */
	readonly holds: number;
	/** Briefs of others that count against the allowance, in truth and as far as the process saw. */
	readonly othersUsed: number;
	readonly othersUsedSeen: number;
	readonly isKnownUsedUp: boolean;
	/** What the end of an order has meant for those after it. */
	readonly ordering: 'open' | 'closed' | 'failed';
	readonly limit: Facts['rateLimit'];
	readonly isMonthTurning: boolean;
}

/** So large an allowance is never used up, and nobody needs to count. */
export const PLENTY = 9;

/**
 * What may go wrong. Each search allows as much as it can go through in the time that it has. Answers are lost and
 * processes die in every search; all else is asked for.
 */
export const CALM = {
	rows: 1,
	/** How many briefs others may run at a time. */
	others: 0,
	/** Every row is of the same product, and somebody else may order it too. */
	isSameProduct: false,
	/** Rows of the same product have the same content as well. */
	isSameContent: false,
	/** The briefs of others never end. */
	areOthersEndless: false,
	/** A third brief is queued, not refused. */
	isThirdQueued: false,
	/** How the service refuses a third brief. */
	thirdRefusal: 'no slot' as Answer,
	allowance: PLENTY,
	/** Others use some of the allowance. */
	doOthersUse: false,
	refusals: [] as readonly Answer[],
	/** Requests that got no answer, or whose process died, arrive late. */
	areRequestsLate: false,
	/** Any request may be asked to slow down. */
	areLimitsDeclared: false,
	doMonthsTurn: false,
	/** A row in doubt may be taken out of the CSV between two runs. */
	areRowsTakenOut: false,
	/** The journal may be lost between two runs, and the service may have forgotten the keys by then. */
	areJournalsLost: false,
	/** The second row is a guest: another program that orders the same content and keeps no record. */
	isSecondGuest: false,
	/** Clocks may be wrong when an order is put on record, and the one that writes the times of briefs always. */
	doClocksDisagree: false,
	/** How many things may go wrong in one story. */
	troubles: Infinity,
	/** How much time may pass at once. */
	spans: ['ten minutes'] as readonly Span[],
};

export type Adversary = Readonly<typeof CALM>;

/** What a row forgets when its process ends. */
export const FORGOTTEN = {
	wasListed: false,
	order: null,
	place: 'none',
	doing: null,
	hasPermit: false,
	hasReservation: false,
	isLookFresh: false,
	isSlotFresh: false,
	again: 'never',
	isOverdue: false,
	wasLost: false,
	isForSlot: false,
	mayRun: false,
	othersAtGrant: 0,
	isOurs: false,
	isSeenRunning: false,
	isCounted: false,
} as const satisfies Partial<Row>;

/** What a row forgets when its journal is lost. */
export const NOT_ON_RECORD = {
	record: 'none',
	recordBrief: null,
	firstTried: 'none',
	lastTried: 'none',
	runsUnanswered: 0,
	isLeft: false,
	clocks: 'right',
} as const satisfies Partial<Row>;

export const QUIET_ROW: Row = {
	...NOT_ON_RECORD,
	brief: 'none',
	isRunning: false,
	isKeyKnown: false,
	isOnTheWay: false,
	...FORGOTTEN,
	guest: null,
};

const NEW_GUEST: Row = { ...QUIET_ROW, guest: { keyAge: 'none', briefsSeen: 0, compared: 0 } };

/** A process that is down, and knows nothing. */
export const DOWN = {
	isUp: false,
	othersSeen: 0,
	holds: 0,
	wasAlikeListed: false,
	othersUsedSeen: 0,
	isKnownUsedUp: false,
	ordering: 'open',
	limit: 'none',
} as const satisfies Partial<State>;

export function startOf({ rows, isSecondGuest }: Adversary): State {
	return {
		...DOWN,
		rows: Array.from({ length: rows }, (_, at) =>
			isSecondGuest && at === 1 ? NEW_GUEST : QUIET_ROW,
		),
		others: 0,
		othersListed: 0,
		othersStuck: 0,
		isAlikeListed: false,
		isJournalLost: false,
		othersUsed: 0,
		isMonthTurning: false,
	};
}

/** The row with these changes: the same object if it has them already. */
export function changed(row: Row, changes: Partial<Row>): Row {
	const names = Object.keys(changes) as Array<keyof Row>;
	return names.every((name) => changes[name] === row[name]) ? row : { ...row, ...changes };
}

/** The row with these changes, in a state. */
export function withRow(state: State, index: number, changes: Partial<Row>): State {
	const rows = state.rows.slice();
	rows[index] = { ...rows[index]!, ...changes };
	return { ...state, rows };
}

/** Counted tries change only whether and when it is sent again, which the adversary chooses; so they are left out. */
export function withoutCounts(order: OrderState): OrderState {
	return { ...order, tries: NEW_ORDER.tries, staleSlots: 0 };
}

const rowsByKey = new Map<string, Row>();
const keys = new Map<Row, string>();

/** One and the same object for all rows that are the same: there are few of them, in very many states. */
export function oneOf(row: Row): Row {
	const key = keyOfRow(row);
	const keyHolder = rowsByKey.get(key);
	if (keyHolder !== undefined) return keyHolder;
	rowsByKey.set(key, row);
	keys.set(row, key);
	return row;
}

/** States with the same key are the same: what differs in them changes nothing. Its rows are those of `oneOf`. */
export function keyOf(state: State): string {
	const rows = state.rows.map((row) => keys.get(row) ?? keyOfRow(row));
	rows.sort();
	const { others, othersListed, othersSeen, othersStuck, holds } = state;
	const { othersUsed, othersUsedSeen } = state;
	const counts = [others, othersListed, othersSeen, othersStuck, holds, othersUsed, othersUsedSeen];
	const { isUp, isAlikeListed, wasAlikeListed, isKnownUsedUp, isMonthTurning, isJournalLost } =
		state;
	const flags = bits(
		...[isUp, isAlikeListed, wasAlikeListed, isKnownUsedUp, isMonthTurning, isJournalLost],
	);
	return `${rows.join('|')}|${counts.join('')}${flags}${state.limit}${state.ordering}`;
}

function keyOfRow(row: Row): string {
	const { order, doing } = row;
	const { brief, isRunning, isKeyKnown, isOnTheWay, hasPermit, hasReservation, mayRun } = row;
	const { isLookFresh, isSlotFresh, isOverdue, isForSlot, isOurs, isSeenRunning } = row;
	return [
		`${row.record} ${row.recordBrief ?? ''} ${row.firstTried} ${row.lastTried} ${row.runsUnanswered} ${row.clocks} ${brief}`,
		bits(isRunning, isKeyKnown, isOnTheWay, hasPermit, hasReservation, mayRun, row.wasListed),
		bits(isLookFresh, isSlotFresh, isOverdue, isForSlot, isOurs, isSeenRunning),
		bits(row.isCounted, row.wasLost, row.isLeft),
		row.guest === null ? '' : Object.values(row.guest).join(' '),
		`${row.place} ${row.again} ${row.othersAtGrant}`,
		order === null ? '' : keyOfOrder(order),
		doing === null ? '' : keyOfDoing(doing),
	].join();
}

function keyOfOrder(order: OrderState): string {
	const { stage, answer, unjudgedRefusal, finding, briefId, notBefore } = order;
	const { inDoubt, isIntended, isSlotUsed, isReserved, isGivenUp, isSeen, wasParked, hasNoRow } =
		order;
	const hasReturned = notBefore !== -Infinity;
	return [
		stage,
		answer === null ? '' : `${answer.kind} ${answer.operation}`,
		unjudgedRefusal?.kind ?? '',
		finding === null ? '' : keyOfFinding(finding),
		briefId ?? '',
		bits(inDoubt, isIntended, isSlotUsed, isReserved, isGivenUp, isSeen, wasParked, hasNoRow),
		`${bits(hasReturned, order.isLastTry)} ${order.runsUnanswered}`,
	].join(' ');
}

function keyOfDoing(doing: Doing): string {
	if (doing.is === 'look') return `look ${keyOfFinding(doing.finding)}`;
	return Object.values(doing).join(' ');
}

export function keyOfFinding(finding: Finding): string {
	const certainty = 'isCertain' in finding && finding.isCertain ? ' for certain' : '';
	return `${keyOfLook(finding)}${certainty}`;
}

export function keyOfLook(look: Look): string {
	if (look.is === 'nothing') return 'nothing';
	if (look.is === 'found') return `found ${look.brief.id}`;
	const likely = look.likelyBrief === undefined ? '' : ' (likely)';
	return `unclear ${look.ids.join(' or ')}${likely}`;
}

function bits(...flags: boolean[]): number {
	let bits = 1;
	for (const flag of flags) bits = bits * 2 + (flag ? 1 : 0);
	return bits;
}

/** A brief as far as the machine looks at it: at its id. */
export const BRIEFS: Readonly<Record<Ref, BriefSummary>> = {
	own: aSummary({ id: 'own' }),
	next: aSummary({ id: 'next' }),
	alike: aSummary({ id: 'alike' }),
};

/** Another row’s view of a brief. There are two rows if one can see the other’s. */
export function ownerOf(index: number, ref: Ref): number | null {
	if (ref === 'alike') return null;
	return ref === 'own' ? index : 1 - index;
}

/** A brief by one name for all rows. */
export function idOf(index: number, ref: Ref): string {
	const owner = ownerOf(index, ref);
	return owner === null ? 'alike' : `${owner}`;
}
