import { BriefOwners, type OwnersOnRecord } from '../../../batch/order/brief-owners';
import { isFreeFor, withoutThoseOfOthers } from '../../../batch/order/free-briefs';
import { PHASES, type Phase } from '../../../batch/run/schedule';
import { mayBeForSlots, type ErrorKind } from '../../../service/api/errors';
import { SLOTS } from '../../../service/api/limits';
import type { BriefSummary } from '../../../service/api/resources';
import { apply } from '../../../service/order/apply';
import { decide, type Facts } from '../../../service/order/decide';
import { slotAfter, slotOnRecord } from '../../../service/order/driver';
import {
	candidateFor,
	lookAmong,
	type Comparison,
	type OrderInDoubt,
} from '../../../service/order/find-brief';
import { forOthers, inTurn, isLeftInDoubt } from '../../../service/order/later-orders';
import {
	type Step,
	type OrderEvent,
	type Wait,
	NEW_ORDER,
	type Finding,
	type OrderState,
} from '../../../service/order/life';
import { newestOf } from '../../../service/order/listed-briefs';
import { recall } from '../../../service/order/recall';
import type { Look } from '../../../service/order/shell';
import { isSurelyListed, keyTrust, momentText } from '../../../service/order/times';
import { Workspace } from '../../../service/watch/workspace';
import { anError } from '../builders';
import { isBelieved, OTHERS, OWN } from './answers';
import { NOW, soughtOf, WRONG_CLOCKS } from './clocks';
import { guestFacts, guestRow, idle, isKnownToExist, listedOf, unseen } from './guest';
import { combinations, mayTake, shownAs } from './listed';
import { leftInDoubt, orderAt, orderOf, recorded, recordsOf } from './record';
import { errorOfAnswer } from './refusals';
import { againFor, asUnfair, count, fair, holderOf, unfair, type Move } from './service';
import { isServed, look, pageOf } from './slots';
import {
	BRIEFS,
	DOWN,
	FORGOTTEN,
	idOf,
	MAX_TRIES,
	keyOfFinding,
	keyOfLook,
	ownerOf,
	QUIET_ROW,
	withoutCounts,
	withRow,
	type Adversary,
	type Ref,
	type Refusal,
	type Row,
	type State,
} from './state';

function lookOf(compared: Comparison[], order: OrderInDoubt): Look {
	const mayBeIts = candidateFor(order, NOW, () => false);
	return lookAmong(
		compared.filter(({ brief }) => mayBeIts(brief)),
		order,
	);
}

/** The machine under test, with the parts of the shells that it rests on. Each can be broken. */
export const REAL_RULES = {
	decide,
	apply,
	/** What another process finds of an order after an event. */
	recall,
	/** Whose each brief is. */
	owners: (records: OwnersOnRecord) => new BriefOwners(records),
	/** Whether a listed brief may be taken for a row that was never sent, and which of several is its own. */
	isFreeFor,
	newestOf,
	/** Which of the listed briefs is that of an order in doubt. */
	look: lookOf,
	/** Whether the brief that answers a create is taken for the order's own. */
	believes: isBelieved,
	/** The slots as the process knows them, when it knows nothing yet. */
	workspace: () => new Workspace(),
	/** How long the slot of an order that nobody carries any more counts as taken. */
	slotAfter,
	/** What may hold a slot for an order on record. */
	slotOnRecord,
	/** What the end of an order means for the rows after it. */
	forOthers,
	/** Which of the orders that an earlier run left goes on first. */
	inTurn,
	/** What has its turns before what. */
	phases: PHASES as readonly Phase[],
	keyTrust,
	isSurelyListed,
	/** Whether executions without a record send the same key for the same content. */
	isKeyOfContent: true as boolean,
};

export type Rules = typeof REAL_RULES;

/** As many steps in a row that ask nobody and take no time are more than any order needs. */
const MOST_FREE_STEPS = 12;

/** What the process does: it starts, dies, looks, and carries each row a step further. */
export class ProcessMoves {
	/** What is believed depends on the rules alone, and not on the state. */
	private readonly isOwnBelieved: boolean;
	private readonly isAnothersBelieved: boolean;
	private readonly looksByAge = new Map<string, readonly ShownLook[]>();

	constructor(
		private readonly adversary: Adversary,
		private readonly rules: Rules = REAL_RULES,
	) {
		this.isOwnBelieved = OWN.every((shownBrief) => rules.believes(shownBrief));
		this.isAnothersBelieved = OTHERS.some((shownBrief) => rules.believes(shownBrief));
	}

	of(state: State): Move[] {
		const guests = state.rows.flatMap((row, index) =>
			row.guest === null ? [] : this.ofGuest(state, row, index),
		);
		return [...guests, ...(state.isUp ? this.ofRun(state) : this.starts(state))];
	}

	private ofRun(state: State): Move[] {
		const { rows } = state;
		const moves: Move[] = [unfair('the process dies', down(state, true))];
		if (!rows.some(isAtWork)) {
			moves.push(fair('the run ends', down(state, false)));
			if (state.ordering !== 'open' || !rows.some(isToBegin))
				moves.push(...rows.flatMap((row, index) => this.lastCall(state, row, index)));
		}
		moves.push(...rows.flatMap((row, index) => this.ofRow(state, row, index)));
		const isWaiting = rows.some(({ doing, guest }) => doing?.is === 'slot' && guest === null);
		if (isWaiting && state.ordering !== 'failed') moves.push(...this.look(state));
		return moves;
	}

	/** An execution of the program that keeps no record: it begins, dies, and carries its order a step further. */
	private ofGuest(state: State, row: Row, index: number): Move[] {
		const { order, doing, guest } = row;
		if (order === null) {
			const isKeyKnown = row.isKeyKnown && this.rules.isKeyOfContent;
			// What an earlier execution has read of the list may be old.
			return [...new Set([0, listedOf(state)])].flatMap((briefsSeen) => {
				const begun = { order: NEW_ORDER, place: 'active', isKeyKnown } as const;
				const next = { ...begun, guest: { ...guest!, briefsSeen, compared: 0 } };
				const words = `an execution begins with a list of ${briefsSeen}`;
				return this.begin(withRow(state, index, next), index, words);
			});
		}
		const isOnTheWay = row.isOnTheWay || (doing?.is === 'send' && !doing.isAccepted);
		const dies = unfair('the execution dies', idle(withRow(state, index, { isOnTheWay }), index));
		if (doing === null) return [dies, ...this.begin(state, index)];
		if (doing.is !== 'slot') return [dies, ...this.end(state, row, index, doing)];
		const workspace = this.rules.workspace();
		workspace.observePage(pageOf(state), NOW.service);
		if (workspace.slotsToGive() === 0) return [dies];
		const changes = {
			doing: null,
			hasPermit: true,
			isSlotFresh: true,
			guest: { ...guest!, briefsSeen: listedOf(state) },
		};
		const event = { event: 'got_slot', at: 0 } as const;
		return [dies, ...this.happening('the execution gets a slot', state, index, event, changes)];
	}

	private ofRow(state: State, row: Row, index: number): Move[] {
		if (row.guest !== null) return [];
		if (state.ordering === 'failed' && isOrdered(row)) {
			const isOnTheWay = row.isOnTheWay || (row.doing?.is === 'send' && !row.doing.isAccepted);
			const stopped = this.atRest(withRow(state, index, { isOnTheWay }), index);
			return [fair(`row ${index + 1} stops`, { ...stopped, ordering: 'failed' })];
		}
		if (row.place === 'none' || row.place === 'recovered') return this.enter(state, row, index);
		if (row.doing !== null) return this.end(state, row, index, row.doing);
		return row.order !== null && row.place !== 'over' ? this.begin(state, index) : [];
	}

	private starts(state: State): Move[] {
		const mayTakeOut =
			this.adversary.areRowsTakenOut && state.rows.some(({ record }) => record === 'in_doubt');
		return (mayTakeOut ? [false, true] : [false]).map((hasNoRow) => {
			const rows = state.rows.map((row) => ({
				...(row.guest === null ? this.awake(row, hasNoRow) : row),
				wasListed: (this.adversary.isSameProduct || row.guest !== null) && row.brief === 'listed',
			}));
			const isUncertain = (row: Row) =>
				row.lastTried !== 'listed' && this.slotOnRecord(row) === 'uncertain';
			const { after } = look(this.rules.workspace(), { ...state, rows, isUp: true });
			const holds = count(rows, isUncertain);
			const next = { ...after, holds, wasAlikeListed: state.isAlikeListed };
			return hasNoRow
				? unfair('a run starts without the rows in doubt', next)
				: fair('a run starts', next);
		});
	}

	private slotOnRecord(row: Row) {
		return this.rules.slotOnRecord(orderOf(row, this.rules.recall));
	}

	/**
	 * A row as a new process finds it on record, before it looks at the list.
	 * @param hasNoRow its row is no longer in the CSV
	 */
	private awake(row: Row, hasNoRow: boolean): Row {
		const { record, brief } = row;
		const isKnown = row.recordBrief === 'own';
		const after = {
			...row,
			mayRun: isKnown && record !== 'done',
			isOurs: isKnown && this.slotOnRecord(row) === 'brief',
			isCounted: isKnown && brief !== 'none',
		};
		const order = orderOf(row, this.rules.recall);
		if (record === 'done' || record === 'refused') return { ...after, place: 'over' };
		if (record === 'in_doubt')
			return { ...after, place: 'recovering', order: { ...order, hasNoRow } };
		const isFollowed = record === 'running' || record === 'parked';
		return isFollowed ? { ...after, place: 'recovering_paid', order } : after;
	}

	/** A row that was not begun, or is to be carried on, gets one of two places. */
	private enter(state: State, row: Row, index: number): Move[] {
		const { rows } = state;
		if (count(rows, ({ place, guest }) => place === 'active' && guest === null) >= SLOTS) return [];
		if (!this.isPhaseOf(row, rows)) return [];
		if (row.place === 'recovered') {
			const recovered = [index, ...rows.keys()].filter((at) => rows[at]!.place === 'recovered');
			const [first] = this.rules.inTurn(recovered, (at) => rows[at]!.order!.inDoubt);
			if (first !== index) return [];
			const next = withRow(state, index, { place: 'active' });
			return this.begin(next, index, `row ${index + 1} is carried on`);
		}
		if (state.ordering !== 'open') return [];
		const next = withRow(state, index, { place: 'active', order: orderOf(row, this.rules.recall) });
		return this.begin(next, index, `row ${index + 1} is begun`);
	}

	/** Whether the phase of the run has come in which this row has its turn. */
	private isPhaseOf(row: Row, rows: readonly Row[]): boolean {
		const { phases } = this.rules;
		const rowPhase = phaseOf(row);
		const isBefore = (phase: Phase) => phases.indexOf(phase) < phases.indexOf(rowPhase ?? 'order');
		return (
			rowPhase !== null && !rows.map(phaseOf).some((phase) => phase !== null && isBefore(phase))
		);
	}

	private begin(state: State, index: number, prefix = ''): Move[] {
		const row = state.rows[index]!;
		const order = row.order!;
		const name = `row ${index + 1}`;
		const step = this.rules.decide(order, this.factsOf(state, index));
		const what = step.do === 'wait' ? `wait for ${step.for}` : step.do;
		const words = `${prefix === '' ? `${name}: ` : `${prefix}; `}${what} (${step.why})`;
		const isEndless = prefix.split('; ').length > MOST_FREE_STEPS;
		const breach = isEndless
			? 'P11: steps without end that take no time'
			: this.brokenBy(state, index, step);
		const change = (changes: Partial<Row>) => [fair(words, withRow(state, index, changes), breach)];
		const happens = (event: OrderEvent, changes: Partial<Row> = {}) =>
			this.happening(words, state, index, event, changes, breach);
		const isUnknown = (why: string) => {
			const parked = { event: 'parked' } as const;
			const changes = { isOurs: false };
			const outcomes = this.happening(`${words}: ${why}`, state, index, parked, changes, breach);
			return outcomes.map(asUnfair);
		};
		switch (step.do) {
			case 'stop':
				return [fair(words, this.atRest(state, index), breach)];
			case 'take_slot':
				return change({ doing: { is: 'slot' } });
			case 'wait': {
				const isOver = isDue(state, row, step.for);
				return change({ doing: { is: 'wait', for: step.for, isOver } });
			}
			case 'look':
				return this.findings(state, index).map(({ finding, isFair }) => {
					const briefsSeen = listedOf(state);
					const guest = row.guest && { ...row.guest, briefsSeen, compared: briefsSeen };
					const next = withRow(state, index, { doing: { is: 'look', finding }, guest });
					return { words: `${words}: ${keyOfFinding(finding)}`, isFair, next, breach };
				});
			case 'take_over':
				return this.takeOver(words, state, index, step.brief, breach);
			case 'intend':
				return this.intend(words, state, index, breach);
			case 'send':
				return happens(
					{ event: 'sent' },
					{ doing: { is: 'send', isAccepted: false }, mayRun: true, hasReservation: true },
				);
			case 'look_at_slots':
				return change({ doing: { is: 'judge' } });
			case 'get': {
				const { isRunning } = this.briefOf(state, index);
				const isSeen = (changes = {}) =>
					happens({ event: 'seen' }, { isOurs: isRunning, ...changes });
				return [
					...isSeen(),
					...(order.wasParked ? isSeen({ isOverdue: true }) : []),
					...(isRunning ? [] : isUnknown('the service does not know it any more')),
				];
			}
			case 'watch':
				return change({ doing: { is: 'watch' } });
			case 'file':
				return [...isUnknown('the service gives no text for it'), ...happens({ event: 'filed' })];
			case 'queue':
			case 'withdraw':
			case 'refuse':
			case 'fail':
			case 'defer':
			case 'give_up':
			case 'park':
			case 'return_slot':
			case 'meet_rate_limit':
				return happens(eventOf(step)!, BESIDE[step.do]);
		}
	}

	private end(state: State, row: Row, index: number, doing: NonNullable<Row['doing']>): Move[] {
		const name = `row ${index + 1}`;
		const happens = (words: string, event: OrderEvent, changes: Partial<Row> = {}) =>
			this.happening(`${name}: ${words}`, state, index, event, { doing: null, ...changes });
		switch (doing.is) {
			case 'slot': {
				// A look that fails for good. What it means for this order is asked like any other answer.
				const never = { again: 'never' } as const;
				const failed = happens('no look for a slot succeeds', NO_LOOK, never).map(asUnfair);
				if (!this.adversary.areOthersEndless) return failed;
				if (look(this.rules.workspace(), state).workspace.freeSlots() > 0) return failed;
				// Slots have been waited for long enough.
				return [...failed, ...happens('no slot comes free', unlooked('slots_busy'), never)];
			}
			case 'wait':
				if (!doing.isOver) return [];
				return happens(
					'the wait is over',
					{ event: 'waited', for: doing.for, at: NOW },
					afterWait(row, doing.for),
				);
			case 'look':
				return happens(
					'the look ends',
					{ event: 'looked', at: 0, finding: doing.finding },
					{ isLookFresh: true },
				);
			case 'intend':
				return happens(
					'its intent is on record',
					{ event: 'intended', ...momentText(NOW), briefs_known: 0 },
					{
						firstTried: row.firstTried === 'none' ? doing.age : row.firstTried,
						lastTried: doing.since,
						hasReservation: true,
					},
				);
			case 'send': {
				if (!doing.isAccepted) return [];
				if (!this.isOwnBelieved) {
					const words = `${name}: its brief arrives, and looks different`;
					const breach = 'P12: its own brief is thrown away, because it looks different';
					return [fair(words, state, breach)];
				}
				if (row.guest === null && !this.takes(state, index, 'own')) {
					const error = errorOfAnswer('another brief');
					const words = `${name}: its brief arrives, and another row has it`;
					return againFor(error, true, this.adversary).flatMap((again) =>
						this.heard(words, state, index, { error, again }),
					);
				}
				return happens(
					'its brief arrives',
					{ event: 'accepted', brief: BRIEFS.own, found: false },
					{ hasPermit: false, hasReservation: false, isOurs: row.isRunning, isCounted: true },
				);
			}
			case 'judge':
				return this.judge(state, index);
			case 'watch': {
				if (this.briefOf(state, index).isRunning)
					return happens('its brief ran for too long', { event: 'parked' }).map(asUnfair);
				const changes = { isOurs: false, isSeenRunning: false };
				return happens('its brief is seen to have ended', { event: 'ended' }, changes);
			}
		}
	}

	/** The clocks are as wrong when it is tried again as they were at first, until a new process. */
	private intend(words: string, state: State, index: number, breach?: string): Move[] {
		const { firstTried, clocks: clocksBefore } = state.rows[index]!;
		const clocks = clocksBefore === 'both ahead' ? 'both ahead, and waited' : clocksBefore;
		const doing = { is: 'intend', age: 'young', since: 'fresh' } as const;
		const move = fair(words, withRow(state, index, { doing, clocks }), breach);
		if (!this.adversary.doClocksDisagree || firstTried !== 'none') return [move];
		const wrong = WRONG_CLOCKS.map((one) =>
			unfair(`${words}, clocks: ${one}`, withRow(state, index, { doing, clocks: one }), breach),
		);
		return [move, ...wrong];
	}

	/** A create is answered, but not with a brief. */
	answer(words: string, state: State, index: number, refusal: Refusal): Move[] {
		const { error } = refusal;
		if (!mayBeForSlots(error)) return this.heard(words, state, index, refusal);
		const changes = { doing: null, isForSlot: refusal.isForSlot ?? false };
		return this.happening(words, state, index, { event: 'turned_away', error }, changes);
	}

	/** A look at the slots shows what a refusal was. */
	private judge(state: State, index: number): Move[] {
		const { order, isForSlot } = state.rows[index]!;
		const refusal = order!.unjudgedRefusal!;
		const { workspace, after } = look(this.rules.workspace(), state);
		const isJudgedForSlot = workspace.areSlotsTaken();
		const name = `row ${index + 1}`;
		const next = withRow(after, index, { isForSlot: false });
		const judged = isJudgedForSlot ? refusal.with({ kind: 'slots_busy' }) : refusal;
		const words = `${name}: the look shows that it is ${judged.kind}`;
		const isWrong = isForSlot && !isJudgedForSlot && workspace.holders().length >= SLOTS;
		const breach = isWrong ? 'P11: it is refused for good for want of a slot' : undefined;
		const heard = againFor(judged, order!.inDoubt, this.adversary)
			.flatMap((again) => this.heard(words, next, index, { error: judged, again }))
			.map((move) => ({ ...move, breach: breach ?? move.breach }));
		const changes = { doing: null, isForSlot: false, again: 'never' } as const;
		const failed =
			refusal.kind === 'conflict'
				? this.heard(`${name}: no look succeeds`, state, index, { error: refusal, again: 'never' })
				: this.happening(`${name}: no look succeeds`, state, index, NO_LOOK, changes);
		return [...heard, ...failed.map(asUnfair)];
	}

	private heard(words: string, state: State, index: number, { error, again }: Refusal): Move[] {
		const { kind } = error;
		if (kind === 'other_brief' && this.isAnothersBelieved) {
			return [fair(words, state, 'P12: a brief of another order is taken for its own')];
		}
		const afterwards = kind === 'allowance_used_up' ? { ...state, isKnownUsedUp: true } : state;
		const limits: ReadonlyArray<Facts['rateLimit']> =
			kind !== 'rate_limited' || state.limit !== 'none'
				? [state.limit]
				: again === 'never'
					? ['none', 'short', 'long']
					: ['none', 'short'];
		return limits.flatMap((limit) => {
			const event = { event: 'answered', at: 0, error } as const;
			const how = limit === state.limit ? words : `${words}, with a ${limit} rate limit`;
			return this.happening(how, { ...afterwards, limit }, index, event, { doing: null, again });
		});
	}

	private takeOver(
		words: string,
		state: State,
		index: number,
		brief: BriefSummary,
		breach: string | undefined,
	): Move[] {
		const ref = brief.id as Ref;
		const owner = ownerOf(index, ref);
		const isGuest = state.rows[index]!.guest !== null;
		if (!isGuest && !this.takes(state, index, ref)) {
			const finding: Finding = { is: 'unclear', ids: [ref], isCertain: true };
			const event = { event: 'looked', at: 0, finding } as const;
			const refused = `${words}, but it is taken`;
			return this.happening(refused, state, index, event, { isLookFresh: true }, breach);
		}
		const isRunning = owner !== null && state.rows[owner]!.isRunning;
		const takenOver =
			owner === null || isGuest ? state : withRow(state, owner, { isOurs: isRunning });
		const event = { event: 'accepted', brief, found: true } as const;
		return this.happening(words, takenOver, index, event, { hasPermit: false }, breach);
	}

	/** The poller looks at the list, and gives a slot that is free to the first in the queue. */
	private look(state: State): Move[] {
		const { workspace, after } = look(this.rules.workspace(), state);
		const othersAtGrant = Math.max(0, after.othersSeen - after.othersStuck);
		const grants = [...after.rows.keys()]
			.filter((index) => isServed(workspace, after, index))
			.flatMap((index) => {
				const event = { event: 'got_slot', at: 0 } as const;
				const changes = { doing: null, hasPermit: true, isSlotFresh: true, othersAtGrant };
				return this.happening(`row ${index + 1} gets a slot`, after, index, event, changes);
			});
		return [...grants, fair('the process looks at the list', after)];
	}

	/** What was given up without an answer is settled when nothing else is to be done. */
	private lastCall(state: State, row: Row, index: number): Move[] {
		if (row.order === null || row.guest !== null) return [];
		const next = withRow(state, index, { place: 'settling' });
		return this.begin(next, index, `the last call for row ${index + 1}`);
	}

	/** What a look may show, and what the real rules make of it. */
	private findings(state: State, index: number): Array<{ finding: Finding; isFair: boolean }> {
		const row = state.rows[index]!;
		const isCertain = this.rules.isSurelyListed(soughtOf(row), NOW);
		const { stage, inDoubt } = row.order!;
		const isUnsent =
			row.guest === null ? stage === 'to_order' || (stage === 'cleared' && !inDoubt) : !inDoubt;
		const { owners, ...whose } = this.whoseIn(state);
		const refs = mayTake(state, index, { owners, ...whose }, isUnsent);
		const orders = state.rows.map((_, at) => orderAt(at, this.adversary));
		const ordersWithoutRow = orders.filter((_, at) => state.rows[at]!.order?.hasNoRow);
		const keysWithoutRow = new Set(ordersWithoutRow.map(({ key }) => key));
		return this.looks(refs, row, isUnsent).map(({ look, isFair }) => {
			const known = { records: owners.records, keysWithoutRow };
			const outcome = row.guest === null ? withoutThoseOfOthers(look, orders[index]!, known) : look;
			return { isFair, finding: outcome.is === 'found' ? outcome : { ...outcome, isCertain } };
		});
	}

	/** The same for any order of this age beside these briefs. */
	private looks(refs: readonly Ref[], row: Row, isUnsent: boolean): readonly ShownLook[] {
		const { firstTried, lastTried, clocks } = row;
		const name = [refs.join(' '), isUnsent, firstTried, lastTried, clocks].join();
		const cached = this.looksByAge.get(name);
		if (cached !== undefined) return cached;
		const pick = isUnsent
			? this.rules.newestOf
			: (compared: Comparison[]) => this.rules.look(compared, soughtOf(row));
		const all = new Map<string, ShownLook>();
		combinations(refs.map((ref) => shownAs(ref, row, this.adversary, isUnsent))).forEach(
			(compared, nth) => {
				// Several that are the same differ in their age alone, and each may be the oldest.
				for (const inOrder of [compared, compared.toReversed()]) {
					const look = pick(inOrder);
					const key = keyOfLook(look);
					if (!all.has(key)) all.set(key, { look, isFair: nth === 0 });
				}
			},
		);
		const looks = [...all.values()];
		this.looksByAge.set(name, looks);
		return looks;
	}

	private whoseIn(state: State) {
		const { adversary, rules } = this;
		const owners = rules.owners(recordsOf(state, adversary));
		return { adversary, owners, isFreeFor: rules.isFreeFor };
	}

	private takes(state: State, index: number, ref: Ref): boolean {
		const { key } = orderAt(index, this.adversary);
		return this.whoseIn(state).owners.take(idOf(index, ref), key);
	}

	factsOf(state: State, index: number): Facts {
		const row = state.rows[index]!;
		const key = this.rules.keyTrust(soughtOf(row), NOW);
		if (row.guest !== null) return guestFacts(row, key);
		const stage = row.order?.stage;
		// Asked in these stages alone.
		const mayBeNew = stage === 'to_order' || stage === 'cleared';
		return {
			end: this.isEndKnown(state, index) ? 'allowance' : null,
			rateLimit: state.limit,
			isMonthTurning: state.isMonthTurning,
			mayBeListed: mayBeNew && mayTake(state, index, this.whoseIn(state), true).length > 0,
			key,
			isLookDue: key !== 'young',
			isLookFresh: row.isLookFresh,
			isIntentFresh: (row.order?.isIntended ?? false) && row.lastTried === 'fresh',
			isSlotFresh: row.isSlotFresh,
			again: row.again,
			isLastCall: row.place === 'settling',
			maxTries: MAX_TRIES,
			isOverdue: row.isOverdue,
		};
	}

	/** What the run knows of the allowance, a row's own reservation left out of account. */
	private isEndKnown(state: State, index: number): boolean {
		const { rows, isKnownUsedUp, othersUsedSeen } = state;
		const paidCount = count(rows, (row, at) => {
			if (row.brief === 'none') return false;
			return row.isCounted || row.record === 'done' || holderOf(rows, at) !== null;
		});
		const reserved = count(rows, (row, at) => at !== index && row.hasReservation);
		return isKnownUsedUp || this.adversary.allowance - othersUsedSeen - paidCount - reserved <= 0;
	}

	/** What a step breaks by being taken now. */
	private brokenBy(state: State, index: number, step: Step): string | undefined {
		const row = state.rows[index]!;
		if (step.do === 'wait' && step.for === 'list' && row.wasLost)
			return 'P11: in one run the list is waited for again';
		const isLost = step.do === 'withdraw' && row.order?.inDoubt === true && !row.order.hasNoRow;
		if (isLost && row.runsUnanswered >= MAX_TRIES)
			return 'P11: it is sent in more runs than it may be tried';
		// Only a row that was never sent was compared before it had its turn.
		if (step.do === 'park' && step.reason !== 'listed' && !row.isLookFresh)
			return 'P2: a person is asked although the list was not read just before';
		if (step.do !== 'send' && step.do !== 'intend') return undefined;
		const order = row.order!;
		if (order.firstTried === null && isKnownToExist(state, index))
			return 'P10: it is paid for although the list shows a brief of its content';
		if (row.guest !== null) return undefined;
		const { inDoubt, isReserved, isSlotUsed } = order;
		if (!(inDoubt && isReserved) && this.isEndKnown(state, index)) {
			return 'P5: it is to be sent although nothing more may be ordered';
		}
		if (step.do === 'intend') return undefined;
		if (state.isMonthTurning) return 'P5: it is sent while the month turns';
		// An order in doubt is repeated without a new look: its own brief may be the one that runs.
		if (inDoubt && isSlotUsed) return undefined;
		const ours = count(
			state.rows,
			({ isRunning, mayRun }, at) => at !== index && isRunning && mayRun,
		);
		const others = row.isSlotFresh
			? Math.min(row.othersAtGrant, state.othersSeen, state.others - state.othersStuck)
			: state.othersListed - state.othersStuck;
		if (ours + others + 1 > SLOTS && !row.isRunning) {
			return 'P4: it is sent although two briefs are known to run';
		}
		return undefined;
	}

	/** Something happens to a row, and the next step is decided and begun at once, as the driver does. */
	private happening(
		words: string,
		state: State,
		index: number,
		event: OrderEvent,
		changes: Partial<Row>,
		breach?: string,
	): Move[] {
		const row = state.rows[index]!;
		let order: OrderState;
		try {
			order = withoutCounts(this.rules.apply(row.order!, event));
		} catch (error) {
			return [fair(words, state, `P11: ${(error as Error).message}`)];
		}
		const after =
			row.guest === null
				? placed({ ...row, ...recorded(row, event, this.rules.recall), ...changes, order })
				: guestRow(row, changes, order);
		const next = withRow(state, index, after);
		if (row.guest !== null && order.stage === 'running')
			return [fair(words, idle(next, index), breach)];
		if (order.stage === 'done') return [fair(words, afterFiling(next, index), breach)];
		// It takes a while to put that on record, so that what was known before may be old by then.
		const isPaused = event.event === 'withdrawn' || after.place === 'recovered';
		if (breach !== undefined || isPaused || after.place === 'over' || after.doing !== null) {
			return [fair(words, next, breach)];
		}
		return this.begin(next, index, words);
	}

	/** Nothing is left to do for it in this run, or nothing that can be done now. */
	private atRest(state: State, index: number): State {
		const row = state.rows[index]!;
		if (row.guest !== null) return idle(state, index);
		const order = row.order!;
		const slot = this.rules.slotAfter(order);
		const isHeld = row.hasPermit && slot === 'uncertain';
		const isUnsettled = isLeftInDoubt(order) && row.place !== 'settling';
		const next = withRow(state, index, {
			place: 'over',
			order: isUnsettled ? order : null,
			hasPermit: false,
			// Each slot is given by a look of its own, so that nothing is left to hold until then.
			mayRun: row.mayRun && slot !== 'uncertain_until_look',
			doing: null,
			hasReservation: row.hasReservation && order.inDoubt,
			again: 'never',
			isLookFresh: false,
			isSlotFresh: false,
			othersAtGrant: 0,
			isOverdue: false,
		});
		const means = row.place === 'settling' ? 'nothing' : this.rules.forOthers(order);
		const holds = next.holds + (isHeld ? 1 : 0);
		return { ...next, holds, ordering: ORDERING_AFTER[means] ?? next.ordering };
	}

	/** The brief that the row takes for its own, whoever’s it is. */
	private briefOf(state: State, index: number): { isRunning: boolean } {
		const { recordBrief } = state.rows[index]!;
		const owner = recordBrief === null ? null : ownerOf(index, recordBrief);
		return owner === null ? { isRunning: false } : state.rows[owner]!;
	}
}

/** Whether two orders in a row got no answer is not counted: then ordering would end as well. */
const ORDERING_AFTER: Partial<Record<string, State['ordering']>> = {
	ordering_ends: 'closed',
	all_fail: 'failed',
};

function isToBegin({ place, record, guest }: Row): boolean {
	return place === 'none' && guest === null && ['none', 'to_order', 'listed'].includes(record);
}

/** The phase of a run in which a row has its turn; null if it had it, or never has one. */
function phaseOf(row: Row): Phase | null {
	if (row.place === 'recovering') return 'recover';
	if (row.place === 'recovered') return 'carryOn';
	return isToBegin(row) ? 'order' : null;
}

/** Whether it is on the part of its way that ends with the ordering. */
function isOrdered({ place, order }: Row): boolean {
	const isInTurn = place === 'recovering' ? order?.hasNoRow !== true : place === 'active';
	return isInTurn && order !== null && order.stage !== 'running' && order.stage !== 'ended';
}

function isAtWork({ place, guest }: Row): boolean {
	return place !== 'none' && place !== 'over' && guest === null;
}

/** The process is gone, and with it all that is not on record. */
function down(state: State, isSudden: boolean): State {
	const rows = state.rows.map((row) => {
		if (row.guest !== null) return unseen(row);
		const isOnTheWay =
			row.isOnTheWay || (isSudden && row.doing?.is === 'send' && !row.doing.isAccepted);
		const facts = isSudden || row.record !== 'in_doubt' || row.isLeft ? {} : leftInDoubt(row);
		return { ...row, ...FORGOTTEN, isOnTheWay, ...facts };
	});
	return { ...state, ...DOWN, rows };
}

/** Where a row is once it was recovered, with what is settled by then forgotten. */
function placed(row: Row): Row {
	const { order, place } = row;
	if (order === null || (place !== 'recovering' && place !== 'recovering_paid')) return row;
	const isKnown = order.isSeen || !['in_doubt', 'running', 'parked'].includes(order.stage);
	if (!isKnown) return row;
	const isBeside = place === 'recovering_paid' || order.hasNoRow;
	return { ...row, place: isBeside ? 'beside' : 'recovered' };
}

/** All that matters of a row whose brief is filed. */
function afterFiling(state: State, index: number): State {
	const { recordBrief, brief, isRunning } = state.rows[index]!;
	const isOwn = recordBrief === 'own';
	const { isKeyKnown, isOnTheWay, firstTried, lastTried } = state.rows[index]!;
	const facts = isOwn
		? { brief: 'listed' as const, isKeyKnown: true }
		: { brief, isRunning, isKeyKnown, isOnTheWay, firstTried, lastTried };
	const row = { ...QUIET_ROW, record: 'done' as const, recordBrief, ...facts };
	return withRow(state, index, { ...row, place: 'over', isCounted: isOwn });
}

function isDue(state: State, row: Row, what: Wait): boolean {
	if (what === 'rate_limit') return state.limit === 'none';
	if (what === 'month_turn') return !state.isMonthTurning;
	return what === 'list' && isSurelyListed(soughtOf(row), NOW);
}

/** What the end of a wait changes: clocks that both called the try to come count it from now. */
function afterWait({ clocks }: Row, what: Wait): Partial<Row> {
	if (what !== 'list' || clocks !== 'both ahead') return {};
	return { clocks: 'both ahead, and waited', lastTried: 'recent' };
}

/** No look at the slots is made, or none shows a free one. */
function unlooked(kind: ErrorKind): OrderEvent {
	return { event: 'answered', at: 0, error: anError(kind, { operation: 'list_briefs' }) };
}

/** A look that fails for good. */
const NO_LOOK = unlooked('service_unavailable');

/** What a step makes happen at once, whatever the state is; undefined if it takes time or depends on that. */
function eventOf(step: Step): OrderEvent | undefined {
	if (step.do === 'park') return { event: 'parked', reason: step.reason };
	if (step.do === 'return_slot')
		return { event: 'returned_slot', notBefore: 0, isStale: step.isStale };
	return AT_ONCE[step.do];
}

const AT_ONCE: Partial<Record<Step['do'], OrderEvent>> = {
	queue: { event: 'queued' },
	withdraw: { event: 'withdrawn', why: '' },
	refuse: { event: 'refused' },
	fail: { event: 'unanswered' },
	defer: { event: 'deferred' },
	give_up: { event: 'given_up' },
	meet_rate_limit: unlooked('rate_limited'),
};

/** What else these steps change. */
const BESIDE: Partial<Record<Step['do'], Partial<Row>>> = {
	return_slot: { hasPermit: false },
	meet_rate_limit: { again: 'never' },
};

interface ShownLook {
	look: Look;
	isFair: boolean;
}
