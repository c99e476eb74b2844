import { leavesInDoubt, mayBeForSlots, type ServiceError } from '../../../service/api/errors';
import { SLOTS } from '../../../service/api/limits';
import type { FailedTries } from '../../../service/api/resend';
import type { Facts } from '../../../service/order/decide';
import { whenAgain } from '../../../service/order/facts';
import { HOUR } from '../time';
import { errorOfAnswer, mayBeDone } from './refusals';
import {
	changed,
	NOT_ON_RECORD,
	ownerOf,
	withRow,
	type Adversary,
	type Guest,
	type Refusal,
	type Row,
	type Span,
	type State,
} from './state';

/** One thing that happens. `isFair`: it happens as well when nothing goes wrong any more. */
export interface Move {
	words: string;
	isFair: boolean;
	next: State;
	/** The promise that this breaks, and how. */
	breach?: string;
}

/** How the process goes on with an answer to a create. */
type Answer = (words: string, state: State, index: number, refusal: Refusal) => Move[];

/** What the service and other people do, and how time goes by. */
export function outerMoves(state: State, adversary: Adversary, answer: Answer): Move[] {
	const moves: Move[] = [];
	state.rows.forEach((row, index) => {
		const name = `row ${index + 1}`;
		const { doing } = row;
		if (doing?.is === 'send' && !doing.isAccepted) arrive(state, index, adversary, answer, moves);
		if (row.isOnTheWay) {
			const arrived = withRow(state, index, { isOnTheWay: false });
			moves.push(fair(`the late request of ${name} never arrives`, arrived));
			const afterCreate = row.brief === 'none' ? created(arrived, index, adversary) : null;
			if (afterCreate !== null)
				moves.push(unfair(`the late request of ${name} makes its brief`, afterCreate));
			if (row.brief !== 'none' && !row.isKeyKnown) {
				moves.push(secondBrief(`the late request of ${name} makes a second brief`, arrived));
			}
		}
		if (row.brief === 'hidden') {
			const next = withRow(state, index, { brief: 'listed' });
			moves.push(fair(`the list shows the brief of ${name}`, next));
		}
		if (row.isRunning) {
			moves.push(fair(`the brief of ${name} ends`, withRow(state, index, { isRunning: false })));
		}
		const keyAge = row.guest?.keyAge ?? row.firstTried;
		if (row.isKeyKnown && keyAge === 'old' && row.record !== 'done') {
			const next = withRow(state, index, { isKeyKnown: false });
			moves.push(unfair(`the service forgets the key of ${name}`, next));
		}
	});
	if (adversary.areJournalsLost && !state.isUp) loseJournal(state, moves);
	otherPeople(state, adversary, moves);
	time(state, adversary, moves);
	return moves;
}

export function fair(words: string, next: State, breach?: string): Move {
	return { words, isFair: true, next, breach };
}

export function unfair(words: string, next: State, breach?: string): Move {
	return { words, isFair: false, next, breach };
}

export function asUnfair(move: Move): Move {
	return { ...move, isFair: false };
}

function secondBrief(words: string, next: State): Move {
	return unfair(words, next, 'P1: one row has two briefs');
}

/** A create reaches the service. */
function arrive(
	state: State,
	index: number,
	adversary: Adversary,
	answer: Answer,
	moves: Move[],
): void {
	const row = state.rows[index]!;
	const name = `row ${index + 1}`;
	const loseAnswer = (from: State, words: string) => {
		const error = errorOfAnswer('nothing');
		for (const again of againFor(error, true, adversary)) {
			const reply = { error, again };
			moves.push(...answer(`${words}, and no answer comes`, from, index, reply).map(asUnfair));
		}
	};
	if (row.brief !== 'none' && !row.isKeyKnown) {
		moves.push(secondBrief(`the service takes the create of ${name} for a new one`, state));
	}
	const afterCreate =
		row.brief === 'none' ? created(state, index, adversary) : row.isKeyKnown ? state : null;
	if (afterCreate !== null) {
		const what = row.brief === 'none' ? 'accepts the create' : 'knows the key';
		const breach = oursRunning(afterCreate) > SLOTS ? 'P4: three of our briefs run' : undefined;
		const next = withRow(afterCreate, index, { doing: { is: 'send', isAccepted: true } });
		moves.push(fair(`the service ${what} of ${name}`, next, breach));
		loseAnswer(afterCreate, `the service ${what} of ${name}`);
	}
	loseAnswer(state, `the create of ${name} is lost`);
	if (adversary.areRequestsLate) {
		loseAnswer(withRow(state, index, { isOnTheWay: true }), `the create of ${name} is late`);
	}
	// Fair if it is true.
	const isFull = isBusy(state) && !adversary.isThirdQueued && row.brief === 'none';
	const isUsedUp = allowanceLeft(state, adversary) <= 0 && row.brief === 'none';
	const answers = new Set(adversary.refusals);
	if (isFull) answers.add(adversary.thirdRefusal);
	if (isUsedUp) answers.add('used up');
	for (const refusal of answers) {
		const error = errorOfAnswer(refusal);
		const inDoubt = (row.order?.inDoubt ?? false) || leavesInDoubt(error);
		const isForSlot = isFull && refusal === adversary.thirdRefusal;
		// What the process does with one that may be for want of a slot is shown only by the look that follows.
		const isOpen = mayBeForSlots(error);
		const agains = isOpen ? (['never'] as const) : againFor(error, inDoubt, adversary);
		for (const again of agains) {
			const reply = { error, again, isForSlot };
			const words = `the service answers ${name}: ${refusal}`;
			const isTrue = isForSlot || (refusal === 'used up' && isUsedUp);
			const replies = answer(words, state, index, reply);
			moves.push(...(isTrue ? replies : replies.map(asUnfair)));
			// Its own brief may have been made all the same.
			if (mayBeDone(refusal) && afterCreate !== null)
				moves.push(
					...answer(`${words}, and makes its brief`, afterCreate, index, reply).map(asUnfair),
				);
		}
	}
}

/** The state with a new brief of the row, or null if the service makes none. */
function created(state: State, index: number, adversary: Adversary): State | null {
	if (allowanceLeft(state, adversary) <= 0) return null;
	if (isBusy(state) && !adversary.isThirdQueued) return null;
	const { guest } = state.rows[index]!;
	return withRow(state, index, {
		brief: 'hidden',
		isRunning: true,
		isKeyKnown: true,
		isOnTheWay: false,
		guest: guest && { ...guest, keyAge: 'young' },
	});
}

const EARLY = { failures: 1, rateLimits: 1, since: 0 };
const EXHAUSTED = { ...EARLY, failures: Infinity, rateLimits: Infinity };
const agains = new Map<string, readonly Facts['again'][]>();

/** What the counted tries and the wait that the service names may come to, by the real rule. */
export function againFor(
	error: ServiceError,
	inDoubt: boolean,
	{ areOthersEndless }: Adversary,
): readonly Facts['again'][] {
	const name = [error.kind, inDoubt, areOthersEndless].join();
	const cached = agains.get(name);
	if (cached !== undefined) return cached;
	const after = (tries: FailedTries, retryAt: number | null, isSlotWaitOver = false) =>
		whenAgain(
			error.with({ retryAt }),
			{ tries, slotRefusals: 1, inDoubt },
			{ now: 0, isSlotWaitOver },
		);
	const all = [
		...[after(EARLY, null), after(EARLY, HOUR), after(EXHAUSTED, null)],
		...(areOthersEndless ? [after(EARLY, null, true)] : []),
	];
	const hows = [...new Set(all.map(({ how }) => how))];
	agains.set(name, hows);
	return hows;
}

function oursRunning({ rows }: State): number {
	return count(rows, ({ isRunning }) => isRunning);
}

function isBusy(state: State): boolean {
	return oursRunning(state) + state.others >= SLOTS;
}

/** What is left of the month's allowance. */
export function allowanceLeft({ rows, othersUsed }: State, { allowance }: Adversary): number {
	return allowance - othersUsed - count(rows, ({ brief }) => brief !== 'none');
}

export function count<T>(items: readonly T[], holds: (item: T, index: number) => boolean): number {
	let count = 0;
	items.forEach((item, index) => (count += holds(item, index) ? 1 : 0));
	return count;
}

/** The row whose record has this row's brief, its own first. Null: no record has it. */
export function holderOf(rows: readonly Row[], index: number): number | null {
	const holds = (row: Row | undefined, at: number) =>
		row?.recordBrief != null && ownerOf(at, row.recordBrief) === index;
	if (holds(rows[index], index)) return index;
	return rows.length === 2 && holds(rows[1 - index], 1 - index) ? 1 - index : null;
}

/**
 * The journal is lost with its folder, or another folder is named, and the service may have forgotten the keys by then:
 * long after the last order, so that the list shows what came of it.
 */
function loseJournal(state: State, moves: Move[]): void {
	const { rows } = state;
	const isLately = rows.some(({ isOnTheWay, brief }) => isOnTheWay || brief === 'hidden');
	if (isLately || rows.every(({ record }) => record === 'none')) return;
	for (const areForgotten of [false, true]) {
		const rowsAfter = rows.map((row) => {
			const isKeyKnown = row.isKeyKnown && !areForgotten;
			return { ...row, ...NOT_ON_RECORD, isKeyKnown };
		});
		const words = `the journal is lost${areForgotten ? ', and the keys are forgotten' : ''}`;
		moves.push(unfair(words, { ...state, isJournalLost: true, rows: rowsAfter }));
	}
}

function otherPeople(state: State, adversary: Adversary, moves: Move[]): void {
	const { others, othersListed, othersUsed } = state;
	if (others < adversary.others && (!isBusy(state) || adversary.isThirdQueued)) {
		moves.push(unfair('somebody else starts a brief', { ...state, others: others + 1 }));
	}
	if (othersListed < others) {
		const next = { ...state, othersListed: othersListed + 1 };
		moves.push(fair('the list shows somebody else’s brief', next));
	}
	if (adversary.areOthersEndless && state.othersStuck < others) {
		const next = { ...state, othersStuck: state.othersStuck + 1 };
		moves.push(fair('somebody else’s brief has run for too long to be believed', next));
	}
	if (others > 0 && !adversary.areOthersEndless) {
		const next = { ...state, others: others - 1, othersListed: Math.min(othersListed, others - 1) };
		moves.push(fair('somebody else’s brief ends', next));
	}
	if (adversary.doOthersUse && allowanceLeft(state, adversary) > 0) {
		const next = { ...state, othersUsed: othersUsed + 1 };
		moves.push(unfair('somebody else uses one of the allowance', next));
	}
	if (adversary.isSameProduct && !state.isAlikeListed) {
		const next = { ...state, isAlikeListed: true };
		moves.push(unfair('somebody else’s brief of the same product is listed', next));
	}
	if (adversary.areLimitsDeclared && state.isUp && state.limit === 'none') {
		for (const limit of ['short', 'long'] as const) {
			moves.push(unfair(`a ${limit} rate limit is declared`, { ...state, limit }));
		}
	}
	if (adversary.doMonthsTurn && !state.isMonthTurning) {
		moves.push(unfair('the month is about to turn', { ...state, isMonthTurning: true }));
	}
}

function time(state: State, { spans }: Adversary, moves: Move[]): void {
	// A request is on its way for a moment only.
	const isMoment = state.rows.some(
		({ doing, isOnTheWay }) => isOnTheWay || (doing?.is === 'send' && !doing.isAccepted),
	);
	for (const span of spans) {
		if (isMoment && isLong(span)) continue;
		const next = after(state, span);
		if (next !== null) moves.push(fair(`${span} passes`, next));
	}
}

function isLong(span: Span): boolean {
	return span === 'ten minutes' || span === 'an hour';
}

/** The state after this time, or null if nothing has changed. */
function after(state: State, span: Span): State | null {
	let hasChanged =
		state.limit !== 'none' || state.isMonthTurning || (isLong(span) && state.holds > 0);
	const rows = state.rows.map((row) => {
		const older = rowAfter(row, span);
		hasChanged ||= older !== row;
		return older;
	});
	if (!hasChanged) return null;
	const isOver = state.limit === 'short' || span === 'an hour';
	return {
		...state,
		rows,
		limit: isOver ? 'none' : state.limit,
		isMonthTurning: false,
		holds: isLong(span) ? 0 : state.holds,
	};
}

function rowAfter(row: Row, span: Span): Row {
	const firstTried = olderAge(row.firstTried, span);
	const lastTried = olderSince(row.lastTried, span);
	const brief = isLong(span) && row.brief === 'hidden' ? 'listed' : row.brief;
	const doing = doingAfter(row.doing, span, row);
	const guest = guestAfter(row.guest, span);
	const stale = { isLookFresh: false, isSlotFresh: false };
	return changed(row, { firstTried, lastTried, brief, doing, guest, ...stale });
}

function doingAfter(doing: Row['doing'], span: Span, row: Row): Row['doing'] {
	if (doing?.is === 'intend') {
		const age = olderAge(doing.age, span);
		const since = olderSince(doing.since, span);
		return age === doing.age && since === doing.since ? doing : { is: 'intend', age, since };
	}
	if (doing?.is === 'wait' && !doing.isOver) {
		const isListed = row.lastTried === 'listed' && row.clocks !== 'both ahead';
		const isOver = doing.for !== 'list' || isLong(span) || isListed;
		return isOver ? { ...doing, isOver } : doing;
	}
	return doing;
}

function guestAfter(guest: Guest | null, span: Span): Guest | null {
	if (guest === null) return null;
	const keyAge = olderAge(guest.keyAge, span);
	return keyAge === guest.keyAge ? guest : { ...guest, keyAge };
}

function olderAge(age: Row['firstTried'], span: Span): Row['firstTried'] {
	if (age === 'none') return age;
	if (span === 'an hour') return 'old';
	return span === 'ten minutes' && age === 'young' ? 'trusted' : age;
}

function olderSince(since: Row['lastTried'], span: Span): Row['lastTried'] {
	if (since === 'none' || span === 'half a minute') return since;
	if (span === 'a minute') return since === 'fresh' ? 'recent' : since;
	return 'listed';
}
