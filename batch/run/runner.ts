import { ServiceError, concernsAll } from '../../service/errors';
import { explain } from '../../service/explain';
import { isRunning, type BriefInput, type BriefSummary } from '../../service/resources';
import type { Failure } from '../failure';
import type { BriefRecord } from '../journal/records';
import { collectBrief, named, park, watchBrief } from './collect';
import { orderBrief, recordAccepted } from './order';
import { failureOf } from './preflight';
import { findBrief, isKeyTrusted } from './settle';
import type { Order, RunTools } from './tools';

/** What is left to do for a row when its brief has ended, and holds no slot any more. */
export type Rest = () => Promise<void>;

const NOTHING: Rest = () => Promise.resolve();

/** Why no more rows are ordered. */
export type OrderingEnd = 'allowance' | 'max' | 'failure' | 'interrupted';

/**
 * The lives of the rows of one run. Each method carries one row as far as it gets, never throws for what concerns that
 * row alone, and ends the ordering of all where going on is pointless or unsafe.
 */
export class Runner {
	end: OrderingEnd | null = null;
	failure: Failure | null = null;
	private accepted = 0;
	/** Orders that stayed without a usable answer, and how many had been accepted by then. */
	private readonly unanswered: Array<{
		order: Order;
		error: ServiceError;
		acceptedBefore: number;
	}> = [];

	constructor(
		private readonly tools: RunTools,
		private readonly stop: { ordering: AbortController; waiting: AbortController },
		private readonly failureFrom: (error: unknown) => Failure,
	) {}

	/** Orders the brief of a row, unless ordering has ended. Comes back when the brief has ended. */
	async order(order: Order, input: BriefInput): Promise<Rest> {
		const brief = await this.guard(async () => {
			const ordered = await orderBrief(order, input, this.tools);
			if ('brief' in ordered) {
				this.tools.emit({
					event: 'brief_accepted',
					...named(order),
					brief_id: ordered.brief.id,
					status: ordered.brief.status,
					found: false,
				});
				this.accepted += 1;
				return await watchBrief(order, ordered.brief, this.tools.clock.now(), this.tools);
			}
			if ('end' in ordered) this.endOrdering(ordered.end);
			else if ('stop' in ordered) this.fail(failureOf(ordered.stop, this.tools.service.now()));
			else if ('refused' in ordered) this.tellRefused(order, ordered.refused);
			else this.leaveUnanswered(order, ordered.unanswered);
			return null;
		});
		const since = this.tools.journal.records.of(order.row, order.ordinal)?.accepted_at;
		return brief === null ? NOTHING : () => this.collect(order, brief, since ?? null);
	}

	/** Goes on with a row whose order was sent by an earlier run and whose answer is not on record. */
	async settle(record: BriefRecord, input: BriefInput): Promise<Rest> {
		const found = await this.guard(() => findBrief(record, input, this.tools));
		if (found === null) return NOTHING;
		if ('brief' in found) return this.adoptFound(record, found.brief);
		if ('nothing' in found || isKeyTrusted(record, this.tools.clock.now())) {
			return this.order(record, input);
		}
		const ids = found.unclear.join(' or ');
		const why = `It was ordered at ${record.first_tried} and the answer was lost. Its brief is one of ${ids}: look at them in the vendor’s web app.`;
		await this.guard(() => park(record, null, why, this.tools));
		return NOTHING;
	}

	/** Goes on with a row whose brief is known. */
	async resume(record: BriefRecord): Promise<void> {
		const { brief_id: id, accepted_at } = record;
		if (id === null) return;
		const { service, workspace, timeout, clock } = this.tools;
		const brief = await this.guard<BriefSummary>(() => service.brief(id, this.tools.waiting));
		if (brief === null) return;
		workspace.adopt(brief, service.now());
		const since = Date.parse(accepted_at ?? record.first_tried);
		if (isRunning(brief)) {
			// A parked one had its time. It is looked at once a run, and keeps its slot as long as it runs.
			if (record.state === 'parked' && clock.now() > since + timeout) return;
			this.tools.emit({
				event: 'brief_accepted',
				...named(record),
				brief_id: id,
				status: brief.status,
				found: true,
			});
		}
		const ended = await this.guard(() => watchBrief(record, brief, since, this.tools));
		if (ended !== null) await this.collect(record, ended, null);
	}

	/** Looks again for the brief of a row that was parked because its answer was lost. */
	async lookAgain(record: BriefRecord, input: BriefInput): Promise<void> {
		const found = await this.guard(() => findBrief(record, input, this.tools));
		if (found !== null && 'brief' in found) await (await this.adoptFound(record, found.brief))();
	}

	/**
	 * Decides about orders that stayed without an answer. Where others were accepted afterwards the service works, and
	 * it is this key that it cannot answer: a person must look. Where none was, the next run settles them.
	 */
	async finish(): Promise<void> {
		for (const { order, error, acceptedBefore } of this.unanswered) {
			const record = this.tools.journal.records.of(order.row, order.ordinal);
			if (record?.state !== 'open') continue;
			if (this.accepted > acceptedBefore) {
				const { what } = explain(error, this.tools.service.now());
				const why = `${what} Look in the vendor’s web app for a brief of this product created around ${record.first_tried}. If there is none, give the row a new start with: brief-batch retry.`;
				await this.guard(() => park(order, null, why, this.tools));
			} else this.fail(failureOf(error, this.tools.service.now()));
		}
	}

	/** Lets no new row be ordered; those on their way go on. */
	endOrdering(end: OrderingEnd): void {
		this.end ??= end;
	}

	/** Ends everything at once. What the service is writing goes on there, and is fetched by the next run. */
	interrupt(): void {
		this.end = 'interrupted';
		this.stop.ordering.abort();
		this.stop.waiting.abort();
	}

	/** Ends the run: nothing more is ordered, and nothing more waited for where waiting would fare the same. */
	fail(failure: Failure, waiting = false): void {
		this.failure ??= failure;
		this.endOrdering('failure');
		this.stop.ordering.abort();
		if (waiting) this.stop.waiting.abort();
	}

	private async adoptFound(record: BriefRecord, brief: BriefSummary): Promise<Rest> {
		const { tools } = this;
		const ended = await this.guard(async () => {
			await recordAccepted(record, brief.id, true, tools);
			tools.workspace.adopt(brief, tools.service.now());
			const facts = { brief_id: brief.id, status: brief.status, found: true };
			tools.emit({ event: 'brief_accepted', ...named(record), ...facts });
			return await watchBrief(record, brief, tools.clock.now(), tools);
		});
		return ended === null ? NOTHING : () => this.collect(record, ended, null);
	}

	private async collect(order: Order, brief: BriefSummary, since: string | null): Promise<void> {
		const took = since === null ? null : Math.round(this.tools.clock.now() - Date.parse(since));
		await this.guard(() => collectBrief(order, brief.id, took, this.tools));
	}

	private tellRefused(order: Order, error: ServiceError): void {
		const { what } = explain(error, this.tools.service.now());
		const code = error.code || error.kind;
		this.tools.emit({
			event: 'row_failed',
			...named(order),
			brief_id: null,
			error_code: code,
			error: what,
		});
	}

	private leaveUnanswered(order: Order, error: ServiceError): void {
		const inARow = this.unanswered.at(-1)?.acceptedBefore === this.accepted;
		this.unanswered.push({ order, error, acceptedBefore: this.accepted });
		// Two different rows in a row: it is the service that does not answer, not one key.
		if (inARow) this.fail(failureOf(error, this.tools.service.now()));
	}

	/** Keeps what one row meets from ending the process: null where it could not go on. */
	private async guard<T>(work: () => Promise<T>): Promise<T | null> {
		try {
			return await work();
		} catch (error) {
			if (this.tools.waiting.aborted || (this.tools.ordering.aborted && isAbort(error)))
				return null;
			if (error instanceof ServiceError) {
				this.fail(failureOf(error, this.tools.service.now()), concernsAll(error.kind));
			} else this.fail(this.failureFrom(error), true);
			return null;
		}
	}
}

function isAbort(error: unknown): boolean {
	return error instanceof Error && error.name === 'AbortError';
}
