import type { ExitCode } from '../exit-codes';
import { lastOrder, type Plan } from '../plan/plan';
import { isRetryable, ownNumberField } from '../plan/try';
import type { Console } from '../screen/console';
import type { Settings } from '../settings/settings';
import { openBatch } from './open-batch';
import { runBatch } from './run';

/** Gives failed rows another try, and then runs. */
export async function retry(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	const batch = await openBatch(csv, settings, console, { retryUpTo: settings.maxTries });
	return await runBatch(batch, settings, console, (plan) => sayTries(plan, console));
}

/** Says which rows have had all their tries. */
function sayTries({ rows }: Plan, console: Console): void {
	/** Says what is the same in each run of a schedule. */
	const remark = (text: string) => {
		if (!console.isQuiet) console.say(text);
	};
	const failedRows = rows.flatMap((plannedRow) => {
		const order = lastOrder(plannedRow);
		if (order === undefined || !isRetryable(order)) return [];
		return [{ ...plannedRow, order }];
	});
	const rowsOutOfTries = failedRows.filter(
		({ again, notAgain }) => again === undefined && notAgain === undefined,
	);
	for (const { row, order } of rowsOutOfTries) {
		const { key, product_name, own_number, try: tries } = order;
		const name = { row: row.number, product_name, ...ownNumberField(row.ownNumber ?? own_number) };
		const line = { event: 'row_not_retried', key, ...name, tries } as const;
		if (!console.isQuiet) console.events.tell(line);
	}
	if (failedRows.length === 0) remark('No row has failed: nothing to retry.');
	else if (rowsOutOfTries.length === failedRows.length)
		remark('Nothing is retried: look at why these rows fail.');
}
