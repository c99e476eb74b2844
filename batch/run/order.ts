import { createBrief } from '../../service/create';
import { ServiceError } from '../../service/errors';
import { explain } from '../../service/explain';
import { monthTurnWait } from '../../service/month';
import type { Brief, BriefInput } from '../../service/resources';
import type { Order, RunTools } from './tools';

/** What came of ordering a brief. */
export type Ordered =
	| { brief: Brief }
	/** Nothing was ordered, for nothing more may be. */
	| { end: 'allowance' | 'max' }
	/** The service refused this row for good. */
	| { refused: ServiceError }
	/** The service refuses this row, but an earlier try stayed without an answer: a person must look. */
	| { doubtful: ServiceError }
	/** Whether the brief exists is open: the order was sent, and no usable answer came. */
	| { unanswered: ServiceError }
	/** Nothing came of it, and others would fare the same. */
	| { stop: ServiceError };

/** Tries within this time count as one: the list is believed to lag behind by far more. */
const SAME_TRY_MS = 60_000;

class OrderingEnded extends Error {
	constructor(readonly end: 'allowance' | 'max') {
		super(end);
	}
}

/**
 * Orders the brief of one row: a slot, the allowance, the intent on record, the create. What the service answers is
 * on record before anything else is done with it.
 * @param lookFirst called with the slot in hand before an order is sent again that may have been placed: the wait for
 *   the slot, a rate limit or a computer that slept may have made its key older than the service remembers
 * @throws what the disk, the journal, the abort of `tools.ordering` and `lookFirst` throw
 */
export async function orderBrief(
	order: Order,
	input: BriefInput,
	tools: RunTools,
	lookFirst: () => Promise<void>,
): Promise<Ordered> {
	const { service, poller, clock, journal, budget, interval, ordering, emit } = tools;
	const end = budget.end(service.now());
	if (end !== null) return { end };
	const recordOf = () => journal.records.of(order.row, order.ordinal);
	let wasOpen = recordOf()?.state === 'in_doubt';
	let reserved: ReturnType<typeof budget.reserve> | undefined;
	let isTold = false;

	const reserve = () => {
		reserved?.free();
		reserved = undefined;
		const end = budget.end(service.now());
		if (end !== null) throw new OrderingEnded(end);
		reserved = budget.reserve();
	};
	const recordTry = async () => {
		const record = recordOf();
		const isSame =
			record?.state === 'in_doubt' &&
			Math.abs(clock.now() - Date.parse(record.last_tried)) < SAME_TRY_MS;
		if (isSame) return;
		const service_time = new Date(service.now()).toISOString();
		await journal.append({ type: 'intent', ...order, service_time });
	};
	const beforeSend = async (inDoubt: boolean) => {
		for (let wait; (wait = monthTurnWait(service.now())) > 0;) await clock.sleep(wait, ordering);
		ordering.throwIfAborted();
		for (let isOld = true; isOld;) {
			await lookFirst();
			// It may have turned out that nothing came of it.
			wasOpen &&= recordOf()?.state === 'in_doubt';
			// What may be paid for already is only asked for again, and counts as it did.
			if (reserved === undefined || !(inDoubt || wasOpen)) reserve();
			const decidedAt = clock.now();
			await recordTry();
			// A computer that slept over the record must decide anew.
			isOld = clock.now() - decidedAt > interval.shortest;
		}
		if (!isTold) emit({ event: 'brief_ordered', row: order.row_number, ...pick(order) });
		isTold = true;
	};

	try {
		const brief = await createBrief(
			{ service, poller, clock, interval },
			{ input, key: order.key },
			{ signal: ordering, inDoubt: wasOpen, beforeSend },
		);
		reserved?.spent(brief.id);
		await recordAccepted(order, brief.id, false, tools);
		return { brief };
	} catch (error) {
		if (error instanceof OrderingEnded) {
			// Nothing came of the tries before, and the next run need not look for it.
			if (recordOf()?.state === 'in_doubt' && !wasOpen) {
				const why = 'Nothing more may be ordered.';
				await journal.append({ type: 'withdrawn', key: order.key, why });
			}
			return { end: error.end };
		}
		if (!(error instanceof ServiceError)) throw error;
		const ordered = await recordFailure(order, error, wasOpen, tools);
		// Its brief may have been paid for, and counts until that is known.
		if ('unanswered' in ordered) reserved = undefined;
		return ordered;
	} finally {
		reserved?.free();
	}
}

/** Puts on record that a brief belongs to a row, `found` in the list or told by the service. */
export async function recordAccepted(
	order: Order,
	briefId: string,
	found: boolean,
	{ journal }: RunTools,
): Promise<void> {
	await journal.append({ type: 'accepted', key: order.key, brief_id: briefId, found });
}

async function recordFailure(
	order: Order,
	error: ServiceError,
	wasOpen: boolean,
	tools: RunTools,
): Promise<Ordered> {
	const { journal, service } = tools;
	// It was the look for a free slot that failed: nothing was sent.
	if (error.operation !== 'create_brief') return { stop: error };
	const { what } = explain(error, service.now());
	// What refuses this try says nothing about an earlier one that stayed without an answer.
	const inDoubt = wasOpen || error.inDoubt === true;
	const withdraw = async () => {
		if (!inDoubt) await journal.append({ type: 'withdrawn', key: order.key, why: what });
	};
	switch (error.kind) {
		case 'invalid_input': {
			if (inDoubt) return { doubtful: error };
			const { kind, code } = error;
			await journal.append({ type: 'refused', key: order.key, kind, code, why: what });
			return { refused: error };
		}
		case 'allowance_used_up':
			tools.budget.usedUp(service.now());
			await withdraw();
			return { end: 'allowance' };
		case 'key_refused':
		case 'scope_missing':
		case 'licence_missing':
		case 'not_found':
		case 'rate_limited':
		case 'slots_busy':
			await withdraw();
			return { stop: error };
		case 'service_unavailable':
		case 'unreadable_answer':
			await withdraw();
			return inDoubt ? { unanswered: error } : { stop: error };
		case 'in_doubt':
		case 'conflict':
			return { unanswered: error };
	}
}

function pick({ product_name, key }: Order) {
	return { product_name, key };
}
