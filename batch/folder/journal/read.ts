import type { Disk } from '../disk';
import { fromJournal } from './journal-paths';
import { JOURNAL_FORMAT } from '../events';
import { decodeLine } from './line';
import { Records } from '../records';
import { LOOKED_BACK_DAYS } from '../../../service/assumptions';
import { Stop } from '../../stop';

/**
 * Reads a journal. A crash can tear only the last line, which then has no line end, or NUL bytes instead of text that
 * did not reach the disk. No crash explains any other damage, and guessing what the line said could pay for a brief
 * twice.
 * @throws {Stop} for damage, and for a journal of another format
 */
export async function readJournalFile(disk: Disk, path: string): Promise<ReadJournal> {
	const journal = new ReadJournal(path);
	for await (const bytes of disk.chunks(path)) journal.take(bytes);
	return journal;
}

/** The content of a journal, as far as it is intact. It is parsed in pieces, and need not be in memory as a whole. */
export class ReadJournal {
	readonly records = new Records();
	lines = 0;
	/** Bytes of the intact lines. */
	intactLength = 0;
	/** The bytes behind them: at the end of the file a torn last line. */
	tornBytes: Buffer = Buffer.alloc(0);

	constructor(private readonly path: string) {}

	take(bytes: Uint8Array): void {
		const text = Buffer.concat([this.tornBytes, bytes]);
		let start = 0;
		for (let end; (end = text.indexOf(LINE_END, start)) >= 0; start = end + 1) {
			const line = decodeLine(this.lines + 1, text.toString('utf8', start, end));
			if (line === null) {
				// Only the end of the file shows whether it is the last line.
				const isTorn = end === text.length - 1 && text.subarray(start, end).includes(0);
				if (isTorn) break;
				throw damaged(this.path, this.lines + 1);
			}
			if (line.event === 'batch') checkFormat(line.format, this.path);
			this.records.apply(fromJournal(line, this.path));
			this.lines += 1;
		}
		this.intactLength += start;
		this.tornBytes = text.subarray(start);
	}
}

const LINE_END = 10;

/** In another format the lines may mean something else, and finished rows could be paid for again. */
function checkFormat(format: number, path: string): void {
	if (format === JOURNAL_FORMAT) return;
	throw new Stop(
		`The journal ${path} is in a format that this version of brief-batch does not know (${format}, it reads ${JOURNAL_FORMAT}).`,
		'Use the version that wrote it, or another --out.',
		'journal_format',
	);
}

function damaged(path: string, line: number): Stop {
	return new Stop(
		`The journal ${path} is damaged at line ${line}: it is not what was written there.`,
		`Restore the file from a backup. Without one, move it away: the next run takes back the briefs in results/ and those of the last ${LOOKED_BACK_DAYS} days in the workspace, and parks rows that may have one.`,
		'journal_damaged',
	);
}
