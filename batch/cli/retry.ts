import { EXIT, Failure, type ExitCode } from '../failure';
import type { BriefRecord } from '../journal/records';
import { makePlan } from '../plan/plan';
import { restartable } from '../plan/retry';
import { count } from '../text';
import type { Terminal } from './console';
import { run } from './run';
import type { Settings } from './settings/settings';
import { oneLine, rowLabel } from './format';
import { cureOf, WORTH } from '../results/failed-groups';

/** Gives failed rows another try, puts that on record, and then runs. */
export function retry(csv: string, settings: Settings, terminal: Terminal): Promise<ExitCode> {
	const { console, interruption } = terminal;
	return run(csv, settings, terminal, async (rows, journal, checkKey) => {
		/** What is the same in each run of a schedule. */
		const remark = (text: string) => {
			if (!console.isQuiet) console.say(text);
		};
		const { records } = journal;
		const plan = makePlan({ ...rows, records, options: settings });
		const { orders, atBound } = restartable(plan, settings.maxGenerations);
		for (const { row_number: row, product_name, generation } of atBound) {
			console.json({ event: 'row_not_restarted', row, product_name, generation });
			const name = oneLine(product_name, 60);
			remark(
				`${rowLabel(row)} ${name}  has had ${count(generation, 'try', 'tries')} without a brief: left as it is (--max-generations ${settings.maxGenerations})`,
			);
		}
		if (orders.length === 0) {
			remark(
				atBound.length === 0
					? 'No row has failed: nothing to retry.'
					: 'Nothing was retried. Look at why these rows fail, or raise --max-generations.',
			);
			return 0;
		}
		await checkKey();
		const failed = orders.flatMap(({ row, ordinal, row_number }) => {
			const record = journal.records.of(row, ordinal);
			return record === undefined ? [] : [{ ...record, row_number }];
		});
		for (const { why, worth, records } of groupByReason(failed)) {
			console.say(`${count(records.length, 'row')}: ${oneLine(why, 200)}. ${worth}`);
			for (const { row_number, product_name, generation } of records) {
				const again = generation > 1 ? `  tried ${generation} times already` : '';
				console.say(`${rowLabel(row_number)} ${oneLine(product_name, 60)}${again}`);
			}
		}
		const question = `Retry ${count(orders.length, 'row')}? That costs up to ${count(orders.length, 'brief')} of the allowance, besides those already paid.`;
		if (!(settings.yes || (await console.confirm(question, interruption)))) {
			throw new Failure(
				'Nothing was retried.',
				console.canAsk
					? 'The rows stay as they are, and nothing was spent.'
					: 'There is no terminal to ask on: add --yes to go on without a question.',
				EXIT.unusable,
			);
		}
		for (const order of orders) await journal.append({ type: 'restarted', ...order });
		return orders.length;
	});
}

/** Rows that have no brief for the same reason, and what another try is worth for them. */
interface RetryGroup {
	/** To follow the number of the rows. */
	why: string;
	/** As a sentence. */
	worth: string;
	records: BriefRecord[];
}

/** Groups the rows that `retry` would order again by their reason, the largest group first. */
function groupByReason(records: readonly BriefRecord[]): RetryGroup[] {
	const groups = new Map<string, RetryGroup>();
	for (const record of records) {
		const reason = reasonOf(record);
		const name = `${reason.why} ${reason.worth}`;
		const group = groups.get(name) ?? { ...reason, records: [] };
		groups.set(name, group);
		group.records.push(record);
	}
	return [...groups.values()].sort((a, b) => b.records.length - a.records.length);
}

function reasonOf(record: BriefRecord): Omit<RetryGroup, 'records'> {
	const { state, brief_id, error_code, generation: tries } = record;
	if (state === 'parked')
		return {
			why: 'parked, and the brief may or may not exist',
			worth: 'Look in the vendor’s web app first: if it does, another try pays for it twice.',
		};
	const code = error_code ?? 'no reason given';
	const facts = { brief_id: brief_id ?? '', error_code: error_code ?? '', tries };
	return {
		why:
			brief_id === null
				? `refused by the service (${code})`
				: `the service could not write the brief (${code})`,
		worth: WORTH[cureOf(facts)],
	};
}
