import { createReadStream, promises as fs } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** One open file. Every method throws what the operating system says (ENOSPC, EROFS, EACCES …). */
export interface DiskFile {
	/** Writes at the end and returns how many bytes went, which may be fewer than were given. */
	write(bytes: Uint8Array): Promise<number>;
	sync(): Promise<void>;
	truncate(length: number): Promise<void>;
	close(): Promise<void>;
}

/** What the journal, the lock and the results need of a file system. Tests replace it by one that fails. */
export interface Disk {
	/** `append` creates the file where it is missing; `create` throws EEXIST where it exists. */
	open(path: string, mode: 'append' | 'create' | 'overwrite'): Promise<DiskFile>;
	/** The whole file, or null where there is none. */
	read(path: string): Promise<Uint8Array | null>;
	/** The same in pieces, for a file that may be large; none where there is no such file. */
	chunks(path: string): AsyncIterable<Uint8Array>;
	size(path: string): Promise<number>;
	rename(from: string, to: string): Promise<void>;
	/** Does nothing where there is no such file. */
	remove(path: string): Promise<void>;
	/** With the folders above it. They survive a power failure; for the names in them see `syncFolder`. */
	makeFolder(path: string): Promise<void>;
	/** The names in a folder; none where there is no such folder. */
	list(path: string): Promise<string[]>;
	/** Makes new names in a folder survive a power failure. */
	syncFolder(path: string): Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;

const FLAGS = { append: 'a', create: 'wx', overwrite: 'w' } as const;

/** Campaigns are confidential: what is made here only its owner may read. What was there before keeps its mode. */
const OWNER_ONLY = { file: 0o600, folder: 0o700 };

export const realDisk: Disk = {
	async open(path, mode) {
		const handle = await fs.open(path, FLAGS[mode], OWNER_ONLY.file);
		return {
			write: async (bytes) => (await handle.write(bytes)).bytesWritten,
			sync: () => handle.sync(),
			truncate: (length) => handle.truncate(length),
			close: () => handle.close(),
		};
	},
	read: (path) => fs.readFile(path).catch(nullWhenMissing),
	chunks,
	size: async (path) => (await fs.stat(path)).size,
	rename: (from, to) => fs.rename(from, to),
	remove: (path) => fs.rm(path, { force: true }),
	makeFolder,
	list: async (path) => (await fs.readdir(path).catch(nullWhenMissing)) ?? [],
	syncFolder,
};

async function* chunks(path: string): AsyncGenerator<Uint8Array> {
	try {
		for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
			yield chunk as Uint8Array;
	} catch (error) {
		nullWhenMissing(error as NodeJS.ErrnoException);
	}
}

/**
 * Goes down from the last folder that is there. `fs.mkdir` with `recursive` would try for ever in a place that answers
 * ENOENT although the folder above is there, as /proc does.
 */
async function makeFolder(path: string): Promise<void> {
	const missing: string[] = [];
	// A drive that is not there is its own folder above.
	for (let folder = resolve(path); !(await isFolder(folder)) && folder !== missing[0];) {
		missing.unshift(folder);
		folder = dirname(folder);
	}
	for (const folder of missing) {
		await fs.mkdir(folder, OWNER_ONLY.folder).catch(async (error: unknown) => {
			// Another process may have made it a moment ago.
			if (!(await isFolder(folder))) throw error;
		});
		// Otherwise a power failure could take the new folder away, with the journal in it.
		await syncFolder(dirname(folder));
	}
}

async function isFolder(path: string): Promise<boolean> {
	const found = await fs.stat(path).catch(nullWhenMissing);
	return found?.isDirectory() ?? false;
}

async function syncFolder(path: string): Promise<void> {
	// Windows cannot open a folder; there the rename itself is durable.
	if (process.platform === 'win32') return;
	const handle = await fs.open(path, 'r');
	try {
		await handle.sync().catch(ignoreUnknownToFileSystem);
	} finally {
		await handle.close();
	}
}

/** Some network and desktop file systems cannot sync a folder. */
function ignoreUnknownToFileSystem(error: NodeJS.ErrnoException): void {
	if (error.code !== 'EINVAL' && error.code !== 'ENOTSUP') throw error;
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
	if (error.code === 'ENOENT') return null;
	throw error;
}

/** Writes all bytes. One call may write only a part of them without an error, as on a disk that is nearly full. */
export async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<void> {
	for (let done = 0; done < bytes.length;) {
		const written = await file.write(bytes.subarray(done));
		if (written <= 0) throw new Error('The disk took no more bytes');
		done += written;
	}
}

/** What systems say of a file that another program holds open, as Excel on Windows does. */
const BUSY: readonly string[] = ['EBUSY', 'EPERM', 'EACCES'];

export function isBusy(error: unknown): boolean {
	return BUSY.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Virus scanners and indexers let go of a file within moments. In milliseconds. */
const WAITS_WHILE_BUSY = [10, 40, 150, 500];

/** A file that is written beside its place, and put there when it is whole (P6). */
export class FileBeside {
	private length = 0;
	private isOpen = true;

	private constructor(
		private readonly disk: Disk,
		readonly path: string,
		private readonly file: DiskFile,
	) {}

	static async open(disk: Disk, path: string): Promise<FileBeside> {
		const beside = besideOf(path);
		try {
			return new FileBeside(disk, path, await disk.open(beside, 'overwrite'));
		} catch (error) {
			await disk.remove(beside).catch(() => undefined);
			throw error;
		}
	}

	async write(bytes: Uint8Array): Promise<void> {
		await writeAll(this.file, bytes);
		this.length += bytes.length;
	}

	/** Sees to it that the disk has all that was written. */
	async finish(): Promise<void> {
		try {
			await this.file.sync();
		} finally {
			await this.close();
		}
		if ((await this.disk.size(besideOf(this.path))) !== this.length)
			throw new Error('The disk kept fewer bytes than it took');
	}

	/** Puts it in its place, over an older file. The folder is to be synced then. */
	async put(path = this.path): Promise<void> {
		const beside = besideOf(this.path);
		for (const ms of WAITS_WHILE_BUSY) {
			try {
				return await this.disk.rename(beside, path);
			} catch (error) {
				if (!isBusy(error)) throw error;
				await setTimeout(ms);
			}
		}
		await this.disk.rename(beside, path);
	}

	/** Gives up, and leaves an older file as it was. */
	async discard(): Promise<void> {
		if (this.isOpen) await this.close().catch(() => undefined);
		await this.disk.remove(besideOf(this.path)).catch(() => undefined);
	}

	private async close(): Promise<void> {
		this.isOpen = false;
		await this.file.close();
	}
}

function besideOf(path: string): string {
	return `${path}.part`;
}

/**
 * Writes a file that is whole or absent (P6), even after a power failure: the bytes go into a file beside it, which is
 * synced, checked for its length and renamed over the old one; then the folder is synced.
 */
export async function writeWhole(disk: Disk, path: string, content: Uint8Array): Promise<void> {
	const file = await FileBeside.open(disk, path);
	try {
		await file.write(content);
		await file.finish();
		await file.put();
	} catch (error) {
		await file.discard();
		throw error;
	}
	await disk.syncFolder(dirname(path));
}
