import { constants, promises as fs } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** An open file. Every method throws what the operating system says (ENOSPC, EROFS, EACCES …). */
export interface DiskFile {
	/** Writes at the end and returns how many bytes were written, perhaps fewer than given. */
	write(bytes: Uint8Array): Promise<number>;
	sync(): Promise<void>;
	truncate(length: number): Promise<void>;
	close(): Promise<void>;
}

/** The part of a file system that journal, lock and results need. Tests use one that fails. */
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
	/** Says whether a name is a link, wherever it leads. */
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
	read: (path) => readWhole(path).catch(nullWhenMissing),
	chunks,
	size: async (path) => (await fs.stat(path)).size,
	rename: (from, to) => fs.rename(from, to),
	remove: (path) => fs.rm(path, { force: true }),
	makeFolder,
	isLink: async (path) => (await fs.lstat(path).catch(nullWhenMissing))?.isSymbolicLink() ?? false,
	list: async (path) => (await fs.readdir(path).catch(nullWhenMissing)) ?? [],
	syncFolder,
};

async function readWhole(path: string): Promise<Uint8Array> {
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
 * @throws as a socket makes the system throw, if it is neither a file nor a folder, of which the system says so itself
 */
async function openToRead(path: string): Promise<fs.FileHandle> {
	const file = await fs.open(path, O_RDONLY | O_NONBLOCK);
	const stats = await file.stat();
	if (stats.isFile() || stats.isDirectory()) return file;
	await file.close();
	throw Object.assign(new Error('no file'), { code: 'ENXIO', syscall: 'open', path });
}

/**
 * Goes down from the last existing folder. `fs.mkdir` with `recursive` would try forever if a place answers ENOENT
 * although its parent exists, as /proc does, and Windows to a name that is too long.
 */
async function makeFolder(path: string): Promise<void> {
	const missingFolders: string[] = [];
	// A missing drive is its own parent.
	for (let folder = resolve(path); !(await isFolder(folder)) && folder !== missingFolders[0];) {
		missingFolders.unshift(folder);
		folder = dirname(folder);
	}
	for (const folder of missingFolders) {
		await fs.mkdir(folder, OWNER_ONLY.folder).catch(async (error: unknown) => {
			// Another process may have created it meanwhile.
			if (!(await isFolder(folder))) throw error;
		});
		// Otherwise a power failure could remove the new folder with the journal in it.
		await syncFolder(dirname(folder));
	}
}

async function isFolder(path: string): Promise<boolean> {
	const stats = await fs.stat(path).catch(nullWhenMissing);
	return stats?.isDirectory() ?? false;
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
	for (let at = 0; at < bytes.length;) {
		const result = await file.write(bytes.subarray(at));
		if (result <= 0) throw diskError('The disk took no more bytes');
		at += result;
	}
}

/** Makes an error that the system does not report itself. */
export function diskError(message: string): NodeJS.ErrnoException {
	return Object.assign(new Error(message), { code: 'EIO', syscall: 'write' });
}
