import {
	UnexpectedBody,
	readBrief,
	readBriefOf,
	readBriefPage,
	readHookList,
	readLicences,
} from './responses';
import {
	errorFrom,
	errorFromFailure,
	errorFromPage,
	unreadableAnswer,
	type AddressFacts,
} from './classify-response';
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
import { MAX_RATE_LIMIT_WAIT_MS } from './retry';
import type { ServiceError } from './errors';
import { toResult, type Result } from './retry';
import { SendFailure, type Clock, type Send, type WireResponse } from './ports';
import { sleepUntil } from './sleep';
import { ServiceTime } from './service-time';
import type { Brief, BriefInput, BriefPage, HookList, Licence } from './types';

/** The facts that answers have shown about the service. */
interface Learnt {
	readonly time: ServiceTime;
	readonly address: AddressFacts;
	limit: { until: number; error: ServiceError } | null;
	/** The last time the service answered with a rate limit, by this machine's clock. */
	lastRateLimited: number;
}

interface ServiceOptions {
	/** Called after each request that was sent, with its error or null. */
	onAnswer?: (error: ServiceError | null) => void;
	/** What is known of the address, if it is shared with others. */
	address?: AddressFacts;
}

/** Makes the facts of an address of which nothing is known. */
export function newAddress(): AddressFacts {
	return { hasAnswered: false, isKnown: false };
}

/**
 * The five operations of docs/api.md 4: each method is one request and one answer. A declared rate limit holds
 * back all later requests, whoever makes them. Every method throws ServiceError, or the signal's reason when it is
 * aborted.
 */
export class ApiClient {
	constructor(
		private readonly send: Send,
		private readonly clock: Clock,
		private readonly options: ServiceOptions = {},
		private readonly learnt: Learnt = {
			time: new ServiceTime(),
			address: options.address ?? newAddress(),
			limit: null,
			lastRateLimited: -Infinity,
		},
	) {}

	/** Gives the same service over another sender. Both share what they learn of its time and its rate limits. */
	over(send: Send): ApiClient {
		return new ApiClient(send, this.clock, this.options, this.learnt);
	}

	/** Gives the service's own time in milliseconds, by which months and keys are judged. */
	now(): number {
		return this.clock.now() + this.learnt.time.offset();
	}

	/** Gives when the service last answered with a rate limit, by this machine's clock; -Infinity if it never did. */
	get lastRateLimited(): number {
		return this.learnt.lastRateLimited;
	}

	listLicences(signal?: AbortSignal): Promise<Licence[]> {
		return this.call(listLicences(), readLicences, signal);
	}

	listBriefs(query: ListBriefsQuery = {}, signal?: AbortSignal): Promise<BriefPage> {
		return this.call(listBriefs(query), readBriefPage, signal);
	}

	getBrief(id: string, signal?: AbortSignal): Promise<Brief> {
		return this.call(getBrief(id), (body) => readBriefOf(id, body), signal);
	}

	createBrief(input: BriefInput, idempotencyKey: string, signal?: AbortSignal): Promise<Brief> {
		return this.call(createBrief(input, idempotencyKey), readBrief, signal);
	}

	listHooks(query: ListHooksQuery = {}, signal?: AbortSignal): Promise<HookList> {
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
		await this.waitForRateLimit(signal);
		const outcome = await toResult(this.exchange(request, read, signal));
		this.options.onAnswer?.('error' in outcome ? outcome.error : null);
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
		const { time, address } = this.learnt;
		const outcome = meaningOf({ request, response, read }, now, address);
		if ('value' in outcome || outcome.error.page === undefined) {
			address.hasAnswered = true;
			time.observe(response.headers.date, now, askedAt);
		}
		if ('value' in outcome) return outcome.value;
		this.closeGate(outcome.error);
		throw outcome.error;
	}

	private closeGate(error: ServiceError): void {
		const { kind, retryAt } = error;
		if (kind !== 'rate_limited') return;
		this.learnt.lastRateLimited = this.clock.now();
		const until = retryAt ?? 0;
		if (until > (this.learnt.limit?.until ?? 0)) this.learnt.limit = { until, error };
	}

	/** Waits for the end of a declared rate limit, as every request does. A limit that is too long ends the request. */
	async waitForRateLimit(signal?: AbortSignal): Promise<void> {
		for (let limit; (limit = this.rateLimit()) !== null;) {
			if (limit.until - this.clock.now() > MAX_RATE_LIMIT_WAIT_MS) throw limit.error;
			await sleepUntil(this.clock, limit.until, signal);
		}
	}
}

interface Exchange<T> {
	request: ServiceRequest;
	response: WireResponse;
	read: (body: unknown) => T;
}

function meaningOf<T>(
	{ request, response, read }: Exchange<T>,
	now: number,
	address: AddressFacts,
): Result<T> {
	const { status, body } = response;
	if (status < 200 || status > 299) return { error: errorFrom(request, response, now, address) };
	try {
		return { value: read(JSON.parse(body)) };
	} catch (thrown) {
		const isJson = !(thrown instanceof SyntaxError);
		// JSON that was cut off was the service's.
		const isCutOff = !isJson && /^\s*[{[]/.test(body);
		const isPage = thrown instanceof UnexpectedBody || (!isJson && !isCutOff);
		if (isPage) return { error: errorFromPage(request, response, now, address) };
		const why = isCutOff ? 'it is not JSON' : (thrown as Error).message;
		return { error: unreadableAnswer(request, response, why) };
	}
}
