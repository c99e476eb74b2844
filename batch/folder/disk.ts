import { randomBytes } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Failure } from '../failure';

/** An open file. Every method throws what the operating system says (ENOSPC, EROFS, EACCES …). */
export interface DiskFile {
	/** Writes at the end and returns how many bytes were written, perhaps fewer than given. */
	write(bytes: Uint8Array): Promise<number>;
	sync(): Promise<void>;
	truncate(length: number): Promise<void>;
	close(): Promise<void>;
}

/** What the journal, the lock and the results need of a file system. Tests use one that fails. */
export interface Disk {
	/** `append` creates a missing file; `create` throws EEXIST if the file exists. */
	open(path: string, mode: 'append' | 'create'): Promise<DiskFile>;
	/** The whole file, or null without one. Like `chunks` it refuses a pipe, which it would wait for. */
	read(path: string): Promise<Uint8Array | null>;
	/** The file in pieces, because it may be large; none without a file. */
	chunks(path: string): AsyncIterable<Uint8Array>;
	size(path: string): Promise<number>;
	rename(from: string, to: string): Promise<void>;
	/** Does nothing without a file. */
	remove(path: string): Promise<void>;
	/** With the folders above it. The folders survive a power failure; for names in them see `syncFolder`. */
	makeFolder(path: string): Promise<void>;
	/** Checks whether a name is a link, wherever it leads. */
	isLink(path: string): Promise<boolean>;
	/** The names in a folder; none without a folder. */
	list(path: string): Promise<string[]>;
	/** Makes new names in a folder survive a power failure. */
	syncFolder(path: string): Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants;
/** Windows has no such flags. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
const FLAGS = { append: 'a', create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW } as const;

/** Campaigns are confidential, so only the owner may read what we create. Existing files keep their mode. */
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
	read: (path) => whole(path).catch(nullWhenMissing),
	chunks,
	size: async (path) => (await fs.stat(path)).size,
	rename: (from, to) => fs.rename(from, to),
	remove: (path) => fs.rm(path, { force: true }),
	makeFolder,
	isLink: async (path) => (await fs.lstat(path).catch(nullWhenMissing))?.isSymbolicLink() ?? false,
	list: async (path) => (await fs.readdir(path).catch(nullWhenMissing)) ?? [],
	syncFolder,
};

async function whole(path: string): Promise<Uint8Array> {
	const file = await openToRead(path);
	return await file.readFile().finally(() => file.close());
}

async function* chunks(path: string): AsyncGenerator<Uint8Array> {
	const file = await openToRead(path).catch(nullWhenMissing);
	if (file === null) return;
	for await (const chunk of file.createReadStream({ highWaterMark: CHUNK_BYTES }))
		yield chunk as Uint8Array;
}

/**
 * Opens a file without waiting for a pipe's other end.
 * @throws {Failure} if it is neither a file nor a folder, of which the system says so itself
 */
async function openToRead(path: string): Promise<fs.FileHandle> {
	const file = await fs.open(path, O_RDONLY | O_NONBLOCK).catch((error: unknown) => {
		const isSocket = (error as NodeJS.ErrnoException).code === 'ENXIO';
		throw isSocket ? noFile(path) : error;
	});
	const found = await file.stat();
	if (found.isFile() || found.isDirectory()) return file;
	await file.close();
	throw noFile(path);
}

function noFile(path: string): Failure {
	return new Failure(
		`${path} is no file but a pipe, a socket or a device.`,
		'Remove it, or name another folder with --out.',
	);
}

/**
 * Goes down from the last existing folder. `fs.mkdir` with `recursive` would try forever if a place answers ENOENT
 * although its parent exists, as /proc does.
 */
async function makeFolder(path: string): Promise<void> {
	const missing: string[] = [];
	// A missing drive is its own parent.
	for (let folder = resolve(path); !(await isFolder(folder)) && folder !== missing[0];) {
		missing.unshift(folder);
		folder = dirname(folder);
	}
	for (const folder of missing) {
		await fs.mkdir(folder, OWNER_ONLY.folder).catch(async (error: unknown) => {
			// Another process may have created it meanwhile.
			if (!(await isFolder(folder))) throw error;
		});
		// Otherwise a power failure could remove the new folder with the journal in it.
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

/**
 * Writes all bytes. One call may write only some of them without an error, for example on a disk that is nearly full.
 */
export async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<void> {
	for (let done = 0; done < bytes.length;) {
		const written = await file.write(bytes.subarray(done));
		if (written <= 0) throw diskError('The disk took no more bytes');
		done += written;
	}
}

/** Makes an error that the system does not report itself. */
function diskError(message: string): NodeJS.ErrnoException {
	return Object.assign(new Error(message), { code: 'EIO', syscall: 'write' });
}

/** What systems say about a file that another program holds open, such as Excel on Windows. */
const BUSY: readonly string[] = ['EBUSY', 'EPERM', 'EACCES'];

export function isBusy(error: unknown): boolean {
	return BUSY.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** In milliseconds: virus scanners and indexers release a file within moments. */
const WAITS_WHILE_BUSY = [10, 40, 150, 500];

/** A file that was written beside its place, and is moved there (P6). */
export class FileBeside {
	private constructor(
		private readonly disk: Disk,
		readonly path: string,
		private readonly beside: string,
	) {}

	/** Writes all of it, and makes sure that the disk has everything. */
	static async write(disk: Disk, path: string, content: Uint8Array): Promise<FileBeside> {
		const beside = besideOf(path);
		const open = await disk.open(beside, 'create');
		const file = new FileBeside(disk, path, beside);
		try {
			try {
				await writeAll(open, content);
				await open.sync();
			} finally {
				await open.close();
			}
			if ((await disk.size(beside)) !== content.length)
				throw diskError('The disk kept fewer bytes than it took');
			return file;
		} catch (error) {
			await file.discard();
			throw error;
		}
	}

	/** Moves it to its place, over an older file. The folder must be synced after that. */
	async put(path = this.path): Promise<void> {
		const { beside } = this;
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

	/** Gives up and leaves an older file as it was. */
	async discard(): Promise<void> {
		await this.disk.remove(this.beside).catch(() => undefined);
	}
}

/** Random, so that others with access to the folder cannot lay a link there first: it would be written through. */
function besideOf(path: string): string {
	return `${path}.${randomBytes(8).toString('hex')}.part`;
}

const BESIDE = /\.[\da-f]{16}\.part$/;

/** Removes what a killed run has left beside its files. */
export async function removeLeftovers(disk: Disk, folder: string): Promise<void> {
	for (const name of await disk.list(folder))
		if (BESIDE.test(name)) await disk.remove(join(folder, name)).catch(() => undefined);
}

/**
 * Writes a file that is whole or absent (P6), even after a power failure: the bytes go into a file beside it, which is
 * synced, checked for its length and renamed over the old one, and then the folder is synced.
 */
export async function writeWhole(disk: Disk, path: string, content: Uint8Array): Promise<void> {
	const file = await FileBeside.write(disk, path, content);
	try {
		await file.put();
	} catch (error) {
		await file.discard();
		throw error;
	}
	await disk.syncFolder(dirname(path));
}
