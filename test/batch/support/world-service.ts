import type { ServiceRequest } from '../../../core/api/operations';
import { SendFailure, type WireResponse } from '../../../core/api/ports';
import type { BriefInput } from '../../../core/api/types';
import { VirtualClock } from '../../support/virtual-clock';
import type { Oracle } from './oracle';
import type { WorldProcess } from './world-process';

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

export interface CreatedBrief {
	readonly id: string;
	readonly key: string;
	readonly input: BriefInput;
	readonly createdAt: number;
}

/** The key of a brief that a colleague has ordered. */
export const COLLEAGUE = 'colleague';
const USUAL_BRIEF_MS = 200_000;
const LATENCY_MS = 300;
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

/** The service in virtual time. The oracle chooses how it answers each request. */
export class WorldService {
	readonly clock = new VirtualClock(Date.UTC(2026, 10, 10), 50_000_000);
	readonly created: CreatedBrief[] = [];
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
	private readonly unanswered = new Map<string, WorldProcess>();

	constructor(
		readonly nature: Nature,
		public oracle: Oracle,
	) {}

	private get briefMs(): number {
		return this.nature.briefMs ?? USUAL_BRIEF_MS;
	}

	protected async answer(request: ServiceRequest, process: WorldProcess): Promise<WireResponse> {
		process.checkAlive();
		if ((this.requests += 1) > MAX_REQUESTS) throw new Error('P11: the program polls without end');
		await process.clock.sleep(LATENCY_MS / 2);
		const { answer, delay } = this.handle(request, process);
		await process.clock.sleep(delay);
		if (answer === null) throw new SendFailure('the connection was reset', true);
		return answer;
	}

	private handle(
		request: ServiceRequest,
		process: WorldProcess,
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
