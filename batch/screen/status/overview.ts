import { fileNameOf } from '../../folder/records';
import { countLeft, countNeedy } from '../../results/batch-outcome';
import type { Paint } from '../event-lines';
import { oneLine } from '../format';
import { padWidth, textWidth } from '../text-width';
import { formatNumber, minuteOf } from '../../text';
import type { BatchStatus, Unreadable } from './batch-status';

const WIDTH = 24;

const COLUMNS = [0, 1, 2, 3];

/** Gives a line for each folder: whose it is, its list, what is ready, what needs attention, how its last run ended. */
export function overviewLines(
	all: ReadonlyArray<BatchStatus | Unreadable>,
	paint: Paint,
): string[] {
	const cells = all.map((one) => ('failure' in one ? null : cellsOf(one)));
	const names = all.map(({ name }) => oneLine(name, WIDTH));
	const widths = COLUMNS.map((at) =>
		Math.max(0, ...cells.map((row) => textWidth(row?.[at] ?? ''))),
	);
	const usedColumns = COLUMNS.filter((column) => widths[column] !== 0);
	const nameWidth = Math.max(...names.map(textWidth));
	return all.map((one, at) => {
		const name = padWidth(names[at] ?? '', nameWidth);
		if ('failure' in one) return paint('red', `${name}  ${oneLine(one.failure.what, 400)}`);
		const row = usedColumns.map((column) =>
			padWidth(cells[at]?.[column] ?? '', widths[column] ?? 0),
		);
		const line = [name, ...row, lastRunOf(one)].join('  ');
		return one.exitCode === 0 ? line : paint('yellow', line);
	});
}

/** Gives the list, what is ready, what needs attention, what is left. */
function cellsOf({ records, outcome }: BatchStatus): string[] {
	const attention = countNeedy(outcome);
	const rowsLeft = countLeft(outcome.counts);
	return [
		oneLine(fileNameOf(records.lastCsv ?? ''), WIDTH),
		`${formatNumber(outcome.counts.ready)} ready`,
		attention === 0 ? '' : `${formatNumber(attention)} need${attention === 1 ? 's' : ''} attention`,
		rowsLeft === 0 ? '' : `${formatNumber(rowsLeft)} left`,
	];
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
