import { dirname } from 'node:path';
import { writeAll, type Disk, type DiskFile } from '../disk';
import { writeWhole } from '../put-in-place';
import { toJournal } from './journal-paths';
import type { Events, Lasting, Line, Passing } from '../events';
import { encodeLine } from './line';
import { readJournalFile, type ReadJournal } from './read';
import type { Records } from '../records';
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
	/** The line that is written in front of the next one. */
	private opening: Lasting | null = null;
	readonly records: Records;
	private lines: number;
	private length: number;

	private constructor(
		private readonly place: { disk: Disk; path: string; tellOthers: Events['tell'] },
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
	static async open(
		disk: Disk,
		path: string,
		now: () => number,
		tellOthers: Events['tell'],
	): Promise<Journal> {
		const contents = await readJournalFile(disk, path);
		const { intactLength, tornBytes } = contents;
		if (tornBytes.length > 0) await writeWhole(disk, `${path}.torn-${now()}`, tornBytes);
		const file = await disk.open(path, 'append');
		if (tornBytes.length > 0) {
			await file.truncate(intactLength);
			await file.sync();
		}
		await disk.syncFolder(dirname(path));
		return new Journal({ disk, path, tellOthers }, file, contents, now);
	}

	/** Puts a line in front of the first that follows: a command that is answered with no has begun nothing. */
	beginWith(line: Lasting): void {
		this.opening = line;
	}

	/**
	 * Puts lines on the disk together, takes them into the records, and tells them. After a failed write all later lines
	 * are refused, because the file may end in half a line.
	 */
	async append(...lines: Lasting[]): Promise<void> {
		for (const line of await this.keep(...lines)) this.place.tellOthers(line);
	}

	/** Tells what is not kept. */
	tell(line: Lasting | Passing): void {
		if (line.event === 'resumed' || line.event === 'status') this.records.see(line.key, line.brief);
		this.place.tellOthers(line);
	}

	/** The same as append, if nobody is to hear of it yet. */
	keep(...entries: Lasting[]): Promise<Line[]> {
		const at = new Date(this.now()).toISOString();
		const first = this.opening === null ? [] : [this.opening];
		this.opening = null;
		const lines = [...first, ...entries].map((line) => ({ at, ...line }));
		const writing = this.queue.then(async () => {
			if (this.failure !== null) throw this.failure;
			try {
				const place = this.place.path;
				const text = lines.map((line, at) =>
					encodeLine(this.lines + 1 + at, toJournal(line, place)),
				);
				const bytes = Buffer.from(text.join(''));
				await writeAll(this.file, bytes);
				await this.file.sync();
				this.length += bytes.length;
				await this.checkInPlace();
			} catch (error) {
				this.failure = error as Error;
				throw error;
			}
			this.lines += lines.length;
			for (const line of lines) this.records.apply(line);
			return lines;
		});
		this.queue = writing.then(
			() => undefined,
			() => undefined,
		);
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
