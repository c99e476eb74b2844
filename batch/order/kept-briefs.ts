import { join } from 'node:path';
import { outcomeOf } from '../../service/api/outcome';
import type { Brief } from '../../service/api/resources';
import { isWhole } from '../../service/watch/whole-brief';
import type { Disk } from '../folder/disk';
import type { Records } from '../folder/journal/records';
import { briefIn, RESULTS_FOLDER } from '../folder/brief-files';

/** The files in results/ that no row of the journal has. */
export interface Kept {
	/** Finished briefs, which are paid for: the journal was lost, or is older than they are. */
	briefs: Map<string, Brief>;
	/** The names of .json files that are no finished brief. */
	others: string[];
}

/** Reads the files in results/ that the journal does not know. Throws what the operating system says. */
export async function keptIn(
	disk: Pick<Disk, 'list' | 'read'>,
	outDir: string,
	records: Records,
): Promise<Kept> {
	const folder = join(outDir, RESULTS_FOLDER);
	const kept: Kept = { briefs: new Map(), others: [] };
	for (const file of await disk.list(folder)) {
		// Some file systems of the Mac take letters and their marks apart.
		const name = file.normalize('NFC').replace(/\.json$/, '');
		if (!file.endsWith('.json') || records.isNameTaken(name)) continue;
		const brief = briefIn(await disk.read(join(folder, file)));
		if (brief !== null && isFinished(brief)) kept.briefs.set(brief.id, brief);
		else kept.others.push(file);
	}
	return kept;
}

/** A brief from the service, or the one in results/ if the service does not know it any more. */
export async function orKept(got: Promise<Brief>, kept: Brief | undefined): Promise<Brief> {
	const outcome = await outcomeOf(got);
	if ('value' in outcome) return outcome.value;
	const { kind } = outcome.error;
	const isUnknown = kind === 'not_found' || kind === 'invalid_input';
	if (kept === undefined || !isUnknown) throw outcome.error;
	return kept;
}

function isFinished(brief: Brief): boolean {
	return brief.status !== 'failed' && brief.markdown !== null && isWhole(brief);
}
