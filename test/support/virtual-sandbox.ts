import { addBrief } from '../../sandbox/briefs/added-briefs';
import { getEnd, type StoredBrief } from '../../sandbox/briefs/brief';
import { BriefStore } from '../../sandbox/briefs/brief-store';
import type { Contract } from '../../sandbox/contract';
import { keys } from '../../sandbox/keys';
import type { ServiceOptions } from '../../sandbox/options';
import { answerRequest, createService, type Service } from '../../sandbox/service';
import type { ServiceRequest } from '../../core/api/operations';
import { SendFailure, type Clock, type Send, type WireResponse } from '../../core/api/ports';
import type { BriefInput } from '../../core/api/types';
import type { Fault } from './faults';

/** The sandbox's options, and what only a test decides. Times in milliseconds. */
export interface VirtualSandboxOptions extends Partial<ServiceOptions> {
	/** How long the nth brief is written, from 0. */
	duration?: (index: number) => number;
	failed?: (index: number) => boolean;
	/** Fields that the list of licences shows differently. */
	shownLicence?: Readonly<Record<string, unknown>>;
	/** How long a request is on its way. */
	latency?: number;
	/** How far the list lags behind. */
	listLag?: number;
	/** How far the service's clock is ahead of the clock of the test. */
	ahead?: number;
}

/** The options that a test does not name. */
const DEFAULTS = {
	allowance: 1000,
	keyMemoryMs: Infinity,
	requestsPerMinute: 0,
	usedThisMonth: 'zero',
} as const;

/** The same short text for each brief, because a test can order thousands. */
const TEXT = {
	title: 'A title',
	markdown: '# A brief',
	document: {},
	sources: [],
	warnings: [],
} as unknown as StoredBrief['text'];

/** Accepts every request, also for a product of one letter. */
const CONTRACT = {
	check: (_, { path, query, body }) => ({
		problems: [],
		path: { id: decodeURIComponent(path.slice('/v1/briefs/'.length)) },
		query: { ...query, limit: Number(query['limit'] ?? 20) },
		body: body === '' ? undefined : (JSON.parse(body) as unknown),
	}),
} as Pick<Contract, 'check'> as Contract;

/** The sandbox in this process, on a virtual clock and without HTTP. A test chooses its faults. */
export class VirtualSandbox {
	readonly requests: ServiceRequest[] = [];
	readonly serviceOptions: ServiceOptions;
	/** The most briefs that ran or were queued at once. */
	mostRunning = 0;
	/** Returns the fault of a request for which `fail` has none. */
	intercept: (request: ServiceRequest) => Fault | undefined = () => undefined;
	private readonly service: Service;
	private readonly faults: Array<{ fault: Fault; operation: ServiceRequest['operation'] }> = [];

	constructor(
		private readonly clock: Clock,
		private readonly options: VirtualSandboxOptions = {},
	) {
		const { ahead = 0 } = options;
		const ownClock = { now: () => clock.now() + ahead };
		const service = { ...DEFAULTS, ...options, seed: 'virtual', clock: ownClock };
		this.service = createService(service, CONTRACT);
		this.serviceOptions = this.service.options;
	}

	/** Every brief, in the sequence of creation. */
	get briefs(): readonly StoredBrief[] {
		return this.service.briefs.list();
	}

	/** Lets the next requests of an operation meet these faults, one each. */
	fail(operation: ServiceRequest['operation'], ...faults: Fault[]): void {
		this.faults.push(...faults.map((fault) => ({ fault, operation })));
	}

	/** Removes all faults. */
	mend(): void {
		this.faults.length = 0;
		this.intercept = () => undefined;
	}

	/** Starts the brief of a colleague. */
	startOther(duration: number, product_name = 'Of a colleague'): void {
		this.put({ product_name }, duration);
	}

	/** Adds a brief without a request. */
	put(input: BriefInput, duration: number, { failed }: { failed?: boolean } = {}): void {
		const isQueued = this.countRunning() >= this.serviceOptions.slots;
		addBrief(this.service, { ...input });
		const brief = this.briefs.at(-1)!;
		if (isQueued) brief.startedAt = null;
		this.settle(brief, duration, failed);
	}

	/** Decides how the newest brief ends, and after how long. Each stage takes a third of the time. */
	private settle(brief: StoredBrief, durationMs: number, failed?: boolean): void {
		const hasFailed = failed ?? this.options.failed?.(this.briefs.length - 1) ?? false;
		const errorCode = hasFailed ? 'research_failed' : null;
		const shares = { queued: 3 / Math.max(durationMs, 3), researching: 1, writing: 1, checking: 1 };
		const stages = Object.entries(shares).map(([status, share]) => ({ status, share }));
		brief.plan = { durationMs, stages, errorCode };
		brief.text = TEXT;
		this.mostRunning = Math.max(this.mostRunning, this.countRunning());
	}

	/** Removes a brief, as if it had never been created. */
	remove(id: string): void {
		const rest = this.briefs.filter((brief) => brief.id !== id);
		this.service.briefs = new BriefStore();
		for (const brief of rest) this.service.briefs.add(brief, brief.createdAt);
	}

	count(operation: ServiceRequest['operation']): number {
		return this.requests.filter((request) => request.operation === operation).length;
	}

	private countRunning(): number {
		const now = this.service.clock.now();
		this.service.briefs.assignSlots(now, this.serviceOptions.slots);
		return this.briefs.filter((brief) => brief.createdAt <= now && getEnd(brief) > now).length;
	}

	readonly send: Send = async (request, signal) => {
		const fault = this.nextFault(request);
		if (fault === 'not sent') throw new SendFailure('no connection could be made', false);
		this.requests.push(request);
		const { latency = 0 } = this.options;
		if (latency > 0) await this.clock.sleep(latency / 2, signal);
		const answer =
			fault === undefined ? this.answer(request) : { status: 500, headers: {}, body: '', ...fault };
		if (latency > 0) await this.clock.sleep(latency / 2, signal);
		const date = new Date(this.service.clock.now()).toUTCString();
		return { ...answer, headers: { date, ...answer.headers } };
	};

	private nextFault(request: ServiceRequest): Fault | undefined {
		const index = this.faults.findIndex(({ operation }) => operation === request.operation);
		return this.faults.splice(index, index < 0 ? 0 : 1)[0]?.fault ?? this.intercept(request);
	}

	private answer(request: ServiceRequest): WireResponse {
		const { operation, method, query, body = '' } = request;
		const headers = { ...request.headers, authorization: `Bearer ${keys.allScopes.secret}` };
		const wire = { method, path: `/v1${request.path}`, query: { ...query }, headers, body };
		const service = this.serviceAsSeenBy(request);
		const { creates } = service.counters;
		const answer = answerRequest(service, operation, wire);
		const { duration = () => 240_000 } = this.options;
		if (service.counters.creates > creates)
			this.settle(this.briefs.at(-1)!, duration(this.briefs.length - 1));
		const { status, body: shown } = answer;
		return {
			status,
			headers: {},
			body: JSON.stringify(status < 400 ? this.showBody(shown) : shown),
		};
	}

	/** Returns the service as a list that lags behind shows it. */
	private serviceAsSeenBy({ operation }: ServiceRequest): Service {
		const { listLag = 0 } = this.options;
		if (operation !== 'list_briefs' || listLag === 0) return this.service;
		const then = this.service.clock.now() - listLag;
		const clock = { ...this.service.clock, now: () => then };
		return Object.assign(Object.create(this.service) as Service, { clock });
	}

	/** Returns the body of an answer, with the licence as the test shows it. */
	private showBody(body: object): object {
		const { shownLicence } = this.options;
		if ('next_cursor' in body || 'status' in body || shownLicence === undefined) return body;
		const [licence, ...others] = (body as { data: object[] }).data;
		return { data: [{ ...licence, ...shownLicence }, ...others] };
	}
}
