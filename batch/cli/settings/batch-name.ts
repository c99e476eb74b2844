import { basename } from 'node:path';
import { Failure } from '../../failure';
import type { Records } from '../../journal/records';

/** The name of the batch. It is part of every idempotency key, so it must not contradict an existing journal. */
export function batchName(
	asked: string | undefined,
	csv: string,
	records: Records,
	outDir: string,
): string {
	if (asked !== undefined && asked.trim() === '') {
		throw new Failure('--batch is empty.', 'Give the batch a name, or leave the option out.');
	}
	if (asked !== undefined && records.batch !== null && asked !== records.batch) {
		throw new Failure(
			`The folder ${outDir} belongs to the batch “${records.batch}”, not to “${asked}”.`,
			'Leave --batch out to go on with it, or give the new batch a folder of its own with --out.',
		);
	}
	return asked ?? records.batch ?? basename(csv);
}
