import { LOOKED_BACK_DAYS } from '../../service/assumptions';
import { instantOf } from '../../service/api/timestamps';
import { dayInWords } from '../../service/list/month';
import { otherProductOf } from '../../service/order/content-comparison';
import { damageIn } from '../csv/damage';
import type { FreeBriefs } from '../order/free-briefs';
import { Orders } from '../plan/changes';
import { isToOrder, type Plan, type PlannedRow } from '../plan/plan';
import { isSelected } from '../plan/row-selection';
import { missingColumns, otherProductColumn } from './remembered';
import type { RunRequest } from './request';
import { count } from '../text';

/** Gives what must be asked for before anything is ordered. */
export function surprisesIn(plan: Plan, request: RunRequest, freeBriefs: FreeBriefs): string[] {
	return [
		...otherProducts(plan),
		...strangeRows(plan, request),
		...namelessRows(request),
		...(plan.rows.some(isToOrder) ? missingColumns(request) : []),
		...newFolder(plan, freeBriefs),
		...damagedRows(plan, request),
	];
}

/** Gives the rows to order now that a program or a hand may have damaged. */
export function damagedRows({ rows }: Plan, { table }: Pick<RunRequest, 'table'>): string[] {
	const isNow = (row: PlannedRow) =>
		isToOrder(row) && (row.when === undefined || row.when.is === 'now');
	return damageIn(
		rows.filter(isNow).map(({ row }) => row),
		table,
	);
}

/** Gives the rows that get a brief of another product. */
function otherProducts({ rows, source }: Plan): string[] {
	return rows.flatMap(({ row: { number, input }, sameAs }) => {
		const brief = source.options.adoptions?.get(number);
		const other = brief === undefined ? null : otherProductOf(brief, input);
		if (brief === undefined || sameAs !== undefined || other === null) return [];
		const otherText =
			other.product_id === undefined
				? `is a brief of “${brief.product_name}”`
				: `has another product ID, ${other.product_id}`;
		return [
			`--adopt gives row ${number} (“${input.product_name}”) brief ${brief.id}, which ${otherText}.`,
		];
	});
}

/** A folder that knows no row of the CSV, nor any of its products, may be of another client's list. */
function strangeRows(
	{ rows, source: { records } }: Plan,
	{ outDir: folder, table }: RunRequest,
): string[] {
	const orders = records.all();
	if (orders.length === 0 || !rows.some(isToOrder)) return [];
	const knownOrders = new Orders(orders);
	if (rows.some(({ heldBy }) => heldBy !== undefined)) return [];
	if (table.rows.some((row) => knownOrders.of(row).length > 0)) return [];
	const columnText = otherProductColumn(table, records);
	return [`The folder ${folder} has orders, but none of a product in ${table.file}.${columnText}`];
}

/** Which option orders all rows again: a number may have been forgotten behind it. */
function namelessRows({ orderAgain, orderChanged }: RunRequest): string[] {
	const options = [
		['--order-again', orderAgain],
		['--order-changed', orderChanged],
	] as const;
	return options.flatMap(([option, rows]) =>
		rows === true ? [`${option} names no rows, so it means all of them.`] : [],
	);
}

/** Says which rows are ordered although the list shows a brief of their product, because that is too old. */
export function olderText(plan: Plan, freeBriefs: FreeBriefs): string[] {
	const leftovers = isNewFolder(plan) ? null : leftOver(plan, freeBriefs, { isOld: true });
	if (leftovers === null) return [];
	return [
		`The workspace has older briefs of ${knownProducts(leftovers)}. Only briefs of the last ${LOOKED_BACK_DAYS} days are taken over, so these rows are ordered.`,
	];
}

/** A new folder that would order products of which the workspace has briefs may be the wrong one. */
function newFolder(plan: Plan, freeBriefs: FreeBriefs): string[] {
	const leftovers = isNewFolder(plan) ? leftOver(plan, freeBriefs, { isOld: false }) : null;
	if (leftovers === null) return [];
	return [
		`The workspace has briefs of ${knownProducts(leftovers)}, with other content or older than ${LOOKED_BACK_DAYS} days. They were not ordered from this folder, so this list would pay for these products again.`,
	];
}

function isNewFolder({ source: { records } }: Plan): boolean {
	return records.all().length === 0;
}

/** Counts the products to order of which a listed brief is left over; null if there are none. */
function leftOver(
	{ rows, source: { options } }: Plan,
	freeBriefs: FreeBriefs,
	how: { isOld: boolean },
): { products: number; newest: number } | null {
	// For rows that --order-again names, a person asks for another brief beside it.
	const isUnasked = ({ row }: PlannedRow) => !isSelected(options.orderAgain, row.number);
	const briefsOfRows = rows
		.filter((row) => isToOrder(row) && row.record === undefined && isUnasked(row))
		.map(({ row }) => freeBriefs.leftOver(row.input, how))
		.filter((briefs) => briefs.length > 0);
	const times = briefsOfRows.flat().map(({ created_at }) => instantOf(created_at) ?? 0);
	if (times.length === 0) return null;
	return { products: briefsOfRows.length, newest: Math.max(...times) };
}

/** Gives "2 products in this list, the newest of 3 November 2026". */
function knownProducts({ products, newest }: { products: number; newest: number }): string {
	return `${count(products, 'product')} in this list, the newest of ${dayInWords(newest)}`;
}
