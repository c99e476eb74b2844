import { toSummary, type Brief } from '../../core/api/types';
import { normalizeText } from '../../core/input/content';
import { makeDraft, NOTHING } from '../../core/orders/order';
import { UsageProblem } from '../cli-error';
import { addTo } from '../collections';
import { getContentId, isUsable, type Row, type UsableRow } from '../csv/types';
import { matchRows, type RowMatch, type RowMatches } from '../orders/match-rows';
import {
	getOrderBrief,
	isNotSaved,
	isUnconfirmedOrder,
	makeFirstLine,
	toAcceptedState,
	type OrderChange,
	type OrderRows,
} from '../orders/order';
import type { Orders } from '../orders/orders';
import { makeConfirmation, type Confirmation } from './confirmations';
import type { PlanContext, PlanFacts } from './read-facts';
import { CHOICE_FLAGS, isSelected, type RowChoice, type Selection } from './selection';

/**
 * The user's choices that cost nothing: --use-brief and --accept-edits. They are part of the plan, and are written when
 * the user has agreed to it.
 */
interface PlannedChoices extends MatchedOrders {
	readonly changes: readonly OrderChange[];
	readonly confirmations: readonly Confirmation[];
}

/** Orders, and the rows matched with them. */
interface MatchedOrders {
	readonly orders: Orders;
	readonly matches: RowMatches;
}

type ChosenRow = readonly [row: UsableRow, choice: RowChoice];

/** @throws {UsageProblem} if a choice has no effect on its row */
export async function planChoices(
	context: PlanContext,
	facts: Pick<PlanFacts, 'orders' | 'matches' | 'now'>,
	selection: Selection,
): Promise<PlannedChoices> {
	const { rows } = context.table;
	const chosen = checkChoices(rows, facts, selection);
	if (chosen.length === 0) return { ...facts, changes: [], confirmations: [] };
	const changes = acceptEdits(chosen, facts.matches);
	const confirmations: Confirmation[] = [];
	const orders = facts.orders.withChanges(changes);
	const rematch = () => matchRows(rows, orders, facts.now);
	let matches = changes.length === 0 ? facts.matches : rematch();
	let hasNewOrders = false;
	for (const [row, choice] of chosen) {
		if (choice.kind !== 'use_brief') continue;
		const used = await useBrief(context, { orders, matches }, row, choice.briefId);
		const isNewOrder = used.change.order === orders.nextId;
		changes.push(used.change);
		confirmations.push(...used.confirmations);
		orders.apply(used.change);
		// A new order does not change the matches of the other rows.
		if (isNewOrder) hasNewOrders = true;
		else matches = rematch();
	}
	return { changes, confirmations, orders, matches: hasNewOrders ? rematch() : matches };
}

/**
 * Returns the rows with a choice. Rows with the same content have the same choice, so only the first row is returned.
 * @throws {UsageProblem} if a choice has no effect on its row, as far as the folder knows
 */
export function checkChoices(
	rows: readonly Row[],
	{ orders, matches }: MatchedOrders,
	selection: Selection,
): ChosenRow[] {
	const chosen = selection.choices.size === 0 ? [] : findChosenRows(rows, selection);
	for (const [row, choice] of chosen) {
		if (!isSelected(selection, row.number))
			throw noEffect(choice.kind, row, 'the row is not in --only');
		if (choice.kind === 'use_brief') checkIsSettled(row, matches.get(row), orders);
	}
	return chosen;
}

/**
 * Returns the changes of --accept-edits.
 * @throws {UsageProblem} if a row was not edited
 */
export function acceptEdits(chosen: readonly ChosenRow[], matches: RowMatches): OrderChange[] {
	const accepted = new Map<number, string[]>();
	for (const [row, choice] of chosen) {
		if (choice.kind !== 'accept_edit') continue;
		const { order, acceptedContentIds } = acceptEdit(row, matches);
		// Several rows can have been edited from the same order.
		for (const contentId of acceptedContentIds) addTo(accepted, order, contentId);
	}
	return [...accepted].map(([order, contentIds]) => ({
		order,
		acceptedContentIds: [...new Set(contentIds)],
	}));
}

/** @throws {UsageProblem} if a row with a choice is invalid. No option selects a row that --where skips. */
function findChosenRows(rows: readonly Row[], { choices }: Selection): ChosenRow[] {
	const contents = new Set<string>();
	return rows.flatMap((row) => {
		const choice = choices.get(row.number);
		if (choice === undefined) return [];
		if (!isUsable(row)) throw noEffect(choice.kind, row, 'the row is invalid');
		if (contents.has(row.contentId)) return [];
		contents.add(row.contentId);
		return [[row, choice] as const];
	});
}

/** Returns the order's change, which has all contents that it has accepted. */
function acceptEdit(row: UsableRow, matches: RowMatches) {
	const match = matches.get(row);
	const isReady =
		match.kind === 'edited' && (match.order.state.kind === 'ready' || isNotSaved(match.order));
	if (!isReady) throw noEffect('accept_edit', row, 'the row was not edited after it was ordered');
	const { id, acceptedContentIds } = match.order;
	return { order: id, acceptedContentIds: [...acceptedContentIds, row.contentId] };
}

async function useBrief(
	{ workspace, requests, folder, table: { rows } }: PlanContext,
	{ orders, matches }: MatchedOrders,
	row: UsableRow,
	briefId: string,
): Promise<{ change: OrderChange; confirmations: readonly Confirmation[] }> {
	const match = matches.get(row);
	if (match.kind !== 'new' && getOrderBrief(match.order)?.id === briefId) {
		if (match.kind === 'edited') return { change: acceptEdit(row, matches), confirmations: [] };
		throw noEffect('use_brief', row, 'the row already has this brief');
	}
	const brief = await workspace.readBrief(briefId, requests);
	if (brief === null)
		throw new UsageProblem(
			`The workspace of this API key has no brief ${briefId}.`,
			'Check the ID in the web app.',
		);
	if (brief.status === 'failed')
		throw new UsageProblem(
			`--use-brief has no effect on row ${row.number}: brief ${briefId} has failed.`,
			'Use another brief, or order the row again with --reorder.',
		);
	const rowsOfOrder = matches.getOrderRows(row, folder.store.runs.count);
	const change =
		findOwnChange(row, match, brief, orders) ?? giveBrief(row, brief, orders.nextId, rowsOfOrder);
	const owner = rows.find((other) => {
		const otherMatch = matches.get(other);
		const hasBrief = otherMatch.kind !== 'new' && getOrderBrief(otherMatch.order)?.id === briefId;
		return hasBrief && getContentId(other) !== row.contentId;
	});
	return { change, confirmations: confirmProduct(brief, row, owner, orders.shortenId) };
}

/** Returns the change that gives a brief to a row, through an order that was never sent. */
function giveBrief(row: UsableRow, brief: Brief, orderId: number, rows: OrderRows): OrderChange {
	const state = toAcceptedState(toSummary(brief), 'given');
	const draft = makeDraft(row, NOTHING, []);
	return makeFirstLine(orderId, draft, rows, state);
}

/** A brief that the review of the row's order names is the order's own. Returns null for any other brief. */
function findOwnChange(
	row: UsableRow,
	match: RowMatch,
	brief: Brief,
	orders: Orders,
): OrderChange | null {
	if (match.kind === 'new' || !isUnconfirmedOrder(match.order)) return null;
	const { id, contentId, acceptedContentIds } = match.order;
	if (!orders.listNamedBriefs(contentId).includes(brief.id)) return null;
	return {
		order: id,
		state: toAcceptedState(toSummary(brief), 'own_unproven'),
		...(match.kind === 'edited' && { acceptedContentIds: [...acceptedContentIds, row.contentId] }),
	};
}

/** A brief for another product, or of another row, is probably a mistake. */
function confirmProduct(
	brief: Brief,
	row: Row,
	owner: Row | undefined,
	shortenId: (id: string) => string,
): Confirmation[] {
	const shortId = shortenId(brief.id);
	if (owner !== undefined)
		return [
			makeConfirmation(
				'other-product',
				`Brief ${shortId} belongs to row ${owner.number} (“${owner.input.product_name}”), and row ${row.number} would use it too.`,
			),
		];
	const isSameName = normalizeText(brief.product_name) === normalizeText(row.input.product_name);
	if (isSameName) return [];
	return [
		makeConfirmation(
			'other-product',
			`Brief ${shortId} is for “${brief.product_name}”, but row ${row.number} is for “${row.input.product_name}”.`,
		),
	];
}

/** @throws {UsageProblem} if the run itself can still settle the order of the row */
function checkIsSettled(row: Row, match: RowMatch, orders: Orders): void {
	if (match.kind === 'new' || isNotSaved(match.order)) return;
	const { state, contentId } = match.order;
	const isOpen = state.kind === 'unconfirmed' || state.kind === 'accepted';
	if (isOpen && state.review === null && orders.findReview(contentId).length === 0)
		throw new UsageProblem(
			`--use-brief has no effect on row ${row.number}: its brief is being written, or the service has not confirmed its order yet.`,
			'Run the same command without --use-brief first.',
		);
}

function noEffect(choice: RowChoice['kind'], row: Row, reason: string): UsageProblem {
	return new UsageProblem(
		`${CHOICE_FLAGS[choice]} has no effect on row ${row.number}: ${reason}.`,
		'Check the status of the rows with `plan`.',
	);
}
