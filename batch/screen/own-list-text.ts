import { commandFor, type Place } from '../command-text';
import { STATUS_COLUMN } from '../results/result-columns';
import { Stop } from '../stop';

/** Says why a list that brief-batch wrote is refused, with the command for the CSV that it was made of. */
export function ownListRefused(file: string, isFailed: boolean, place: Place): Stop {
	const command = commandFor(isFailed ? 'retry' : 'run', place);
	return new Stop(
		`“${file}” is a list that brief-batch wrote, to read and not to run: it has the column ${STATUS_COLUMN}. Nothing was ordered.`,
		[
			{ text: 'Run the CSV that it was made of:', command },
			{ text: 'If this is that CSV, take the column out.' },
		],
	);
}
