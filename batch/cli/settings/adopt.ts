import { isSameId } from '../../../service/brief-id';
import { Failure } from '../../failure';
import type { Adoption } from '../../run/adopt';

/** A row's number and the ID of a brief, which becomes part of a path. */
const FORM = /^\s*(\d+)\s*=\s*([\w-][\w.:~-]{0,127})\s*$/;

/** The briefs that --adopt ROW=BRIEF_ID gives to rows. */
export function readAdopt(texts: readonly string[]): Adoption[] {
	const adoptions = texts.map(readOne);
	for (const [at, { row, briefId }] of adoptions.entries()) {
		const before = adoptions.slice(0, at);
		if (before.some((one) => one.row === row))
			throw new Failure(
				`--adopt names row ${row} twice.`,
				'A row has one brief: keep one of the two.',
			);
		const same = before.find((one) => isSameId(one.briefId, briefId));
		if (same !== undefined) {
			throw new Failure(
				`--adopt gives brief ${briefId} to two rows, ${same.row} and ${row}.`,
				'A brief is for one row: keep one of the two.',
			);
		}
	}
	return adoptions;
}

function readOne(text: string): Adoption {
	const [, row, briefId] = FORM.exec(text) ?? [];
	if (row !== undefined && briefId !== undefined) return { row: Number(row), briefId };
	throw new Failure(
		`--adopt takes ROW=BRIEF_ID, not “${text}”.`,
		'Write the number of the row and the ID of its brief, as in --adopt 4=9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46.',
	);
}
