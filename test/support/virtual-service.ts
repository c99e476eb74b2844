import { ApiClient } from '../../core/api/client';
import { DEFAULT_POLL_INTERVAL } from '../../core/api/limits';
import type { ServiceRequest } from '../../core/api/operations';
import { SendFailure, type Clock, type WireResponse } from '../../core/api/ports';
import type { BriefInput } from '../../core/api/types';
import type { RequestContext } from '../../core/workspace/request-context';
import { MINUTE } from './time';
import { VirtualClock } from './virtual-clock';

/**
 * The service in virtual time, and processes that can die at every request. At each create, an oracle chooses what happens:
 * the usual answer, or a fault such as a lost answer.
 */
export class Oracle {
	readonly taken: number[] = [];
	readonly choices: number[] = [];
	readonly story: string[] = [];

	constructor(private readonly path: readonly number[] = []) {}

	/** Returns the name of a fault, or '' for the usual answer. */
	choose(...faults: string[]): string {
		const choice = this.path[this.taken.length] ?? 0;
		this.taken.push(choice);
		this.choices.push(faults.length + 1);
		const fault = choice === 0 ? '' : (faults[choice - 1] ?? '');
		if (fault !== '') this.story.push(`${this.taken.length}: ${fault}`);
		return fault;
	}
}

/** How the service behaves where its documentation is silent. */
export interface Nature {
	/** How long it remembers a key, from the creation of the brief or from the first request with the key. */
	readonly keyMemoryMs: number;
	readonly keysCountFromFirstRequest?: true;
	readonly listLagMs: number;
	/** How long it takes to write a brief. */
	readonly briefMs?: number;
	readonly showsInput: boolean;
	/** The status with which it refuses a third brief. Without one, a mistake about the slots shows as three running briefs. */
	readonly refusesThird?: 429 | 400 | 403;
	readonly pageSize?: number;
	readonly allowance?: number;
	/** At any poll, a colleague might order this input, or other content for its product. */
	readonly colleagueInput?: BriefInput;
}

export interface CreatedBrief {
	readonly id: string;
	readonly key: string;
	readonly input: BriefInput;
	readonly createdAt: number;
}

export const COLLEAGUE = 'colleague';
const USUAL_BRIEF_MS = 200_000;
const LATENCY_MS = 300;

/** The real limits. Shorter limits would hide what happens to a key during an outage. */
const READ_LIMITS = { failures: 7, rateLimits: 7 };
const CREATE_LIMITS = {
	failures: Infinity,
	rateLimits: 15,
	outage: 30 * MINUTE,
};

export class Death extends Error {}

/** One process. After its death, none of its effects happens. */
export class VirtualProcess {
	private readonly death = new AbortController();
	private readonly interruption = new AbortController();

	constructor(private readonly virtualClock: VirtualClock) {}

	get isDead(): boolean {
		return this.death.signal.aborted;
	}

	die(): never {
		this.death.abort(new Death());
		throw new Death();
	}

	/** Ctrl-C, or Stop in n8n. */
	interrupt(): void {
		this.interruption.abort();
	}

	get signal(): AbortSignal {
		return this.interruption.signal;
	}

	checkAlive(): void {
		if (this.isDead) throw new Death();
	}

	readonly clock: Clock = {
		now: () => this.virtualClock.now(),
		sleep: async (ms, signal) => {
			this.checkAlive();
			await this.virtualClock.sleep(ms, signal, this.death.signal);
			this.checkAlive();
		},
	};
}

interface Reply {
	/** Null if the answer is lost. */
	readonly answer: WireResponse | null;
	readonly delay: number;
}

export class VirtualService {
	readonly clock = new VirtualClock(Date.UTC(2026, 10, 10), 50_000_000);
	readonly created: CreatedBrief[] = [];
	readonly requests: ServiceRequest[] = [];
	mostRunning = 0;
	/** True if a key came with two bodies (P7). */
	isKeyReused = false;
	/** Decides whether a brief fails. `index` is 0 for the first brief of its input. */
	isFailed: (input: BriefInput, index: number) => boolean = () => false;
	/** Answers instead of the service; 'lost' for no answer, null to let the service answer. */
	intercept: (request: ServiceRequest) => WireResponse | 'lost' | null = () => null;
	/** How much longer than usual an answer takes. */
	delayAnswer: () => number = () => 0;
	private readonly firstRequests = new Map<string, number>();
	private readonly bodies = new Map<string, string>();

	constructor(
		readonly nature: Nature,
		readonly oracle = new Oracle(),
	) {}

	/** @param deadline no request waits longer; in n8n, the timeout of the node */
	startProcess(deadline = Infinity): {
		process: VirtualProcess;
		context: RequestContext;
	} {
		const process = new VirtualProcess(this.clock);
		const { clock, signal } = process;
		const client = new ApiClient((request) => this.answer(request, process), clock, { deadline });
		const limits = {
			readLimits: { ...READ_LIMITS, deadline },
			createLimits: CREATE_LIMITS,
		};
		const pollInterval = DEFAULT_POLL_INTERVAL;
		return {
			process,
			context: { client, clock, signal, pollInterval, ...limits },
		};
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

	/** Creates the brief of an intercepted create request, once per key. */
	createFor({ body = '' }: ServiceRequest): CreatedBrief {
		const { key, input } = parseOrder(body);
		return this.created.find((brief) => brief.key === key) ?? this.create(key, input);
	}

	briefsOf(input: BriefInput): CreatedBrief[] {
		return this.created.filter((brief) => JSON.stringify(brief.input) === JSON.stringify(input));
	}

	private async answer(request: ServiceRequest, process: VirtualProcess): Promise<WireResponse> {
		process.checkAlive();
		this.requests.push(request);
		if (this.requests.length > 4000) throw new Error('P11: the program polls without end');
		const extra = this.delayAnswer();
		await process.clock.sleep(LATENCY_MS / 2);
		const { answer, delay } = this.reply(request, process);
		await process.clock.sleep(delay + extra);
		if (answer === null) throw new SendFailure('the connection was reset', true);
		return answer;
	}

	private reply(request: ServiceRequest, process: VirtualProcess): Reply {
		const intercepted = this.intercept(request);
		if (intercepted === 'lost') return this.lost();
		if (intercepted !== null) return { ...this.json(200, {}), answer: intercepted };
		switch (request.operation) {
			case 'list_briefs':
				return this.list(Number(request.query['cursor'] ?? 0));
			case 'get_brief': {
				const brief = this.created.find(({ id }) => request.path.endsWith(id));
				return brief === undefined ? this.refuse(404) : this.json(200, this.show(brief));
			}
			case 'create_brief':
				return this.receiveOrder(request, process);
			default:
				return this.json(200, { data: this.licences });
		}
	}

	private get licences(): object[] {
		const { allowance } = this.nature;
		if (allowance === undefined) return [];
		const times = { used_this_month: 0, renews_or_ends_at: null };
		const licence = {
			product: 'creator-briefs',
			name: 'Briefs',
			channels: ['api'],
		};
		return [{ ...licence, ...times, monthly_allowance: allowance }];
	}

	private list(start: number): Reply {
		this.letColleagueOrder();
		const { listLagMs, pageSize = 100 } = this.nature;
		const now = this.clock.now();
		const listed = this.created.filter(({ createdAt }) => now >= createdAt + listLagMs).reverse();
		const end = start + pageSize;
		return this.json(200, {
			data: listed.slice(start, end).map((brief) => this.show(brief)),
			next_cursor: end < listed.length ? String(end) : null,
		});
	}

	private receiveOrder(request: ServiceRequest, process: VirtualProcess): Reply {
		const { key, input } = parseOrder(request.body ?? '');
		this.checkKey(key, input);
		const remembered = this.findRemembered(key);
		const fault = this.oracle.choose(
			...['lost before the work', 'lost after the work'],
			...['500 before the work', '500 after the work', 'refused 400'],
			...['dies before the work', 'dies after the work', 'slow answer', 'stopped'],
		);
		if (fault === 'refused 400') return this.refuse(400);
		if (fault.endsWith('before the work')) return this.answerWith(fault, process);
		const { refusesThird, allowance = Infinity } = this.nature;
		const isThird = remembered === undefined && this.countRunning() >= 2;
		if (isThird && refusesThird !== undefined)
			return this.refuse(refusesThird, refusesThird === 429 ? 'too_many_briefs' : 'refused');
		if (remembered === undefined && this.created.length >= allowance)
			return this.refuse(429, 'allowance_reached');
		const brief = this.json(202, this.show(remembered ?? this.create(key, input)));
		if (fault.endsWith('after the work')) return this.answerWith(fault, process);
		if (fault === 'stopped') process.interrupt();
		return fault === 'slow answer' ? { ...brief, delay: 45_000 } : brief;
	}

	private answerWith(fault: string, process: VirtualProcess): Reply {
		if (fault.startsWith('dies')) return process.die();
		return fault.startsWith('lost') ? this.lost() : this.refuse(500);
	}

	private checkKey(key: string, input: BriefInput): void {
		const body = JSON.stringify(input);
		this.isKeyReused ||= (this.bodies.get(key) ?? body) !== body;
		this.bodies.set(key, body);
	}

	private findRemembered(key: string): CreatedBrief | undefined {
		const now = this.clock.now();
		const { keyMemoryMs, keysCountFromFirstRequest } = this.nature;
		const earlierAt = this.firstRequests.get(key) ?? -Infinity;
		const firstAt = now - earlierAt >= keyMemoryMs ? now : earlierAt;
		this.firstRequests.set(key, firstAt);
		return this.created.find(({ key: usedKey, createdAt }) => {
			const isRemembered = keysCountFromFirstRequest
				? createdAt >= firstAt
				: now < createdAt + keyMemoryMs;
			return usedKey === key && isRemembered;
		});
	}

	private letColleagueOrder(): void {
		const { colleagueInput } = this.nature;
		const hasOrdered = this.created.some(({ key }) => key === COLLEAGUE);
		if (colleagueInput === undefined || hasOrdered || this.countRunning() >= 2) return;
		const what = this.oracle.choose(
			'a colleague orders the same',
			'a colleague orders other content',
		);
		if (what === '') return;
		const isSame = what.endsWith('same');
		this.create(COLLEAGUE, isSame ? colleagueInput : { ...colleagueInput, audience: 'Students' });
	}

	private get briefMs(): number {
		return this.nature.briefMs ?? USUAL_BRIEF_MS;
	}

	private countRunning(): number {
		const now = this.clock.now();
		return this.created.filter(({ createdAt }) => now < createdAt + this.briefMs).length;
	}

	show({ id, input, createdAt }: CreatedBrief): object {
		const age = this.clock.now() - createdAt;
		const hasEnded = age >= this.briefMs;
		const index = this.briefsOf(input).findIndex((brief) => brief.id === id);
		const hasFailed = hasEnded && this.isFailed(input, index);
		const isReady = hasEnded && !hasFailed;
		const at = new Date(createdAt).toISOString();
		const running = age > 0.75 * this.briefMs ? 'checking' : 'writing';
		return {
			id,
			status: hasFailed ? 'failed' : isReady ? 'ready' : running,
			product_name: input.product_name,
			title: hasEnded ? 'T' : null,
			created_at: at,
			updated_at: at,
			finished_at: hasEnded ? new Date(createdAt + this.briefMs).toISOString() : null,
			url: 'https://example.com',
			input: this.nature.showsInput ? input : {},
			markdown: isReady ? '# T' : null,
			document: isReady ? {} : null,
			sources: [],
			warnings: [],
			error_code: hasFailed ? 'research_failed' : null,
			revision: 1,
		};
	}

	private json(status: number, body: object): Reply {
		const headers = { date: new Date(this.clock.now()).toUTCString() };
		return {
			answer: { status, headers, body: JSON.stringify(body) },
			delay: LATENCY_MS / 2,
		};
	}

	/** A refusal in the form of docs/api.md 7. */
	refuse(status: number, code = 'refused'): Reply & { answer: WireResponse } {
		const reply = this.json(status, { error: { code, message: code } });
		return reply as Reply & { answer: WireResponse };
	}

	private lost(): Reply {
		return { answer: null, delay: LATENCY_MS / 2 };
	}
}

function parseOrder(body: string): { key: string; input: BriefInput } {
	const { idempotency_key: key, ...input } = JSON.parse(body) as BriefInput & {
		idempotency_key: string;
	};
	return { key, input };
}
