import type { ServiceRequest } from '../../../core/api/operations';
import { SendFailure, type WireResponse } from '../../../core/api/ports';
import type { BriefInput } from '../../../core/api/types';
import { HOUR } from '../../support/time';
import { VirtualClock } from '../../support/virtual-clock';
import { Oracle } from './oracle';
import type { WorldProcess } from './world-process';

/** How the service behaves where its documentation is silent. */
export interface Nature {
	/** The products of the CSV, unless a command has others. */
	readonly inputs: readonly BriefInput[];
	/** How long it remembers a key, from the creation of the brief or from the first request with the key. */
	readonly keyMemoryMs: number;
	readonly keysCountFromFirstRequest?: true;
	readonly listLagMs: number;
	/** How long it writes a brief. */
	readonly briefMs: number;
	/** Most briefs on a page of the brief list. */
	readonly pageSize: number;
	readonly showsInput: boolean;
	/** It refuses a third brief. Otherwise a mistake about the slots would show as three running briefs. */
	readonly refusesThird?: true;
	/** A colleague who might order one of the products at any poll, orders it after our first brief, or has ordered. */
	readonly colleague?: 'might order' | 'orders other content' | 'has ordered other content';
	/** It might answer a create with the brief of another order. */
	readonly confusesKeys?: true;
}

const USUAL_NATURE: Nature = {
	inputs: [],
	keyMemoryMs: HOUR,
	listLagMs: 0,
	briefMs: 200_000,
	pageSize: 100,
	showsInput: true,
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
/** More requests than the longest execution needs. */
const MAX_REQUESTS = 6000;

/** The licence is not the limit in these tests. */
const LICENCE = {
	product: 'creator-briefs',
	name: 'Creator Briefs',
	channels: ['api'],
	monthly_allowance: 100_000,
	used_this_month: 0,
	renews_or_ends_at: null,
};

const CREATE_FAULTS = [
	...['lost before the work', 'lost after the work', '500 before', '500 after', 'refused 400'],
	...['dies before the work', 'dies after the work', 'slow answer', 'Ctrl-C'],
	'never answered in this run',
];

interface Answer {
	/** Null if the connection is lost. */
	readonly response: WireResponse | null;
	readonly delay: number;
}

const LOST: Answer = { response: null, delay: LATENCY_MS / 2 };

/** The service in virtual time. The oracle chooses how it answers each request. */
export class WorldService {
	readonly clock = new VirtualClock(Date.UTC(2026, 10, 10), 50_000_000);
	readonly created: CreatedBrief[] = [];
	readonly nature: Nature;
	mostRunning = 0;
	/** @param index 0 for the first brief of this input */
	failedBriefs: (input: BriefInput, index: number) => boolean = () => false;
	/** True once a key came with two bodies (P7). */
	isKeyReused = false;
	private requests = 0;
	/** The time of the first request with each key. */
	private readonly keys = new Map<string, number>();
	private readonly bodies = new Map<string, string>();
	/** The process whose creates with a key get no answer. */
	private readonly unanswered = new Map<string, WorldProcess>();

	constructor(
		nature: Partial<Nature> = {},
		public oracle = new Oracle(),
	) {
		this.nature = { ...USUAL_NATURE, ...nature };
	}

	protected async answer(request: ServiceRequest, process: WorldProcess): Promise<WireResponse> {
		process.checkAlive();
		if ((this.requests += 1) > MAX_REQUESTS) throw new Error('P11: the program polls without end');
		await process.clock.sleep(LATENCY_MS / 2);
		const { response, delay } = this.handle(request, process);
		await process.clock.sleep(delay);
		if (response === null) throw new SendFailure('the connection was reset', true);
		return response;
	}

	private handle(request: ServiceRequest, process: WorldProcess): Answer {
		switch (request.operation) {
			case 'list_briefs':
				return this.listBriefs(request);
			case 'get_brief': {
				const brief = this.created.find(({ id }) => request.path.endsWith(id));
				if (brief === undefined) return this.fail(404, 'not_found');
				// The other lane works meanwhile.
				const isSlow = this.oracle.choose('slow GET') !== '';
				return this.send(200, this.show(brief), isSlow ? SLOW_MS : undefined);
			}
			case 'create_brief':
				return this.handleCreate(request, process);
			default:
				return this.send(200, { data: [LICENCE] });
		}
	}

	private send(status: number, body: object, delay = LATENCY_MS / 2): Answer {
		const headers = { date: new Date(this.clock.now()).toUTCString() };
		return { response: { status, headers, body: JSON.stringify(body) }, delay };
	}

	private fail(status: number, code: string): Answer {
		return this.send(status, { error: { code, message: code } });
	}

	private handleCreate({ body = '' }: ServiceRequest, process: WorldProcess): Answer {
		type Body = BriefInput & { idempotency_key: string };
		const { idempotency_key: key, ...input } = JSON.parse(body) as Body;
		const content = JSON.stringify(input);
		this.isKeyReused ||= (this.bodies.get(key) ?? content) !== content;
		this.bodies.set(key, content);
		if (this.unanswered.get(key) === process) return LOST;
		const known = this.findRemembered(key);
		const [first] = this.created;
		const confused = this.nature.confusesKeys === true ? first : undefined;
		const others = confused === undefined ? [] : ['answers with another brief'];
		const fault = this.oracle.choose(...CREATE_FAULTS, ...others);
		switch (fault) {
			case 'dies before the work':
				return process.die();
			case 'never answered in this run':
				this.unanswered.set(key, process);
				return LOST;
			case 'lost before the work':
				return LOST;
			case '500 before':
				return this.fail(500, 'internal');
			case 'refused 400':
				return this.fail(400, 'invalid');
			case 'answers with another brief':
				return this.send(202, this.show(confused as CreatedBrief));
		}
		if (known === undefined && this.countRunning() >= 2 && this.nature.refusesThird)
			return this.fail(429, 'too_many_briefs');
		const shown = this.show(known ?? this.create(key, input));
		switch (fault) {
			case 'dies after the work':
				return process.die();
			case 'lost after the work':
				return LOST;
			case '500 after':
				return this.fail(500, 'internal');
			case 'Ctrl-C':
				process.interrupt();
		}
		return this.send(202, shown, fault === 'slow answer' ? SLOW_MS : undefined);
	}

	/** Returns the brief of a key that the service remembers. */
	private findRemembered(key: string): CreatedBrief | undefined {
		const now = this.clock.now();
		const { keyMemoryMs, keysCountFromFirstRequest } = this.nature;
		const earlier = this.keys.get(key) ?? -Infinity;
		const firstRequestAt = now - earlier < keyMemoryMs ? earlier : now;
		this.keys.set(key, firstRequestAt);
		return this.created.find((brief) => {
			const isRemembered = keysCountFromFirstRequest
				? brief.createdAt >= firstRequestAt
				: now < brief.createdAt + keyMemoryMs;
			return brief.key === key && isRemembered;
		});
	}

	private listBriefs({ query }: ServiceRequest): Answer {
		this.orderAsColleague();
		const { listLagMs, pageSize } = this.nature;
		const now = this.clock.now();
		const listed = this.created.filter(({ createdAt }) => now >= createdAt + listLagMs);
		const start = Number(query['cursor'] ?? 0);
		const end = start + Math.min(Number(query['limit'] ?? 20), pageSize);
		const page = listed.toReversed().slice(start, end);
		const next_cursor = end < listed.length ? String(end) : null;
		return this.send(200, { data: page.map((brief) => this.show(brief)), next_cursor });
	}

	private orderAsColleague(): void {
		const { colleague, inputs } = this.nature;
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

	create(key: string, input: BriefInput): CreatedBrief {
		const id = `00000000-0000-4000-8000-${String(this.created.length + 1).padStart(12, '0')}`;
		const brief = { id, key, input, createdAt: this.clock.now() };
		this.created.push(brief);
		this.mostRunning = Math.max(this.mostRunning, this.countRunning());
		return brief;
	}

	private countRunning(): number {
		const now = this.clock.now();
		return this.created.filter(({ createdAt }) => now < createdAt + this.nature.briefMs).length;
	}

	private show({ id, input, createdAt }: CreatedBrief): object {
		const { briefMs, showsInput } = this.nature;
		const age = this.clock.now() - createdAt;
		const hasEnded = age >= briefMs;
		const content = JSON.stringify(input);
		const same = this.created.filter((brief) => JSON.stringify(brief.input) === content);
		const index = same.findIndex((brief) => brief.id === id);
		const hasFailed = hasEnded && this.failedBriefs(input, index);
		const running = age > 0.75 * briefMs ? 'checking' : 'writing';
		const at = new Date(createdAt).toISOString();
		return {
			id,
			status: hasFailed ? 'failed' : hasEnded ? 'ready' : running,
			product_name: input.product_name,
			title: hasEnded ? 'T' : null,
			created_at: at,
			updated_at: at,
			finished_at: hasEnded ? new Date(createdAt + briefMs).toISOString() : null,
			url: 'https://example.com',
			input: showsInput ? input : {},
			markdown: hasEnded && !hasFailed ? '# T' : null,
			document: hasEnded && !hasFailed ? {} : null,
			sources: [],
			warnings: [],
			error_code: hasFailed ? 'research_failed' : null,
			revision: 1,
		};
	}
}
