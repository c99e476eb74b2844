import { Failure } from '../failure';
import type { AskedRows } from '../plan/asked-rows';
import type { Row } from '../csv/table';
import type { Orders } from '../run/request';
import { count, formatNumber } from '../text';
import type { Console } from './console';
import { oneLine, rowLabel } from './format';
import type { Settings } from './settings/settings';

type Asked = Pick<Settings, 'orderAgain' | 'orderChanged' | 'only'>;

/** @throws {Failure} if an option names a row that the CSV does not have */
export function refuseMissingRows(asked: Asked, rows: readonly Row[]): void {
	const numbers = rows.map(({ number }) => number);
	for (const [option, named] of [...optionsOf(asked), ['--only', asked.only] as const]) {
		if (typeof named === 'boolean') continue;
		const missing = named.find(([from, to]) => !numbers.some((n) => from <= n && n <= to));
		if (missing === undefined) continue;
		throw new Failure(
			`${option} names row ${missing[0]}, and the CSV has rows ${numbers[0] ?? 0} to ${numbers.at(-1) ?? 0}.`,
			'Rows are numbered as in a spreadsheet, with the header as row 1.',
		);
	}
}

/**
 * An option that orders again without naming rows means all of them, so a person must say so.
 * @throws {Failure} if the person has not, and cannot be asked
 */
export function refuseAllRows(
	settings: Omit<Asked, 'only'> & Pick<Settings, 'yes'>,
	console: Pick<Console, 'canAsk'>,
): void {
	// On a terminal the run asks before it orders anything.
	if (settings.yes || console.canAsk) return;
	for (const [option, named] of optionsOf(settings)) {
		if (named !== true) continue;
		throw new Failure(
			`${option} names no rows, and all of them would cost a brief each. Nothing was ordered.`,
			`Name the rows, as in ${option} 3,5-9. For all of them, add --yes.`,
		);
	}
}

/** A question names this many rows; `plan` names them all. */
const MOST_NAMED = 20;

/** Shows what a run is about to order, and asks once. */
export async function confirmOrders(
	{ rows, leftAfterwards, allowance }: Orders,
	console: Console,
	interruption: AbortSignal,
): Promise<boolean> {
	if (rows.length <= MOST_NAMED)
		for (const { row } of rows)
			console.say(`${rowLabel(row.number)} ${oneLine(row.input.product_name, 60)}`);
	const upTo = rows.some(({ todo }) => todo === 'compare') ? 'up to ' : '';
	const left =
		leftAfterwards === null || allowance === null
			? ''
			: ` ${formatNumber(leftAfterwards)} of ${formatNumber(allowance)} are left afterwards.`;
	return console.confirm(`Order ${upTo}${count(rows.length, 'brief')}?${left}`, interruption);
}

function optionsOf({
	orderAgain,
	orderChanged,
}: Omit<Asked, 'only'>): Array<readonly [string, AskedRows]> {
	return [
		['--order-again', orderAgain],
		['--order-changed', orderChanged],
	];
}
