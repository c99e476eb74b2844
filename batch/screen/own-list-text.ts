import { commandFor } from '../command-text';
import { Failure } from '../failure';
import { STATUS_COLUMN } from '../results/result-columns';
import type { Place } from '../results/words';

/** Says why a list that brief-batch wrote is refused, with the command for the CSV that it was made of. */
export function ownListRefused(file: string, isFailed: boolean, place: Place): Failure {
	const command = commandFor(isFailed ? 'retry' : 'run', place.lastCommand, place.outDir);
	return new Failure(
		`“${file}” is a list that brief-batch wrote, to read and not to run: it has the column ${STATUS_COLUMN}. Nothing was ordered.`,
		[
			{ text: 'Run the CSV that it was made of:', command },
			{ text: 'If this is that CSV, take the column out.' },
		],
	);
}
