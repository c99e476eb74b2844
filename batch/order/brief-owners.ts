import { join } from 'node:path';
import { outcomeOf } from '../../service/api/outcome';
import type { Brief } from '../../service/api/resources';
import { isWhole } from '../../service/watch/whole-brief';
import { briefIn, RESULTS_FOLDER } from '../folder/brief-files';
import type { Disk } from '../folder/disk';
import type { OrderOf } from '../folder/events';
import type { Records } from '../folder/records';

/** What the journal says of the owners of briefs. */
export interface OwnersOnRecord {
	ownerOf(briefId: string): OrderOf | undefined;
	inDoubt(): readonly OrderOf[];
}

/**
 * Whose each brief is: an order's, by the journal or because it is just being taken, or nobody's. Some that are nobody's
 * lie in results/: they are paid for, and the journal was lost or is older than they are.
 */
export class BriefOwners {
	/** By the ID of a brief, the key of the order that takes it: two rows of one product may find the same one at once. */
	private readonly keysByBrief = new Map<string, string>();

	constructor(
		readonly records: OwnersOnRecord,
		/** The finished briefs in results/ that no order had when the command began, by their ID. */
		private readonly briefsInResults: ReadonlyMap<string, Brief> = new Map(),
	) {}

	/** Reads the files in results/ that the journal does not know. Throws what the operating system says. */
	static async read(
		disk: Pick<Disk, 'list' | 'read'>,
		outDir: string,
		records: Records,
	): Promise<BriefOwners> {
		const folder = join(outDir, RESULTS_FOLDER);
		const briefsInResults = new Map<string, Brief>();
		for (const file of await disk.list(folder)) {
			// Some file systems of the Mac take letters and their marks apart.
			const name = file.normalize('NFC').replace(/\.json$/, '');
			if (!file.endsWith('.json') || records.isNameTaken(name)) continue;
			const brief = briefIn(await disk.read(join(folder, file)));
			if (brief !== null && isFinished(brief)) briefsInResults.set(brief.id, brief);
		}
		return new BriefOwners(records, briefsInResults);
	}

	/** Gives the key of the order that has a brief or takes it. */
	ownerOf(id: string): string | undefined {
		return this.records.ownerOf(id)?.key ?? this.keysByBrief.get(id);
	}

	/** Says whether no order has a brief, or only the one of this key. */
	isFree(id: string, key?: string): boolean {
		const owner = this.ownerOf(id);
		return owner === undefined || owner === key;
	}

	/** Takes a brief for an order, unless another has it. */
	take(id: string, key: string): boolean {
		if (!this.isFree(id, key)) return false;
		this.keysByBrief.set(id, key);
		return true;
	}

	/** Passes a brief on to the next try of the order that took it: another folder may have sent that try before. */
	passOn(id: string, key: string): void {
		this.keysByBrief.set(id, key);
	}

	/** Gives those in results/. */
	get inResults(): readonly Brief[] {
		return [...this.briefsInResults.values()];
	}

	isInResults(id: string): boolean {
		return this.briefsInResults.has(id);
	}

	/** A brief from the service, or the one in results/ if the service does not know it any more. */
	async orKept(got: Promise<Brief>, id: string): Promise<Brief> {
		const outcome = await outcomeOf(got);
		if ('value' in outcome) return outcome.value;
		const { kind } = outcome.error;
		const brief = this.briefsInResults.get(id);
		if (brief === undefined || (kind !== 'not_found' && kind !== 'invalid_input'))
			throw outcome.error;
		return brief;
	}
}

function isFinished(brief: Brief): boolean {
	return brief.status !== 'failed' && brief.markdown !== null && isWhole(brief);
}
