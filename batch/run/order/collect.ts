import { READ_TRIES } from '../../../service/assumptions';
import { ServiceError } from '../../../service/errors';
import { explain } from '../../../service/explain';
import { fitting } from '../../../service/order/likeness';
import { isOfOtherProduct } from '../../../service/order/product';
import { outcomeOf } from '../../../service/outcome';
import { WaitTimeout } from '../../../service/watch/wait';
import type { Brief, BriefInput, BriefSummary } from '../../../service/resources';
import { withRetries } from '../../../service/retry';
import { fetchEnded, fetchKnown, isWhole, type Fetching } from '../../../service/whole-brief';
import { count } from '../../text';
import type { BriefRecord } from '../../journal/records';
import { briefFileName, writeBrief } from '../../results/brief-files';
import type { Dependencies } from '../dependencies';
import { forLater, forPerson, type ParkCause } from './park-text';
import { parkedMark } from '../marks';
import { named, type RowOrder } from '../../plan/row-order';

/** What is needed to fetch a brief and to put it on record. A run has more. */
export type Collecting = Pick<
	Dependencies,
	'journal' | 'disk' | 'outDir' | 'emit' | 'service' | 'clock' | 'interval' | 'waiting'
> & { workspace: Pick<Dependencies['workspace'], 'forget'> };

/**
 * Waits until the brief of a row has ended.
 * @param since when it was accepted, by this machine's clock in milliseconds
 * @returns the brief, or null where it was parked, because it ran for too long or cannot be found
 */
export async function watchBrief(
	order: RowOrder,
	brief: BriefSummary,
	since: number,
	tools: Dependencies,
): Promise<BriefSummary | null> {
	const { poller, emit, waiting } = tools;
	const onStatus = ({ status }: BriefSummary) => {
		emit({ event: 'brief_status', ...named(order), brief_id: brief.id, status });
	};
	try {
		const deadline = since + tools.timeout;
		const isItself = (seen: BriefSummary) => !isOfOtherProduct(seen, productOf(order, tools));
		const until = { since, deadline, signal: waiting, onStatus, isItself };
		return await poller.ended(brief, until);
	} catch (error) {
		if (error instanceof WaitTimeout) {
			const minutes = (ms: number) => count(Math.round(ms / 60_000), 'minute');
			const status = error.brief?.status ?? 'running';
			const what =
				error.unseenFor === 0
					? `The brief was still ${status} after ${minutes(tools.timeout)}.`
					: `The brief could not be looked at for ${minutes(error.unseenFor)}; before that it was ${status}.`;
			const cause = forLater(
				`${what} It is paid for, and the next brief-batch run fetches it. If it never ends, ask the vendor’s support about brief ${brief.id}.`,
			);
			return park(order, brief.id, cause, tools);
		}
		if (error instanceof ServiceError && error.kind === 'not_found') {
			return park(order, brief.id, unknownTo(brief.id), tools);
		}
		throw error;
	}
}

/**
 * Fetches a brief that has ended and puts it into its files, each step on record. May be repeated at any point: the
 * same brief gives the same files.
 */
export async function collectBrief(
	order: RowOrder,
	briefId: string,
	took: number | null,
	tools: Collecting,
): Promise<void> {
	const { journal, disk, outDir, emit } = tools;
	const found = await believed(briefId, fetchEnded(briefId, fetchingOf(order, tools)), tools);
	if ('cause' in found) {
		await park(order, briefId, found.cause, tools);
		return;
	}
	const { brief } = found;
	const isWithoutText = brief.status !== 'failed' && brief.markdown === null;
	if (!isWhole(brief) || isWithoutText) {
		const cause = forLater(
			`The service calls brief ${briefId} ${brief.status}, but gives no text for it. It is paid for, and the next brief-batch run asks for it again.`,
		);
		await park(order, briefId, cause, tools);
		return;
	}
	const { title, url, error_code, created_at, finished_at } = brief;
	const facts = { title, url, error_code, created_at, finished_at, took_ms: took };
	const status = brief.status === 'failed' ? 'failed' : 'ready';
	await journal.append({ type: 'ended', key: order.key, status, ...facts });
	if (status === 'failed') {
		const code = error_code ?? 'no reason given';
		const error = `The service could not write this brief (${code}).`;
		emit({ event: 'row_failed', ...named(order), brief_id: briefId, error_code: code, error });
		return;
	}
	const isTaken = (name: string) => journal.records.isNameTaken(name, order.key);
	const name = briefFileName(brief, isTaken);
	const { sha256 } = await writeBrief(disk, outDir, name, brief);
	await journal.append({ type: 'written', key: order.key, file: name, sha256 });
	emit({
		event: 'brief_ready',
		...named(order),
		brief_id: briefId,
		file: `results/${name}.md`,
		took_ms: took,
	});
}

/** Gets a brief whose ID an earlier run has put on record. Null where it cannot be found: then its row is parked. */
export async function findKnown(record: BriefRecord, tools: Collecting): Promise<Brief | null> {
	const id = record.brief_id ?? '';
	// A brief that an earlier run did not find is hardly there now, and must not hold up the others for long.
	const gets = record.state === 'parked' ? 2 : undefined;
	const found = await believed(id, fetchKnown(id, fetchingOf(record, tools), gets), tools);
	if ('brief' in found) return found.brief;
	if (record.state !== 'parked') await park(record, id, found.cause, tools);
	return null;
}

/** The brief, or why its row is put aside: the service does not know it, or goes on giving another one. */
async function believed(
	id: string,
	fetched: Promise<Brief | null>,
	{ workspace, service }: Collecting,
): Promise<{ brief: Brief } | { cause: ParkCause }> {
	const outcome = await outcomeOf(fetched);
	if ('error' in outcome) {
		if (outcome.error.brief === undefined) throw outcome.error;
		const { what, cure } = explain(outcome.error, service.now());
		return { cause: forLater(`${what} ${cure}`) };
	}
	if (outcome.value !== null) return { brief: outcome.value };
	workspace.forget(id);
	return { cause: unknownTo(id) };
}

/** Gets the brief of a row. One of another product is no answer, and is asked for again. */
export function fetchingOf(order: RowOrder, tools: Collecting): Fetching {
	const { service, clock, interval, waiting: signal } = tools;
	const retrying = { clock, interval, limits: READ_TRIES, signal };
	const product = productOf(order, tools);
	const ask = async (id: string) => fitting(await service.brief(id, signal), product);
	const get = (id: string) => withRetries(() => ask(id), retrying);
	return { get, clock, interval, signal };
}

/** What the brief of a row is of: the row's product, unless a person gave it the brief of another one. */
function productOf(
	{ row, ordinal, product_name }: RowOrder,
	{ journal }: Pick<Collecting, 'journal'>,
): Pick<BriefInput, 'product_name'> {
	return { product_name: journal.records.of(row, ordinal)?.brief_of ?? product_name };
}

function unknownTo(id: string): ParkCause {
	return forPerson(
		`The service accepted brief ${id} but does not know it any more. Ask the vendor’s support about it; brief-batch run looks for it again each time.`,
	);
}

/**
 * Puts a row aside.
 * @param isUnsent it was never sent, so that the journal does not know it yet
 */
export async function park(
	order: RowOrder,
	briefId: string | null,
	{ why, needs, answered_with }: ParkCause,
	{ journal, emit }: Pick<Dependencies, 'journal' | 'emit'>,
	{ isUnsent = false } = {},
): Promise<null> {
	const isKnown = journal.records.reported.has(parkedMark(order.key, why));
	await journal.append(
		isUnsent
			? { type: 'parked_unsent', ...order, why }
			: { type: 'parked', key: order.key, why, needs, ...(answered_with && { answered_with }) },
	);
	const known = isKnown ? { known: true as const } : {};
	emit({ event: 'row_parked', ...named(order), brief_id: briefId, error: why, ...known });
	return null;
}
