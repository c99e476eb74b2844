import { commandFor, folderCommand, type NextStep, type Place } from '../command-text';
import { STANDARD_INPUT } from '../csv/csv-text';
import type { NEEDING_A_PERSON } from '../folder/journal/row-status';
import { rowsInCommand, type RowName } from '../plan/row-selection';
import { count, them } from '../text';

/**
 * Gives what is to be done about rows for which a run orders nothing by itself, behind a colon, and the command for it. All
 * that show rows say the same.
 */
export function nextStepFor(
	rows: {
		status: (typeof NEEDING_A_PERSON)[number];
		count: number;
		/** The changed ones of them that are in the CSV, as their command names them. */
		changedRows?: readonly RowName[];
		/** True where each row is shown with what it needs. */
		areShown?: boolean;
	},
	place: Place,
): NextStep {
	const { status, count: n, changedRows = [], areShown = false } = rows;
	const it = them(n);
	const { lastCsv } = place.lastCommand;
	const csv = lastCsv === STANDARD_INPUT ? 'the CSV' : (lastCsv ?? 'the CSV');
	switch (status) {
		case 'parked':
			return areShown
				? { text: 'do what each row says. Nothing is ordered for it until then.' }
				: {
						text: `what ${n === 1 ? 'it needs' : 'each of them needs'}:`,
						command: folderCommand('status', place.outDir),
					};
		case 'failed':
			return {
				text: `this says why, and asks before it orders ${it} again:`,
				command: commandFor('retry', place),
			};
		case 'invalid':
			return {
				text: `not sent. Correct ${it} in ${csv}, then:`,
				command: commandFor('run', place),
			};
		case 'changed': {
			// Without its rows the option would mean all of them.
			if (changedRows.length === 0) return { text: `${csv} cannot be read: put it back first.` };
			const options = ['--order-changed', rowsInCommand(changedRows)];
			return {
				text: `put back what differs; or, for ${count(n, 'brief')}, order ${it} again:`,
				command: commandFor('run', place, ...options),
			};
		}
	}
}
