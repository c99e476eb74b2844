import { REUSE_WINDOW_MS } from '../../core/assumptions';
import { getCreationTime } from '../../core/workspace/brief-time';
import { addCount, groupBy } from '../collections';
import { getContentId, type Row } from '../csv/types';
import { getOrderBrief, isUnconfirmedOrder, type LiveOrder } from './order';
import type { Orders } from './orders';
import { pairRenamedRows } from './pair-renamed-rows';
import { pairByEvidence, pairInSequence, pairUnchanged } from './pair-same-product';
import { getComparableFields, pairInSteps, type Candidate, type EditedRows } from './pairing';

/**
 * Finds the orders of edited rows, among the orders that have fewer rows than before. A row that was edited before the last run,
 * and not since, keeps its order. Then the surest pairs come first:
 *
 *     order 1   Mug for bakers   row 2   Mug for bakers, large   1. the product and another field are the same
 *     order 2   Glow Serum       row 3   Glow Serum 2026         2. a similar name, and all other fields are the same
 *     order 3   Pan for kids     row 4   Pan for cooks           3. only the product is the same
 *
 * Rows with the same content were edited together, so they share an order.
 */
export function matchEditedRows(input: RowsInput): Map<Row, LiveOrder> {
	const unmatched = input.rows.filter((row) => !input.found.has(row));
	const candidates = findCandidates(input);
	if (unmatched.length === 0 || candidates.length === 0) return new Map();
	const rows = [...groupBy(unmatched, getContent).values()].flatMap(toEditedRows);
	const rules = [
		pairUnchanged,
		...IDENTITIES.map(pairByEvidence),
		pairRenamedRows,
		...IDENTITIES.map(pairInSequence),
	];
	const pairs = pairInSteps(rules.map((rule) => [{ rows, candidates }, rule]));
	return new Map(pairs.flatMap(([edited, order]) => edited.rows.map((row) => [row, order])));
}

interface RowsInput {
	readonly rows: readonly Row[];
	readonly orders: Orders;
	/** The rows that have an order by their content or row ID. */
	readonly found: ReadonlyMap<Row, LiveOrder>;
	/** The service's clock. */
	readonly now: number;
}

/** The fields that say which product a row is about, the surest first. */
const IDENTITIES = ['product_id', 'product_name'] as const;

/** Invalid rows have no content ID, and are not edited together. */
function getContent(row: Row): string {
	return getContentId(row) ?? String(row.number);
}

function toEditedRows(rows: readonly Row[]): EditedRows[] {
	const [first] = rows;
	return first === undefined ? [] : [{ rows, fields: getComparableFields(first.input) }];
}

/** Returns the orders that have lost rows. Those that had a row in the last run come first. */
function findCandidates({ rows, orders, found, now }: RowsInput): Candidate[] {
	const rowCounts = new Map<number, number>();
	for (const { id } of found.values()) addCount(rowCounts, id, 1);
	const hasRowIds = rows.some(({ rowId }) => rowId !== null);
	const candidates = orders.live.flatMap((order) => {
		const lostRows = order.rowCount - (rowCounts.get(order.id) ?? 0);
		// With --id, another row ID is another product.
		const isOther = hasRowIds && order.rowIds.length > 0;
		const isCandidate = order.hasRows || !(orders.isReplaced(order) || isOutdated(order, now));
		return lostRows > 0 && isCandidate && !isOther ? toCandidates(order, lostRows) : [];
	});
	return candidates.sort((a, b) => Number(b.order.hasRows) - Number(a.order.hasRows));
}

/** True if the order is older than the briefs that are used for new rows. A rejected order has no time, and counts as new. */
function isOutdated(order: LiveOrder, now: number): boolean {
	const brief = getOrderBrief(order);
	const sentAt = isUnconfirmedOrder(order) ? order.state.lastSentAt : Infinity;
	return (brief === null ? sentAt : getCreationTime(brief)) < now - REUSE_WINDOW_MS;
}

/** A row that was edited before is recognized by the input that it had in the last run, too. */
function toCandidates(order: LiveOrder, lostRows: number): Candidate[] {
	return [order.input, ...order.editedInputs].map((input) => ({
		order,
		fields: getComparableFields(input),
		lostRows,
	}));
}
