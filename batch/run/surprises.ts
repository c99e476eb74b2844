import { LOOKED_BACK_DAYS } from '../../service/assumptions';
import { instantOf } from '../../service/api/timestamps';
import { dayInWords } from '../../service/list/month';
import type { FreeBriefs } from '../order/free-briefs';
import { Orders } from '../plan/changes';
import { isToOrder, type Plan } from '../plan/plan';
import { count } from '../text';
import { otherProducts } from './adopt';
import type { RunRequest } from './request';

/** Gives what must be asked for before anything is ordered. */
export function surprisesIn(plan: Plan, request: RunRequest, listed: FreeBriefs): string[] {
	return [
		...otherProducts(plan),
		...strangeRows(plan, request),
		...namelessRows(request),
		...knownProducts(plan, listed),
	];
}

/** Says that a folder knows no row of the CSV, nor any of its products: it may be another client's list. */
function strangeRows({ rows, source: { records } }: Plan, { outDir, table }: RunRequest): string[] {
	const ordered = records.all();
	if (ordered.length === 0 || !rows.some(isToOrder)) return [];
	const known = new Orders(ordered);
	if (rows.some(({ change }) => change !== undefined)) return [];
	if (table.rows.some((row) => known.of(row).length > 0)) return [];
	return [`The folder ${outDir} has orders, but none of a product in ${table.file}.`];
}

/** Says which option orders all rows again: a number may have been forgotten behind it. */
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
export function olderText(plan: Plan, listed: FreeBriefs): string[] {
	const found = isNewFolder(plan) ? null : leftOver(plan, listed, { isOld: true });
	if (found === null) return [];
	return [
		`The workspace has older briefs of ${found}. Only briefs of the last ${LOOKED_BACK_DAYS} days are taken over, so these rows are ordered.`,
	];
}

/** Says that a new folder would order products of which the workspace has briefs: the folder may be the wrong one. */
function knownProducts(plan: Plan, listed: FreeBriefs): string[] {
	const found = isNewFolder(plan) ? leftOver(plan, listed, { isOld: false }) : null;
	if (found === null) return [];
	return [
		`The workspace has briefs of ${found}, with other content or older than ${LOOKED_BACK_DAYS} days. This folder knows no order of them.`,
	];
}

function isNewFolder({ source: { records } }: Plan): boolean {
	return records.all().length === 0;
}

/** Names the products to order of which a listed brief is left over; null if there are none. */
function leftOver({ rows }: Plan, listed: FreeBriefs, how: { isOld: boolean }): string | null {
	const found = rows
		.filter((row) => isToOrder(row) && row.record === undefined)
		.map(({ row }) => listed.leftOver(row.input, how))
		.filter((briefs) => briefs.length > 0);
	const times = found.flat().map(({ created_at }) => instantOf(created_at) ?? 0);
	if (times.length === 0) return null;
	return `${count(found.length, 'product')} in this list, the newest of ${dayInWords(Math.max(...times))}`;
}
