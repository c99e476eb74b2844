import { EXIT, Failure, type ExitCode } from '../failure';
import type { Table } from '../csv/table';
import type { Journal } from '../journal/journal';
import { judgeRows } from '../run/judge';
import { orderOf } from '../run/orders';
import type { Order } from '../run/tools';
import type { Console } from './console';
import { run } from './run';
import type { Settings } from './settings';
import { count } from './words';

/** Gives the failed rows a new generation, on record before anything is ordered, and then runs. */
export function retry(
	csv: string,
	settings: Settings,
	batchOption: string | undefined,
	console: Console,
	interruption: AbortSignal,
): Promise<ExitCode> {
	return run(csv, settings, batchOption, console, interruption, async (table, journal, batch) => {
		const orders = await restartable(table, journal, batch, settings);
		if (orders.length === 0) {
			console.say('No row has failed: nothing is started anew.');
			return;
		}
		for (const { row_number, product_name } of orders) {
			console.say(`row ${String(row_number).padEnd(5)} ${product_name}`);
		}
		const question = `Start ${count(orders.length, 'row')} anew? That costs up to ${count(orders.length, 'brief')} of the allowance, beside those already paid.`;
		if (!(settings.yes || (await console.confirm(question)))) {
			throw new Failure(
				'Nothing was started anew.',
				'Add --yes to go on without a question.',
				EXIT.unusable,
			);
		}
		for (const order of orders) await journal.append({ type: 'restarted', ...order });
	});
}

/** Rows that have failed, and rows that are parked because nobody knows whether their brief exists. */
async function restartable(
	table: Table,
	journal: Journal,
	batch: string,
	settings: Settings,
): Promise<Order[]> {
	const orders: Order[] = [];
	for await (const rows of judgeRows(table, journal.records, settings)) {
		for (const judged of rows) {
			const isFailed = judged.fate === 'done' && judged.record.status === 'failed';
			const isUnknown = judged.fate === 'parked' && judged.record.brief_id === null;
			if (!isFailed && !isUnknown) continue;
			const { ordinal, generation } = judged.record;
			orders.push(orderOf(batch, judged.row, ordinal, generation + 1));
		}
	}
	return orders;
}
