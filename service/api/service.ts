import { readBrief, readBriefOf, readBriefPage, readHookList, readLicences } from './responses';
import { errorFrom, errorFromFailure, unreadableAnswer } from './classify';
import {
	createBrief,
	getBrief,
	listBriefs,
	listHooks,
	listLicences,
	type ListBriefsQuery,
	type ListHooksQuery,
	type ServiceRequest,
} from './operations';
import { LONGEST_RATE_WAIT_MS } from '../assumptions';
import type { ServiceError } from './errors';
import { outcomeOf } from './outcome';
import { SendFailure, type Clock, type Send } from './ports';
import { sleepUntil } from './sleep';
import { ServiceTime } from './service-time';
import type { Brief, BriefInput, BriefPage, HookList, Licence } from './resources';

/** The facts that answers have shown about the service. */
interface Learnt {
	readonly time: ServiceTime;
	/** The declared rate limit that ends last. */
	limit: { until: number; error: ServiceError } | null;
	/** The last time the service answered with a rate limit, by this machine's clock. */
	lastRateLimited: number;
}

/**
 * The five operations of docs/api.md section 4: each method is one request and one answer. A declared rate limit holds
 * back all later requests, whoever makes them. Every method throws ServiceError, or the signal's reason when it is
 * aborted.
 */
export class BriefingService {
	/** @param onAnswer called after each request that was sent, with its error or null */
	constructor(
		private readonly send: Send,
		private readonly clock: Clock,
		private readonly onAnswer?: (error: ServiceError | null) => void,
		private readonly learnt: Learnt = {
			time: new ServiceTime(),
			limit: null,
			lastRateLimited: -Infinity,
		},
	) {}

	/** Gives the same service over another sender. Both share what they learn of its time and its rate limits. */
	over(send: Send): BriefingService {
		return new BriefingService(send, this.clock, this.onAnswer, this.learnt);
	}

	/** Gives the service's own time in milliseconds, by which months and keys are judged. */
	now(): number {
		return this.clock.now() + this.learnt.time.offset();
	}

	/** Gives when the service last answered with a rate limit, by this machine's clock; -Infinity if it never did. */
	get lastRateLimited(): number {
		return this.learnt.lastRateLimited;
	}

	licences(signal?: AbortSignal): Promise<Licence[]> {
		return this.call(listLicences(), readLicences, signal);
	}

	briefs(query: ListBriefsQuery = {}, signal?: AbortSignal): Promise<BriefPage> {
		return this.call(listBriefs(query), readBriefPage, signal);
	}

	brief(id: string, signal?: AbortSignal): Promise<Brief> {
		return this.call(getBrief(id), (body) => readBriefOf(id, body), signal);
	}

	createBrief(input: BriefInput, idempotencyKey: string, signal?: AbortSignal): Promise<Brief> {
		return this.call(createBrief(input, idempotencyKey), readBrief, signal);
	}

	hooks(query: ListHooksQuery = {}, signal?: AbortSignal): Promise<HookList> {
		return this.call(listHooks(query), readHookList, signal);
	}

	/** Gives the rate limit that holds requests back now, and its end by this machine's clock; null without one. */
	rateLimit(): { until: number; error: ServiceError } | null {
		const { limit } = this.learnt;
		return limit !== null && limit.until > this.clock.now() ? limit : null;
	}

	private async call<T>(
		request: ServiceRequest,
		read: (body: unknown) => T,
		signal?: AbortSignal,
	): Promise<T> {
		signal?.throwIfAborted();
		await this.passGate(signal);
		const outcome = await outcomeOf(this.exchange(request, read, signal));
		this.onAnswer?.('error' in outcome ? outcome.error : null);
		if ('error' in outcome) throw outcome.error;
		return outcome.value;
	}

	private async exchange<T>(
		request: ServiceRequest,
		read: (body: unknown) => T,
		signal?: AbortSignal,
	): Promise<T> {
		const askedAt = this.clock.now();
		const response = await this.send(request, signal).catch((failure: unknown) => {
			throw failure instanceof SendFailure ? errorFromFailure(request, failure) : failure;
		});
		const now = this.clock.now();
		this.learnt.time.observe(response.headers.date, now, askedAt);
		if (response.status < 200 || response.status > 299) {
			const error = errorFrom(request, response, now);
			this.closeGate(error);
			throw error;
		}
		const answer = readAnswer(response.body, read);
		if ('why' in answer) throw unreadableAnswer(request, response, answer.why);
		return answer.value;
	}

	private closeGate(error: ServiceError): void {
		const { kind, retryAt } = error;
		if (kind !== 'rate_limited') return;
		this.learnt.lastRateLimited = this.clock.now();
		const until = retryAt ?? 0;
		if (until > (this.learnt.limit?.until ?? 0)) this.learnt.limit = { until, error };
	}

	/** Waits for the end of a declared rate limit, as every request does. A limit that is too long ends the request. */
	async passGate(signal?: AbortSignal): Promise<void> {
		for (let limit; (limit = this.rateLimit()) !== null;) {
			if (limit.until - this.clock.now() > LONGEST_RATE_WAIT_MS) throw limit.error;
			await sleepUntil(this.clock, limit.until, signal);
		}
	}
}

function readAnswer<T>(body: string, read: (body: unknown) => T): { value: T } | { why: string } {
	try {
		return { value: read(JSON.parse(body)) };
	} catch (error) {
		return { why: error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message };
	}
}
