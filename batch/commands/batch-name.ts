import { basename } from 'node:path';
import { STANDARD_INPUT } from '../csv/csv-text';
import type { Records } from '../folder/records';
import { Stop } from '../stop';

/**
 * Gives the name of the batch that a CSV belongs to. It is part of every idempotency key, so it must not contradict the
 * journal.
 * @throws {Stop} if --batch does, or if nothing names the batch
 */
export function batchName(
	csv: string,
	{ batch: name, outDir }: { batch: string | undefined; outDir: string },
	journal: Pick<Records, 'batch'>,
): string {
	if (name !== undefined && name.trim() === '') {
		throw new Stop('--batch is empty.', 'Give the batch a name, or leave the option out.');
	}
	if (name === undefined && csv === STANDARD_INPUT) {
		throw new Stop(
			'What comes out of a pipe has no file name, and so its batch has no name.',
			'Give it one with --batch, and the same one each time: it is part of the key of each row.',
		);
	}
	if (name !== undefined && journal.batch !== null && name !== journal.batch) {
		throw new Stop(
			`The folder ${outDir} belongs to the batch “${journal.batch}”, not to “${name}”.`,
			'Leave --batch out to go on with it, or give the new batch its own folder with --out.',
		);
	}
	return name ?? journal.batch ?? basename(csv);
}
