import { dirname } from 'node:path';
import { writeAll, writeWhole, type Disk, type DiskFile } from '../disk';
import { EXIT, Failure } from '../failure';
import { JOURNAL_FORMAT, type JournalEvent } from './events';
import { decodeLine, encodeLine } from './line';
import { Records } from './records';

/** What a journal holds, and where its intact part ends. */
interface ParsedJournal {
	records: Records;
	lines: number;
	/** Bytes of the intact lines; what follows is a torn last line. */
	intactLength: number;
	length: number;
}

/**
 * Parses a journal. A crash can tear only the last line, which then has no line end, or NUL bytes in the place of text
 * that did not reach the disk. No crash explains any other damage, and guessing what the line said could pay for a
 * brief twice.
 * @throws {Failure} for damage, and for a journal of a later version
 */
export function parseJournal(bytes: Uint8Array, path: string): ParsedJournal {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const records = new Records();
	let lines = 0;
	let start = 0;
	while (start < text.length) {
		const end = text.indexOf('\n', start);
		if (end < 0) break;
		const event = decodeLine(lines + 1, text.toString('utf8', start, end));
		if (event === null) {
			const isTorn = end === text.length - 1 && text.subarray(start, end).includes(0);
			if (isTorn) break;
			throw damaged(path, lines + 1);
		}
		if (event.type === 'batch') checkFormat(event.format, path);
		records.apply(event);
		lines += 1;
		start = end + 1;
	}
	return { records, lines, intactLength: start, length: text.length };
}

function damaged(path: string, line: number): Failure {
	return new Failure(
		`The journal ${path} is damaged at line ${line}: it is not what was written there.`,
		'Restore the file from a backup, or move it away: the next run then takes over the briefs that the workspace has of the same content, so that they are not paid for again, as far as the service lists them and shows what they were made from. Rows of which that cannot be told are parked.',
		EXIT.unusable,
	);
}

/** In a later format the lines may mean something else, and rows that are done could be paid for again. */
function checkFormat(format: number, path: string): void {
	if (format <= JOURNAL_FORMAT) return;
	throw new Failure(
		`The journal ${path} was written by a later version of brief-batch (format ${format}, this version reads up to ${JOURNAL_FORMAT}).`,
		'Update brief-batch on this machine, or use another --out.',
		EXIT.unusable,
	);
}

/**
 * Gives a journal a new file with the same lines. A run that still has the old one open writes where nobody reads: what
 * it had ordered is on record before, and it finds out by the size of the file in its place.
 */
export async function renewJournalFile(disk: Disk, path: string): Promise<void> {
	const bytes = await disk.read(path);
	if (bytes !== null) await writeWhole(disk, path, bytes);
}

/** The append-only record of a batch (P2, P3). An event is on the disk before anything is done that relies on it. */
export class Journal {
	private queue: Promise<void> = Promise.resolve();
	private broken: Error | null = null;

	private constructor(
		private readonly disk: Disk,
		private readonly path: string,
		private readonly file: DiskFile,
		readonly records: Records,
		private lines: number,
		private length: number,
		private readonly now: () => number,
	) {}

	/**
	 * Opens a journal for writing. A torn last line is cut off, and kept in a file beside it.
	 * @throws {Failure} where it is damaged
	 */
	static async open(disk: Disk, path: string, now: () => number): Promise<Journal> {
		const bytes = (await disk.read(path)) ?? new Uint8Array();
		const reading = parseJournal(bytes, path);
		if (reading.intactLength < reading.length) {
			await writeWhole(disk, `${path}.torn-${now()}`, bytes.subarray(reading.intactLength));
		}
		const file = await disk.open(path, 'append');
		if (reading.intactLength < reading.length) {
			await file.truncate(reading.intactLength);
			await file.sync();
		}
		await disk.syncFolder(dirname(path));
		const { records, lines, intactLength } = reading;
		return new Journal(disk, path, file, records, lines, intactLength, now);
	}

	/**
	 * Resolves once the event is on the disk. After one event could not be written, all later ones are refused: the file
	 * may end in half a line.
	 */
	append(event: DistributiveOmit<JournalEvent, 'at'>): Promise<void> {
		const stamped = { ...event, at: new Date(this.now()).toISOString() };
		const written = this.queue.then(async () => {
			if (this.broken !== null) throw this.broken;
			try {
				const line = Buffer.from(encodeLine(this.lines + 1, stamped));
				await writeAll(this.file, line);
				await this.file.sync();
				this.length += line.length;
				await this.checkInPlace();
			} catch (error) {
				this.broken = error as Error;
				throw error;
			}
			this.lines += 1;
			this.records.apply(stamped);
		});
		this.queue = written.catch(() => undefined);
		return written;
	}

	/** Lines written to a file that was removed are lost without an error, and with them what was paid for (P2). */
	private async checkInPlace(): Promise<void> {
		if ((await this.disk.size(this.path)) === this.length) return;
		throw new Failure(
			`The journal ${this.path} is not the file any more that this run began to write.`,
			'Something else changed or replaced it. Bring the original back, then run the same command again. Without it, the briefs of the same content that the workspace lists are taken over, and not paid for again.',
			EXIT.unusable,
		);
	}

	async close(): Promise<void> {
		await this.queue;
		await this.file.close();
	}
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
