import { constants, promises as fs } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { diskFailure } from '../run/disk-failure';
import { ok, problem, warning, type Check } from './check';

/** With less a run may end in the middle: a thousand briefs take some 30 MB. */
const LITTLE_SPACE = 100_000_000;

export interface FolderFacts {
	exists: boolean;
	/** The folder itself, or the last one above it that is there. */
	nearest: string;
	/** Why nothing can be written there. */
	error: unknown;
	freeBytes: number | null;
}

/** Tries whether a run could write to a folder, with a file that is removed at once. Makes no folder. */
export async function probeFolder(outDir: string): Promise<FolderFacts> {
	const folder = resolve(outDir);
	const nearest = await nearestThere(folder);
	const exists = nearest === folder;
	const error: unknown = await (exists ? tryWriting(folder) : fs.access(nearest, MAY_MAKE)).then(
		() => null,
		(reason: unknown) => reason,
	);
	const space = await fs.statfs(nearest).catch(() => null);
	const freeBytes = space === null ? null : space.bavail * space.bsize;
	return { exists, nearest, error, freeBytes };
}

const MAY_MAKE = constants.W_OK | constants.X_OK;

async function nearestThere(path: string): Promise<string> {
	const found = await fs.stat(path).catch(() => null);
	return found !== null || dirname(path) === path ? path : await nearestThere(dirname(path));
}

async function tryWriting(folder: string): Promise<void> {
	const path = join(folder, `.doctor-${process.pid}`);
	await fs.writeFile(path, 'x', { flag: 'wx' });
	await fs.rm(path);
}

export function checkFolder(
	outDir: string,
	{ exists, nearest, error, freeBytes }: FolderFacts,
): Check {
	if (error !== null) return problem('folder', diskFailure(error));
	if (freeBytes !== null && freeBytes < LITTLE_SPACE) {
		return warning(
			'folder',
			`The disk of ${outDir} has ${megabytes(freeBytes)} left.`,
			'Make room: a run that finds no room for its journal stops.',
		);
	}
	const space = freeBytes === null ? '' : `, ${megabytes(freeBytes)} free`;
	return ok(
		'folder',
		exists
			? `${outDir} can be written${space}`
			: `${outDir} is not there yet and can be made in ${nearest}${space}`,
	);
}

function megabytes(bytes: number): string {
	return bytes < 10e9 ? `${Math.floor(bytes / 1e6)} MB` : `${Math.floor(bytes / 1e9)} GB`;
}
