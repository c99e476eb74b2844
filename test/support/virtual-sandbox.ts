import { answerRequest } from '../../sandbox/answer-request';
import type { Answer } from '../../sandbox/answer';
import { BriefStore } from '../../sandbox/briefs/brief-store';
import { KeyMemory } from '../../sandbox/briefs/key-memory';
import { endOf, type StoredBrief } from '../../sandbox/briefs/record';
import type { Contract } from '../../sandbox/contract';
import { keys } from '../../sandbox/keys';
import { uuid } from '../../sandbox/random';
import { jsonReply } from '../../sandbox/reply';
import { newService, type Service } from '../../sandbox/service-state';
import type { Switches } from '../../sandbox/switches';
import type { ServiceRequest } from '../../service/api/operations';
import { SendFailure, type Clock, type Send, type WireResponse } from '../../service/api/ports';
import type { Brief, BriefInput } from '../../service/api/resources';
import type { Fault } from './faults';

/** The sandbox's switches, and what only a test decides. Times in milliseconds. */
export interface VirtualSandboxOptions extends Partial<Switches> {
	/** Time from the start of the work on the nth brief (from 0) to its end. */
	duration?: (index: number) => number;
	failed?: (index: number) => boolean;
	/** How its licence differs from a plain one in what it shows; null: none is listed. */
	shownLicence?: Readonly<Record<string, unknown>> | null;
	/** The form of times. */
	times?: (text: string) => string;
	/** How long a request is on its way. */
	latency?: number;
	/** How far the list, and the get, lag behind. */
	listLag?: number;
	getLag?: number;
	/** How far the service's clock is ahead of the tests'. */
	ahead?: number;
	/** How far the clock that writes the times of briefs is ahead of the service's other clocks. */
	writtenAhead?: number;
	/** A product whose briefs are shown as running for ever, although they hold no slot after their end. */
	shownRunning?: string;
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
const SWITCHES = {
	allowance: 1000,
	keyMemoryMs: Infinity,
	rateLimitHeaders: 'none',
	replayOtherBody: 'unprocessable',
	replayStatus: 202,
	requestsPerMinute: 0,
	retryAfter: 'none',
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
	readonly switches: Switches;
	/** The most briefs that ran or were queued at once. */
	mostRunning = 0;
	/** How far the clock of the Date header is ahead now. */
	dateAhead = 0;
	/** How a brief shows what it was made from, if not as the sandbox's switch says. */
	shownInput: ((input: BriefInput) => Record<string, unknown>) | undefined;
	/** The fault of each request that no other fault meets. */
	intercept: (request: ServiceRequest) => Fault | undefined = () => undefined;
	private readonly service: Service;
	private readonly faults: Array<{ fault: Fault; operation: ServiceRequest['operation'] }> = [];
	/** Refusals that are given again for their key, by the body that has it. */
	private readonly savedAnswers = new Map<string, { at: number; answer: WireResponse }>();
	private addedCount = 0;

	constructor(
		private readonly clock: Clock,
		private readonly options: VirtualSandboxOptions = {},
	) {
		const own = { now: () => clock.now() + (options.ahead ?? 0) };
		const seed = 'virtual';
		this.service = newService({ ...SWITCHES, ...options, seed, clock: own }, CONTRACT);
		this.switches = this.service.switches;
	}

	/** Every brief that is there, in the order of creation. */
	get briefs(): HeldBrief[] {
		this.service.briefs.advance(this.service.clock.now(), this.switches.slots);
		return this.stored.map((brief) => this.viewOf(brief));
	}

	private get stored(): readonly StoredBrief[] {
		return this.service.briefs.list();
	}

	private viewOf(brief: StoredBrief): HeldBrief {
		const { ahead = 0 } = this.options;
		const { id, input, createdAt, idempotencyKeys } = brief;
		const [key = ''] = idempotencyKeys;
		return { id, key, input, created: createdAt - ahead, ended: endOf(brief) - ahead };
	}

	/** The next requests of this operation meet these faults, one each. */
	fail(operation: ServiceRequest['operation'], ...faults: Fault[]): void {
		this.faults.push(...faults.map((fault) => ({ fault, operation })));
	}

	/** Forgets every key. */
	forgetKeys(): void {
		this.savedAnswers.clear();
		this.service.keyMemory = new KeyMemory();
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
		facts: Partial<Pick<HeldBrief, 'id' | 'key' | 'created'>> & { failed?: boolean } = {},
	): HeldBrief {
		const { briefs, clock } = this.service;
		const { id = uuid('others', (this.addedCount += 1)), key, failed } = facts;
		const now = clock.now();
		const { ahead = 0 } = this.options;
		const createdAt = facts.created === undefined ? now : facts.created + ahead;
		const isQueued = this.running() >= this.switches.slots;
		const brief: StoredBrief = {
			id,
			workspace: ANY_KEY.workspace.id,
			serial: briefs.serial,
			input,
			createdAt,
			listedAt: createdAt,
			createdBy: null,
			ordinal: null,
			plan: this.planOf(duration, failed),
			startedAt: isQueued ? null : createdAt,
			idempotencyKeys: key === undefined ? [] : [key],
			replays: 0,
			text: TEXT,
		};
		briefs.add(brief, now);
		this.mostRunning = Math.max(this.mostRunning, this.running());
		return this.viewOf(brief);
	}

	/** A third each for the stages that a running brief shows. */
	private planOf(durationMs: number, failed?: boolean): StoredBrief['plan'] {
		const hasFailed = failed ?? this.options.failed?.(this.stored.length) ?? false;
		const queued = { status: 'queued' as const, share: durationMs === 0 ? 0 : 3 / durationMs };
		const stages = (['researching', 'writing', 'checking'] as const).map((status) => ({
			status,
			share: 1,
		}));
		return {
			durationMs,
			stages: [queued, ...stages],
			errorCode: hasFailed ? 'research_failed' : null,
		};
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
		this.service.briefs.advance(now, this.switches.slots);
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
		if (saved && this.clock.now() - saved.at < this.switches.keyMemoryMs) return saved.answer;
		const headers = { ...request.headers, authorization: `Bearer ${ANY_KEY.secret}` };
		const wire = { method, path: `/v1${request.path}`, query: { ...query }, headers, body };
		const service = this.serviceAsSeenBy(request);
		const { creates } = service.counters;
		const answer = answerRequest(service, 'api', operation, wire, () => undefined);
		if (service.counters.creates > creates) this.decide(this.stored.at(-1)!);
		const { status, text } = jsonReply({ ...answer, body: this.shown(operation, answer) });
		return { status, headers: {}, body: text };
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

	/** What becomes of a brief that was just created. */
	private decide(brief: StoredBrief): void {
		const { duration = () => 240_000 } = this.options;
		const index = this.stored.length - 1;
		brief.plan = this.planOf(duration(index), this.options.failed?.(index));
		brief.text = TEXT;
		this.mostRunning = Math.max(this.mostRunning, this.running());
	}

	/** What an answer says, with what a test shows in another way. */
	private shown(operation: ServiceRequest['operation'], { status, body }: Answer): object {
		if (status >= 400) return body;
		if (operation === 'list_licences') return this.shownLicences(body as { data: object[] });
		if (operation === 'create_brief' || operation === 'get_brief')
			return this.shownBrief(body as Brief);
		if (operation === 'list_hooks') return body;
		const page = body as { data: Brief[] };
		return { ...page, data: page.data.map((brief) => this.shownBrief(brief)) };
	}

	private shownLicences({ data: [ownLicence, ...others] }: { data: object[] }): object {
		const { shownLicence } = this.options;
		return {
			data: shownLicence === null ? others : [{ ...ownLicence, ...shownLicence }, ...others],
		};
	}

	private shownBrief(brief: Brief): object {
		const { shownRunning, times, writtenAhead = 0 } = this.options;
		const shown: Brief = { ...brief };
		if (brief.product_name === shownRunning)
			Object.assign(shown, { status: 'checking', title: null, finished_at: null });
		if (this.shownInput !== undefined && 'input' in brief)
			shown.input = this.shownInput(brief.input as unknown as BriefInput);
		if (times === undefined && writtenAhead === 0) return shown;
		for (const field of ['created_at', 'updated_at', 'finished_at'] as const) {
			const time = shown[field];
			if (typeof time !== 'string') continue;
			const written = new Date(Date.parse(time) + writtenAhead).toISOString();
			shown[field] = times?.(written) ?? written;
		}
		return shown;
	}
}
