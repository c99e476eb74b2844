import { randomBytes } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FolderProblem } from '../cli-error';

/** The file operations of a folder. Tests replace them with a disk that fails. */
export interface Disk {
	/** Returns null if the file does not exist. */
	read(path: string): Promise<Buffer | null>;
	/** Appends the bytes and returns when they are on the disk. */
	append(path: string, bytes: Buffer): Promise<void>;
	/** Replaces the file: afterwards it has either its old or its new content, never a part. It keeps its mode. */
	replace(path: string, bytes: Buffer): Promise<void>;
	/** Creates the folder, and returns the topmost folder that did not exist; undefined if all existed. */
	makeFolder(path: string): Promise<string | undefined>;
	/** Removes a folder and its parent folders up to `top`, unless they contain something. */
	removeEmptyFolders(path: string, top: string): Promise<void>;
	/** Removes the half-written files that killed processes left in a folder. */
	removePartialFiles(folder: string): Promise<void>;
	/** Returns the names in a folder; an empty list if the folder does not exist. */
	list(path: string): Promise<string[]>;
}

const PARTIAL_FILE = /\.[\da-f]{16}\.part$/;

export const realDisk: Disk = {
	async read(path) {
		await refuseSpecialFile(path);
		return await fs.readFile(path).catch(nullIfMissing);
	},

	async append(path, bytes) {
		const file = await fs.open(path, 'a');
		try {
			const isNew = (await file.stat()).size === 0;
			await writeAll(file, path, bytes);
			if (isNew) await syncFolder(dirname(path));
		} finally {
			await file.close();
		}
	},

	async replace(path, bytes) {
		const temporary = `${path}.${randomBytes(8).toString('hex')}.part`;
		try {
			const file = await fs.open(temporary, 'wx');
			try {
				await keepMode(file, path);
				await writeAll(file, path, bytes);
			} finally {
				await file.close();
			}
			// Network file systems have reported success for bytes that they did not keep.
			const { size } = await fs.stat(temporary);
			if (size !== bytes.length) throw makeWriteError(path);
			await fs.rename(temporary, path);
		} catch (error) {
			await fs.rm(temporary, { force: true });
			throw error;
		}
		await syncFolder(dirname(path));
	},

	async makeFolder(path) {
		// One at a time: on Windows, mkdir with `recursive` never returns if a name is too long.
		const missing = await findMissingFolders(resolve(path));
		for (const folder of missing)
			await fs.mkdir(folder).catch(async (error: unknown) => {
				// Another process might have created the folder in the meantime.
				if (!(await isFolder(folder))) throw error;
			});
		return missing[0];
	},

	async removeEmptyFolders(path, top) {
		const folder = resolve(path);
		const isRemoved = await fs.rmdir(folder).then(
			() => true,
			() => false,
		);
		if (isRemoved && folder !== resolve(top)) await this.removeEmptyFolders(dirname(folder), top);
	},

	async removePartialFiles(folder) {
		const names = await this.list(folder);
		for (const name of names.filter((each) => PARTIAL_FILE.test(each)))
			await fs.rm(join(folder, name), { force: true });
	},

	list: async (path) => (await fs.readdir(path).catch(nullIfMissing)) ?? [],
};

/** Sets the mode of a new file to that of the file that it replaces. Some file systems refuse a change of modes, and all modes are the same. */
async function keepMode(file: fs.FileHandle, path: string): Promise<void> {
	const replaced = await fs.stat(path).catch(nullIfMissing);
	if (replaced !== null && replaced.mode !== (await file.stat()).mode)
		await file.chmod(replaced.mode & 0o777);
}

/** Returns the folders that have to be made for a path, the topmost first. */
async function findMissingFolders(path: string): Promise<string[]> {
	if (await isFolder(path)) return [];
	const parent = dirname(path);
	return parent === path ? [path] : [...(await findMissingFolders(parent)), path];
}

async function isFolder(path: string): Promise<boolean> {
	return (await fs.stat(path).catch(nullIfMissing))?.isDirectory() === true;
}

/** @throws {FolderProblem} if the path is a folder, a pipe or a socket: reading a pipe could block forever */
export async function refuseSpecialFile(path: string): Promise<void> {
	const stats = await fs.stat(path).catch(nullIfMissing);
	if (stats === null || stats.isFile()) return;
	throw new FolderProblem(
		'folder_unusable',
		`${path} is not a file.`,
		'Move away what is in its place.',
	);
}

/** Without this, a power failure could undo a rename or lose a new file. Windows cannot open folders. */
async function syncFolder(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	const folder = await fs.open(path, 'r');
	// Some network file systems cannot sync a folder.
	await folder.sync().catch(() => undefined);
	await folder.close();
}

/**
 * Writes all bytes to the disk: a single write can be partial on a disk that is nearly full.
 * @throws an error with the path, which the errors of an open file lack
 */
async function writeAll(file: fs.FileHandle, path: string, bytes: Buffer): Promise<void> {
	try {
		let position = 0;
		while (position < bytes.length) {
			const { bytesWritten } = await file.write(bytes, position);
			if (bytesWritten <= 0) throw makeWriteError(path);
			position += bytesWritten;
		}
		await file.sync();
	} catch (error) {
		throw Object.assign(error as NodeJS.ErrnoException, { path });
	}
}

/** Returns an error like those of Node.js, for a disk that reports success and keeps fewer bytes. */
function makeWriteError(path: string): NodeJS.ErrnoException {
	const error = new Error(`EIO: the disk kept only a part, write '${path}'`);
	return Object.assign(error, { code: 'EIO', syscall: 'write', path });
}

/** Returns null for the error of a file that does not exist, and throws every other error. */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
	if (error.code === 'ENOENT') return null;
	throw error;
}
