import { ServiceError } from '../../service/api/errors';
import { isRunning, type BriefSummary } from '../../service/api/resources';
import { createdByOurClock } from '../../service/api/service-time';
import type { BriefEvent, OrderEvent, OrderState } from '../../service/order/life';
import { isOfOtherProduct } from '../../service/order/likeness';
import type { BriefKeeper, OrderListener } from '../../service/order/shell';
import { WaitTimeout } from '../../service/watch/wait';
import { fetchKnown } from '../../service/watch/whole-brief';
import type { ParkCause } from '../folder/journal/causes';
import { orderName, type Try } from '../plan/try';
import { briefOrCause, collectBrief, fetchingOf, productOfBrief } from './brief';
import type { OrderContext } from './order-context';
import { acceptanceOf } from './order-state';
import { lateCause } from './park';

/** The brief of a row's order, from when it exists until it is in its files. */
export class RowBrief implements BriefKeeper, OrderListener {
	/** As last seen, and since when it is being written, by this machine's clock. */
	private lastSeen: BriefSummary | null = null;
	private since = 0;
	/** The time of its acceptance in this run, by this machine's clock: its duration counts from then. */
	private acceptedAt: number | null = null;

	constructor(
		private readonly order: Try,
		private readonly run: OrderContext,
	) {}

	hear(event: OrderEvent, state: OrderState): void {
		if (event.type !== 'accepted') return;
		this.lastSeen = event.brief;
		this.since = this.run.clock.now();
		this.acceptedAt = acceptanceOf(event, state).isNew ? this.since : null;
	}

	/** Says whether it has run for longer than a brief may. */
	get isOverdue(): boolean {
		const { lastSeen, since, run } = this;
		return lastSeen !== null && isRunning(lastSeen) && run.clock.now() > since + run.timeout;
	}

	async get(): Promise<BriefEvent> {
		const { order, run } = this;
		const { service, workspace, clock } = run;
		const record = run.journal.records.withKey(order.key);
		if (record === undefined) throw new Error('A brief that is not on record cannot be got');
		const id = record.brief_id ?? '';
		const wasParked = record.stage === 'parked';
		// A brief that an earlier run did not find is rarely there now, and must not delay the others for long.
		const fetched = fetchKnown(id, fetchingOf(record, run), wasParked ? 2 : undefined);
		const result = await briefOrCause(id, fetched, run);
		// That it cannot be had is no news if an earlier run parked it.
		if ('cause' in result) return wasParked ? { type: 'parked' } : this.putAside(result.cause);
		const brief = (this.lastSeen = result.brief);
		workspace.addOwn(brief, service.now());
		const createdAt = createdByOurClock(brief, service, clock);
		this.since = createdAt ?? Date.parse(record.accepted_at ?? record.first_tried);
		if (isRunning(brief) && !(wasParked && this.isOverdue)) {
			const { status } = brief;
			run.emit({
				event: 'brief_accepted',
				...orderName(order),
				brief_id: brief.id,
				status,
				found: true,
			});
		}
		return { type: 'seen' };
	}

	async watch(): Promise<BriefEvent> {
		const { lastSeen, since, order, run } = this;
		if (lastSeen === null) throw new Error('A brief that was never seen cannot be watched');
		const { id } = lastSeen;
		const product = productOfBrief(order, run.journal);
		const end = run.poller.waitForEnd(lastSeen, {
			since,
			deadline: since + run.timeout,
			signal: run.ordering.waitSignal,
			onStatus: ({ status }) =>
				run.emit({ event: 'brief_status', ...orderName(order), brief_id: id, status }),
			isItself: (brief) => !isOfOtherProduct(brief, product),
		});
		try {
			this.lastSeen = await end;
			return { type: 'ended' };
		} catch (error) {
			if (error instanceof WaitTimeout) return this.putAside(lateCause(error, run.timeout));
			if (error instanceof ServiceError && error.kind === 'not_found')
				return this.putAside({ reason: 'unknown_brief' });
			throw error;
		}
	}

	async file(): Promise<BriefEvent> {
		const { acceptedAt, order, run, lastSeen } = this;
		const took = acceptedAt === null ? null : Math.round(run.clock.now() - acceptedAt);
		const cause = await collectBrief(order, lastSeen?.id ?? '', took, run);
		return cause === null ? { type: 'filed' } : this.putAside(cause);
	}

	/** Puts on record why it cannot be had now. */
	private async putAside(cause: ParkCause): Promise<BriefEvent> {
		await this.run.journal.append({ type: 'parked', key: this.order.key, cause });
		return { type: 'parked' };
	}
}
