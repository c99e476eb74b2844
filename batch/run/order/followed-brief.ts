import type { FollowEvent } from '../../../service/order/shell';
import { isRunning, type BriefSummary } from '../../../service/resources';
import { createdByOurClock } from '../../../service/service-time';
import { collectBrief, findKnown, watchBrief } from './collect';
import type { Dependencies } from '../dependencies';
import { named, type RowOrder } from '../../plan/row-order';

/** The brief of a row, from when it is known until it is in its files. */
export class FollowedBrief {
	/** As last seen. */
	private brief: BriefSummary | null = null;
	/** Since when it is being written, by this machine's clock. */
	private since = 0;
	/** When the service accepted it in this run, by this machine's clock: from then it counts how long it takes. */
	private acceptedAt: number | null = null;

	constructor(
		private readonly order: RowOrder,
		private readonly run: Dependencies,
	) {}

	/** @param isFound it was found in the list, so that nobody knows how long it has been there */
	accepted(brief: BriefSummary, isFound: boolean): void {
		this.brief = brief;
		this.since = this.run.clock.now();
		this.acceptedAt = isFound ? null : this.since;
	}

	async follow(step: 'get' | 'watch' | 'file'): Promise<FollowEvent> {
		switch (step) {
			case 'get':
				return await this.getKnown();
			case 'watch':
				return await this.watch();
			case 'file':
				return await this.file();
		}
	}

	/** Whether it has run for longer than a brief may. */
	isOverdue(): boolean {
		const isAtWork = this.brief !== null && isRunning(this.brief);
		return isAtWork && this.run.clock.now() > this.since + this.run.timeout;
	}

	/** Gets the brief whose ID an earlier run has put on record. */
	private async getKnown(): Promise<FollowEvent> {
		const { service, workspace, clock, emit } = this.run;
		const record = this.recordOf();
		const brief = record === undefined ? null : await findKnown(record, this.run);
		if (record === undefined || brief === null) return { type: 'parked', why: '' };
		workspace.adopt(brief, service.now());
		this.brief = brief;
		const created = createdByOurClock(brief, service, clock);
		this.since = created ?? Date.parse(record.accepted_at ?? record.first_tried);
		const isLeft = record.state === 'parked' && this.isOverdue();
		if (isRunning(brief) && !isLeft) {
			const { id: brief_id, status } = brief;
			emit({ event: 'brief_accepted', ...named(this.order), brief_id, status, found: true });
		}
		return { type: 'seen' };
	}

	private async watch(): Promise<FollowEvent> {
		if (this.brief === null) throw new Error('A brief that was never seen cannot be watched');
		const ended = await watchBrief(this.order, this.brief, this.since, this.run);
		if (ended === null) return { type: 'parked', why: '' };
		this.brief = ended;
		return { type: 'ended' };
	}

	private async file(): Promise<FollowEvent> {
		const { clock } = this.run;
		const took = this.acceptedAt === null ? null : Math.round(clock.now() - this.acceptedAt);
		await collectBrief(this.order, this.brief?.id ?? '', took, this.run);
		return this.recordOf()?.state === 'parked' ? { type: 'parked', why: '' } : { type: 'filed' };
	}

	private recordOf() {
		return this.run.journal.records.of(this.order.row, this.order.ordinal);
	}
}
