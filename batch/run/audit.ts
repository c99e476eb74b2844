import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CLOCK_DIFFERENCE_MS } from '../../service/assumptions';
import { isRunning, type BriefSummary } from '../../service/resources';
import { instantOf } from '../../service/timestamps';
import type { Disk } from '../disk';
import type { BriefRecord, Records } from '../journal/records';
import { onServiceClock, type Clocks } from './order-state';

/** One thing in which journal, files and service do not agree. */
export interface Difference {
	/** Row of the CSV when it was ordered; null where it belongs to none. */
	row: number | null;
	product_name: string;
	what: string;
	cure: string;
}

const RUN_AGAIN = 'Run the same command again: brief-batch run.';
const FETCHED_AGAIN = 'The next brief-batch run fetches it again; it is paid for.';

export interface AuditEnvironment extends Clocks {
	disk: Disk;
	outDir: string;
}

/**
 * Compares the journal with what the service lists and with the files.
 * @param listed all briefs of the workspace
 */
export async function findDifferences(
	records: Records,
	listed: readonly BriefSummary[],
	{ disk, outDir, ...clocks }: AuditEnvironment,
): Promise<Difference[]> {
	const byId = new Map(listed.map((brief) => [brief.id, brief]));
	const differences: Difference[] = [];
	for (const record of records.all()) {
		const found =
			withService(record, record.brief_id === null ? undefined : byId.get(record.brief_id)) ??
			(await withFiles(record, disk, outDir));
		if (found !== null) {
			differences.push({ row: record.row_number, product_name: record.product_name, ...found });
		}
	}
	return [...differences, ...unknownBriefs(records, listed, clocks)];
}

type Mismatch = Pick<Difference, 'what' | 'cure'>;

function withService(record: BriefRecord, brief: BriefSummary | undefined): Mismatch | null {
	const { state, brief_id: id, status } = record;
	if (state === 'withdrawn' || (state === 'done' && id === null)) return null;
	if (state === 'in_doubt') {
		return {
			what: `was ordered at ${record.first_tried}, and no answer is on record`,
			cure: RUN_AGAIN,
		};
	}
	if (record.unsent === true && id === null) {
		const cure =
			'Look at the briefs of this product in the vendor’s web app; to order it all the same: brief-batch run with --order-again.';
		return { what: 'is parked: it may have been ordered before', cure };
	}
	if (id === null) {
		const cure = 'Look for it in the vendor’s web app; if there is none: brief-batch retry.';
		return { what: 'is parked: nobody knows whether its brief exists', cure };
	}
	if (brief === undefined) {
		const cure =
			'Check that the API key belongs to the same workspace; else ask the vendor’s support.';
		return { what: `has brief ${id}, which the service does not list`, cure };
	}
	if (state === 'done') {
		if (brief.status === status) return null;
		const cure = 'Look at it in the vendor’s web app.';
		return {
			what: `is ${String(status)} in the journal, and ${brief.status} in the service`,
			cure,
		};
	}
	const now = isRunning(brief) ? `is still ${brief.status}` : `is ${brief.status}, and not fetched`;
	return { what: `has brief ${id}, which ${now}`, cure: RUN_AGAIN };
}

async function withFiles(
	record: BriefRecord,
	disk: Disk,
	outDir: string,
): Promise<Mismatch | null> {
	if (record.status !== 'ready' || record.file === null) return null;
	for (const ending of ['md', 'json']) {
		const path = join('results', `${record.file}.${ending}`);
		const bytes = await disk.read(join(outDir, path));
		if (bytes === null) return { what: `is ready, but ${path} is gone`, cure: FETCHED_AGAIN };
		const sum = createHash('sha256').update(bytes).digest('hex');
		if (ending === 'md' && sum !== record.sha256) {
			const cure = `If you did not mean to, delete it. ${FETCHED_AGAIN}`;
			return { what: `has ${path}, which was changed since it was written`, cure };
		}
	}
	return null;
}

/** Briefs of the same products that the journal does not know: ordered by others, or twice. */
function unknownBriefs(
	records: Records,
	listed: readonly BriefSummary[],
	clocks: Clocks,
): Difference[] {
	const all = records.all();
	const known = new Set(all.map(({ brief_id }) => brief_id));
	const names = new Set(all.map(({ product_name }) => product_name));
	return listed
		.filter(({ id, product_name }) => !known.has(id) && names.has(product_name.trim()))
		.filter((brief) => !isOlderThan(all[0], brief, clocks))
		.map(({ id, product_name, created_at }) => ({
			row: null,
			product_name,
			what: `has brief ${id} of ${created_at}, which this journal did not order`,
			cure: 'If nobody else ordered it, tell the vendor’s support: one row may have been paid twice.',
		}));
}

/** What was created before the first order of a journal is certainly not of it. */
function isOlderThan(
	first: BriefRecord | undefined,
	{ created_at }: BriefSummary,
	clocks: Clocks,
): boolean {
	const created = instantOf(created_at);
	if (first === undefined || created === null) return false;
	return (
		created < onServiceClock(first.first_tried, first.service_time, clocks) - CLOCK_DIFFERENCE_MS
	);
}
