import { SLOTS, TYPICAL_DURATION_MS } from '../../core/api/limits';
import { isRunning, type BriefSummary } from '../../core/api/types';
import { parseTimestamp } from '../../core/api/timestamps';
import { formatNumber } from '../../core/text';
import {
	getOrderBrief,
	hasOrderPaid,
	isAccepted,
	isUnconfirmedOrder,
	type StoredOrder,
} from '../orders/order';
import { isUsable, type Row } from '../csv/types';
import type { Orders } from '../orders/orders';
import type { RowPlace } from '../report/report-row';
import { describeOrderState, type Wording } from '../report/row-messages';
import type { PlannedRow } from '../plan/planned-row';
import { formatDuration, nameBriefs } from '../text';

import { formatClock, toOneLine } from './format';
import { formatRowLabel } from './report-lines';
import type { TextWidth } from './text-width';
import type { Wait } from './waits';

/*
 * The progress of a run. On a terminal, a view below the lines:
 *
 *     row 12    writing      Glow Serum                            2:05
 *     row 14    researching  Cedar Candle                          0:40
 *     3 of 20 done · about 45 minutes left
 *
 * Elsewhere, a line for each change:
 *
 *     2026-11-27T06:00:03Z  row 12    ordered      Glow Serum  brief 70a42f64
 */

/** An order of the run in progress. */
interface RunOrder {
	readonly place: RowPlace;
	readonly name: string;
	/** The status of the brief, or `waiting` while nothing was created. */
	readonly status: string;
	readonly isRunning: boolean;
	readonly isDone: boolean;
	/** When the brief was created, in milliseconds; null if unknown. */
	readonly startedAt: number | null;
}

interface RunProgress {
	/** The orders of this run alone: rows beyond --max or the allowance are not among them. */
	readonly orders: readonly RunOrder[];
	/** What the run is waiting for, apart from its own briefs. */
	readonly waits: readonly Wait[];
}

const STATUS_WIDTH = 12;

/** @param columns of the terminal */
export function formatProgress(
	{ orders, waits }: RunProgress,
	now: number,
	columns: number,
	{ pad }: TextWidth,
): string[] {
	const running = orders.filter((order) => order.isRunning);
	const nameWidth = Math.max(8, Math.min(50, columns - STATUS_WIDTH - 20));
	const lines = running.slice(0, SLOTS).map(({ place, name, status, startedAt }) => {
		const elapsed = startedAt === null ? '' : formatClock(getElapsedTime(startedAt, now));
		return `${formatRowLabel(place)} ${status.padEnd(STATUS_WIDTH)} ${pad(toOneLine(name), nameWidth)} ${elapsed}`;
	});
	return [...lines, ...waits.map(({ text }) => text), formatFooter(orders, now)];
}

function formatFooter(orders: readonly RunOrder[], now: number): string {
	const done = orders.filter(({ isDone }) => isDone).length;
	const left = estimateTimeLeft(orders, now);
	const parts = [
		`${formatNumber(done)} of ${formatNumber(orders.length)} done`,
		...(left === 0 ? [] : [`about ${formatDuration(left)} left`]),
	];
	return parts.join(' · ');
}

/** The clock of the service can be ahead of this computer's. */
function getElapsedTime(startedAt: number, now: number): number {
	return Math.max(0, now - startedAt);
}

/** Time from the end of a brief until the run has noticed it and ordered the next brief. */
const BETWEEN_BRIEFS_MS = 8_500;

/** Returns the milliseconds until the orders of this run are done. */
function estimateTimeLeft(orders: readonly RunOrder[], now: number): number {
	const open = orders.filter(({ isDone }) => !isDone);
	const work = open.reduce((sum, { startedAt }) => {
		const elapsed = startedAt === null ? 0 : getElapsedTime(startedAt, now);
		return sum + Math.max(TYPICAL_DURATION_MS - elapsed, BETWEEN_BRIEFS_MS) + BETWEEN_BRIEFS_MS;
	}, 0);
	return open.length === 0 ? 0 : work / Math.min(SLOTS, open.length);
}

/** Returns the estimated time for this many briefs, which the plan shows. */
export function estimateDuration(briefs: number): number {
	return Math.ceil(briefs / SLOTS) * (TYPICAL_DURATION_MS + BETWEEN_BRIEFS_MS);
}

/**
 * Returns the orders of a run: the rows that it orders or reuses, then the orders that an earlier run left.
 * @param orders as they were when the plan was made; later changes show how far the run is
 * @param findBrief returns the newest status of a brief; the journal has the status that was recorded
 */
export function findRunOrders(
	planned: readonly PlannedRow[],
	orders: Orders,
	findBrief: (id: string) => BriefSummary | undefined,
): () => RunOrder[] {
	const rows = planned
		.filter(({ action }) => action.kind === 'order' || action.kind === 'reuse')
		.map(({ row }) => row)
		.filter(isUsable);
	const known = new Set(orders.live.map(({ id }) => id));
	const open = orders.live.filter((order) => isUnconfirmedOrder(order) || isAccepted(order));
	const places = new Map(
		planned.flatMap(({ row, match }) =>
			match.kind === 'new' ? [] : [[match.order.id, toPlace(row)] as const],
		),
	);
	return () => [
		...rows.map((row) => {
			const begun = orders.findByContent(row.contentId).findLast(({ id }) => !known.has(id));
			return toRunOrder(toPlace(row), row.input.product_name, begun, findBrief);
		}),
		...open.map(({ id, input }) =>
			toRunOrder(places.get(id) ?? REMOVED, input.product_name, orders.get(id), findBrief),
		),
	];
}

export const REMOVED: RowPlace = { kind: 'removed' };

export function toPlace({ number }: Row): RowPlace {
	return { kind: 'row', number };
}

function toRunOrder(
	place: RowPlace,
	name: string,
	order: StoredOrder | undefined,
	findBrief: (id: string) => BriefSummary | undefined,
): RunOrder {
	const recorded = order === undefined ? null : getOrderBrief(order);
	const brief = findBrief(recorded?.id ?? '') ?? recorded;
	const kind = order?.state.kind ?? 'waiting';
	const isBeingWritten = kind === 'accepted' && brief !== null;
	return {
		place,
		name,
		status: isBeingWritten ? brief.status : kind,
		isRunning: isBeingWritten && isRunning(brief),
		isDone: kind !== 'waiting' && kind !== 'accepted' && kind !== 'unconfirmed',
		startedAt: parseTimestamp(brief?.created_at),
	};
}

/** A line about a change of an order. News is also printed with --quiet. */
export interface ChangeLine {
	readonly text: string;
	readonly isNews: boolean;
}

/** A row as the lines about its order show it. */
export interface ChangedRow {
	readonly place: RowPlace;
	readonly name: string;
}

/**
 * Returns the line for the new state of an order; null if there is nothing to say.
 * @param wasSentBefore true if an earlier run has sent the order
 */
export function formatChange(
	order: StoredOrder,
	row: ChangedRow,
	wasSentBefore: boolean,
	wording: Wording,
): ChangeLine | null {
	const { state } = order;
	const reason = describeOrderState(state, wording);
	switch (state.kind) {
		case 'ready':
			return formatLine(row, 'ready', `results/${state.file}.md`);
		case 'failed':
		case 'rejected':
			return formatLine(row, 'failed', reason, true);
		case 'accepted': {
			if (state.review !== null) return formatLine(row, 'needs review', reason, true);
			const status = wasSentBefore ? 'found' : hasOrderPaid(order) ? 'ordered' : 'reused';
			return formatLine(row, status, nameBriefs([wording.shortenId(state.brief.id)]));
		}
		case 'unconfirmed':
			if (state.review !== null) return formatLine(row, 'needs review', reason, true);
			return state.error === '' ? null : formatLine(row, 'no answer', reason);
		case 'dropped':
			return null;
	}
}

/** Returns the line for briefs among which the user has to choose. */
export function formatReview(row: ChangedRow, message: string): ChangeLine {
	return formatLine(row, 'needs review', message, true);
}

function formatLine(
	{ place, name }: ChangedRow,
	status: string,
	detail: string,
	isNews = false,
): ChangeLine {
	const text = `${formatRowLabel(place)} ${status.padEnd(STATUS_WIDTH)} ${toOneLine(name, 60)}  ${toOneLine(detail, 500)}`;
	return { text, isNews };
}
