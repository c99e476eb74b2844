import { constants, promises as fs, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commandLine } from '../../command-text';
import type { RawOptions } from '../../settings/options';
import { ok, problem, warning, type Check } from '../../screen/doctor/check';
import { stopOf } from '../../stop-of';

/** Tries whether a run could write to a folder, with a file that is removed at once. Makes no folder. */
export async function checkFolder(outDir: string): Promise<Check> {
	const folder = resolve(outDir);
	try {
		const nearest = await nearestThere(folder);
		if (nearest === folder) {
			const path = join(folder, `.doctor-${process.pid}`);
			await fs.writeFile(path, 'x', { flag: 'wx' });
			await fs.rm(path);
			return ok('folder', `${outDir} can be written`);
		}
		await fs.access(nearest, constants.W_OK | constants.X_OK);
		return ok('folder', `${outDir} is not there yet and can be made in ${nearest}`);
	} catch (error) {
		return problem('folder', stopOf(error));
	}
}

/** Gives the path itself, or the last folder above it that is there. */
async function nearestThere(path: string): Promise<string> {
	const stats = await fs.stat(path).catch(() => null);
	return stats !== null || dirname(path) === path ? path : await nearestThere(dirname(path));
}

/** Finds files that hold the API key and that others on this machine can read. Windows has no such permissions. */
export function checkPrivacy({ envFile, apiKeyFile }: RawOptions): Check[] {
	if (process.platform === 'win32') return [];
	const files = [
		{ name: 'profile', file: envFile },
		{ name: 'key file', file: apiKeyFile },
	];
	return files.flatMap(({ name, file }) => {
		const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
		if (file === undefined || stat?.isFile() !== true || (stat.mode & 0o077) === 0) return [];
		return warning(
			name,
			`Other users of this machine can read ${file}, which may hold the API key.`,
			{ text: 'Let its owner alone read it:', command: commandLine('chmod', '600', file) },
		);
	});
}
