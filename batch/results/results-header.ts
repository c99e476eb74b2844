import { RESULT_COLUMNS } from './result-columns';

/** The result columns at the end of the header. The character between them is the delimiter. */
const [FIRST_NAME, ...OTHER_NAMES] = RESULT_COLUMNS;
const HEADER_END = new RegExp(
	`(?:^|[^a-z_])${FIRST_NAME}"?(.)${OTHER_NAMES.map((name) => `"?${name}"?`).join('\\1')}\r?\n`,
);

/** The delimiter of a results.csv by its first bytes; undefined if no run has written it. */
export function delimiterOfResults(start: Buffer): string | undefined {
	// Latin-1, because the names are ASCII and a chunk may end within a character.
	return HEADER_END.exec(start.toString('latin1'))?.[1];
}
