import { dirname } from 'node:path';
import { writeAll, type Disk, type DiskFile } from '../disk';
import { EXIT, Failure } from '../failure';
import type { JournalEvent } from './events';
import { decodeLine, encodeLine } from './line';
import { Records } from './records';

/** What a journal holds, and where its sound part ends. */
interface Reading {
	records: Records;
	lines: number;
	/** Bytes of the sound lines; what follows them is a torn tail. */
	soundLength: number;
	length: number;
}

/**
 * Reads a journal. Only the last line can be torn, by a crash while it was written; damage elsewhere is nobody's
 * crash, and guessing what stood there could pay for a brief twice.
 * @throws {Failure} for damage before the last line
 */
export function readJournal(bytes: Uint8Array, path: string): Reading {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const records = new Records();
	let lines = 0;
	let start = 0;
	while (start < text.length) {
		const end = text.indexOf('\n', start);
		const event = end < 0 ? null : decodeLine(lines + 1, text.toString('utf8', start, end));
		if (event === null) {
			const isLast = end < 0 || end === text.length - 1;
			if (isLast) break;
			throw new Failure(
				`The journal ${path} is damaged at line ${lines + 1}: it is not what was written there.`,
				'Restore the file from a backup. If there is none, move it away, and compare its brief IDs with the vendor’s web app before you run the CSV again.',
				EXIT.stoppedEarly,
			);
		}
		records.apply(event);
		lines += 1;
		start = end + 1;
	}
	return { records, lines, soundLength: start, length: text.length };
}

/** The append-only record of a batch (P2, P3): an event is on the disk before what it announces is done. */
export class Journal {
	private queue: Promise<void> = Promise.resolve();
	private broken: Error | null = null;

	private constructor(
		private readonly file: DiskFile,
		readonly records: Records,
		private lines: number,
		private readonly now: () => number,
	) {}

	/**
	 * Opens a journal for writing and cuts a torn last line off, of which a copy is kept beside it.
	 * @throws {Failure} where it is damaged
	 */
	static async open(disk: Disk, path: string, now: () => number): Promise<Journal> {
		const bytes = (await disk.read(path)) ?? new Uint8Array();
		const reading = readJournal(bytes, path);
		if (reading.soundLength < reading.length) {
			const copy = await disk.open(`${path}.torn-${now()}`, 'overwrite');
			await writeAll(copy, bytes.subarray(reading.soundLength));
			await copy.sync();
			await copy.close();
		}
		const file = await disk.open(path, 'append');
		if (reading.soundLength < reading.length) {
			await file.truncate(reading.soundLength);
			await file.sync();
		}
		await disk.syncFolder(dirname(path));
		return new Journal(file, reading.records, reading.lines, now);
	}

	/**
	 * Resolves once the event is on the disk. After one event could not be written none is taken any more, for the
	 * file may end in half a line.
	 */
	append(event: DistributiveOmit<JournalEvent, 'at'>): Promise<void> {
		const stamped = { ...event, at: new Date(this.now()).toISOString() };
		const written = this.queue.then(async () => {
			if (this.broken !== null) throw this.broken;
			try {
				await writeAll(this.file, Buffer.from(encodeLine(this.lines + 1, stamped)));
				await this.file.sync();
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

	async close(): Promise<void> {
		await this.queue;
		await this.file.close();
	}
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
