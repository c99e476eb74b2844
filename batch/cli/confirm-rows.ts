import { Failure } from '../failure';
import type { AskedRows } from '../plan/asked-rows';
import type { Row } from '../csv/table';
import type { Console } from './console';
import type { Settings } from './settings/settings';

type Asked = Pick<Settings, 'orderAgain' | 'orderChanged'>;

/** @throws {Failure} if an option names a row that the CSV does not have */
export function refuseMissingRows(asked: Asked, rows: readonly Row[]): void {
	const numbers = rows.map(({ number }) => number);
	for (const [option, named] of optionsOf(asked)) {
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
 * @throws {Failure} if nobody does
 */
export async function confirmAllRows(
	settings: Asked & Pick<Settings, 'yes'>,
	console: Console,
	interruption: AbortSignal,
): Promise<void> {
	for (const [option, named] of optionsOf(settings)) {
		if (named !== true || settings.yes) continue;
		const question = `${option} without rows orders all of them again, for a brief each. Go on?`;
		if (await console.confirm(question, interruption)) continue;
		throw new Failure(
			`${option} names no rows, and all of them would cost a brief each. Nothing was ordered.`,
			`Name the rows, as in ${option} 3,5-9. For all of them, add --yes.`,
		);
	}
}

function optionsOf({ orderAgain, orderChanged }: Asked): Array<[string, AskedRows]> {
	return [
		['--order-again', orderAgain],
		['--order-changed', orderChanged],
	];
}
