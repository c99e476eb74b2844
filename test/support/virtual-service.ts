import { ApiClient } from '../../core/api/client';
import { DEFAULT_POLL_INTERVAL } from '../../core/api/limits';
import type { ServiceRequest } from '../../core/api/operations';
import { SendFailure, type WireResponse } from '../../core/api/ports';
import type { BriefInput } from '../../core/api/types';
import { monthStart } from '../../core/dates';
import type { RequestContext } from '../../core/workspace/request-context';
import { Oracle } from './oracle';
import { HOUR, MINUTE } from './time';
import { VirtualClock } from './virtual-clock';
import { VirtualProcess } from './virtual-process';

/** The behavior of the service where docs/api.md leaves it open. */
export interface ServiceBehavior {
	/** The products to order. A colleague might order the first. */
	readonly inputs: readonly BriefInput[];
	/** How long a key is remembered, from the creation of its brief or from its first request. */
	readonly keyMemoryMs: number;
	readonly isKeyAgedFromFirstRequest?: true;
	readonly listLagMs: number;
	/** How long a brief is written. */
	readonly briefMs: number;
	/** The maximum number of briefs on a page of the brief list. */
	readonly pageSize: number;
	isInputShown: boolean;
	readonly allowance: number;
	/** The status that refuses a third brief. If it is missing, a mistake about the slots shows as three running briefs. */
	readonly thirdBriefStatus?: 429 | 400 | 403;
	/** Whether and when a colleague orders the first product: at any poll, after our first brief, or before it. */
	readonly colleague?: 'might order' | 'orders other content' | 'has ordered other content';
	/** Whether a create request might be answered with the brief of another order. */
	readonly canConfuseKeys?: true;
}

const DEFAULT_BEHAVIOR: ServiceBehavior = {
	inputs: [],
	keyMemoryMs: HOUR,
	listLagMs: 0,
	briefMs: 200_000,
	pageSize: 100,
	isInputShown: true,
	allowance: 100_000,
};

export interface CreatedBrief {
	readonly id: string;
	readonly key: string;
	readonly input: BriefInput;
	readonly createdAt: number;
}

/** The key of a brief that a colleague has ordered. */
export const COLLEAGUE = 'colleague';
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

/**
 * The service in virtual time. The oracle chooses the fault of each request.
 *
 *     const service = new VirtualService({ listLagMs: 5 * MINUTE }, new Script(['lost after the work']));
 *     const { context } = service.startProcess();
 *     await new Workspace().createBrief(order, options, context);
 *     service.created                the briefs that the service has created
 */
export class VirtualService {
	readonly clock = new VirtualClock(Date.UTC(2026, 10, 10), 50_000_000);
	readonly behavior: ServiceBehavior;
	readonly created: CreatedBrief[] = [];
	readonly requests: ServiceRequest[] = [];
	mostRunning = 0;
	/** Whether a key was sent with two different bodies (P7). */
	isKeyReused = false;
	/** Decides whether a brief fails. `index` counts the briefs of the same input from 0. */
	shouldFail: (input: BriefInput, index: number) => boolean = () => false;
	/** Returns `used_this_month`, which can also count briefs that the list does not show. */
	countUse: () => number = () => 0;
	/** Answers in place of the service: 'lost' for no answer, null to let the service answer. */
	intercept: (request: ServiceRequest) => WireResponse | 'lost' | null = () => null;
	/** Returns the additional delay of an answer. */
	delayAnswer: () => number = () => 0;
	/** The time of the first request with each key. */
	private readonly firstRequests = new Map<string, number>();
	private readonly bodies = new Map<string, string>();
	/** The process whose creates with a key get no answer. */
	private readonly unanswered = new Map<string, VirtualProcess>();

	constructor(
		behavior: Partial<ServiceBehavior> = {},
		public oracle = new Oracle(),
	) {
		this.behavior = { ...DEFAULT_BEHAVIOR, ...behavior };
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

	create(key: string, input: BriefInput): CreatedBrief {
		const id = `00000000-0000-4000-8000-${String(this.created.length + 1).padStart(12, '0')}`;
		const brief = { id, key, input, createdAt: this.clock.now() };
		this.created.push(brief);
		this.mostRunning = Math.max(this.mostRunning, this.countRunning());
		return brief;
	}

	/** Creates the brief of an intercepted create request. A key creates one brief. */
	createFromRequest({ body = '' }: ServiceRequest): CreatedBrief {
		const { key, input } = parseOrder(body);
		return this.created.find((brief) => brief.key === key) ?? this.create(key, input);
	}

	findBriefs(input: BriefInput): CreatedBrief[] {
		const content = JSON.stringify(input);
		return this.created.filter((brief) => JSON.stringify(brief.input) === content);
	}

	/** Returns a refusal in the form of docs/api.md 7. */
	refuse(status: number, code = 'refused'): { answer: WireResponse; delay: number } {
		return this.send(status, { error: { code, message: code } });
	}

	protected async answer(request: ServiceRequest, process: VirtualProcess): Promise<WireResponse> {
		process.checkAlive();
		this.requests.push(request);
		if (this.requests.length > MAX_REQUESTS) throw new Error('P11: the program polls without end');
		const extra = this.delayAnswer();
		await process.clock.sleep(LATENCY_MS / 2);
		const { answer, delay } = this.reply(request, process);
		await process.clock.sleep(delay + extra);
		if (answer === null) throw new SendFailure('the connection was reset', true);
		return answer;
	}

	private reply(request: ServiceRequest, process: VirtualProcess): Reply {
		const intercepted = this.intercept(request);
		if (intercepted !== null)
			return { ...LOST, answer: intercepted === 'lost' ? null : intercepted };
		switch (request.operation) {
			case 'list_briefs':
				return this.listBriefs(request);
			case 'get_brief': {
				const brief = this.created.find(({ id }) => request.path.endsWith(id));
				if (brief === undefined) return this.refuse(404);
				// During a slow GET, the other lane continues.
				const isSlow = this.oracle.choose('slow GET') !== '';
				return this.send(200, this.show(brief), isSlow ? SLOW_MS : undefined);
			}
			case 'create_brief':
				return this.receiveOrder(request, process);
			default:
				return this.send(200, { data: [this.licence] });
		}
	}

	private send(status: number, body: object, delay = LATENCY_MS / 2) {
		const headers = { date: new Date(this.clock.now()).toUTCString() };
		return { answer: { status, headers, body: JSON.stringify(body) }, delay };
	}

	private get licence(): object {
		const times = { used_this_month: this.countUse(), renews_or_ends_at: null };
		const licence = { product: 'creator-briefs', name: 'Creator Briefs', channels: ['api'] };
		return { ...licence, ...times, monthly_allowance: this.behavior.allowance };
	}

	private listBriefs({ query }: ServiceRequest): Reply {
		this.orderAsColleague();
		const { listLagMs, pageSize } = this.behavior;
		const now = this.clock.now();
		const listed = this.created.filter(({ createdAt }) => now >= createdAt + listLagMs);
		const start = Number(query['cursor'] ?? 0);
		const end = start + Math.min(Number(query['limit'] ?? 20), pageSize);
		const page = listed.toReversed().slice(start, end);
		const next_cursor = end < listed.length ? String(end) : null;
		return this.send(200, { data: page.map((brief) => this.show(brief)), next_cursor });
	}

	private orderAsColleague(): void {
		const { colleague, inputs } = this.behavior;
		const [input] = inputs;
		const hasOrdered = this.created.some(({ key }) => key === COLLEAGUE);
		if (colleague === undefined || input === undefined || hasOrdered) return;
		if (this.countRunning() >= 2) return;
		const other = { ...input, audience: 'Students' };
		if (colleague === 'might order') {
			const same = 'a colleague orders the same';
			const choice = this.oracle.choose(same, 'a colleague orders other content');
			if (choice !== '') this.create(COLLEAGUE, choice === same ? input : other);
		} else if (colleague === 'has ordered other content' || this.created.length > 0)
			this.create(COLLEAGUE, other);
	}

	private receiveOrder({ body = '' }: ServiceRequest, process: VirtualProcess): Reply {
		const { key, input } = parseOrder(body);
		const content = JSON.stringify(input);
		this.isKeyReused ||= (this.bodies.get(key) ?? content) !== content;
		this.bodies.set(key, content);
		if (this.unanswered.get(key) === process) return LOST;
		const remembered = this.findRemembered(key);
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
				return this.refuse(500);
			case 'refused 400':
				return this.refuse(400);
			case 'answers with another brief':
				return this.send(202, this.show(confused as CreatedBrief));
		}
		const { thirdBriefStatus, allowance } = this.behavior;
		const isThird = remembered === undefined && this.countRunning() >= 2;
		if (isThird && thirdBriefStatus !== undefined)
			return this.refuse(
				thirdBriefStatus,
				thirdBriefStatus === 429 ? 'too_many_briefs' : 'refused',
			);
		if (remembered === undefined && this.countUsed() >= allowance)
			return this.refuse(429, 'allowance_reached');
		const shown = this.show(remembered ?? this.create(key, input));
		switch (fault) {
			case 'dies after the work':
				return process.die();
			case 'lost after the work':
				return LOST;
			case '500 after':
				return this.refuse(500);
			case 'Ctrl-C':
				process.interrupt();
		}
		return this.send(202, shown, fault === 'slow answer' ? SLOW_MS : undefined);
	}

	/** Returns the brief of a key that the service remembers. */
	private findRemembered(key: string): CreatedBrief | undefined {
		const now = this.clock.now();
		const { keyMemoryMs, isKeyAgedFromFirstRequest } = this.behavior;
		const earlier = this.firstRequests.get(key) ?? -Infinity;
		const firstRequestAt = now - earlier < keyMemoryMs ? earlier : now;
		this.firstRequests.set(key, firstRequestAt);
		return this.created.find((brief) => {
			const isRemembered = isKeyAgedFromFirstRequest
				? brief.createdAt >= firstRequestAt
				: now < brief.createdAt + keyMemoryMs;
			return brief.key === key && isRemembered;
		});
	}

	private countUsed(): number {
		const start = monthStart(this.clock.now());
		const thisMonth = this.created.filter(({ createdAt }) => createdAt >= start);
		return Math.max(thisMonth.length, this.countUse());
	}

	private countRunning(): number {
		const now = this.clock.now();
		return this.created.filter(({ createdAt }) => now < createdAt + this.behavior.briefMs).length;
	}

	show({ id, input, createdAt }: CreatedBrief): object {
		const { briefMs, isInputShown } = this.behavior;
		const age = this.clock.now() - createdAt;
		const hasEnded = age >= briefMs;
		const index = this.findBriefs(input).findIndex((brief) => brief.id === id);
		const hasFailed = hasEnded && this.shouldFail(input, index);
		const isReady = hasEnded && !hasFailed;
		const running = age > 0.75 * briefMs ? 'checking' : 'writing';
		const at = new Date(createdAt).toISOString();
		return {
			id,
			status: hasFailed ? 'failed' : isReady ? 'ready' : running,
			product_name: input.product_name,
			title: hasEnded ? 'T' : null,
			created_at: at,
			updated_at: at,
			finished_at: hasEnded ? new Date(createdAt + briefMs).toISOString() : null,
			url: 'https://example.com',
			input: isInputShown ? input : {},
			markdown: isReady ? '# T' : null,
			document: isReady ? {} : null,
			sources: [],
			warnings: [],
			error_code: hasFailed ? 'research_failed' : null,
			revision: 1,
		};
	}
}

function parseOrder(body: string): { key: string; input: BriefInput } {
	type Order = BriefInput & { idempotency_key: string };
	const { idempotency_key: key, ...input } = JSON.parse(body) as Order;
	return { key, input };
}
