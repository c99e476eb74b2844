import { LOOKED_BACK_DAYS } from '../../service/assumptions';
import { instantOf } from '../../service/api/timestamps';
import { isOfOtherProduct } from '../../service/order/likeness';
import type { Surprise } from '../folder/journal/stop-causes';
import type { FreeBriefs } from '../order/free-briefs';
import { Orders } from '../plan/changes';
import { isToOrder, type Plan } from '../plan/plan';
import { knownProducts } from '../results/stop-words';
import type { RunRequest } from './request';

/** Gives what must be asked for before anything is ordered. */
export function surprisesIn(plan: Plan, request: RunRequest, listed: FreeBriefs): Surprise[] {
	return [
		...otherProducts(plan),
		...strangeRows(plan, request),
		...namelessRows(request),
		...newFolder(plan, listed),
	];
}

/** Gives the rows that get a brief of another product. */
function otherProducts({ rows, source }: Plan): Surprise[] {
	return rows.flatMap(({ row: { number, input }, sameAs }) => {
		const brief = source.options.adoptions?.get(number);
		if (brief === undefined || sameAs !== undefined || !isOfOtherProduct(brief, input)) return [];
		const { product_name } = input;
		const given = { id: brief.id, product_name: brief.product_name };
		return [{ is: 'other_product' as const, row: number, product_name, brief: given }];
	});
}

/** A folder that knows no row of the CSV, nor any of its products, may be of another client's list. */
function strangeRows(
	{ rows, source: { records } }: Plan,
	{ outDir: folder, table }: RunRequest,
): Surprise[] {
	const ordered = records.all();
	if (ordered.length === 0 || !rows.some(isToOrder)) return [];
	const known = new Orders(ordered);
	if (rows.some(({ change }) => change !== undefined)) return [];
	if (table.rows.some((row) => known.of(row).length > 0)) return [];
	return [{ is: 'other_list', folder, csv: table.file }];
}

/** Which option orders all rows again: a number may have been forgotten behind it. */
function namelessRows({ orderAgain, orderChanged }: RunRequest): Surprise[] {
	const options = [
		['--order-again', orderAgain],
		['--order-changed', orderChanged],
	] as const;
	return options.flatMap(([option, rows]) =>
		rows === true ? [{ is: 'all_rows' as const, option }] : [],
	);
}

/** Says which rows are ordered although the list shows a brief of their product, because that is too old. */
export function olderText(plan: Plan, listed: FreeBriefs): string[] {
	const found = isNewFolder(plan) ? null : leftOver(plan, listed, { isOld: true });
	if (found === null) return [];
	return [
		`The workspace has older briefs of ${knownProducts(found)}. Only briefs of the last ${LOOKED_BACK_DAYS} days are taken over, so these rows are ordered.`,
	];
}

/** A new folder that would order products of which the workspace has briefs may be the wrong one. */
function newFolder(plan: Plan, listed: FreeBriefs): Surprise[] {
	const found = isNewFolder(plan) ? leftOver(plan, listed, { isOld: false }) : null;
	return found === null ? [] : [{ is: 'known_products', ...found }];
}

function isNewFolder({ source: { records } }: Plan): boolean {
	return records.all().length === 0;
}

/** Counts the products to order of which a listed brief is left over; null if there are none. */
function leftOver(
	{ rows }: Plan,
	listed: FreeBriefs,
	how: { isOld: boolean },
): { products: number; newest: string } | null {
	const found = rows
		.filter((row) => isToOrder(row) && row.record === undefined)
		.map(({ row }) => listed.leftOver(row.input, how))
		.filter((briefs) => briefs.length > 0);
	const times = found.flat().map(({ created_at }) => instantOf(created_at) ?? 0);
	if (times.length === 0) return null;
	return { products: found.length, newest: new Date(Math.max(...times)).toISOString() };
}
