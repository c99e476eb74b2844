import { READ_TRIES } from '../../../service/assumptions';
import { explain } from '../../../service/explain';
import type { OrderDependencies } from '../../../service/order/facts';
import { fitting } from '../../../service/order/likeness';
import { outcomeOf } from '../../../service/outcome';
import type { Brief, BriefInput } from '../../../service/resources';
import { withRetries } from '../../../service/retry';
import { fetchEnded, isWhole, type Fetching } from '../../../service/whole-brief';
import { briefFileName, writeBrief } from '../../results/brief-files';
import { orKept, type Kept } from '../../results/kept-briefs';
import { notWritten } from '../../results/row-result';
import type { Run } from '../prepare';
import { named, type RowOrder } from '../../plan/row-order';
import { forLater, parkOrder, unknownTo, type ParkCause } from './park';

/** What is needed to fetch a brief and to put it on record. A run has more. */
export interface Collecting extends Pick<Run, 'store' | 'emit'> {
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
	const { store, emit } = run;
	const { journal, disk, outDir } = store;
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
export async function believed(
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
	const product = productOf(order, run);
	const ask = async (id: string) => fitting(await service.brief(id, signal), product);
	const get = (id: string) =>
		orKept(
			withRetries(() => ask(id), retrying),
			run.kept?.briefs.get(id),
		);
	return { get, clock, interval, signal };
}

/** What the brief of a row is of: the row's product, unless a person gave it the brief of another one. */
export function productOf(
	{ row, ordinal, product_name }: RowOrder,
	{ store }: Pick<Collecting, 'store'>,
): Pick<BriefInput, 'product_name'> {
	return { product_name: store.journal.records.of(row, ordinal)?.brief_of ?? product_name };
}
