import { READ_TRIES } from '../../service/assumptions';
import { ServiceError } from '../../service/api/errors';
import { explain } from '../../service/api/explain';
import type { OrderDependencies } from '../../service/order/facts';
import { fitting } from '../../service/order/likeness';
import { isOfOtherProduct } from '../../service/order/product';
import type { BriefKeeper } from '../../service/order/shell';
import { outcomeOf } from '../../service/api/outcome';
import {
	isRunning,
	type Brief,
	type BriefInput,
	type BriefSummary,
} from '../../service/api/resources';
import { withRetries } from '../../service/api/retry';
import { createdByOurClock } from '../../service/api/service-time';
import { WaitTimeout } from '../../service/watch/wait';
import { fetchEnded, fetchKnown, isWhole, type Fetching } from '../../service/watch/whole-brief';
import type { BriefRecord } from '../folder/journal/records';
import { named, type RowOrder } from '../plan/row-order';
import { briefFileName, writeBrief } from '../folder/brief-files';
import { notWritten } from '../results/row-result';
import { orKept, type Kept } from '../results/kept-briefs';
import { count } from '../text';
import type { Run } from '../run/prepare';
import { forLater, parkOrder, unknownTo, type ParkCause } from './park';

/** The brief of a row, from when it is known until it is in its files. */
export class RowBrief implements BriefKeeper {
	/** As last seen. */
	private brief: BriefSummary | null = null;
	/** Since when it is being written, by this machine's clock. */
	private since = 0;
	/** When the service accepted it in this run, by this machine's clock: its duration counts from then. */
	private acceptedAt: number | null = null;

	constructor(
		private readonly order: RowOrder,
		private readonly run: Run,
	) {}

	/** @param isFound it was found in the list, so how long it has run is not known */
	accepted(brief: BriefSummary, isFound: boolean): void {
		this.brief = brief;
		this.since = this.run.tools.clock.now();
		this.acceptedAt = isFound ? null : this.since;
	}

	/** Whether it has run for longer than a brief may. */
	isOverdue(): boolean {
		const isAtWork = this.brief !== null && isRunning(this.brief);
		return isAtWork && this.run.tools.clock.now() > this.since + this.run.timeout;
	}

	async get(): Promise<'seen' | 'parked'> {
		const { order, run } = this;
		const { service, workspace, clock } = run.tools;
		const record = this.record();
		const id = record.brief_id ?? '';
		const wasParked = record.state === 'parked';
		// A brief that an earlier run did not find is rarely there now, and must not delay the others for long.
		const fetched = fetchKnown(id, fetchingOf(record, run), wasParked ? 2 : undefined);
		const found = await believed(id, fetched, run);
		if ('cause' in found) {
			if (!wasParked) await parkOrder({ order, briefId: id }, found.cause, run);
			return 'parked';
		}
		const brief = (this.brief = found.brief);
		workspace.adopt(brief, service.now());
		const created = createdByOurClock(brief, service, clock);
		this.since = created ?? Date.parse(record.accepted_at ?? record.first_tried);
		if (isRunning(brief) && !(wasParked && this.isOverdue())) {
			const { status } = brief;
			run.emit({
				event: 'brief_accepted',
				...named(order),
				brief_id: brief.id,
				status,
				found: true,
			});
		}
		return 'seen';
	}

	async watch(): Promise<'ended' | 'parked'> {
		const { brief, since, order, run } = this;
		if (brief === null) throw new Error('A brief that was never seen cannot be watched');
		const product = productOfBrief(order, run);
		try {
			this.brief = await run.tools.poller.ended(brief, {
				since,
				deadline: since + run.timeout,
				signal: run.ordering.waiting,
				onStatus: ({ status }) =>
					run.emit({ event: 'brief_status', ...named(order), brief_id: brief.id, status }),
				isItself: (seen) => !isOfOtherProduct(seen, product),
			});
			return 'ended';
		} catch (error) {
			const cause = causeOfError(error, brief.id, run.timeout);
			if (cause === null) throw error;
			await parkOrder({ order, briefId: brief.id }, cause, run);
			return 'parked';
		}
	}

	async file(): Promise<'filed' | 'parked'> {
		const { acceptedAt, order, run, brief } = this;
		const took = acceptedAt === null ? null : Math.round(run.tools.clock.now() - acceptedAt);
		return await collectBrief(order, brief?.id ?? '', took, run);
	}

	private record(): BriefRecord {
		const record = this.run.journal.records.of(this.order.row, this.order.ordinal);
		if (record === undefined) throw new Error('A brief that is not on record cannot be got');
		return record;
	}
}

/** Why a watched brief is put aside; null if something else is wrong. */
function causeOfError(error: unknown, id: string, timeout: number): ParkCause | null {
	if (error instanceof WaitTimeout) {
		const minutes = (ms: number) => count(Math.round(ms / 60_000), 'minute');
		const status = error.brief?.status ?? 'running';
		const what =
			error.unseenFor === 0
				? `The brief was still ${status} after ${minutes(timeout)}`
				: `The brief could not be looked at for ${minutes(error.unseenFor)}, and was ${status} before that`;
		return forLater(
			`${what}: it is paid for, and the next brief-batch run fetches it. If it never ends, ask the vendor’s support about brief ${id}.`,
		);
	}
	return error instanceof ServiceError && error.kind === 'not_found' ? unknownTo(id) : null;
}

/** What is needed to fetch a brief and to put it on record. A run has more. */
export interface Collecting extends Pick<Run, 'journal' | 'disk' | 'outDir' | 'emit'> {
	tools: Pick<OrderDependencies, 'service' | 'clock' | 'interval'> & {
		workspace: Pick<OrderDependencies['workspace'], 'forget'>;
	};
	ordering: Pick<Run['ordering'], 'waiting'>;
	/** The briefs in results/ that no row of the journal had when the run began. */
	kept?: Pick<Kept, 'briefs'>;
}

/**
 * Fetches a brief that has ended and puts it into its files, each step on record. May be repeated at any point: the
 * same brief gives the same files.
 */
export async function collectBrief(
	order: RowOrder,
	briefId: string,
	took: number | null,
	run: Collecting,
): Promise<'filed' | 'parked'> {
	const { journal, disk, outDir, emit } = run;
	const found = await believed(briefId, fetchEnded(briefId, fetchingOf(order, run)), run);
	if ('cause' in found) return await parkOrder({ order, briefId }, found.cause, run);
	const { brief } = found;
	const isWithoutText = brief.status !== 'failed' && brief.markdown === null;
	if (!isWhole(brief) || isWithoutText) {
		const cause = forLater(
			`The service calls brief ${briefId} ${brief.status}, but gives no text for it. It is paid for, and the next brief-batch run asks for it again.`,
		);
		return await parkOrder({ order, briefId }, cause, run);
	}
	const { title, url, error_code, created_at, finished_at } = brief;
	const facts = { title, url, error_code, created_at, finished_at, took_ms: took };
	const status = brief.status === 'failed' ? 'failed' : 'ready';
	await journal.append({ type: 'ended', key: order.key, status, ...facts });
	if (status === 'failed') {
		const code = error_code ?? 'no reason given';
		const error = notWritten(code);
		emit({ event: 'row_failed', ...named(order), brief_id: briefId, error_code: code, error });
		return 'filed';
	}
	const isTaken = (name: string) => journal.records.isNameTaken(name, order.key);
	const name = briefFileName(brief, isTaken);
	const { sha256 } = await writeBrief(disk, outDir, name, brief);
	await journal.append({ type: 'written', key: order.key, file: name, sha256 });
	emit({
		event: 'brief_ready',
		...named(order),
		brief_id: briefId,
		title,
		url,
		file: `results/${name}.md`,
		took_ms: took,
	});
	return 'filed';
}

type Believed = { brief: Brief } | { cause: ParkCause };

/** The brief, or why its row is put aside: the service does not know it, or goes on giving another one. */
async function believed(
	id: string,
	fetched: Promise<Brief | null>,
	{ tools: { workspace, service } }: Collecting,
): Promise<Believed> {
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
export function fetchingOf(order: RowOrder, run: Collecting): Fetching {
	const { service, clock, interval } = run.tools;
	const signal = run.ordering.waiting;
	const retrying = { clock, interval, limits: READ_TRIES, signal };
	const product = productOfBrief(order, run);
	const ask = async (id: string) => fitting(await service.brief(id, signal), product);
	const get = (id: string) =>
		orKept(
			withRetries(() => ask(id), retrying),
			run.kept?.briefs.get(id),
		);
	return { get, clock, interval, signal };
}

/** What the brief of a row is of: the row's product, unless a person gave it the brief of another one. */
function productOfBrief(
	{ row, ordinal, product_name }: RowOrder,
	{ journal }: Pick<Collecting, 'journal'>,
): Pick<BriefInput, 'product_name'> {
	return { product_name: journal.records.of(row, ordinal)?.brief_of ?? product_name };
}
