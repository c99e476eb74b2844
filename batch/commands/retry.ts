import { Failure, type ExitCode } from '../failure';
import { groupBy } from '../group-by';
import type { BriefRecord } from '../folder/journal/records';
import { makePlan } from '../plan/plan';
import { restartable } from '../plan/retry';
import { cureOf, WORTH } from '../results/failed-groups';
import { factsOf } from '../results/row-result';
import { count } from '../text';
import type { Console } from '../screen/console';
import { oneLine, rowName } from '../screen/format';
import { run } from './run';
import type { Settings } from '../settings/settings';

/** Gives failed rows another try, puts that on record, and then runs. */
export function retry(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	return run(csv, settings, console, async (rows, journal, checkKey) => {
		/** What is the same in each run of a schedule. */
		const remark = (text: string) => {
			if (!console.isQuiet) console.say(text);
		};
		const { records } = journal;
		const plan = makePlan({ ...rows, records, options: settings });
		const { orders, atBound } = restartable(plan, settings.maxTries);
		for (const { row_number: row, product_name, generation } of atBound) {
			console.json({ event: 'row_not_restarted', row, product_name, generation });
			remark(
				`${rowName(row, product_name)}  has had ${count(generation, 'try', 'tries')} without a brief: left as it is (--max-tries ${settings.maxTries})`,
			);
		}
		if (orders.length === 0) {
			remark(
				atBound.length === 0
					? 'No row has failed: nothing to retry.'
					: 'Nothing was retried. Look at why these rows fail, or raise --max-tries.',
			);
			return 0;
		}
		await checkKey();
		const failed = orders.flatMap(({ row, ordinal, row_number }) => {
			const record = records.of(row, ordinal);
			return record === undefined ? [] : [{ ...record, row_number }];
		});
		for (const line of reasonLines(failed)) console.say(line);
		const question = `Retry ${count(orders.length, 'row')}? That costs up to ${count(orders.length, 'brief')} of the allowance, besides those already paid.`;
		if (!(settings.yes || (await console.confirm(question)))) {
			throw new Failure(
				'Nothing was retried.',
				console.canAsk
					? 'The rows stay as they are, and nothing was spent.'
					: 'There is no terminal to ask on: add --yes to go on without a question.',
			);
		}
		for (const order of orders) await journal.append({ type: 'restarted', ...order });
		return orders.length;
	});
}

/** The rows that `retry` would order again, by why they have no brief and what another try is worth. */
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
