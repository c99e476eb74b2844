import { addBrief } from '../../sandbox/briefs/added-briefs';
import { endOf, type StoredBrief } from '../../sandbox/briefs/brief';
import { BriefStore } from '../../sandbox/briefs/brief-store';
import type { Contract } from '../../sandbox/contract';
import { keys } from '../../sandbox/keys';
import type { ServiceOptions } from '../../sandbox/options';
import { answerRequest, createService, type Service } from '../../sandbox/service';
import type { ServiceRequest } from '../../core/api/operations';
import { SendFailure, type Clock, type Send, type WireResponse } from '../../core/api/ports';
import type { Brief, BriefInput } from '../../core/api/types';
import type { Fault } from './faults';

/** The sandbox's options, and what only a test decides. Times in milliseconds. */
export interface VirtualSandboxOptions extends Partial<ServiceOptions> {
	/** Time from the start of the work on the nth brief (from 0) to its end. */
	duration?: (index: number) => number;
	failed?: (index: number) => boolean;
	/** How its licence differs from a plain one in what it shows; null: none is listed. */
	shownLicence?: Readonly<Record<string, unknown>> | null;
	/** How long a request is on its way. */
	latency?: number;
	/** How far the list, and the get, lag behind. */
	listLag?: number;
	getLag?: number;
	/** How far the service's clock is ahead of the tests'. */
	ahead?: number;
	/** How far the clock that writes the times of briefs is ahead of the service's other clocks. */
	writtenAhead?: number;
	/** Sends no Date header. */
	isDateless?: boolean;
}

/** A brief that is there. Times of the tests' clock. */
interface HeldBrief {
	id: string;
	/** The idempotency key of the create; empty for somebody else's. */
	key: string;
	input: BriefInput;
	created: number;
	/** Infinity while it waits for a slot. */
	ended: number;
}

interface SeenRequest extends ServiceRequest {
	at: number;
	/** Undefined if no answer was given. */
	status?: number;
	/** What a refusal said. */
	refusal?: string;
}

/** What the tests expect unless they say otherwise: many briefs, and refusals without headers. */
const DEFAULTS = {
	allowance: 1000,
	keyMemoryMs: Infinity,
	requestsPerMinute: 0,
	usedThisMonth: 'zero',
} as const;

/** The same short text for each brief, because a month of them is tried. */
const TEXT = {
	title: 'A title',
	markdown: '# A brief',
	document: {},
	sources: [],
	warnings: [],
} as unknown as StoredBrief['text'];

const ANY_KEY = keys.allScopes;

/** Lets through what the tests order, products of one letter and keys that can be read included. */
const CONTRACT = {
	check: (_, { path, query, body }) => ({
		problems: [],
		path: { id: decodeURIComponent(path.slice('/v1/briefs/'.length)) },
		query: { ...query, limit: Number(query['limit'] ?? 20) },
		body: body === '' ? undefined : (JSON.parse(body) as unknown),
	}),
} as Pick<Contract, 'check'> as Contract;

/** The sandbox in this process, on the tests' clock: it answers without HTTP, fails as a test says, and counts. */
export class VirtualSandbox {
	/** All requests that arrived, in order. */
	readonly requests: SeenRequest[] = [];
	readonly serviceOptions: ServiceOptions;
	/** The most briefs that ran or were queued at once. */
	mostRunning = 0;
	/** How far the clock of the Date header is ahead now. */
	dateAhead = 0;
	/** How a brief shows what it was made from, if not as the sandbox's option says. */
	shownInput: ((input: BriefInput) => Record<string, unknown>) | undefined;
	/** How a brief is shown, in the list and by itself. */
	shown: (brief: Brief) => object = (brief) => brief;
	/** The fault of each request that no other fault meets. */
	intercept: (request: ServiceRequest) => Fault | undefined = () => undefined;
	private readonly service: Service;
	private readonly ahead: number;
	private readonly faults: Array<{ fault: Fault; operation: ServiceRequest['operation'] }> = [];
	/** Refusals that are given again for their key, by the body that has it. */
	private readonly savedAnswers = new Map<string, { at: number; answer: WireResponse }>();

	constructor(
		private readonly clock: Clock,
		private readonly options: VirtualSandboxOptions = {},
	) {
		this.ahead = options.ahead ?? 0;
		const own = { now: () => clock.now() + this.ahead };
		const seed = 'virtual';
		this.service = createService({ ...DEFAULTS, ...options, seed, clock: own }, CONTRACT);
		this.serviceOptions = this.service.options;
	}

	/** Every brief that is there, in the order of creation. */
	get briefs(): HeldBrief[] {
		this.service.briefs.advance(this.service.clock.now(), this.serviceOptions.slots);
		return this.stored.map((brief) => this.viewOf(brief));
	}

	private get stored(): readonly StoredBrief[] {
		return this.service.briefs.list();
	}

	private viewOf(brief: StoredBrief): HeldBrief {
		const { id, input, createdAt, idempotencyKeys } = brief;
		const [key = ''] = idempotencyKeys;
		return { id, key, input, created: createdAt - this.ahead, ended: endOf(brief) - this.ahead };
	}

	/** The next requests of this operation meet these faults, one each. */
	fail(operation: ServiceRequest['operation'], ...faults: Fault[]): void {
		this.faults.push(...faults.map((fault) => ({ fault, operation })));
	}

	/** Forgets every key. */
	forgetKeys(): void {
		this.savedAnswers.clear();
		this.service.keyMemory.clear();
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
	): HeldBrief {
		return this.put({ product_name, ...(terms && { campaign_terms: terms }) }, duration);
	}

	/** A brief that was made without a request that the tests see; somebody else's, unless it has a key. */
	put(
		input: BriefInput,
		duration: number,
		{ id, key, created, failed }: Partial<HeldBrief> & { failed?: boolean } = {},
	): HeldBrief {
		const createdAt = created === undefined ? undefined : created + this.ahead;
		const isQueued = this.running() >= this.serviceOptions.slots;
		addBrief(this.service, { ...input, id, createdAt });
		const brief = this.stored.at(-1)!;
		if (isQueued) brief.startedAt = null;
		if (key !== undefined) brief.idempotencyKeys.push(key);
		this.settle(brief, duration, failed);
		return this.viewOf(brief);
	}

	/** Says what becomes of the newest brief, with a third each for the stages that it shows while it runs. */
	private settle(brief: StoredBrief, durationMs: number, failed?: boolean): void {
		const hasFailed = failed ?? this.options.failed?.(this.stored.length - 1) ?? false;
		const errorCode = hasFailed ? 'research_failed' : null;
		const shares = { queued: 3 / Math.max(durationMs, 3), researching: 1, writing: 1, checking: 1 };
		const stages = Object.entries(shares).map(([status, share]) => ({ status, share }));
		brief.plan = { durationMs, stages: stages, errorCode };
		brief.text = TEXT;
		this.mostRunning = Math.max(this.mostRunning, this.running());
	}

	/** Takes a brief away, as if it had never been. */
	remove(id: string): void {
		const rest = this.stored.filter((brief) => brief.id !== id);
		this.service.briefs = new BriefStore();
		for (const brief of rest) this.service.briefs.add(brief, brief.createdAt);
	}

	/** The creates that arrived, in order; of a part of all requests, if it is given. */
	creates(from = 0, to?: number): SeenRequest[] {
		const some = this.requests.slice(from, to);
		return some.filter(({ operation }) => operation === 'create_brief');
	}

	count(operation: ServiceRequest['operation']): number {
		return this.requests.filter((request) => request.operation === operation).length;
	}

	/** How many are running or queued. */
	running(): number {
		const now = this.service.clock.now();
		this.service.briefs.advance(now, this.serviceOptions.slots);
		return this.stored.filter((brief) => brief.createdAt <= now && endOf(brief) > now).length;
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
		if (this.options.isDateless) return answer;
		const date = new Date(this.service.clock.now() + this.dateAhead).toUTCString();
		return { ...answer, headers: { date, ...answer.headers } };
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
		const { body } = request;
		if (fault.isSaved && body) this.savedAnswers.set(body, { at: this.clock.now(), answer });
		return answer;
	}

	private answer(request: ServiceRequest): WireResponse {
		const { operation, method, query, body = '' } = request;
		const saved = this.savedAnswers.get(body);
		if (saved && this.clock.now() - saved.at < this.serviceOptions.keyMemoryMs) return saved.answer;
		const headers = { ...request.headers, authorization: `Bearer ${ANY_KEY.secret}` };
		const wire = { method, path: `/v1${request.path}`, query: { ...query }, headers, body };
		const service = this.serviceAsSeenBy(request);
		const { creates } = service.counters;
		const answer = answerRequest(service, operation, wire);
		const { duration = () => 240_000 } = this.options;
		if (service.counters.creates > creates)
			this.settle(this.stored.at(-1)!, duration(this.stored.length - 1));
		const { status, body: said } = answer;
		return { status, headers: {}, body: JSON.stringify(status < 400 ? this.inWords(said) : said) };
	}

	/** A list or a get that lags behind answers as of then. */
	private serviceAsSeenBy({ operation, path }: ServiceRequest): Service {
		const { listLag = 0, getLag = 0 } = this.options;
		const lag = { list_briefs: listLag, get_brief: getLag }[operation as string] ?? 0;
		if (lag === 0) return this.service;
		const { service } = this;
		const then = service.clock.now() - lag;
		const clock = { ...service.clock, now: () => then };
		const isTooNew = this.stored.some(({ id, createdAt }) => path.endsWith(id) && createdAt > then);
		const briefs = isTooNew ? new BriefStore() : service.briefs;
		return Object.assign(Object.create(service) as Service, { clock, briefs });
	}

	/** What an answer says, as a test shows it. */
	private inWords(body: object): object {
		if ('next_cursor' in body) {
			const page = body as unknown as { data: Brief[] };
			return { ...page, data: page.data.map((brief) => this.shown(this.dated(brief))) };
		}
		if ('status' in body) {
			const brief = this.dated(body as Brief);
			const input = this.shownInput?.(brief.input as unknown as BriefInput) ?? brief.input;
			return this.shown({ ...brief, input });
		}
		const { shownLicence } = this.options;
		const [ownLicence, ...others] = (body as { data: object[] }).data;
		if (shownLicence === undefined) return body;
		return {
			data: shownLicence === null ? others : [{ ...ownLicence, ...shownLicence }, ...others],
		};
	}

	private dated(brief: Brief): Brief {
		const { writtenAhead = 0 } = this.options;
		if (writtenAhead === 0) return brief;
		const later = (time: unknown) =>
			new Date(Date.parse(String(time)) + writtenAhead).toISOString();
		const { created_at, updated_at, finished_at } = brief;
		return {
			...brief,
			created_at: later(created_at),
			updated_at: later(updated_at),
			finished_at: finished_at === null ? null : later(finished_at),
		};
	}
}
