import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { diskError, writeAll, type Disk } from './disk';

/** The errors of systems for a file that another program holds open, such as Excel on Windows. */
const BUSY: readonly string[] = ['EBUSY', 'EPERM', 'EACCES'];

function isBusy(error: unknown): boolean {
	return BUSY.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** In milliseconds: virus scanners and indexers release a file within moments. */
const WAITS_WHILE_BUSY = [10, 40, 150, 500];

/**
 * Writes a file that is whole or absent (P6), even after a power failure: the bytes go into a file beside it, which is
 * synced, checked for its length and renamed over the old one, and then the folder is synced.
 */
export async function writeWhole(disk: Disk, path: string, content: Uint8Array): Promise<void> {
	const beside = await writeBeside(disk, path, content);
	try {
		await move(disk, beside, path);
	} catch (error) {
		await discard(disk, beside);
		throw error;
	}
	await disk.syncFolder(dirname(path));
}

/** Writes a file beside its place, and makes sure that the disk has all of it. */
async function writeBeside(disk: Disk, path: string, content: Uint8Array): Promise<string> {
	// Random, so that others with access to the folder cannot lay a link there first: it would be written through.
	const beside = `${path}.${randomBytes(8).toString('hex')}.part`;
	const file = await disk.open(beside, 'create');
	try {
		try {
			await writeAll(file, content);
			await file.sync();
		} finally {
			await file.close();
		}
		if ((await disk.size(beside)) !== content.length)
			throw diskError('The disk kept fewer bytes than it took');
		return beside;
	} catch (error) {
		await discard(disk, beside);
		throw error;
	}
}

const BESIDE = /\.[\da-f]{16}\.part$/;

/** Removes what a killed run has left beside its files. */
export async function removeLeftovers(disk: Disk, folder: string): Promise<void> {
	for (const name of await disk.list(folder))
		if (BESIDE.test(name)) await discard(disk, join(folder, name));
}

async function discard(disk: Disk, beside: string): Promise<void> {
	await disk.remove(beside).catch(() => undefined);
}

/** Moves a file to its place, over an older one. The folder must be synced after that. */
async function move(disk: Disk, beside: string, path: string): Promise<void> {
	for (const ms of WAITS_WHILE_BUSY) {
		try {
			return await disk.rename(beside, path);
		} catch (error) {
			if (!isBusy(error)) throw error;
			await setTimeout(ms);
		}
	}
	await disk.rename(beside, path);
}

/** The ways out if another program holds the place of a file, as Excel holds the files that it has open. */
export interface WhenBusy {
	/** True if it is written under another name then. Else the older one stays, and it is tried again later. */
	isLastTry: boolean;
	/** Says what became of the file, and what to do. */
	report: (text: string) => void;
}

function heldText(path: string, cure: string): string {
	return `${path} is open in another program, Excel perhaps, and could not be replaced. ${cure}`;
}

/** Gives `results-new.csv`, for a results.csv that cannot be replaced. */
export function otherName(name: string): string {
	const ending = extname(name);
	return `${basename(name, ending)}-new${ending}`;
}

/** Gives where a file under --out is or will be: beside its place, if the last run found that held by another program. */
export function newestFile(outDir: string, name: string): string {
	const other = join(outDir, otherName(name));
	return existsSync(other) ? other : join(outDir, name);
}

/**
 * Writes all files beside the old ones before one of these is replaced.
 * @param files under --out, as they are to be: without bytes one is removed
 */
export async function replaceFiles(
	disk: Disk,
	outDir: string,
	files: ReadonlyArray<{ name: string; bytes: Buffer | null }>,
	whenBusy: WhenBusy,
): Promise<void> {
	await disk.makeFolder(outDir);
	const filesBeside = new Map<string, string>();
	try {
		for (const { name, bytes } of files) {
			const path = join(outDir, name);
			if (bytes !== null) filesBeside.set(path, await writeBeside(disk, path, bytes));
		}
		for (const [path, beside] of filesBeside) await putInPlace(disk, beside, path, whenBusy);
		for (const { name, bytes } of files)
			if (bytes === null) await removeFromPlace(disk, join(outDir, name), whenBusy);
	} catch (error) {
		for (const beside of filesBeside.values()) await discard(disk, beside);
		throw error;
	}
	await disk.syncFolder(outDir);
}

/** Puts a finished file in its place, or under another name if its place is blocked. */
async function putInPlace(
	disk: Disk,
	beside: string,
	path: string,
	{ isLastTry, report }: WhenBusy,
): Promise<void> {
	const other = join(dirname(path), otherName(basename(path)));
	try {
		await move(disk, beside, path);
		// What could not be written here the last time is out of date now.
		await discard(disk, other);
	} catch (error) {
		if (!isBusy(error)) throw error;
		if (!isLastTry) {
			await discard(disk, beside);
			return report(heldText(path, 'It is tried again later: close it there.'));
		}
		await move(disk, beside, other);
		const cure = `It was written as ${other}: close the old one, and put the new one in its place or run the same command again.`;
		report(heldText(path, cure));
	}
}

/** Removes a file that has no rows any more. */
async function removeFromPlace(
	disk: Disk,
	path: string,
	{ isLastTry, report }: WhenBusy,
): Promise<void> {
	try {
		await disk.remove(path);
	} catch (error) {
		if (!isBusy(error)) throw error;
		if (isLastTry) report(heldText(path, 'Remove it: its rows are of an earlier run.'));
	}
}
