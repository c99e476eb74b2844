import { ServiceError } from '../../../service/errors';
import { isOfOtherProduct } from '../../../service/order/product';
import type { BriefKeeper } from '../../../service/order/shell';
import { isRunning, type BriefSummary } from '../../../service/resources';
import { createdByOurClock } from '../../../service/service-time';
import { WaitTimeout } from '../../../service/watch/wait';
import { fetchKnown } from '../../../service/whole-brief';
import type { BriefRecord } from '../../journal/records';
import { count } from '../../text';
import type { Run } from '../prepare';
import { named, type RowOrder } from '../../plan/row-order';
import { believed, collectBrief, fetchingOf, productOf } from './collect';
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
		const product = productOf(order, run);
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
			const cause = causeOf(error, brief.id, run.timeout);
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
		const record = this.run.store.journal.records.of(this.order.row, this.order.ordinal);
		if (record === undefined) throw new Error('A brief that is not on record cannot be got');
		return record;
	}
}

/** Why a watched brief is put aside; null if something else is wrong. */
function causeOf(error: unknown, id: string, timeout: number): ParkCause | null {
	if (error instanceof WaitTimeout) {
		const minutes = (ms: number) => count(Math.round(ms / 60_000), 'minute');
		const status = error.brief?.status ?? 'running';
		const what =
			error.unseenFor === 0
				? `The brief was still ${status} after ${minutes(timeout)}.`
				: `The brief could not be looked at for ${minutes(error.unseenFor)}; before that it was ${status}.`;
		return forLater(
			`${what} It is paid for, and the next brief-batch run fetches it. If it never ends, ask the vendor’s support about brief ${id}.`,
		);
	}
	return error instanceof ServiceError && error.kind === 'not_found' ? unknownTo(id) : null;
}
