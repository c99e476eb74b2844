import { CLOCK_DIFFERENCE_MS, LIST_LAG_MS } from '../../service/assumptions';
import { isInTime } from '../../service/order/times';
import { isOfProduct } from '../../service/order/likeness';
import { isRunning, type BriefSummary } from '../../service/api/resources';
import { instantOf } from '../../service/api/timestamps';
import { adoptCommand, commandFor } from '../command-text';
import type { Disk } from '../folder/disk';
import type { BriefRecord, Records } from '../folder/journal/records';
import { onServiceClock, triesOf, type Clocks } from '../order/order-state';
import { changedFiles } from './changed-files';

/** A thing in which journal, files and service do not agree. */
interface Mismatch {
	what: string;
	cure: string;
	/**
	 * The work of --repair: to fetch a brief that is not on record, to write the files of one that is, or to give a parked
	 * order the only brief that can be its own.
	 */
	repair: 'fetch' | 'files' | { adopt: BriefSummary } | null;
}

/** The same, of an order. */
export interface Difference extends Mismatch {
	/** The row of the CSV when it was ordered. */
	row: number;
	product_name: string;
	key: string;
}

const RUN_AGAIN = 'Run the same command again: brief-batch run.';
const FETCHED =
	'It is paid for: brief-batch audit with --repair fetches it, and so does the next brief-batch run.';
const WRITTEN_AGAIN =
	'brief-batch audit with --repair writes it as the service has it, and keeps the changed one beside it.';

interface AuditEnvironment extends Clocks {
	disk: Disk;
	outDir: string;
	/** True if a run is at work on the folder: what it has not done yet is no difference. */
	isBusy?: boolean;
}

/**
 * Compares the journal with what the service lists and with the files.
 * @param listed all briefs of the workspace. They may be read a little later than the journal.
 */
export async function findDifferences(
	records: Records,
	listed: readonly BriefSummary[],
	env: AuditEnvironment,
): Promise<Difference[]> {
	const byId = new Map(listed.map((brief) => [brief.id, brief]));
	const differences: Difference[] = [];
	for (const record of records.all()) {
		const brief = record.brief_id === null ? undefined : byId.get(record.brief_id);
		const isParked = record.state === 'parked' && record.brief_id === null;
		const found = isParked
			? parkedWithoutBrief(record, records, listed, env)
			: (withService(record, brief, env) ?? (await withFiles(record, env)));
		if (found === null) continue;
		const { row_number: row, product_name, key } = record;
		differences.push({ row, product_name, key, ...found });
	}
	return differences;
}

function withService(
	record: BriefRecord,
	brief: BriefSummary | undefined,
	env: AuditEnvironment,
): Mismatch | null {
	const { state, brief_id: id, status } = record;
	if (state === 'withdrawn' || (state === 'done' && id === null)) return null;
	if (state === 'in_doubt') {
		const what = `has no answer on record to its order of ${record.first_tried}`;
		return env.isBusy === true ? null : { what, cure: RUN_AGAIN, repair: null };
	}
	if (brief === undefined) {
		if (isYoung(record, env)) return null;
		const cure =
			'Check that the API key belongs to the same workspace; else ask the vendor’s support.';
		return { what: `has brief ${id}, which the service does not list`, cure, repair: null };
	}
	if (state === 'done') {
		// The list may lag behind the get that showed the end.
		if (brief.status === status || (isRunning(brief) && isYoung(record, env))) return null;
		const cure = 'Look at it in the vendor’s web app.';
		const what = `is ${String(status)} in the journal, and ${brief.status} in the service`;
		return { what, cure, repair: null };
	}
	if (isRunning(brief) || env.isBusy === true) return null;
	const what = `has brief ${id}, which is ${brief.status}, and not fetched`;
	return { what, cure: FETCHED, repair: 'fetch' };
}

function parkedWithoutBrief(
	record: BriefRecord,
	records: Records,
	listed: readonly BriefSummary[],
	env: AuditEnvironment,
): Mismatch {
	const { row_number: row, unsent } = record;
	const adopt = (briefId?: string) => adoptCommand(row, briefId, records, env.outDir);
	const look = 'Look at the briefs of this product in the vendor’s web app.';
	if (unsent === true) {
		const orderAgain = commandFor('run', records, env.outDir, '--order-again', String(row));
		const cure = `${look} If one is the row’s: ${adopt()}. If none is: ${orderAgain}`;
		return { what: 'is parked: it may have been ordered before', cure, repair: null };
	}
	const brief = onlyBriefFor(record, records, listed, env);
	if (brief !== null) {
		const what = `is parked, and brief ${brief.id} is the only one of its product from the time of its order`;
		const audit = commandFor('audit', records, env.outDir, '--repair');
		const cure = `Either of these takes it and costs nothing: ${audit} or ${adopt(brief.id)}`;
		return { what, cure, repair: { adopt: brief } };
	}
	const retry = commandFor('retry', records, env.outDir);
	const cure = `${look} If one is the row’s: ${adopt()}. If none is: ${retry}`;
	return { what: 'is parked: its brief may or may not exist', cure, repair: null };
}

/** Finds the brief of a parked order, if only one can be its own and no other order can have made it. */
function onlyBriefFor(
	record: BriefRecord,
	records: Records,
	listed: readonly BriefSummary[],
	clocks: Clocks,
): BriefSummary | null {
	const canBeOf = (order: BriefRecord, brief: BriefSummary) => {
		const created = instantOf(brief.created_at);
		if (created === null || records.owns(brief.id) || !isOfProduct(brief, order)) return false;
		return isInTime(triesOf(order, clocks), created);
	};
	const [brief, ...more] = listed.filter((one) => canBeOf(record, one));
	if (brief === undefined || more.length > 0) return null;
	const others = records
		.all()
		.filter(
			({ state, brief_id }) => state === 'in_doubt' || (state === 'parked' && brief_id === null),
		)
		.filter((other) => other !== record && other.unsent !== true);
	return others.some((other) => canBeOf(other, brief)) ? null : brief;
}

/** Says whether it was ordered or has ended so lately that the list may not show it yet. */
function isYoung(record: BriefRecord, clocks: Clocks): boolean {
	const { ended_at } = record;
	const { lastTried } = triesOf(record, clocks);
	const tried = lastTried.service;
	const ended = ended_at === null ? tried : onServiceClock(ended_at, undefined, clocks);
	return clocks.service.now() - Math.max(tried, ended) < LIST_LAG_MS;
}

async function withFiles(
	record: BriefRecord,
	{ disk, outDir }: AuditEnvironment,
): Promise<Mismatch | null> {
	const { status, file, sha256, brief_id } = record;
	if (status !== 'ready' || file === null) return null;
	const { gone, changed } = await changedFiles(disk, outDir, { file, sha256, brief_id });
	const [first] = [...gone, ...changed];
	if (first === undefined) return null;
	return gone.length > 0
		? { what: `is ready, but ${first} is gone`, cure: FETCHED, repair: 'files' }
		: {
				what: `has ${first}, which was changed since it was written`,
				cure: WRITTEN_AGAIN,
				repair: 'files',
			};
}

/**
 * Finds briefs of the same products that the journal does not know. They are shown and are no difference: others in the
 * workspace order too, and a run at work may have ordered one a moment ago.
 */
export function briefsOfOthers(
	records: Records,
	listed: readonly BriefSummary[],
	clocks: Clocks,
): BriefSummary[] {
	const [first, ...more] = records.all();
	if (first === undefined) return [];
	const names = new Set([first, ...more].map(({ product_name }) => product_name));
	// A brief from before the first order of a journal is certainly not of that journal.
	const began = triesOf(first, clocks).firstTried.service - CLOCK_DIFFERENCE_MS;
	return listed.filter(
		({ id, product_name, created_at }) =>
			!records.owns(id) &&
			names.has(product_name.trim()) &&
			(instantOf(created_at) ?? Infinity) >= began,
	);
}
