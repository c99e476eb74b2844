import { dirname } from 'node:path';
import { writeAll, type Disk, type DiskFile } from '../disk';
import { writeWhole } from '../put-in-place';
import { toJournal } from './journal-paths';
import type { JournalEvent } from './journal-events';
import { encodeLine } from './line';
import { readJournalFile, type ReadJournal } from './read';
import type { Records } from './records';
import { Stop } from '../../stop';

/**
 * Gives a journal a new file with the same lines. A run that still has the old file open then writes to a file that is
 * not read any more. What it had ordered is on record, and it notices the new file by its size.
 */
export async function renewJournalFile(disk: Disk, path: string): Promise<void> {
	const bytes = await disk.read(path);
	if (bytes !== null) await writeWhole(disk, path, bytes);
}

/** The append-only record of a batch (P2, P3). An event is on the disk before anything that relies on it happens. */
export class Journal {
	private queue: Promise<void> = Promise.resolve();
	private failure: Error | null = null;
	/** The event that is written in front of the next one. */
	private opening: Unstamped | null = null;
	readonly records: Records;
	private lines: number;
	private length: number;

	private constructor(
		private readonly place: { disk: Disk; path: string },
		private readonly file: DiskFile,
		{ records, lines, intactLength }: ReadJournal,
		private readonly now: () => number,
	) {
		this.records = records;
		this.lines = lines;
		this.length = intactLength;
	}

	/**
	 * Opens a journal for writing. A torn last line is cut off and kept in a file beside it.
	 * @throws {Stop} if it is damaged
	 */
	static async open(disk: Disk, path: string, now: () => number): Promise<Journal> {
		const contents = await readJournalFile(disk, path);
		const { intactLength, tornBytes } = contents;
		if (tornBytes.length > 0) await writeWhole(disk, `${path}.torn-${now()}`, tornBytes);
		const file = await disk.open(path, 'append');
		if (tornBytes.length > 0) {
			await file.truncate(intactLength);
			await file.sync();
		}
		await disk.syncFolder(dirname(path));
		return new Journal({ disk, path }, file, contents, now);
	}

	/** Puts an event in front of the first that follows: a command that is answered with no has begun nothing. */
	beginWith(event: Unstamped): void {
		this.opening = event;
	}

	/**
	 * Resolves once the event is on the disk. After a failed write all later events are refused, because the file may end
	 * in half a line.
	 */
	append(event: Unstamped): Promise<void> {
		const { opening } = this;
		this.opening = null;
		// If it cannot be written, neither can the event.
		if (opening !== null) void this.write(opening);
		return this.write(event);
	}

	private write(event: Unstamped): Promise<void> {
		const entry = { ...event, at: new Date(this.now()).toISOString() };
		const writing = this.queue.then(async () => {
			if (this.failure !== null) throw this.failure;
			try {
				const line = Buffer.from(encodeLine(this.lines + 1, toJournal(entry, this.place.path)));
				await writeAll(this.file, line);
				await this.file.sync();
				this.length += line.length;
				await this.checkInPlace();
			} catch (error) {
				this.failure = error as Error;
				throw error;
			}
			this.lines += 1;
			this.records.apply(entry);
		});
		this.queue = writing.catch(() => undefined);
		return writing;
	}

	/** Lines written to a removed file are lost without an error, and with them what was paid for (P2). */
	private async checkInPlace(): Promise<void> {
		const { disk, path } = this.place;
		if ((await disk.size(path)) === this.length) return;
		throw new Stop(
			`The journal ${path} was removed or replaced while this run was writing it.`,
			'Bring the original back, then run the same command again. Without it, the next run takes over the briefs of the same content that the workspace lists.',
			'journal_replaced',
		);
	}

	async close(): Promise<void> {
		await this.queue;
		await this.file.close();
	}
}

type Unstamped = DistributiveOmit<JournalEvent, 'at'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
