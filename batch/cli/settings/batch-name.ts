import { basename } from 'node:path';
import { BATCH_COLUMN } from '../../csv/own-file';
import { Failure } from '../../failure';
import type { Records } from '../../journal/records';
import type { Settings } from './settings';

/**
 * The name of the batch. It is part of every idempotency key, so it must not contradict the journal or the file itself.
 * @param own the batch that wrote the file, if it is one of ours
 */
export function batchName(
	csv: string,
	{ batch: asked, outDir }: Pick<Settings, 'batch' | 'outDir'>,
	records: Pick<Records, 'batch'>,
	own: string | null = null,
): string {
	if (asked !== undefined && asked.trim() === '') {
		throw new Failure('--batch is empty.', 'Give the batch a name, or leave the option out.');
	}
	if (asked !== undefined && records.batch !== null && asked !== records.batch) {
		throw new Failure(
			`The folder ${outDir} belongs to the batch “${records.batch}”, not to “${asked}”.`,
			'Leave --batch out to go on with it, or give the new batch its own folder with --out.',
		);
	}
	if (own !== null && asked !== undefined && asked !== own) {
		throw new Failure(
			`“${csv}” belongs to the batch “${own}”, not to “${asked}”: its rows would be paid for again.`,
			`Leave --batch out. To order new briefs for these rows, remove the column ${BATCH_COLUMN}, rename the file and use a new --out.`,
		);
	}
	if (own !== null && records.batch !== null && own !== records.batch) {
		throw new Failure(
			`“${csv}” belongs to the batch “${own}”, and the folder ${outDir} to the batch “${records.batch}”.`,
			`Name the folder of “${own}” with --out, or a new one: in both, rows that have a brief are not paid for again.`,
		);
	}
	return own ?? asked ?? records.batch ?? basename(csv);
}
