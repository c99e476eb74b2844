import { join } from 'node:path';
import type { Disk } from '../folder/disk';
import { briefIn, briefPath, RESULTS_FOLDER } from '../folder/brief-files';
import { sha256 } from '../sha256';

/**
 * Finds the files of a finished brief, as results/x.md, that are not as they were written. The .md is known by its
 * SHA-256; the .json has to be whole, and of this brief.
 */
export async function changedFiles(
	disk: Disk,
	outDir: string,
	brief: { file: string; sha256: string | null; brief_id: string | null },
): Promise<{ gone: string[]; changed: string[] }> {
	const gone: string[] = [];
	const changed: string[] = [];
	for (const ending of ['md', 'json'] as const) {
		const bytes = await disk.read(briefPath(outDir, brief.file, ending));
		const name = join(RESULTS_FOLDER, `${brief.file}.${ending}`);
		if (bytes === null) gone.push(name);
		else if (
			ending === 'md' ? sha256(bytes) !== brief.sha256 : brief.brief_id !== briefIn(bytes)?.id
		)
			changed.push(name);
	}
	return { gone, changed };
}

/**
 * Gives a changed file another name, so that what somebody wrote into it is not lost.
 * @param now in milliseconds
 * @returns its new name
 */
export async function setAside(
	disk: Disk,
	outDir: string,
	name: string,
	now: number,
): Promise<string> {
	const stamp = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14);
	const aside = name.replace(/\.(md|json)$/, `.edited-${stamp}.$1`);
	await disk.rename(join(outDir, name), join(outDir, aside));
	return aside;
}
