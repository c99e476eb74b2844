import type { ExitCode } from '../exit-codes';
import { releaseFolder } from '../folder/out-folder';
import { prepareRun } from '../run/prepare';
import { lastOrder, type Plan } from '../plan/plan';
import { isRetryable } from '../plan/retryable';
import { ownNumberField } from '../plan/try';
import { carryOut } from '../run/carry-out';
import { placeOf } from '../run/request';
import type { Console } from '../screen/console';
import { showEnd } from '../screen/summary';
import type { Settings } from '../settings/settings';
import { confirmOrders } from './confirm';
import { openBatch } from './open-batch';

/**
 * Takes a CSV through the service. The same command resumes.
 * @param retryUpTo the tries that a row without a brief gets in all; missing: it gets no further one
 */
export async function run(
	csv: string,
	settings: Settings,
	console: Console,
	retryUpTo?: number,
): Promise<ExitCode> {
	const { request, env, folder } = await openBatch(csv, settings, console, retryUpTo);
	try {
		const preparation = await prepareRun(request, env);
		if (retryUpTo !== undefined) sayTries(preparation.plan, console);
		await confirmOrders(preparation, request, env, console);
		console.showRun({ records: env.journal.records, place: placeOf(request) });
		const outcome = await carryOut(preparation, request, env);
		return showEnd(outcome, request, console, env.service.now());
	} finally {
		await releaseFolder(folder);
	}
}

/** Gives failed rows another try, and then runs. */
export async function retry(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	return await run(csv, settings, console, settings.maxTries);
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
