import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { FileBeside, isBusy, type Disk } from './disk';

/** What becomes of a file whose place is held by another program, as Excel holds the files that it has open. */
export interface WhenBusy {
	/** Whether it is written under another name then. Else the older one stays, and it is tried again later. */
	isLastTry: boolean;
	say: (text: string) => void;
	/** The CSV of the run, which is never removed. */
	csv?: string;
}

/** `results-new.csv`, for a results.csv that cannot be replaced. */
export function otherName(name: string): string {
	const ending = extname(name);
	return `${basename(name, ending)}-new${ending}`;
}

/** The newer one of a file and the one beside it. */
export function newestOf(name: string, files: readonly string[]): string {
	return files.includes(otherName(name)) ? otherName(name) : name;
}

/** Gives where a file under --out is or will be: beside its place, if the last run found that held by another program. */
export function newestFile(outDir: string, name: string): string {
	const files = existsSync(outDir) ? readdirSync(outDir) : [];
	return join(outDir, newestOf(name, files));
}

/** A file under --out as it is to be. */
export interface OutFile {
	name: string;
	/** Null if it is to be removed. */
	bytes: Buffer | null;
}

/** Writes all files beside the old ones before one of these is replaced. */
export async function replaceFiles(
	disk: Disk,
	outDir: string,
	given: readonly OutFile[],
	whenBusy: WhenBusy,
): Promise<void> {
	const files = given.map(({ name, bytes }) => ({ path: join(outDir, name), bytes }));
	await disk.makeFolder(outDir);
	const written: FileBeside[] = [];
	try {
		for (const { path, bytes } of files)
			if (bytes !== null) written.push(await FileBeside.write(disk, path, bytes));
		for (const file of written) await putInPlace(disk, file, whenBusy);
		for (const { path, bytes } of files)
			if (bytes === null) await removeFromPlace(disk, path, whenBusy);
	} catch (error) {
		await Promise.all(written.map((file) => file.discard()));
		throw error;
	}
	await disk.syncFolder(outDir);
}

/** Puts a finished file in its place, or under another name if its place is blocked. */
async function putInPlace(
	disk: Disk,
	file: FileBeside,
	{ isLastTry, say, csv }: WhenBusy,
): Promise<void> {
	const [folder, name] = [dirname(file.path), basename(file.path)];
	const other = join(folder, otherName(name));
	try {
		await file.put();
		// What could not be written here the last time is out of date now.
		if (csv === undefined || resolve(csv) !== resolve(other))
			await disk.remove(other).catch(() => undefined);
	} catch (error) {
		if (!isBusy(error)) throw error;
		if (!isLastTry) {
			await file.discard();
			return say(`${heldOpen(file.path)} It is tried again later: close it there.`);
		}
		await file.put(other);
		say(
			`${heldOpen(file.path)} It was written as ${other}: close the old one, and put the new one in its place or run the same command again.`,
		);
	}
}

/** Removes a file that has no rows any more. */
async function removeFromPlace(
	disk: Disk,
	path: string,
	{ isLastTry, say }: WhenBusy,
): Promise<void> {
	try {
		await disk.remove(path);
	} catch (error) {
		if (!isBusy(error)) throw error;
		if (isLastTry) say(`${heldOpen(path)} Remove it: its rows are of an earlier run.`);
	}
}

function heldOpen(path: string): string {
	return `${path} is open in another program, Excel perhaps, and could not be replaced.`;
}
