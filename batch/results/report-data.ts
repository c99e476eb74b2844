import type { Disk } from '../disk';
import type { BriefRecord, Records, RunEnded } from '../journal/records';
import { readResults, type ReportRow } from './results-reader';
import type { RowStatus } from './results';

/** The statuses of rows that need a person or more allowance, the most urgent first. */
export const ATTENTION = ['parked', 'changed', 'failed', 'invalid', 'deferred'] as const;
export type AttentionStatus = (typeof ATTENTION)[number];

/** A CSV may have a million invalid rows. results.csv lists all of them. */
export const MAX_LISTED = 200;

export interface AttentionRow {
	number: number;
	product: string;
	what: string;
	/** The brief in the vendor's app, where there is one. */
	url: string | null;
}

/** What the report says about a batch. Its size does not grow with the CSV. */
export interface ReportData {
	batch: string | null;
	baseUrl: string | null;
	lastRun: RunEnded | null;
	/** How many rows of the CSV have each status. */
	counts: Record<RowStatus, number>;
	/** At most MAX_LISTED rows of each status. */
	attention: Record<AttentionStatus, AttentionRow[]>;
	/** Where the rows come from. The journal knows only those that were tried. */
	source: 'results.csv' | 'journal';
	/** How many finished briefs are not in results.csv, because it is older or of another CSV. */
	unlisted: number;
	/** Every row and generation that was tried, oldest first. */
	tried: BriefRecord[];
	/** The briefs to read, in the order of the CSV. */
	briefs: BriefRecord[];
}

export async function gatherReportData(
	disk: Disk,
	outDir: string,
	records: Records,
): Promise<ReportData> {
	const tried = records.all();
	const newest = tried.filter((record) => records.of(record.row, record.ordinal) === record);
	const briefs = newest
		.filter(({ status, file }) => status === 'ready' && file !== null)
		.sort((a, b) => a.row_number - b.row_number || a.ordinal - b.ordinal);
	const { batch, baseUrl, lastRun } = records;
	const data = { batch, baseUrl, lastRun, tried, briefs };

	const tally = await tallyResults(disk, outDir, newest);
	return tally === null
		? { ...data, ...tallyJournal(newest, lastRun), source: 'journal', unlisted: 0 }
		: { ...data, ...tally, source: 'results.csv' };
}

type Tally = Pick<ReportData, 'counts' | 'attention'>;

function emptyTally(): Tally {
	return {
		counts: { ready: 0, failed: 0, invalid: 0, deferred: 0, parked: 0, changed: 0, pending: 0 },
		attention: { parked: [], changed: [], failed: [], invalid: [], deferred: [] },
	};
}

async function tallyResults(
	disk: Disk,
	outDir: string,
	newest: BriefRecord[],
): Promise<(Tally & Pick<ReportData, 'unlisted'>) | null> {
	const rows = await readResults(disk, outDir);
	if (rows === null) return null;
	const byId = new Map(newest.map((record) => [record.brief_id, record]));
	const unlisted = new Set(newest.filter(({ status }) => status !== null).map(({ key }) => key));
	const tally = emptyTally();
	try {
		for await (const row of rows) {
			const record = row.brief_id === '' ? undefined : byId.get(row.brief_id);
			if (record !== undefined) unlisted.delete(record.key);
			add(tally, row.status, () => ({
				number: row.number,
				product: record?.product_name ?? row.product,
				what: whatOf(row),
				url: row.url,
			}));
		}
	} catch (error) {
		// Another program saved half a file, or a cell with half its quotation marks. The journal knows what was paid for.
		if ((error as { code?: string }).code?.startsWith('CSV_') === true) return null;
		throw error;
	}
	const withBrief = newest.filter(({ key, brief_id }) => brief_id !== null && unlisted.has(key));
	return { ...tally, unlisted: withBrief.length };
}

function tallyJournal(newest: BriefRecord[], lastRun: RunEnded | null): Tally {
	const tally = emptyTally();
	for (const record of newest) {
		const { row_number, product_name, url } = record;
		add(tally, statusOf(record), () => ({
			...{ number: row_number, product: product_name, url },
			what: whatOf({ error: record.error ?? '', error_code: record.error_code ?? '' }),
		}));
	}
	tally.counts.invalid = lastRun?.counts.invalid ?? 0;
	tally.counts.changed = lastRun?.counts.changed ?? 0;
	tally.counts.deferred = lastRun?.counts.deferred ?? 0;
	return tally;
}

function add({ counts, attention }: Tally, status: RowStatus, row: () => AttentionRow): void {
	counts[status] += 1;
	if (status === 'ready' || status === 'pending') return;
	if (attention[status].length < MAX_LISTED) attention[status].push(row());
}

function statusOf({ state, status }: BriefRecord): RowStatus {
	if (state === 'parked') return 'parked';
	return state === 'done' && status !== null ? status : 'pending';
}

function whatOf({ error, error_code }: Pick<ReportRow, 'error' | 'error_code'>): string {
	if (error !== '') return error;
	return error_code === '' ? '' : `The service could not write this brief (${error_code}).`;
}
