import { ApiClient } from '../../core/api/client';
import { DEFAULT_POLL_INTERVAL } from '../../core/api/limits';
import type { ServiceRequest } from '../../core/api/operations';
import { SendFailure, type WireResponse } from '../../core/api/ports';
import type { BriefInput } from '../../core/api/types';
import type { RequestContext } from '../../core/workspace/request-context';
import { getEnd, type StoredBrief } from '../../sandbox/briefs/brief';
import { BriefStore } from '../../sandbox/briefs/brief-store';
import type { Contract } from '../../sandbox/contract';
import { keys } from '../../sandbox/keys';
import { toFullBrief } from '../../sandbox/operations/brief-json';
import type { ServiceOptions } from '../../sandbox/options';
import { answerRequest } from '../../sandbox/service';
import { createService, type Service } from '../../sandbox/state';
import { makeRefusal, type Fault } from './faults';
import { Oracle, Script } from './oracle';
import { HOUR, MINUTE } from './time';
import { VirtualClock } from './virtual-clock';
import { VirtualProcess } from './virtual-process';

/** The behavior of the service where docs/api.md leaves it open. Times are in milliseconds. */
export interface ServiceBehavior {
	/** The products to order. A colleague might order the first. */
	readonly inputs: readonly BriefInput[];
	/** How long a key is remembered, from the creation of its brief or from its first request. */
	readonly keyMemoryMs: number;
	readonly isKeyAgedFromFirstRequest?: true;
	readonly listLagMs: number;
	/** How far briefs can be out of sequence in the list. */
	readonly listDisorderMs: number;
	/** The age of the list that list_briefs returns. */
	readonly listAgeMs: number;
	/** How long the service writes a brief. */
	readonly briefMs: number;
	/** The maximum number of briefs on a page of the brief list. */
	readonly pageSize: number;
	readonly isInputShown: boolean;
	readonly allowance: number;
	/** What happens to a third brief. If it is missing, a mistake about the slots shows as three running briefs. */
	readonly thirdBrief?: ServiceOptions['thirdBrief'];
	/** Fields that replace those of the licence for briefs. */
	readonly shownLicence: Readonly<Record<string, unknown>>;
	/** How far the service's clock is ahead of the clock of the programs. */
	readonly clockAheadMs: number;
	/** Whether and when a colleague orders the first product: at any poll, after our first brief, or before it. */
	readonly colleague?: 'might order' | 'orders other content' | 'has ordered other content';
	/** Whether a create request might be answered with the brief of another order. */
	readonly canConfuseKeys?: true;
}

const DEFAULT_BEHAVIOR: ServiceBehavior = {
	inputs: [],
	keyMemoryMs: HOUR,
	listLagMs: 0,
	listDisorderMs: 0,
	listAgeMs: 0,
	briefMs: 200_000,
	pageSize: 100,
	isInputShown: true,
	allowance: 100_000,
	shownLicence: {},
	clockAheadMs: 0,
};

export interface CreatedBrief extends StoredBrief {
	readonly key: string;
}

/** The key of a brief that a colleague has ordered. */
export const COLLEAGUE = 'colleague';
/** How a brief proceeds: it is queued for a moment, and each of the other statuses takes a third of the time. */
const STAGES = Object.entries({ queued: 1e-5, researching: 1, writing: 1, checking: 1 }).map(
	([status, share]) => ({ status, share }),
);
const LATENCY_MS = 300;
const SLOW_MS = 45_000;
/** The longest execution needs fewer requests. */
const MAX_REQUESTS = 6000;

/** The real limits. Shorter limits would hide what happens to a key during an outage. */
const READ_LIMITS = { failures: 7, rateLimits: 7 };
const CREATE_LIMITS = { failures: Infinity, rateLimits: 15, outage: 30 * MINUTE };

const CREATE_FAULTS = [
	...['lost before the work', 'lost after the work', '500 before', '500 after', 'refused 400'],
	...['dies before the work', 'dies after the work', 'slow answer', 'Ctrl-C'],
	'never answered in this run',
];

interface Reply {
	/** Null if the connection is lost. */
	readonly answer: WireResponse | null;
	readonly delay: number;
}

const LOST: Reply = { answer: null, delay: LATENCY_MS / 2 };

/** The same short text for each brief, because a test can order thousands. */
const TEXT = {
	title: 'A title',
	markdown: '# A brief',
	document: {},
	sources: [],
	warnings: [],
} as unknown as StoredBrief['text'];

/** Returns a contract that accepts every request: tests use names of one letter, and checking takes time. */
function makeContract(pageSize: number): Contract {
	const contract: Pick<Contract, 'check'> = {
		check: (_, { path, query, body }) => ({
			problems: [],
			path: { id: decodeURIComponent(path.slice('/v1/briefs/'.length)) },
			query: { ...query, limit: Math.min(Number(query['limit'] ?? 20), pageSize) },
			body: body === '' ? undefined : (JSON.parse(body) as unknown),
		}),
	};
	return contract as Contract;
}

/**
 * The sandbox on a virtual clock and without HTTP. The oracle chooses the fault of each request.
 *
 *     const service = new VirtualService({ listLagMs: 5 * MINUTE }, ['lost after the work']);
 *     const { context } = service.startProcess();
 *     await sendOrder(task, { workspace, details, requests: context });
 *     service.created                the briefs that the service has created
 */
export class VirtualService {
	/** Chooses the fault of each request. */
	oracle: Oracle;
	readonly behavior: ServiceBehavior;
	/** The options of the sandbox. A change takes effect with the next request. */
	readonly options: ServiceOptions;
	/** Every brief, in the sequence of creation. */
	readonly created: CreatedBrief[] = [];
	/** The requests of all processes. */
	readonly requests: ServiceRequest[] = [];
	/** The most briefs that ran, or waited for a slot, at once. */
	mostRunning = 0;
	/** Whether a key was sent with two different bodies (P7). */
	isKeyReused = false;
	/** Decides whether a brief fails when it is created. `index` counts the briefs of the same input from 0. */
	shouldFail: (input: BriefInput, index: number) => boolean = () => false;
	/** Returns `used_this_month`, which can also count briefs that the list does not show. */
	countUse: () => number = () => 0;
	/** Answers in place of the service; null lets the service answer. */
	intercept: (request: ServiceRequest) => Fault | null = () => null;
	/** Returns the ID of a new brief. `number` counts from 1. */
	makeId: (number: number) => string = (number) =>
		`${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
	/** Returns the additional delay of an answer. */
	delayAnswer: () => number = () => 0;
	private readonly sandbox: Service;
	private creations = 0;
	/** The time of the first request with each key. */
	private readonly firstRequests = new Map<string, number>();
	private readonly bodies = new Map<string, string>();
	/** The process whose creates with a key get no answer. */
	private readonly unanswered = new Map<string, VirtualProcess>();

	/** @param faults of the service and the disk, in sequence */
	constructor(
		behavior: Partial<ServiceBehavior> = {},
		faults: Oracle | readonly string[] = [],
		readonly clock = new VirtualClock(Date.UTC(2026, 10, 10), 50_000_000),
	) {
		this.oracle = faults instanceof Oracle ? faults : new Script(faults);
		this.behavior = { ...DEFAULT_BEHAVIOR, ...behavior };
		const { isInputShown, thirdBrief, clockAheadMs, pageSize } = this.behavior;
		const given = {
			...this.behavior,
			clock: { now: () => clock.now() + clockAheadMs },
			inputShape: isInputShown ? 'as-submitted' : 'empty',
			...(thirdBrief === undefined && { slots: Infinity }),
			requestsPerMinute: 0,
		} as const;
		this.sandbox = createService(given, makeContract(pageSize));
		this.sandbox.startBrief = ({ idempotencyKey = '', input }) =>
			this.create(idempotencyKey, input);
		this.options = this.sandbox.options;
	}

	/** @param deadline of every request; in n8n, the timeout of the node */
	startProcess(deadline = Infinity): { process: VirtualProcess; context: RequestContext } {
		const process = new VirtualProcess(this.clock);
		const { clock, signal } = process;
		const client = new ApiClient((request) => this.answer(request, process), clock, { deadline });
		const limits = { readLimits: { ...READ_LIMITS, deadline }, createLimits: CREATE_LIMITS };
		const pollInterval = DEFAULT_POLL_INTERVAL;
		return { process, context: { client, clock, signal, pollInterval, ...limits } };
	}

	count(operation: ServiceRequest['operation']): number {
		return this.requests.filter((request) => request.operation === operation).length;
	}

	/** Creates the brief of an accepted order, or a brief of a colleague. */
	create(key: string, input: BriefInput, durationMs = this.behavior.briefMs): CreatedBrief {
		const { briefs, clock, keyMemory, options } = this.sandbox;
		const { workspace } = keys.allScopes;
		const now = clock.now();
		briefs.assignSlots(now, options.slots);
		this.creations += 1;
		const isFailing = this.shouldFail(input, this.findBriefs(input).length);
		const brief: CreatedBrief = {
			id: this.makeId(this.creations),
			key,
			workspace,
			serial: this.creations,
			input,
			createdAt: now,
			listedAt: now + options.listLagMs,
			ordinal: null,
			plan: { durationMs, stages: STAGES, errorCode: isFailing ? 'research_failed' : null },
			startedAt: briefs.countRunning(workspace, now) < options.slots ? now : null,
			idempotencyKeys: [key],
			replays: 0,
			text: TEXT,
		};
		briefs.add(brief, now);
		keyMemory.set(`${workspace} ${key}`, { at: now, briefId: brief.id });
		this.created.push(brief);
		const unfinished = this.created.filter((each) => getEnd(each) > now);
		this.mostRunning = Math.max(this.mostRunning, unfinished.length);
		return brief;
	}

	/** Creates the brief of an intercepted create request. A key creates one brief. */
	createFromRequest(request: ServiceRequest, durationMs?: number): CreatedBrief {
		const { key, input } = parseOrder(request);
		return this.created.find((brief) => brief.key === key) ?? this.create(key, input, durationMs);
	}

	/** Removes a brief, as if it had never been created. */
	remove({ id }: CreatedBrief): void {
		const rest = this.created.filter((brief) => brief.id !== id);
		this.created.splice(0, Infinity, ...rest);
		this.sandbox.briefs = new BriefStore();
		for (const brief of rest) this.sandbox.briefs.add(brief, brief.createdAt);
	}

	findBriefs(input: BriefInput): CreatedBrief[] {
		const content = JSON.stringify(input);
		return this.created.filter((brief) => JSON.stringify(brief.input) === content);
	}

	/** Answers the next requests of an operation with these faults, in sequence. */
	fail(operation: ServiceRequest['operation'], ...faults: Fault[]): void {
		const { intercept } = this;
		this.intercept = (request) =>
			(request.operation === operation && faults.shift()) || intercept(request);
	}

	/** Answers the create requests in place of the service. `count` counts them from 1. */
	interceptCreates(answer: (request: ServiceRequest, count: number) => Fault | null): void {
		let count = 0;
		this.intercept = (request) =>
			request.operation === 'create_brief' ? answer(request, (count += 1)) : null;
	}

	/** Calls a function when the first create request from now on arrives, before its answer. */
	callBeforeFirstCreate(call: () => unknown): void {
		const { intercept } = this;
		let isCalled = false;
		this.intercept = (request) => {
			if (request.operation === 'create_brief' && !isCalled) {
				isCalled = true;
				call();
			}
			return intercept(request);
		};
	}

	/** Lets the service answer every request. */
	stopIntercepting(): void {
		this.intercept = () => null;
	}

	protected async answer(
		request: ServiceRequest,
		process: VirtualProcess,
		signal?: AbortSignal,
	): Promise<WireResponse> {
		process.checkAlive();
		this.requests.push(request);
		if (this.requests.length > MAX_REQUESTS) throw new Error('P11: the program polls without end');
		const extra = this.delayAnswer();
		await process.clock.sleep(LATENCY_MS / 2, signal);
		const { answer, delay } = this.reply(request, process);
		await process.clock.sleep(delay + extra, signal);
		if (answer === null) throw new SendFailure('the connection was reset', true);
		return answer;
	}

	private reply(request: ServiceRequest, process: VirtualProcess): Reply {
		const fault = this.intercept(request);
		if (fault === 'not sent') throw new SendFailure('no connection could be made', false);
		if (fault === 'lost') return LOST;
		if (fault !== null) return this.replaceAnswer(fault);
		if (request.operation === 'create_brief') return this.receiveOrder(request, process);
		if (request.operation === 'list_briefs') this.orderAsColleague();
		const { status, body } = this.answerFromSandbox(request);
		// During a slow GET, the other lane continues.
		const isSlow = request.operation === 'get_brief' && this.oracle.choose('slow GET') !== '';
		return this.send(status, body, isSlow ? SLOW_MS : undefined);
	}

	private replaceAnswer(fault: Partial<WireResponse>): Reply {
		const { answer, delay } = this.send(500, {});
		const headers = { ...answer.headers, ...fault.headers };
		return { answer: { ...answer, ...fault, headers }, delay };
	}

	private send(status: number, body: object, delay = LATENCY_MS / 2) {
		const headers = { date: new Date(this.sandbox.clock.now()).toUTCString() };
		return { answer: { status, headers, body: JSON.stringify(body) }, delay };
	}

	private orderAsColleague(): void {
		const { colleague, inputs } = this.behavior;
		const [input] = inputs;
		const hasOrdered = this.created.some(({ key }) => key === COLLEAGUE);
		if (colleague === undefined || input === undefined || hasOrdered) return;
		const now = this.clock.now();
		if (this.created.filter((brief) => getEnd(brief) > now).length >= 2) return;
		const other = { ...input, audience: 'Students' };
		if (colleague === 'might order') {
			const same = 'a colleague orders the same';
			const choice = this.oracle.choose(same, 'a colleague orders other content');
			if (choice !== '') this.create(COLLEAGUE, choice === same ? input : other);
		} else if (colleague === 'has ordered other content' || this.created.length > 0)
			this.create(COLLEAGUE, other);
	}

	private receiveOrder(request: ServiceRequest, process: VirtualProcess): Reply {
		const { key, input } = parseOrder(request);
		const content = JSON.stringify(input);
		this.isKeyReused ||= (this.bodies.get(key) ?? content) !== content;
		this.bodies.set(key, content);
		if (this.unanswered.get(key) === process) return LOST;
		if (this.behavior.isKeyAgedFromFirstRequest) this.forgetOldKey(key);
		const confused = this.behavior.canConfuseKeys && this.created[0];
		const confusionFaults = confused === undefined ? [] : ['answers with another brief'];
		const fault = this.oracle.choose(...CREATE_FAULTS, ...confusionFaults);
		switch (fault) {
			case 'dies before the work':
				return process.die();
			case 'never answered in this run':
				this.unanswered.set(key, process);
				return LOST;
			case 'lost before the work':
				return LOST;
			case '500 before':
				return this.replaceAnswer(makeRefusal(500));
			case 'refused 400':
				return this.replaceAnswer(makeRefusal(400));
			case 'answers with another brief':
				return this.send(202, this.show(confused as CreatedBrief));
		}
		const { status, body } = this.answerFromSandbox(request);
		if (status >= 400) return this.send(status, body);
		switch (fault) {
			case 'dies after the work':
				return process.die();
			case 'lost after the work':
				return LOST;
			case '500 after':
				return this.replaceAnswer(makeRefusal(500));
			case 'Ctrl-C':
				process.interrupt();
		}
		return this.send(status, body, fault === 'slow answer' ? SLOW_MS : undefined);
	}

	/** Forgets a key whose first request is too long ago. */
	private forgetOldKey(key: string): void {
		const now = this.clock.now();
		const earlier = this.firstRequests.get(key) ?? -Infinity;
		if (now - earlier < this.behavior.keyMemoryMs) return;
		this.firstRequests.set(key, now);
		this.sandbox.keyMemory.delete(`${keys.allScopes.workspace} ${key}`);
	}

	/** Lets the sandbox carry out a request. */
	private answerFromSandbox(request: ServiceRequest): { status: number; body: object } {
		const { operation, method, query, body = '' } = request;
		const headers = { ...request.headers, authorization: `Bearer ${keys.allScopes.secret}` };
		const wire = { method, path: `/v1${request.path}`, query: { ...query }, headers, body };
		const answer = answerRequest(this.getServiceForRequest(request), operation, wire);
		return answer.status < 400
			? { ...answer, body: this.showBody(operation, answer.body) }
			: answer;
	}

	/** Returns the service; for list_briefs, the service at the time that the list shows. */
	private getServiceForRequest({ operation }: ServiceRequest): Service {
		const { listAgeMs } = this.behavior;
		if (operation !== 'list_briefs' || listAgeMs === 0) return this.sandbox;
		const then = this.sandbox.clock.now() - listAgeMs;
		const clock = { ...this.sandbox.clock, now: () => then };
		return Object.assign(Object.create(this.sandbox) as Service, { clock });
	}

	/** Returns the body of an answer as `show` and the licence of the behavior have it. */
	private showBody(operation: ServiceRequest['operation'], body: object): object {
		if (operation === 'list_hooks') return body;
		if (operation === 'list_licences') {
			const [licence, ...others] = (body as { data: object[] }).data;
			const { shownLicence } = this.behavior;
			return {
				data: [{ ...licence, used_this_month: this.countUse(), ...shownLicence }, ...others],
			};
		}
		if (operation !== 'list_briefs') return this.show(this.findShown(body));
		const { data } = body as { data: object[] };
		return { ...body, data: data.map((brief) => this.show(this.findShown(brief))) };
	}

	private findShown(shown: object): CreatedBrief {
		return this.sandbox.briefs.find((shown as CreatedBrief).id) as CreatedBrief;
	}

	/** Returns a brief as an answer shows it. */
	show(brief: CreatedBrief): object {
		return toFullBrief(this.sandbox, brief);
	}
}

function parseOrder({ body = '' }: ServiceRequest): { key: string; input: BriefInput } {
	type Order = BriefInput & { idempotency_key: string };
	const { idempotency_key: key, ...input } = JSON.parse(body) as Order;
	return { key, input };
}
