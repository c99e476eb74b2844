import type { ExitCode } from '../failure';
import { groupBy } from '../group-by';
import type { BriefRecord } from '../folder/journal/records';
import { lastOrder, type Plan } from '../plan/plan';
import { isRetryable } from '../plan/retry';
import { cureOf, WORTH } from '../results/failed-groups';
import { factsOf } from '../results/row-result';
import { askFirst } from '../run/begin';
import { carryOut } from '../run/carry-out';
import type { Console } from '../screen/console';
import { oneLine, rowName } from '../screen/format';
import { showEnd } from '../screen/summary';
import type { Settings } from '../settings/settings';
import { count } from '../text';
import { confirmOrders } from './confirm';
import { openBatch } from './open-batch';

/** Gives failed rows another try, and then runs. */
export async function retry(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	const { request: given, env, close } = await openBatch(csv, settings, console);
	try {
		const request = { ...given, retryUpTo: settings.maxTries };
		const asked = await askFirst(request, env);
		sayTries(asked.plan, settings.maxTries, console);
		await confirmOrders(asked, { ...env, csv: request.table.file }, settings, console);
		const report = await carryOut(asked, request, env);
		return showEnd(report, request, console, env.service.now());
	} finally {
		await close();
	}
}

/** Says which rows get another try and why they have no brief, and which have had all their tries. */
function sayTries({ rows }: Plan, maxTries: number, console: Console): void {
	/** Says what is the same in each run of a schedule. */
	const remark = (text: string) => {
		if (!console.isQuiet) console.say(text);
	};
	const failed = rows.flatMap((planned) => {
		const order = planned.sameAs === undefined ? lastOrder(planned) : undefined;
		if (order === undefined || !isRetryable(order)) return [];
		return [{ ...order, row_number: planned.row.number, again: planned.again }];
	});
	const tried = failed.filter(({ again }) => again === undefined);
	for (const { row_number: row, product_name, generation } of tried) {
		console.json({ event: 'row_not_restarted', row, product_name, generation });
		remark(
			`${rowName(row, product_name)}  has had ${count(generation, 'try', 'tries')} without a brief: correct it or take it out (--max-tries ${maxTries})`,
		);
	}
	if (failed.length === 0) remark('No row has failed: nothing to retry.');
	else if (tried.length === failed.length)
		remark('Nothing is retried: look at why these rows fail.');
	for (const line of reasonLines(failed.filter(({ again }) => again !== undefined)))
		console.say(line);
}

/** Gives the rows that are ordered again, by why they have no brief and what another try is worth. */
function reasonLines(failed: readonly BriefRecord[]): string[] {
	return [...groupBy(failed, reasonOf)].flatMap(([reason, records]) => [
		`${count(records.length, 'row')}: ${reason}`,
		...records.map(({ row_number, product_name, generation }) => {
			const again = generation > 1 ? `  tried ${generation} times already` : '';
			return `${rowName(row_number, product_name)}${again}`;
		}),
	]);
}

function reasonOf(record: BriefRecord): string {
	if (record.state === 'parked')
		return 'parked, and the brief may or may not exist. Look in the vendor’s web app first: if it does, another try pays for it twice.';
	const facts = factsOf(record);
	return `${oneLine(facts.error, 200)} ${WORTH[cureOf(facts)]}`;
}
