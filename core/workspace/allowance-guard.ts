import { toResult } from '../api/retry';
import { parseTimestamp } from '../api/timestamps';
import type { BriefSummary } from '../api/types';
import { LIST_LAG_MS } from '../assumptions';
import { monthStart } from '../dates';
import {
	countUsedBriefs,
	findBriefLicence,
	toAllowance,
	type Allowance,
	type BriefLicence,
	type LicenceUse,
} from './allowance';
import { PAGE_FRESH_MS, type BriefList } from './brief-list';
import { getCreationTime } from './brief-time';
import { readWithRetries, type RequestContext } from './request-context';

/**
 * Counts how much of the month's allowance is used, while this process and others order briefs:
 *
 *     GET /briefs       A and B                                          known: 2
 *     GET /licences     used_this_month 5: three briefs were deleted     used: 5
 *     POST              not answered yet                                 used: 6
 *     202               brief C                                          used: 6
 *     GET /briefs       A, B, C, and D of a colleague                    used: 7
 *
 * The list is read before the licence: a brief that was created before both would count twice otherwise.
 *
 * There is one guard per `Workspace`, because the allowance belongs to the workspace: the requests and briefs of all
 * executions of an n8n process count for each of them. The licence is read more often, once per run or execution: a
 * larger licence that the user has just bought counts at once.
 */
export class AllowanceGuard {
	/** The last reading of the licence; null before the first. */
	private reading: LicenceReading | null = null;
	/** When each key without an answer was last sent, by the service's clock. */
	private readonly openRequests = new Map<string, number>();
	/** Briefs that the list might not show. */
	private otherBriefs: readonly BriefSummary[] = [];

	constructor(private readonly list: BriefList) {}

	/**
	 * Reads the brief list of the month and then the licence.
	 * @returns null if the workspace has no licence for briefs
	 * @throws {ServiceError} if list or licence cannot be read. The last licence of the month still counts
	 */
	async read(context: RequestContext): Promise<Allowance | null> {
		const { client, signal } = context;
		const month = monthStart(client.now());
		if (this.reading?.month !== month) this.reading = { month, licence: null };
		await this.list.readNewestPage(context, PAGE_FRESH_MS);
		await this.list.readSince(month, context);
		const seenBefore = new Set(this.getBriefIds(month));
		const licences = await readWithRetries(context, () => client.listLicences(signal));
		const licence = findBriefLicence(licences);
		this.reading = { month, licence: licence && { ...licence, seenBefore } };
		return this.getAllowance(client.now());
	}

	/**
	 * Returns the allowance with the newest brief list. In another month, list and licence are read again.
	 * @returns null if the licence is unknown. The service then refuses orders beyond the allowance
	 * @throws {ServiceError} if the list cannot be read
	 */
	async computeAllowance(context: RequestContext): Promise<Allowance | null> {
		const month = monthStart(context.client.now());
		if (this.reading?.month !== month) await toResult(this.read(context));
		if (this.reading?.licence == null) return null;
		await this.list.readSince(month, context);
		return this.getAllowance(context.client.now());
	}

	/**
	 * Returns the allowance from what is known, without a request; null if the licence is unknown. Until another month's
	 * licence is read, this is the allowance of the month before.
	 */
	getAllowance(now: number): Allowance | null {
		if (this.reading?.licence == null) return null;
		const { month, licence } = this.reading;
		// The list shows the brief of an older request, so that it counts as a brief, if it was created.
		const openSince = Math.max(month, now - LIST_LAG_MS);
		const open = [...this.openRequests.values()].filter((sentAt) => sentAt >= openSince).length;
		return toAllowance(licence, countUsedBriefs(licence, this.getBriefIds(month), open));
	}

	/** Returns when the licence renews or ends; null if the licence is unknown, or shows no readable time. */
	getLicenceEnd(): number | null {
		return parseTimestamp(this.reading?.licence?.renews_or_ends_at);
	}

	/** Records the briefs that the list might not show, such as those in a journal. */
	recordBriefs(briefs: readonly BriefSummary[]): void {
		this.otherBriefs = briefs;
	}

	/** Counts a create request that is about to be sent, or got no answer, in its month. */
	recordRequest(key: string, sentAt: number): void {
		this.openRequests.set(key, sentAt);
	}

	/** Records that the brief of a key is known, or that nothing was created. */
	settleRequest(key: string): void {
		this.openRequests.delete(key);
	}

	/** Returns the briefs of the month. A brief whose creation time cannot be read counts as new. */
	private getBriefIds(month: number): string[] {
		const others = this.otherBriefs.filter((brief) => getCreationTime(brief) >= month);
		return [...new Set([...this.list.getKnownSince(month), ...others].map(({ id }) => id))];
	}
}

/** Null as licence: the workspace has none for briefs, or it could not be read in this month. */
interface LicenceReading {
	/** Start of the month in which the licence was read. */
	readonly month: number;
	readonly licence: (BriefLicence & LicenceUse) | null;
}
