import { outcomeOf } from '../../service/api/outcome';
import type { Brief } from '../../service/api/resources';
import { withRetries } from '../../service/api/resend';
import { READ_TRIES } from '../../service/assumptions';
import { expectProduct, type Product } from '../../service/order/likeness';
import { fetchEnded, isWhole, type Fetching } from '../../service/watch/whole-brief';
import { briefFileName, writeBrief } from '../folder/brief-files';
import { answerOf, type ParkCause } from '../folder/journal/causes';
import type { Journal } from '../folder/journal/journal';
import { orderName, type Try } from '../plan/try';
import type { OrderContext } from './order-context';

/**
 * Fetches a brief that has ended and puts it into its files, each step on record. May be repeated at any point: the
 * same brief gives the same files.
 * @returns why it cannot be had now, or null
 */
export async function collectBrief(
	order: Try,
	briefId: string,
	took: number | null,
	run: OrderContext,
): Promise<ParkCause | null> {
	const { journal, disk, outDir, emit } = run;
	const result = await briefOrCause(briefId, fetchEnded(briefId, fetchingOf(order, run)), run);
	if ('cause' in result) return result.cause;
	const { brief } = result;
	const isWithoutText = brief.status !== 'failed' && brief.markdown === null;
	if (!isWhole(brief) || isWithoutText) {
		return { reason: 'without_text', status: brief.status };
	}
	const { title, url, error_code, created_at, finished_at } = brief;
	const facts = { title, url, error_code, created_at, finished_at, took_ms: took };
	const status = brief.status === 'failed' ? 'failed' : 'ready';
	await journal.append({ type: 'ended', key: order.key, status, ...facts });
	if (status === 'failed') {
		const cause = { reason: 'not_written', error_code: error_code ?? 'no reason given' } as const;
		emit({ event: 'row_failed', ...orderName(order), brief_id: briefId, ...cause });
		return null;
	}
	const isTaken = (name: string) => journal.records.isNameTaken(name, order.key);
	const name = briefFileName(brief, isTaken);
	await writeBrief(disk, outDir, name, brief);
	await journal.append({ type: 'written', key: order.key, file: name });
	emit({
		event: 'brief_ready',
		...orderName(order),
		brief_id: briefId,
		title,
		url,
		file: `results/${name}.md`,
		took_ms: took,
	});
	return null;
}

type BriefOrCause = { brief: Brief } | { cause: ParkCause };

/** Gives the brief, or why its row is put aside: the service does not know it, or goes on giving another one. */
export async function briefOrCause(
	id: string,
	fetched: Promise<Brief | null>,
	{ workspace }: OrderContext,
): Promise<BriefOrCause> {
	const outcome = await outcomeOf(fetched);
	if ('error' in outcome) {
		if (outcome.error.brief === undefined) throw outcome.error;
		return { cause: { reason: 'wrong_brief', answer: answerOf(outcome.error) } };
	}
	if (outcome.value !== null) return { brief: outcome.value };
	workspace.forget(id);
	return { cause: { reason: 'unknown_brief' } };
}

/** Gets the brief of a row. One of another product is no answer, and is asked for again. */
export function fetchingOf(order: Try, run: OrderContext): Fetching {
	const { service, clock, owners, journal } = run;
	const signal = run.ordering.waitSignal;
	const retrying = { clock, limits: READ_TRIES, signal };
	const product = productOfBrief(order, journal);
	const ask = async (id: string) => expectProduct(await service.brief(id, signal), product);
	const get = (id: string) =>
		owners.orKept(
			withRetries(() => ask(id), retrying),
			id,
		);
	return { get, clock, signal };
}

/** Gives what the brief of a row is of: the row's product, unless a person gave it the brief of another one. */
export function productOfBrief({ key, product_name }: Try, { records }: Journal): Product {
	return { product_name: records.withKey(key)?.brief_of ?? product_name };
}
