import { CLOCK_ERROR_MS } from '../assumptions';
import { toFailureError, toServiceError, toUnreadableError } from './classify-response';
import type { ServiceError } from './errors';
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
import { SendFailure, type Clock, type Send, type WireResponse } from './ports';
import {
	readBrief,
	readBriefPage,
	readBriefWithId,
	readHookList,
	readLicences,
	readServiceError,
	UnexpectedBody,
} from './responses';
import { MAX_RATE_LIMIT_WAIT_MS, toResult, type Result } from './retry';
import { sleepUntil } from './sleep';
import { parseTimestamp } from './timestamps';
import type { Brief, BriefInput, BriefPage, HookList, Licence } from './types';

interface ClientOptions {
	/** Called after each request, with its error or null. */
	readonly onAnswer?: (error: ServiceError | null) => void;
	/** No request waits for a rate limit that ends later, by this machine's clock. */
	readonly deadline?: number;
	/** The clock offset that an earlier client of this service had, used until the first answer. */
	readonly clockOffsetMs?: number;
}

type Read<T> = (body: unknown) => T;

/**
 * The five operations of docs/api.md 4. Each method sends one request:
 *
 *     getBrief   429, Retry-After: 30       throws a ServiceError, rate_limited
 *     listBriefs                            waits for 30 s, then sends its request
 *
 * Every method throws a ServiceError, or the signal's reason when it is aborted.
 */
export class ApiClient {
	/** How far the service's clock is ahead of this machine's clock. */
	private offsetMs: number;
	/** The offset by the Date header of the last answer; null before the first. */
	private lastOffsetMs: number | null = null;
	private isAnswered = false;
	private rateLimit: { readonly until: number; readonly error: ServiceError } | null = null;

	constructor(
		private readonly send: Send,
		private readonly clock: Clock,
		private readonly options: ClientOptions = {},
	) {
		this.offsetMs = options.clockOffsetMs ?? 0;
	}

	/** How far the service's clock is ahead of this machine's clock. */
	get clockOffsetMs(): number {
		return this.offsetMs;
	}

	/** True once the service itself has answered. A page, such as that of a proxy, can come from a wrong address. */
	get hasAnswered(): boolean {
		return this.isAnswered;
	}

	/** Returns the service's time, by which months and keys are judged. */
	now(): number {
		return this.clock.now() + this.offsetMs;
	}

	listLicences(signal?: AbortSignal): Promise<Licence[]> {
		return this.call(listLicences(), readLicences, signal);
	}

	listBriefs(query: ListBriefsQuery = {}, signal?: AbortSignal): Promise<BriefPage> {
		return this.call(listBriefs(query), readBriefPage, signal);
	}

	getBrief(id: string, signal?: AbortSignal): Promise<Brief> {
		return this.call(getBrief(id), (body) => readBriefWithId(id, body), signal);
	}

	/** Sends the request at once. Call `waitForRateLimit` first. */
	createBrief(input: BriefInput, idempotencyKey: string, signal?: AbortSignal): Promise<Brief> {
		return this.call(createBrief(input, idempotencyKey), readBrief, signal);
	}

	listHooks(query: ListHooksQuery = {}, signal?: AbortSignal): Promise<HookList> {
		return this.call(listHooks(query), readHookList, signal);
	}

	/**
	 * Waits until a rate limit that any request has reached is over.
	 * @throws {ServiceError} if it lasts longer than an hour or ends after the deadline
	 */
	async waitForRateLimit(signal?: AbortSignal): Promise<void> {
		const { clock, options } = this;
		while (this.rateLimit !== null && this.rateLimit.until > clock.now()) {
			const { until, error } = this.rateLimit;
			const latest = Math.min(clock.now() + MAX_RATE_LIMIT_WAIT_MS, options.deadline ?? Infinity);
			if (until > latest) throw error;
			await sleepUntil(clock, until, signal);
		}
	}

	private async call<T>(request: ServiceRequest, read: Read<T>, signal?: AbortSignal): Promise<T> {
		signal?.throwIfAborted();
		// A create request has waited before its time was recorded. Another wait could outlast the key.
		if (request.operation !== 'create_brief') await this.waitForRateLimit(signal);
		const result = await toResult(this.exchange(request, read, signal));
		this.options.onAnswer?.('error' in result ? result.error : null);
		if ('error' in result) throw result.error;
		return result.value;
	}

	private async exchange<T>(
		request: ServiceRequest,
		read: Read<T>,
		signal?: AbortSignal,
	): Promise<T> {
		const sentAt = this.clock.now();
		const response = await this.send(request, signal).catch((failure: unknown) => {
			throw failure instanceof SendFailure ? toFailureError(request, failure) : failure;
		});
		const now = this.clock.now();
		const result = readAnswer(request, response, read, now);
		if ('value' in result) {
			this.isAnswered = true;
			this.readServiceTime(response, sentAt);
			return result.value;
		}
		const { error } = result;
		this.isAnswered ||= error.source === 'service';
		if (error.source !== 'page') this.readServiceTime(response, sentAt);
		const until = error.retryAt ?? 0;
		if (error.kind === 'rate_limited' && until > (this.rateLimit?.until ?? 0))
			this.rateLimit = { until, error };
		throw error;
	}

	/**
	 * Ignores the date of an answer that took minutes, because the computer might have been asleep meanwhile. A date that
	 * jumps is used when the next answer confirms it: one wrong date must not make an old key look young.
	 */
	private readServiceTime({ headers }: WireResponse, sentAt: number): void {
		const time = parseTimestamp(headers.date);
		const now = this.clock.now();
		if (time === null || now - sentAt >= MAX_ANSWER_MS) return;
		const offset = time - now;
		const isConfirmed = Math.abs(offset - (this.lastOffsetMs ?? offset)) <= CLOCK_ERROR_MS;
		if (isConfirmed) this.offsetMs = offset;
		this.lastOffsetMs = offset;
	}
}

const MAX_ANSWER_MS = 2 * 60_000;

/** @param now this machine's clock */
function readAnswer<T>(
	request: ServiceRequest,
	response: WireResponse,
	read: Read<T>,
	now: number,
): Result<T> {
	const { status, body } = response;
	if (status < 200 || status > 299) return { error: toServiceError(request, response, now) };
	try {
		return { value: read(JSON.parse(body)) };
	} catch (thrown) {
		const isCutOff = thrown instanceof SyntaxError && /^\s*[{[]/.test(body);
		if (isCutOff) return { error: toUnreadableError(request, response, 'it was cut off') };
		const isOther = thrown instanceof SyntaxError || thrown instanceof UnexpectedBody;
		// A service can also report an error with a success status.
		return isOther || readServiceError(body) !== null
			? { error: toServiceError(request, response, now) }
			: { error: toUnreadableError(request, response, (thrown as Error).message) };
	}
}
