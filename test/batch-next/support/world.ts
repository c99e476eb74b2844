import type { ServiceRequest } from '../../../core/api/operations';
import { SendFailure, type Clock, type WireResponse } from '../../../core/api/ports';
import type { BriefInput } from '../../../core/api/types';
import { ApiClient } from '../../../core/api/client';
import { MAX_OUTAGE_MS } from '../../../core/api/retry';
import { VirtualClock } from '../../support/virtual-clock';
import type { RequestContext } from '../../../core/workspace/request-context';
import type { Invocation } from '../../../batch-next/cli/program';
import { readSettings, type TypedOptions } from '../../../batch-next/cli/settings';
import { makeScope, resolveSelection } from '../../../batch-next/commands/selection';
import { DEFAULT_CSV_OPTIONS, type Row, type Table } from '../../../batch-next/csv/types';
import type { Disk } from '../../../batch-next/folder/disk';
import { OrderStore } from '../../../batch-next/folder/order-store';
import { planRun, type RunPlan } from '../../../batch-next/plan/plan-run';
import { executePlan } from '../../../batch-next/run/execute-plan';
import type { RunEnd } from '../../../batch-next/run/run-end';
import { openSession, type ConnectedSession, type Ports } from '../../../batch-next/session';
import { makeRow } from './order-builder';

/**
 * A service and a disk in virtual time, and processes that can die at every effect. The real program runs in it. An oracle
 * chooses at each effect what happens: the usual, or one of the faults.
 */
export class Oracle {
	readonly taken: number[] = [];
	readonly choices: number[] = [];
	readonly story: string[] = [];

	constructor(private readonly path: readonly number[] = []) {}

	/** Returns '' for the usual course, or the name of a fault. */
	choose(...faults: string[]): string {
		const choice = this.path[this.taken.length] ?? 0;
		this.taken.push(choice);
		this.choices.push(faults.length + 1);
		const fault = choice === 0 ? '' : (faults[choice - 1] ?? '');
		if (fault !== '') this.story.push(`${this.taken.length}: ${fault}`);
		return fault;
	}
}

/** Plays faults in the given sequence, each as soon as it can happen. */
export class Script extends Oracle {
	constructor(private readonly faults: string[]) {
		super();
	}

	override choose(...possible: string[]): string {
		const [next = ''] = this.faults;
		if (!possible.includes(next)) return '';
		this.faults.shift();
		return next;
	}
}

/** How the service behaves where its documentation is silent. */
export interface Nature {
	readonly inputs: readonly BriefInput[];
	/** How long it remembers a key, from the creation of the brief or from the first request with the key. */
	readonly keyMemoryMs: number;
	readonly keysCountFromFirstRequest?: true;
	readonly listLagMs: number;
	/** How long it writes a brief. */
	readonly briefMs?: number;
	/** Most briefs on a page of the brief list. */
	readonly pageSize?: number;
	readonly showsInput: boolean;
	/** It refuses a third brief. Otherwise a mistake about the slots would show as three running briefs. */
	readonly refusesThird?: true;
	/** A colleague who might order one of the products at any poll, orders it after our first brief, or has ordered. */
	readonly colleague?: 'might order' | 'orders other content' | 'has ordered other content';
	/** The last row is missing from the CSV in the second and third run. */
	readonly isRowRemoved?: true;
	/** It might answer a create with the brief of another order. */
	readonly confusesKeys?: true;
}

/** A command of brief-batch in the world. */
export interface WorldCommand {
	readonly rows?: readonly Row[];
	readonly command?: 'run' | 'retry';
	/** Options as they are typed, such as { reorder: ['2,3'] }. */
	readonly options?: TypedOptions;
	readonly folder?: string;
	/** `ask` ends the run if something has to be confirmed, like a run without a terminal. */
	readonly confirmations?: 'allow' | 'ask';
}

/** What a command came to; `finished` is null if a confirmation was missing. */
export interface WorldResult {
	readonly plan: RunPlan;
	readonly finished: RunEnd | null;
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

class Death extends Error {}

/** One process: dead or alive for all its effects. */
class Process {
	private readonly death = new AbortController();
	private readonly interruption = new AbortController();

	constructor(private readonly world: World) {}

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
		now: () => this.world.clock.now(),
		sleep: async (ms, signal) => {
			this.checkAlive();
			await this.world.clock.sleep(ms, signal, this.death.signal);
			this.checkAlive();
		},
	};
}

/** The licence is not the limit in these tests. */
const LICENCE = {
	product: 'creator-briefs',
	name: 'Creator Briefs',
	channels: ['api'],
	monthly_allowance: 100_000,
	used_this_month: 0,
	renews_or_ends_at: null,
};

export class World {
	readonly clock = new VirtualClock(Date.UTC(2026, 10, 10), 50_000_000);
	readonly created: CreatedBrief[] = [];
	readonly files = new Map<string, Buffer>();
	/** The time of the first request with each key. */
	private readonly keys = new Map<string, number>();
	mostRunning = 0;
	requests = 0;
	/** @param index 0 for the first brief of this input */
	failedBriefs: (input: BriefInput, index: number) => boolean = () => false;
	/** True once a key came with two bodies (P7). */
	isKeyReused = false;
	private readonly bodies = new Map<string, string>();
	/** The process whose creates with a key get no answer. */
	private readonly unanswered = new Map<string, Process>();

	constructor(
		readonly nature: Nature,
		public oracle: Oracle,
	) {}

	/** Returns the context of an execution of n8n. */
	startProcess(): { process: Process; context: RequestContext } {
		const process = new Process(this);
		const { clock, signal } = process;
		const client = new ApiClient((request) => this.answer(request, process), clock);
		const limits = { failures: Infinity, rateLimits: Infinity, outage: MAX_OUTAGE_MS };
		const context = { client, clock, signal, readLimits: limits, createLimits: limits };
		return { process, context };
	}

	/** Runs a command until it ends or its process dies. Returns null if it died. */
	async runBatch(command: WorldCommand = {}): Promise<WorldResult | null> {
		const process = new Process(this);
		const { rows = this.rows, folder = 'out' } = command;
		const invocation = makeInvocation({ ...command, folder });
		try {
			const ports = this.makePorts(process, rows);
			const session = await openSession({ invocation, ports, signal: process.signal }, 'write');
			const result = await runPlan(session, invocation, command.confirmations ?? 'allow');
			return process.isDead ? null : result;
		} catch (error) {
			if (error instanceof Death || process.isDead) return null;
			throw error;
		}
	}

	private makePorts(process: Process, rows: readonly Row[]): Ports {
		return {
			clock: process.clock,
			disk: this.makeDisk(process),
			lockFolder: async () => ({ verify: async () => undefined, release: async () => undefined }),
			connect: () => (request) => this.answer(request, process),
			readTable: async () => makeTable(rows),
		};
	}

	/** Reads the journal of a folder. */
	async readStore(folder = 'out'): Promise<OrderStore> {
		const disk = this.makeDisk(new Process(this));
		return await OrderStore.read(disk, `${folder}/journal.jsonl`, () => 0);
	}

	private get briefMs(): number {
		return this.nature.briefMs ?? USUAL_BRIEF_MS;
	}

	get rows(): Row[] {
		return this.nature.inputs.map((input, index) => makeRow(index + 2, input));
	}

	makeDisk(process: Process): Disk {
		return {
			read: async (path) => this.files.get(path) ?? null,
			append: async (path, bytes) => {
				process.checkAlive();
				const before = this.files.get(path) ?? Buffer.alloc(0);
				const fault = this.oracle.choose(
					'dies before a line',
					'dies in a line',
					'dies after a line',
				);
				if (fault === 'dies before a line') process.die();
				const written = fault === 'dies in a line' ? bytes.subarray(0, bytes.length / 2) : bytes;
				this.files.set(path, Buffer.concat([before, written]));
				if (fault !== '') process.die();
			},
			replace: async (path, bytes) => {
				process.checkAlive();
				if (this.oracle.choose('dies before a file') !== '') process.die();
				this.files.set(path, bytes);
			},
			makeFolder: async () => undefined,
			removeEmptyFolders: async () => undefined,
			removePartialFiles: async () => undefined,
			list: async (folder) =>
				[...this.files.keys()].flatMap((path) =>
					path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
				),
		};
	}

	private async answer(request: ServiceRequest, process: Process): Promise<WireResponse> {
		process.checkAlive();
		if ((this.requests += 1) > 6000) throw new Error('P11: the program polls without end');
		await process.clock.sleep(LATENCY_MS / 2);
		const { answer, delay } = this.handle(request, process);
		await process.clock.sleep(delay);
		if (answer === null) throw new SendFailure('the connection was reset', true);
		return answer;
	}

	private handle(
		request: ServiceRequest,
		process: Process,
	): { answer: WireResponse | null; delay: number } {
		const now = this.clock.now();
		const delay = LATENCY_MS / 2;
		const json = (status: number, body: object) => ({
			answer: {
				status,
				headers: { date: new Date(now).toUTCString() },
				body: JSON.stringify(body),
			},
			delay,
		});
		const failure = (status: number, code: string) =>
			json(status, { error: { code, message: code } });
		switch (request.operation) {
			case 'list_briefs': {
				this.letColleagueOrder();
				const listed = this.created.filter(
					({ createdAt }) => now >= createdAt + this.nature.listLagMs,
				);
				return json(200, this.showPage(listed.toReversed(), request));
			}
			case 'get_brief': {
				const brief = this.created.find(({ id }) => request.path.endsWith(id));
				if (brief === undefined) return failure(404, 'not_found');
				// The other lane goes on meanwhile.
				const isSlow = this.oracle.choose('slow GET') !== '';
				return { ...json(200, this.show(brief)), delay: isSlow ? 45_000 : delay };
			}
			case 'create_brief':
				break;
			default:
				return json(200, { data: [LICENCE] });
		}
		const { idempotency_key: key, ...input } = JSON.parse(request.body ?? '') as BriefInput & {
			idempotency_key: string;
		};
		const body = JSON.stringify(input);
		this.isKeyReused ||= (this.bodies.get(key) ?? body) !== body;
		this.bodies.set(key, body);
		if (this.unanswered.get(key) === process) return { answer: null, delay };
		const { keyMemoryMs, keysCountFromFirstRequest } = this.nature;
		const earlierRequestAt = this.keys.get(key) ?? -Infinity;
		const isForgotten = now - earlierRequestAt >= keyMemoryMs;
		const firstRequestAt = isForgotten ? now : earlierRequestAt;
		this.keys.set(key, firstRequestAt);
		const [first] = this.created;
		const canConfuse = first !== undefined && this.nature.confusesKeys === true;
		const fault = this.oracle.choose(
			...['lost before the work', 'lost after the work', '500 before', '500 after', 'refused 400'],
			...['dies before the work', 'dies after the work', 'slow answer', 'Ctrl-C'],
			'never answered in this run',
			...(canConfuse ? ['answers with another brief'] : []),
		);
		switch (fault) {
			case 'dies before the work':
				return process.die();
			case 'never answered in this run':
				this.unanswered.set(key, process);
				return { answer: null, delay };
			case 'lost before the work':
				return { answer: null, delay };
			case '500 before':
				return failure(500, 'internal');
			case 'refused 400':
				return failure(400, 'invalid');
			case 'answers with another brief':
				return json(202, this.show(first as CreatedBrief));
		}
		const known = this.created.find((one) => {
			const isRemembered = keysCountFromFirstRequest
				? one.createdAt >= firstRequestAt
				: now < one.createdAt + keyMemoryMs;
			return one.key === key && isRemembered;
		});
		if (known === undefined && this.countRunning() >= 2 && this.nature.refusesThird)
			return failure(429, 'too_many_briefs');
		const brief = known ?? this.create(key, input);
		switch (fault) {
			case 'dies after the work':
				return process.die();
			case 'lost after the work':
				return { answer: null, delay };
			case '500 after':
				return failure(500, 'internal');
			case 'Ctrl-C':
				process.interrupt();
				return json(202, this.show(brief));
			case 'slow answer':
				return { ...json(202, this.show(brief)), delay: 45_000 };
			default:
				return json(202, this.show(brief));
		}
	}

	private showPage(listed: readonly CreatedBrief[], { query }: ServiceRequest): object {
		const size = Math.min(Number(query['limit'] ?? 20), this.nature.pageSize ?? 100);
		const start = Number(query['cursor'] ?? 0);
		const end = start + size;
		const data = listed.slice(start, end).map((brief) => this.show(brief));
		return { data, next_cursor: end < listed.length ? String(end) : null };
	}

	private letColleagueOrder(): void {
		const [input] = this.nature.inputs;
		const { colleague } = this.nature;
		const hasOrdered = this.created.some(({ key }) => key === COLLEAGUE);
		if (colleague === undefined || input === undefined || hasOrdered) return;
		if (this.countRunning() >= 2) return;
		const other = { ...input, audience: 'Students' };
		if (colleague !== 'might order') {
			const isTime = this.created.length > 0 || colleague.startsWith('has ordered');
			if (isTime) this.create(COLLEAGUE, other);
			return;
		}
		const what = this.oracle.choose(
			'a colleague orders the same',
			'a colleague orders other content',
		);
		if (what !== '') this.create(COLLEAGUE, what.endsWith('same') ? input : other);
	}

	create(key: string, input: BriefInput): CreatedBrief {
		const id = `00000000-0000-4000-8000-${String(this.created.length + 1).padStart(12, '0')}`;
		const brief = { id, key, input, createdAt: this.clock.now() };
		this.created.push(brief);
		this.mostRunning = Math.max(this.mostRunning, this.countRunning());
		return brief;
	}

	private countRunning(): number {
		return this.created.filter(({ createdAt }) => this.clock.now() < createdAt + this.briefMs)
			.length;
	}

	private show({ id, input, createdAt }: CreatedBrief): object {
		const age = this.clock.now() - createdAt;
		const hasEnded = age >= this.briefMs;
		const same = this.created.filter(
			(brief) => JSON.stringify(brief.input) === JSON.stringify(input),
		);
		const index = same.findIndex((brief) => brief.id === id);
		const hasFailed = hasEnded && this.failedBriefs(input, index);
		const at = new Date(createdAt).toISOString();
		const running = age > 0.75 * this.briefMs ? 'checking' : 'writing';
		return {
			id,
			status: hasFailed ? 'failed' : hasEnded ? 'ready' : running,
			product_name: input.product_name,
			title: hasEnded ? 'T' : null,
			created_at: at,
			updated_at: at,
			finished_at: hasEnded ? new Date(createdAt + this.briefMs).toISOString() : null,
			url: 'https://example.com',
			input: this.nature.showsInput ? input : {},
			markdown: hasEnded && !hasFailed ? '# T' : null,
			document: hasEnded && !hasFailed ? {} : null,
			sources: [],
			warnings: [],
			error_code: hasFailed ? 'research_failed' : null,
			revision: 1,
		};
	}
}

/** Plans and carries out a command, as `run` and `retry` do without a terminal. */
export async function runPlan(
	session: ConnectedSession,
	invocation: Invocation,
	confirmations: 'allow' | 'ask',
): Promise<WorldResult> {
	const { max = null, reserve, maxFailures } = invocation.settings;
	const selection = resolveSelection(invocation, session, false);
	const plan = await planRun(session, selection, { max, reserve });
	const isMissing = confirmations === 'ask' && plan.confirmations.length > 0;
	if (isMissing) return { plan, finished: null };
	const scope = makeScope(selection, session);
	const options = { maxFailures, name: null, onResult: () => undefined };
	return { plan, finished: await executePlan(session, plan, scope, options) };
}

export function makeInvocation({
	command = 'run',
	options = {},
	folder = 'out',
}: WorldCommand): Invocation {
	const env = {
		CREATOR_BRIEFING_API_KEY: 'key',
		CREATOR_BRIEFING_BASE_URL: 'https://example.com/v1',
	};
	const { settings } = readSettings({ maxFailures: ['0'], ...options, out: [folder] }, env);
	return { files: ['products.csv'], settings, command, repeatOptions: () => [] };
}

export function makeTable(rows: readonly Row[]): Table {
	return {
		file: 'products.csv',
		headers: [],
		rows,
		options: DEFAULT_CSV_OPTIONS,
		columns: {},
		delimiter: ',',
		columnNotices: [],
		notices: [],
	};
}
