import { addBrief } from '../../sandbox/operations/added-briefs';
import { getEnd, type StoredBrief } from '../../sandbox/briefs/brief';
import { BriefStore } from '../../sandbox/briefs/brief-store';
import type { Contract } from '../../sandbox/contract';
import { keys } from '../../sandbox/keys';
import type { ServiceOptions } from '../../sandbox/options';
import { answerRequest } from '../../sandbox/service';
import { createService, type Service } from '../../sandbox/state';
import type { ServiceRequest } from '../../core/api/operations';
import { SendFailure, type Clock, type Send, type WireResponse } from '../../core/api/ports';
import type { BriefInput } from '../../core/api/types';
import type { Fault } from './faults';

/** The options of the sandbox, and options for tests. Times are in milliseconds. */
export interface VirtualSandboxOptions extends Partial<ServiceOptions> {
	/** Returns how long a brief is written, by its index. */
	duration?: (index: number) => number;
	/** Decides whether a brief fails, by its index. */
	shouldFail?: (index: number) => boolean;
	/** Fields that replace those of the licence for briefs. */
	shownLicence?: Readonly<Record<string, unknown>>;
	/** The time from a request to its answer. */
	latencyMs?: number;
	/** The age of the list that list_briefs returns. */
	listAgeMs?: number;
	/** How far the service's clock is ahead of the clock of the test. */
	clockAheadMs?: number;
}

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

/** Accepts every request, so that tests can use names of one letter. */
const CONTRACT = {
	check: (_, { path, query, body }) => ({
		problems: [],
		path: { id: decodeURIComponent(path.slice('/v1/briefs/'.length)) },
		query: { ...query, limit: Number(query['limit'] ?? 20) },
		body: body === '' ? undefined : (JSON.parse(body) as unknown),
	}),
} as Pick<Contract, 'check'> as Contract;

/**
 * The sandbox in this process, on a virtual clock and without HTTP.
 *
 *     const sandbox = new VirtualSandbox(new VirtualClock(), { allowance: 4 });
 *     sandbox.fail('create_brief', UNAVAILABLE);
 *     await sandbox.send(createBrief({ product_name: 'Mug' }, key));
 */
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
		const { clockAheadMs = 0 } = options;
		const serviceClock = { now: () => clock.now() + clockAheadMs };
		const service = { ...DEFAULTS, ...options, seed: 'virtual', clock: serviceClock };
		this.service = createService(service, CONTRACT);
		this.serviceOptions = this.service.options;
	}

	/** Every brief, in the sequence of creation. */
	get briefs(): readonly StoredBrief[] {
		return this.service.briefs.list();
	}

	/** Answers the next requests of an operation with these faults, in sequence. */
	fail(operation: ServiceRequest['operation'], ...faults: Fault[]): void {
		this.faults.push(...faults.map((fault) => ({ fault, operation })));
	}

	/** Removes all faults. */
	clearFaults(): void {
		this.faults.length = 0;
		this.intercept = () => undefined;
	}

	/** Starts a brief of a colleague. */
	orderAsColleague(duration: number, product_name = 'Of a colleague'): void {
		this.addBrief({ product_name }, duration);
	}

	/** Adds a brief without a request. */
	addBrief(
		input: BriefInput,
		duration: number,
		{ shouldFail }: { shouldFail?: boolean } = {},
	): void {
		const isQueued = this.countRunning() >= this.serviceOptions.slots;
		addBrief(this.service, { ...input });
		const brief = this.briefs.at(-1)!;
		if (isQueued) brief.startedAt = null;
		this.planEnd(brief, duration, shouldFail);
	}

	/** Plans whether and when a new brief ends. Each of the three stages takes a third of the time. */
	private planEnd(brief: StoredBrief, durationMs: number, shouldFail?: boolean): void {
		const isFailing = shouldFail ?? this.options.shouldFail?.(this.briefs.length - 1) ?? false;
		const errorCode = isFailing ? 'research_failed' : null;
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
		const fault = this.takeFault(request);
		if (fault === 'not sent' || fault === 'lost')
			throw new SendFailure('no connection could be made', fault === 'lost');
		this.requests.push(request);
		const { latencyMs = 0 } = this.options;
		if (latencyMs > 0) await this.clock.sleep(latencyMs / 2, signal);
		const answer =
			fault === undefined ? this.answer(request) : { status: 500, headers: {}, body: '', ...fault };
		if (latencyMs > 0) await this.clock.sleep(latencyMs / 2, signal);
		const date = new Date(this.service.clock.now()).toUTCString();
		return { ...answer, headers: { date, ...answer.headers } };
	};

	private takeFault(request: ServiceRequest): Fault | undefined {
		const index = this.faults.findIndex(({ operation }) => operation === request.operation);
		return this.faults.splice(index, index < 0 ? 0 : 1)[0]?.fault ?? this.intercept(request);
	}

	private answer(request: ServiceRequest): WireResponse {
		const { operation, method, query, body = '' } = request;
		const headers = { ...request.headers, authorization: `Bearer ${keys.allScopes.secret}` };
		const wire = { method, path: `/v1${request.path}`, query: { ...query }, headers, body };
		const service = this.getServiceForRequest(request);
		const { creates } = service.counters;
		const answer = answerRequest(service, operation, wire);
		const { duration = () => 240_000 } = this.options;
		if (service.counters.creates > creates)
			this.planEnd(this.briefs.at(-1)!, duration(this.briefs.length - 1));
		const { status, body: shown } = answer;
		return {
			status,
			headers: {},
			body: JSON.stringify(status < 400 ? this.showBody(shown) : shown),
		};
	}

	/** Returns the service; for list_briefs, the service at the time that the list shows. */
	private getServiceForRequest({ operation }: ServiceRequest): Service {
		const { listAgeMs = 0 } = this.options;
		if (operation !== 'list_briefs' || listAgeMs === 0) return this.service;
		const then = this.service.clock.now() - listAgeMs;
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
