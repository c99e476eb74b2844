import { ServiceError, concernsAll } from '../../service/errors';
import { explain } from '../../service/explain';
import { isRunning, type BriefInput, type BriefSummary } from '../../service/resources';
import { instantOf } from '../../service/timestamps';
import { EXIT, type Failure } from '../failure';
import type { BriefRecord } from '../journal/records';
import { collectBrief, findKnown, named, park, watchBrief } from './collect';
import { orderBrief, recordAccepted } from './order';
import { failureOf } from './preflight';
import { findBrief, isKeyTrusted, isKeyYoung, isSurelyListed, untilListed } from './settle';
import type { Order, RunTools } from './tools';

/** What is left to do for a row when its brief has ended, and holds no slot any more. */
export type Rest = () => Promise<void>;

/** An order that stayed without an answer for a day, run after run, needs a person. */
const GIVEN_UP_AFTER_MS = 86_400_000;

const NOTHING: Rest = () => Promise.resolve();

/** Why no more rows are ordered. */
export type OrderingEnd = 'allowance' | 'max' | 'failure' | 'interrupted';

/** An order turned out to have been placed before it was sent again. */
class Placed extends Error {
	constructor(readonly next: () => Promise<Rest>) {
		super('Placed');
	}
}

/**
 * The lives of the rows of one run. Each method carries one row as far as it gets, never throws for what concerns that
 * row alone, and ends the ordering of all where going on is pointless or unsafe.
 */
export class Runner {
	end: OrderingEnd | null = null;
	failure: Failure | null = null;
	private accepted = 0;
	/** Briefs found in the list for one row, which are not to be taken for another's. */
	private readonly found = new Set<string>();
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
		const wasOpen = this.recordOf(order)?.state === 'in_doubt';
		let placed: (() => Promise<Rest>) | undefined;
		const lookFirst = async () => {
			const record = this.recordOf(order);
			if (record?.state !== 'in_doubt' || isKeyYoung(record, this.tools)) return;
			const next = await this.lookFor(record, input);
			if (typeof next === 'function') throw new Placed(next);
		};
		const brief = await this.guard(async () => {
			const ordered = await orderBrief(order, input, this.tools, lookFirst).catch(
				(error: unknown) => {
					if (error instanceof Placed) return error;
					throw error;
				},
			);
			if (ordered instanceof Placed) {
				placed = ordered.next;
				return null;
			}
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
			else if ('doubtful' in ordered) await this.parkUnanswered(order, ordered.doubtful);
			else this.leaveUnanswered(order, ordered.unanswered, wasOpen);
			return null;
		});
		if (placed !== undefined) return placed();
		const since = this.recordOf(order)?.accepted_at;
		return brief === null ? NOTHING : () => this.collect(order, brief, since ?? null);
	}

	/**
	 * Finds out how a row stands whose order was sent by an earlier run and whose answer is not on record. What it comes
	 * back with goes on with the row.
	 */
	async settle(record: BriefRecord, input: BriefInput): Promise<() => Promise<Rest>> {
		const next = await this.guard(() => this.lookFor(record, input));
		if (next === null) return () => Promise.resolve(NOTHING);
		return typeof next === 'function' ? next : () => this.order(record, input);
	}

	/**
	 * Looks for the brief of an order that may have been placed: how to go on with it; or that it may be sent, because
	 * `nothing` is listed or its key is young.
	 */
	private async lookFor(
		record: BriefRecord,
		input: BriefInput,
	): Promise<'nothing' | 'young' | (() => Promise<Rest>)> {
		const { tools } = this;
		// As it is when the list is read: a computer may sleep for days before the answer is looked at.
		const isCertain = isSurelyListed(record, tools);
		const found = await findBrief(record, input, tools);
		if ('brief' in found && this.claim(found.brief)) return this.adoptFound(record, found.brief);
		if ('nothing' in found) {
			if (isCertain) {
				const why = 'The service lists no brief of it.';
				await tools.journal.append({ type: 'withdrawn', key: record.key, why });
				return 'nothing';
			}
			if (isKeyTrusted(record, tools)) return 'nothing';
			// Neither the key nor the list can be relied on, but the list in a while.
			await tools.clock.sleep(untilListed(record, tools), tools.ordering);
			return await this.lookFor(record, input);
		}
		if (isKeyTrusted(record, tools)) return 'young';
		const likely = 'brief' in found ? undefined : found.likely;
		if (likely !== undefined && this.claim(likely)) return this.adoptFound(record, likely);
		const ids = ('brief' in found ? [found.brief.id] : found.unclear).join(' or ');
		const why = `It was ordered at ${record.first_tried} and the answer was lost. Its brief is one of ${ids}: look at them in the vendor’s web app.`;
		await park(record, null, why, this.tools);
		return () => Promise.resolve(NOTHING);
	}

	/** Goes on with a row whose brief is known. */
	async resume(record: BriefRecord): Promise<void> {
		const { brief_id: id, accepted_at } = record;
		if (id === null) return;
		const { service, workspace, timeout, clock } = this.tools;
		const brief = await this.guard(() => findKnown(record, this.tools), 'goes on');
		if (brief === null) return;
		workspace.adopt(brief, service.now());
		// Its age is told by the service's clock, for ours may have been set since it was accepted.
		const created = instantOf(brief.created_at);
		const since =
			created === null
				? Date.parse(accepted_at ?? record.first_tried)
				: clock.now() - (service.now() - created);
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

	/**
	 * Looks again for the brief of a row whose answer was lost, and orders nothing: the row was parked, or taken out of
	 * the CSV. Of the latter only the product is known. What it comes back with sees the brief to its end.
	 */
	async lookAgain(record: BriefRecord, input: BriefInput, isKnownInPart = false): Promise<Rest> {
		const { clock, waiting } = this.tools;
		const found = await this.guard(async () => {
			const found = await findBrief(record, input, this.tools);
			if (!isKnownInPart || !('nothing' in found) || isSurelyListed(record, this.tools))
				return found;
			// Nobody sends its key again, so only the list can tell, and until it does its brief may hold a slot (P4).
			await clock.sleep(untilListed(record, this.tools), waiting);
			return await findBrief(record, input, this.tools);
		}, 'goes on');
		if (found === null || 'nothing' in found) return NOTHING;
		const brief = 'brief' in found ? found.brief : isKnownInPart ? found.likely : undefined;
		if (brief === undefined || !this.claim(brief)) return NOTHING;
		const watch = await this.guard(() => this.adoptFound(record, brief));
		return watch === null ? NOTHING : async () => (await watch())();
	}

	/**
	 * Decides about orders that stayed without an answer. Where others were accepted afterwards the service works, and
	 * it is this key that it cannot answer: a person must look. Where none was, the next run settles them.
	 */
	async finish(): Promise<void> {
		for (const { order, error, acceptedBefore } of this.unanswered) {
			const record = this.recordOf(order);
			if (record?.state !== 'in_doubt') continue;
			const age = this.tools.clock.now() - Date.parse(record.first_tried);
			if (this.accepted > acceptedBefore || age > GIVEN_UP_AFTER_MS) {
				await this.guard(() => this.parkUnanswered(order, error));
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
		this.note(failure);
		this.endOrdering('failure');
		this.stop.ordering.abort();
		if (waiting) this.stop.waiting.abort();
	}

	/** Keeps what is to be told at the end: the first failure, unless key or licence were refused as well. */
	private note(failure: Failure): void {
		const isWorse = failure.exitCode === EXIT.refused && this.failure?.exitCode !== EXIT.refused;
		if (this.failure === null || isWorse) this.failure = failure;
	}

	private recordOf({ row, ordinal }: Order): BriefRecord | undefined {
		return this.tools.journal.records.of(row, ordinal);
	}

	/** Two rows of one product may find the same brief at the same time: only one of them gets it. */
	private claim({ id }: BriefSummary): boolean {
		const isTaken = this.tools.journal.records.all().some(({ brief_id }) => brief_id === id);
		if (isTaken || this.found.has(id)) return false;
		this.found.add(id);
		return true;
	}

	/** Puts on record whose a found brief is. What it comes back with waits for its end. */
	private async adoptFound(record: BriefRecord, brief: BriefSummary): Promise<() => Promise<Rest>> {
		const { tools } = this;
		await recordAccepted(record, brief.id, true, tools);
		tools.workspace.adopt(brief, tools.service.now());
		const facts = { brief_id: brief.id, status: brief.status, found: true };
		tools.emit({ event: 'brief_accepted', ...named(record), ...facts });
		return async () => {
			const since = tools.clock.now();
			const ended = await this.guard(() => watchBrief(record, brief, since, tools));
			return ended === null ? NOTHING : () => this.collect(record, ended, null);
		};
	}

	private async collect(order: Order, brief: BriefSummary, since: string | null): Promise<void> {
		const took = since === null ? null : Math.round(this.tools.clock.now() - Date.parse(since));
		await this.guard(() => collectBrief(order, brief.id, took, this.tools), 'goes on');
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

	private async parkUnanswered(order: Order, error: ServiceError): Promise<void> {
		const { what } = explain(error, this.tools.service.now());
		const tried = this.recordOf(order)?.first_tried ?? 'then';
		const why = `${what} Look in the vendor’s web app for a brief of this product created around ${tried}. If there is none, give the row a new start with: brief-batch retry.`;
		await park(order, null, why, this.tools);
	}

	/** @param wasOpen an earlier run had no answer for it either: the service may have kept that failure for its key */
	private leaveUnanswered(order: Order, error: ServiceError, wasOpen: boolean): void {
		const inARow = this.unanswered.at(-1)?.acceptedBefore === this.accepted;
		this.unanswered.push({ order, error, acceptedBefore: this.accepted });
		// Two different rows in a row, one with a fresh key: it is the service that does not answer, not the keys.
		if (inARow && !wasOpen) this.fail(failureOf(error, this.tools.service.now()));
	}

	/**
	 * Keeps what one row meets from ending the process: null where it could not go on.
	 * @param otherwise whether the others go on when the service fails it: a paid brief that cannot be fetched now is
	 *   fetched by the next run, and is no reason to order nothing
	 */
	private async guard<T>(
		work: () => Promise<T>,
		otherwise: 'goes on' | 'ends' = 'ends',
	): Promise<T | null> {
		try {
			return await work();
		} catch (error) {
			if (this.tools.waiting.aborted || (this.tools.ordering.aborted && isAbort(error)))
				return null;
			if (error instanceof ServiceError) {
				const failure = failureOf(error, this.tools.service.now());
				const isPointless = concernsAll(error.kind);
				if (otherwise === 'goes on' && !isPointless) this.note(failure);
				else this.fail(failure, isPointless);
			} else this.fail(this.failureFrom(error), true);
			return null;
		}
	}
}

function isAbort(error: unknown): boolean {
	return error instanceof Error && error.name === 'AbortError';
}
