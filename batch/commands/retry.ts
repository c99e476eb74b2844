import type { ExitCode } from '../exit-codes';
import { lastOrder, type Plan } from '../plan/plan';
import { isRetryable } from '../plan/retryable';
import { orderName } from '../plan/try';
import { releaseFolder } from '../folder/out-folder';
import { askFirst } from '../run/ask';
import { carryOut } from '../run/carry-out';
import type { Console } from '../screen/console';
import { rowName } from '../screen/format';
import { showEnd } from '../screen/summary';
import type { Settings } from '../settings/settings';
import { count } from '../text';
import { confirmOrders } from './confirm';
import { openBatch } from './open-batch';
import type { RowNotRestarted } from '../screen/printed';

/** Gives failed rows another try, and then runs. */
export async function retry(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	const retrying = { ...settings, retryUpTo: settings.maxTries };
	const batch = await openBatch(csv, retrying, console);
	const { request, env } = batch;
	try {
		const answers = await askFirst(request, env);
		sayTries(answers.plan, console);
		await confirmOrders(answers, batch, settings, console);
		const outcome = await carryOut(answers, request, env);
		return showEnd(outcome, request, console, env.service.now());
	} finally {
		await releaseFolder(batch.folder);
	}
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
		const { product_name, generation } = order;
		const name = orderName({ ...order, id: row.ownNumber ?? order.id });
		const line: RowNotRestarted = {
			event: 'row_not_restarted',
			...name,
			row: row.number,
			generation,
		};
		console.json(line);
		remark(
			`${rowName(row.number, product_name)}  has had ${count(generation, 'try', 'tries')} without a brief: take it out, or correct it and add --max-tries ${generation + 1}`,
		);
	}
	if (failedRows.length === 0) remark('No row has failed: nothing to retry.');
	else if (rowsOutOfTries.length === failedRows.length)
		remark('Nothing is retried: look at why these rows fail.');
}
