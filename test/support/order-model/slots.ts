import { SLOT_HELD_MS, USUAL_LIST_LAG_MS } from '../../../service/assumptions';
import type { BriefSummary } from '../../../service/api/resources';
import { SlotQueue } from '../../../service/watch/slots';
import type { Workspace } from '../../../service/watch/workspace';
import { aSummary } from '../builders';
import { NOW } from './clocks';
import { changed, type State } from './state';

const now = NOW.service;
/** The usual lag of the list is over: what a look shows of a brief before that is a matter of the list. */
const NOT_NEW = now - USUAL_LIST_LAG_MS - 1;
const PAST_ITS_TIME = now - SLOT_HELD_MS - 1;

function briefOf(id: string, created_at = NOT_NEW, status = 'writing'): BriefSummary {
	return aSummary({ id, created_at, status });
}

function others(count: number, { othersStuck }: State): BriefSummary[] {
	return Array.from({ length: count }, (_, at) =>
		briefOf(`of others ${at}`, at < othersStuck ? PAST_ITS_TIME : NOT_NEW),
	);
}

/** The list as it is now. */
export function pageOf(state: State): BriefSummary[] {
	const ofRows = state.rows.flatMap(({ brief, isRunning }, index) =>
		brief === 'listed' ? [briefOf(`${index}`, NOT_NEW, isRunning ? 'writing' : 'ready')] : [],
	);
	return [...ofRows, ...others(state.othersListed, state)];
}

/**
 * Brings a workspace to where the process has it, by its last look and by what it knows of its own orders, and lets it
 * look at the list. Gives it with the state after that.
 */
export function look(workspace: Workspace, state: State): { workspace: Workspace; after: State } {
	const seen = [...state.rows.keys()].filter((index) => state.rows[index]!.isSeenRunning);
	const page = seen.map((index) => briefOf(`${index}`));
	workspace.observePage([...page, ...others(state.othersSeen, state)], now);
	state.rows.forEach((row, index) => {
		if (row.isOurs) workspace.addOwn(briefOf(`${index}`), now);
		if (!row.hasPermit || row.guest !== null) return;
		const slot = workspace.reserve(() => now);
		if (row.order?.isSlotUsed === true && row.order.stage !== 'sent') slot.noteAnswer();
	});
	for (let hold = 0; hold < state.holds; hold += 1) workspace.addUncertain(`${hold}`, now, now);
	workspace.observePage(pageOf(state), now);
	return { workspace, after: asKnown(workspace, state) };
}

/** The state with what the workspace knows after a look. */
function asKnown(workspace: Workspace, state: State): State {
	const holders = new Map(workspace.holders().map(({ id, isOurs }) => [id, isOurs]));
	const holds = workspace.uncertainUntil().length;
	const rows = state.rows.map((row, index) => {
		const holder = holders.get(`${index}`);
		// Any brief that appears may be that of an order in doubt, and takes its slot over.
		const isTakenOver = row.place === 'over' && holds < state.holds;
		return changed(row, {
			isOurs: holder === true,
			isSeenRunning: holder === false,
			isCounted: row.isCounted || row.brief === 'listed',
			mayRun: row.mayRun && !isTakenOver,
		});
	});
	const { othersListed: othersSeen, othersUsed: othersUsedSeen } = state;
	return { ...state, rows, holds, othersSeen, othersUsedSeen };
}

/** Whether a row that waits may be the one that gets a slot. What earlier runs left asks before any new row. */
export function isServed(workspace: Workspace, { rows }: State, index: number): boolean {
	const queue = new SlotQueue();
	const waiter = { resolve: () => {}, reject: () => {} };
	const isFirst = (one: number) => (rows[one]!.order?.inDoubt ? 2 : 0) + (one === index ? 1 : 0);
	const waits = [...rows.keys()]
		.filter((one) => rows[one]!.doing?.is === 'slot' && rows[one]!.guest === null)
		.sort((a, b) => isFirst(b) - isFirst(a))
		.map((one) => ({ one, notBefore: rows[one]!.order!.notBefore, once: false, waiter }));
	for (const wait of waits) queue.join(wait);
	const { granted } = queue.serve(workspace.freeSlots(), 0, workspace.slotsToGive());
	return waits.some((wait) => wait.one === index && granted.includes(wait));
}
