import { FolderProblem } from '../cli-error';
import type { Disk } from '../folder/disk';
import { isOwnReport } from '../report/report-page';
import { isOwnResults } from '../report/results-csv';

const OWN_FILES = { 'results.csv': isOwnResults, 'report.html': isOwnReport };

/**
 * A run replaces results.csv and report.html in its folder. With `--out .` they can be files of the user, or the CSV itself.
 * @throws {FolderProblem} if brief-batch has not written them
 */
export async function refuseForeignFiles(folder: string, disk: Disk): Promise<void> {
	for (const [name, isOwn] of Object.entries(OWN_FILES)) {
		const path = `${folder}/${name}`;
		// A spreadsheet on Windows can lock a file. That is no reason to order nothing.
		const bytes = await disk.read(path).catch(() => null);
		if (bytes === null || isOwn(bytes)) continue;
		throw new FolderProblem(
			'folder_unusable',
			`A run would replace ${path}, which brief-batch has not written.`,
			'Move the file to another folder, or name another folder with --out.',
		);
	}
}
