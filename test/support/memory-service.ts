import { createHash } from 'node:crypto';
import type { ServiceRequest } from '../../service/api/operations';
import { monthStart, nextMonthStart } from '../../service/list/month';
import { SendFailure, type Clock, type Send, type WireResponse } from '../../service/api/ports';
import type { Brief, BriefInput, BriefSummary } from '../../service/api/resources';
import { refusal, type Fault } from './faults';

/** What docs/service.md leaves open, and so may differ. Times in milliseconds. */
export interface MemoryOptions {
	/** Time from the start of the work on the nth brief (from 0) to its end. */
	duration?: (index: number) => number;
	failed?: (index: number) => boolean;
	allowance?: number;
	/** How its licence differs from a plain one in what it shows; null: none is listed. */
	licence?: Readonly<Record<string, unknown>> | null;
	/** The form of times. */
	times?: (text: string) => string;
	/** Whether a third brief is refused, or accepted and queued. */
	third?: WireResponse | 'queue';
	/** How long a request is on its way. */
	latency?: number;
	/** How far the list, and the get, lag behind. */
	listLag?: number;
	getLag?: number;
	/** How long a key is remembered, and with which status a replay answers. */
	keyLife?: number;
	replayStatus?: 200 | 202;
	/** How far the service's clock is ahead of the tests'. */
	ahead?: number;
	/** How far the clock that writes the times of briefs is ahead of the service's other clocks. */
	writtenAhead?: number;
	/** A brief does not show what it was made from. */
	isInputHidden?: boolean;
	/** Every page is the first one. */
	startsOver?: boolean;
	/** A product whose briefs are shown as running for ever, although they hold no slot after their end. */
	shownRunning?: string;
	/** Sends no Date header. */
	isDateless?: boolean;
}

interface WrittenBrief {
	id: string;
	/** The idempotency key of the create; empty for somebody else's. */
	key: string;
	input: BriefInput;
	/** Times of the tests' clock. */
	created: number;
	started: number;
	ended: number;
	/** By then it has ended, and so have all that were created before it. */
	allEnded: number;
	failed: boolean;
}

interface SeenRequest extends ServiceRequest {
	at: number;
	/** Undefined if no answer was given. */
	status?: number;
	/** What a refusal said. */
	refusal?: string;
}

/**
 * The service as docs/api.md shows it, in memory: for tests of whoever calls it. It keeps to `clock`, and counts.
 * Whatever it answers, it looks at the newest briefs first, so that a month of them can be tried.
 */
export class MemoryService {
	/** All requests that arrived, in order. */
	readonly requests: SeenRequest[] = [];
	/** Every brief that was ever paid, in the order of creation. */
	readonly briefs: WrittenBrief[] = [];
	mostRunning = 0;
	isInputHidden: boolean;
	/** How far the clock of the Date header is ahead now. */
	dateAhead = 0;
	/** How a brief shows what it was made from. */
	shownInput = (input: BriefInput): Record<string, unknown> => ({ ...input });
	/** Briefs ever made, those that were taken away included: no two have the same ID. */
	private madeCount = 0;
	/** The fault of each request that no other fault meets. */
	intercept: (request: ServiceRequest) => Fault | undefined = () => undefined;
	private readonly faults: Array<{ fault: Fault; operation: ServiceRequest['operation'] }> = [];
	private readonly times = new Map<number, string>();
	private readonly keys = new Map<
		string,
		{ at: number; body: string; answer: () => WireResponse }
	>();

	constructor(
		private readonly clock: Clock,
		private readonly options: MemoryOptions = {},
	) {
		this.isInputHidden = options.isInputHidden ?? false;
	}

	/** The next requests of this operation meet these faults, one each. */
	fail(operation: ServiceRequest['operation'], ...faults: Fault[]): void {
		this.faults.push(...faults.map((fault) => ({ fault, operation })));
	}

	/** Forgets every key. */
	forgetKeys(): void {
		this.keys.clear();
	}

	/** Takes all faults away. */
	mend(): void {
		this.faults.length = 0;
		this.intercept = () => undefined;
	}

	/** Somebody else's brief in the workspace. */
	startOther(
		duration: number,
		product_name = 'Somebody else’s product',
		terms?: string,
	): WrittenBrief {
		const input = { product_name, ...(terms && { campaign_terms: terms }) };
		return this.start(input, duration);
	}

	/** Takes a brief away, as if it had never been. */
	remove(id: string): void {
		this.briefs.splice(
			this.briefs.findIndex((brief) => brief.id === id),
			1,
		);
	}

	/** The creates that arrived, in order; of a part of all requests, if it is given. */
	creates(from = 0, to?: number): SeenRequest[] {
		const some = this.requests.slice(from, to);
		return some.filter(({ operation }) => operation === 'create_brief');
	}

	count(operation: ServiceRequest['operation']): number {
		return this.requests.filter((request) => request.operation === operation).length;
	}

	running(): number {
		const now = this.clock.now();
		return this.unended(now).filter(({ created }) => created <= now).length;
	}

	private unended(now: number): WrittenBrief[] {
		const briefs: WrittenBrief[] = [];
		for (const brief of newestFirst(this.briefs)) {
			if (brief.allEnded <= now) break;
			if (brief.ended > now) briefs.push(brief);
		}
		return briefs;
	}

	readonly send: Send = async (request, signal) => {
		const seenRequest: SeenRequest = { ...request, at: this.clock.now() };
		const fault = this.nextFault(request);
		if (fault !== undefined && 'answerLost' in fault && fault.answerLost === 'never-sent') {
			throw new SendFailure('no connection could be made', false);
		}
		this.requests.push(seenRequest);
		const { latency = 0 } = this.options;
		if (latency > 0) await this.clock.sleep(latency / 2, signal);
		const answer = this.answerWith(fault, request);
		if (latency > 0) await this.clock.sleep(latency / 2, signal);
		if (answer === undefined) throw new SendFailure('the connection was cut', true);
		seenRequest.status = answer.status;
		if (answer.status >= 400) seenRequest.refusal = answer.body;
		const { ahead = 0 } = this.options;
		const date = new Date(this.clock.now() + ahead + this.dateAhead).toUTCString();
		return this.options.isDateless ? answer : { ...answer, headers: { date, ...answer.headers } };
	};

	private nextFault(request: ServiceRequest): Fault | undefined {
		const index = this.faults.findIndex(({ operation }) => operation === request.operation);
		return this.faults.splice(index, index < 0 ? 0 : 1)[0]?.fault ?? this.intercept(request);
	}

	private answerWith(fault: Fault | undefined, request: ServiceRequest): WireResponse | undefined {
		if (fault === undefined) return this.answer(request);
		if ('answerLost' in fault) {
			if (fault.answerLost === 'after') this.answer(request);
			return undefined;
		}
		if (fault.after) this.answer(request);
		const answer = { status: 500, headers: {}, body: '', ...fault.answer };
		if (fault.isSaved) this.remember(request, () => answer);
		return answer;
	}

	private answer(request: ServiceRequest): WireResponse {
		switch (request.operation) {
			case 'list_licences':
				return this.licences();
			case 'list_briefs':
				return this.list(request.query);
			case 'create_brief':
				return this.create(request);
			case 'get_brief':
				return this.get(decodeURIComponent(request.path.slice('/briefs/'.length)));
			case 'list_hooks':
				return ok({ data: [], refreshed_at: null });
		}
	}

	private licences(): WireResponse {
		const monthly_allowance = this.options.allowance ?? 1000;
		const usage = { monthly_allowance, used_this_month: 0, renews_or_ends_at: null };
		const channels = ['web', 'api'];
		const { licence } = this.options;
		const plain = { product: 'creator-briefs', name: 'Creator Briefs', channels, ...usage };
		return ok({ data: licence === null ? [] : [{ ...plain, ...licence }] });
	}

	private list(query: Readonly<Record<string, string>>): WireResponse {
		const most = Number(query.limit ?? 20);
		const cursor = this.options.startsOver === true ? undefined : query.cursor;
		const [data, isLast] = this.page(most, query.status, cursor) ?? this.page(most, query.status)!;
		return ok({ data, next_cursor: isLast ? null : data.at(-1)?.id });
	}

	/** Undefined if no brief is listed with the ID that the cursor is. */
	private page(
		most: number,
		status?: string,
		cursor?: string,
	): [BriefSummary[], boolean] | undefined {
		const then = this.clock.now() - (this.options.listLag ?? 0);
		const data: BriefSummary[] = [];
		let isBegun = cursor === undefined;
		for (const brief of newestFirst(this.briefs)) {
			if (brief.created > then) continue;
			const summary = this.summary(brief, then);
			if (status !== undefined && summary.status !== status) continue;
			if (isBegun && data.length === most) return [data, false];
			if (isBegun) data.push(summary);
			else isBegun = brief.id === cursor;
		}
		return isBegun ? [data, true] : undefined;
	}

	private get(id: string): WireResponse {
		const then = this.clock.now() - (this.options.getLag ?? 0);
		const brief = this.briefs.findLast((one) => one.id === id && one.created <= then);
		if (brief === undefined) return refusal(404, 'not_found', 'No such brief');
		return ok(this.full(brief, then));
	}

	private create(request: ServiceRequest): WireResponse {
		const { idempotency_key: key = '', ...input } = JSON.parse(
			request.body ?? '{}',
		) as BriefInput & { idempotency_key?: string };
		const earlierBrief = this.keys.get(key);
		if (
			earlierBrief !== undefined &&
			this.clock.now() - earlierBrief.at <= (this.options.keyLife ?? Infinity)
		) {
			if (earlierBrief.body === request.body) return earlierBrief.answer();
			return refusal(422, 'idempotency_key_reused', 'The key was used with another body');
		}
		const { third = refusal(429, 'concurrency_limit', 'Two briefs can run at a time') } =
			this.options;
		if (third !== 'queue' && this.running() >= 2) return third;
		if (this.usedThisMonth() >= (this.options.allowance ?? 1000))
			return refusal(429, 'allowance_reached', 'Nothing is left');
		const { duration = () => 240_000 } = this.options;
		const brief = this.start(input, duration(this.briefs.length), key);
		const { replayStatus = 202 } = this.options;
		this.remember(request, () => ok(this.full(brief, this.clock.now()), replayStatus));
		return ok(this.full(brief, this.clock.now()), 202);
	}

	private remember(request: ServiceRequest, answer: () => WireResponse): void {
		const key = request.headers['idempotency-key'] ?? '';
		this.keys.set(key, { at: this.clock.now(), body: request.body ?? '', answer });
	}

	private usedThisMonth(): number {
		const { ahead = 0 } = this.options;
		const now = this.clock.now() + ahead;
		const [from, to] = [monthStart(now) - ahead, nextMonthStart(now) - ahead];
		return this.briefs.filter(({ created }) => created >= from && created < to).length;
	}

	private start(input: BriefInput, duration: number, key = ''): WrittenBrief {
		const index = this.briefs.length;
		const serial = Math.max(this.madeCount, index);
		const now = this.clock.now();
		// Where two are running or queued already, the work starts when the second last of them ends.
		const ends = this.unended(now).map((brief) => brief.ended);
		const [, freeFrom = now] = ends.sort((a, b) => b - a);
		const started = Math.max(now, freeFrom);
		const hash = createHash('sha256').update(String(serial)).digest('hex');
		this.madeCount = serial + 1;
		const id = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
		const failed = this.options.failed?.(index) ?? false;
		const ended = started + duration;
		const allEnded = Math.max(this.briefs.at(-1)?.allEnded ?? ended, ended);
		const brief = { id, key, input, created: now, started, ended, allEnded, failed };
		this.briefs.push(brief);
		this.mostRunning = Math.max(this.mostRunning, this.running());
		return brief;
	}

	private summary(brief: WrittenBrief, then: number): BriefSummary {
		const { id, input, created, started, ended } = brief;
		const isOver = then >= ended && input.product_name !== this.options.shownRunning;
		const stage = Math.floor(((then - started) / (ended - started)) * 3);
		const running = then < started + 1 ? 'queued' : ['researching', 'writing', 'checking'][stage];
		const status = isOver ? (brief.failed ? 'failed' : 'ready') : (running ?? 'checking');
		const isReady = status === 'ready';
		return {
			id,
			status,
			product_name: input.product_name,
			title: isReady ? 'A title' : null,
			created_at: this.at(created),
			updated_at: then < ended ? this.textOf(then) : this.at(ended),
			finished_at: isOver ? this.at(ended) : null,
			url: `https://app.example/briefs/${id}`,
		};
	}

	/** A time that is in every list from now on: to write it out costs more than all else of an answer. */
	private at(time: number): string {
		const place = this.times.get(time);
		if (place !== undefined) return place;
		const text = this.textOf(time);
		this.times.set(time, text);
		return text;
	}

	private textOf(time: number): string {
		const { ahead = 0, writtenAhead = 0 } = this.options;
		const text = new Date(time + ahead + writtenAhead).toISOString();
		return this.options.times?.(text) ?? text;
	}

	private full(brief: WrittenBrief, then: number): Brief {
		const summary = this.summary(brief, then);
		const isReady = summary.status === 'ready';
		const text = { markdown: isReady ? '# A brief' : null, document: isReady ? {} : null };
		const error_code = summary.status === 'failed' ? 'research_failed' : null;
		const rest = { sources: [], warnings: [], revision: 1 };
		return {
			...summary,
			input: this.isInputHidden ? {} : this.shownInput(brief.input),
			...text,
			...rest,
			error_code,
		};
	}
}

function* newestFirst<T>(all: readonly T[]): Generator<T> {
	for (let index = all.length - 1; index >= 0; index -= 1) yield all[index]!;
}

function ok(body: unknown, status = 200): WireResponse {
	return { status, headers: {}, body: JSON.stringify(body) };
}
