import { paidByMonth } from '../../folder/journal/paid';
import { fileNameOf } from '../../folder/records';
import { countLeft, countNeedy } from '../../results/batch-outcome';
import type { Paint } from '../event-lines';
import { oneLine } from '../format';
import { padWidth, textWidth } from '../text-width';
import { formatNumber, minuteOf } from '../../text';
import { Stop } from '../../stop';
import type { BatchStatus } from './tasks';

const WIDTH = 24;

/** The numbers of a folder, or of several together. `paid`: briefs, in this month, which begins in UTC. */
type Numbers = Record<'ready' | 'needy' | 'left' | 'paid', number>;

/**
 * Gives a line for each folder: whose it is, its list, what is ready, what needs a person, what is left, what this month
 * cost, how its last run ended. The last line is the sum. A folder that could not be read has the reason.
 */
export function overviewLines(
	all: ReadonlyArray<readonly [name: string, BatchStatus | Stop]>,
	paint: Paint,
	now = Date.now(),
): string[] {
	const sum: Numbers = { ready: 0, needy: 0, left: 0, paid: 0 };
	const lines = all.map(([ofWhom, one]) => {
		const name = oneLine(ofWhom, WIDTH);
		if (one instanceof Stop) return [name];
		const numbers = numbersOf(one, now);
		for (const name of ['ready', 'needy', 'left', 'paid'] as const) sum[name] += numbers[name];
		const csv = oneLine(fileNameOf(one.records.lastCsv ?? ''), WIDTH);
		return [name, csv, ...cellsOf(numbers)];
	});
	const [sumLine = '', ...folderLines] = inColumns([['Sum', '', ...cellsOf(sum)], ...lines]);
	return [
		...all.map(([, one], at) => {
			const line = folderLines[at] ?? '';
			if (one instanceof Stop) return paint('red', `${line}  ${oneLine(one.what, 400)}`);
			const ended = `${line}  ${lastRunOf(one)}`;
			return one.exitCode === 0 ? ended : paint('yellow', ended);
		}),
		paint('bold', sumLine.trimEnd()),
	];
}

function numbersOf({ records, outcome }: BatchStatus, now: number): Numbers {
	const month = new Date(now).toISOString().slice(0, 7);
	return {
		ready: outcome.counts.ready,
		needy: countNeedy(outcome),
		left: countLeft(outcome.counts),
		paid: paidByMonth(records.all()).find((one) => one.month === month)?.paid ?? 0,
	};
}

function cellsOf({ ready, needy, left, paid }: Numbers): string[] {
	return [
		`${formatNumber(ready)} ready`,
		needy === 0 ? '' : `${formatNumber(needy)} need${needy === 1 ? 's' : ''} you`,
		left === 0 ? '' : `${formatNumber(left)} left`,
		`${formatNumber(paid)} paid this month`,
	];
}

/** Gives lines of cells below each other, without the columns that all leave empty. A line of a name alone ends with it. */
function inColumns(lines: ReadonlyArray<readonly string[]>): string[] {
	const widths = (lines[0] ?? []).map((_, column) =>
		Math.max(...lines.map((line) => textWidth(line[column] ?? ''))),
	);
	return lines.map((line) =>
		line
			.flatMap((cell, column) =>
				widths[column] === 0 ? [] : [padWidth(cell, widths[column] ?? 0)],
			)
			.join('  '),
	);
}

const ENDED: Readonly<Record<string, string>> = {
	complete: 'went through',
	allowance: 'allowance used up',
	max: 'reached --max',
	failure: 'stopped early',
	interrupted: 'interrupted',
};

function lastRunOf({ records, outcome, isAtWork, longWait }: BatchStatus): string {
	const { lastRun, notBegun, isUnderWay, run } = records;
	if (isAtWork) return longWait === null ? 'at work' : `waiting since ${minuteOf(longWait.since)}`;
	const code = outcome.stop === null ? '' : ` (${outcome.stop.exit_code})`;
	if (notBegun !== null) return `${minuteOf(notBegun.at)} could not begin${code}`;
	if (isUnderWay || lastRun === null) return `${minuteOf(run?.at ?? '')} cut off`;
	return `${minuteOf(lastRun.at)} ${ENDED[lastRun.outcome] ?? lastRun.outcome}${code}`;
}
