import { toResult } from '../api/retry';
import { toSummary, type BriefSummary } from '../api/types';
import { raceDeadline } from '../api/sleep';
import { LIST_DISORDER_MS, LIST_LAG_MS } from '../assumptions';
import { normalizeText } from '../input/content';
import { addUnseen } from './brief-pages';
import { compareNewest, getCreationTime } from './brief-time';
import { readWithRetries, type RequestContext } from './request-context';

/**
 * The briefs of the workspace. "No brief with this content exists" is believed only for a period that was read without
 * a gap. A caller asks for a period; the list reads only the pages that are missing:
 *
 *     readSince(1 September)          reads pages until a brief is older than 1 September
 *     readNewestPage, every 30 s      reads one page. It reaches back to known briefs, so none can be missing
 *     readSince(1 September)          sends no request
 *     readNewestPage, a week later    reads one page of 100 briefs, all of them new. Older briefs might be missing
 *     readSince(1 September)          reads on from this page, until a page reaches back to known briefs
 */
export class BriefList {
	private readonly known = new Map<string, KnownBrief>();
	/** The newest creation time of a known brief. */
	private newestCreatedAt = -Infinity;
	/** The last request for the newest page, which other callers share. */
	private newestRequest: { requestedAt: number; page: Promise<ListPage> } | null = null;
	private newestPage: ListPage | null = null;
	private complete: CompletePeriod | null = null;
	/** Ends when the caller that reads older pages has read them or has failed. Never rejects. */
	private reading: Promise<void> | null = null;

	/** When the newest page was requested, by this machine's clock. */
	get polledAt(): number {
		return this.newestRequest?.requestedAt ?? -Infinity;
	}

	/** The briefs of the newest page that was read. */
	get newestBriefs(): readonly BriefSummary[] {
		return this.newestPage?.briefs ?? [];
	}

	get(id: string): BriefSummary | undefined {
		return this.known.get(id)?.brief;
	}

	/** Returns the known briefs that were created since an instant, also those that only another operation returned. */
	getKnownSince(instant: number): BriefSummary[] {
		const known = [...this.known.values()].filter(({ createdAt }) => createdAt >= instant);
		return known.map(({ brief }) => brief);
	}

	/** Adds briefs that another operation returned. */
	remember(briefs: readonly BriefSummary[]): void {
		for (const brief of briefs) {
			const createdAt = getCreationTime(brief);
			const productName = normalizeText(brief.product_name);
			this.known.set(brief.id, { brief: toSummary(brief), createdAt, productName });
			if (Number.isFinite(createdAt))
				this.newestCreatedAt = Math.max(this.newestCreatedAt, createdAt);
		}
	}

	/**
	 * Forgets old briefs, so that the memory of a process that runs for months does not grow. Forgets nothing while a
	 * caller reads older pages, because that caller adds its pages to the known briefs.
	 */
	forgetBefore(instant: number): void {
		if (this.reading !== null) return;
		for (const [id, { createdAt }] of this.known) if (createdAt < instant) this.known.delete(id);
		if (this.complete !== null && this.complete.since < instant)
			this.complete = { ...this.complete, since: instant };
	}

	/**
	 * Returns every brief that was created since an instant. Sends no request if none can be missing.
	 * @throws {ServiceError} if a page cannot be read, or if paging repeats itself, so that older briefs might be missing
	 */
	async readSince(since: number, context: RequestContext): Promise<ListSnapshot> {
		// Another caller might poll while this caller reads older pages, and leave a new gap.
		while (!this.isCompleteSince(since)) {
			if (this.reading === null) await this.startReading(since, context);
			// The pages that another caller reads might suffice. If that caller is stopped or fails, this caller reads on.
			else if (!(await waitForOther(this.reading, context))) await this.fillGap(since, context);
		}
		const known = [...this.known.values()].filter(({ createdAt }) => createdAt >= since);
		return new ListSnapshot(known, this.newestPage as ListPage);
	}

	/**
	 * Reads the newest page, or shares a page that is not older than `maxAgeMs` or is on its way.
	 * @throws {ServiceError} if the page cannot be read
	 */
	async readNewestPage(context: RequestContext, maxAgeMs: number): Promise<ListPage> {
		const { clock } = context;
		let request = this.newestRequest;
		while (request !== null && clock.now() - request.requestedAt <= maxAgeMs) {
			const result = await sharePage(request.page, context);
			if (typeof result === 'object') return result;
			// After a failure, this caller sends its own request. If the sender was stopped, one caller does, for all.
			if (result === 'failed' || request === this.newestRequest) break;
			request = this.newestRequest;
		}
		const page = readPage(context).then((newest) => this.addNewestPage(newest));
		this.newestRequest = { requestedAt: clock.now(), page };
		return await page;
	}

	private addNewestPage(page: ListPage): ListPage {
		this.remember(page.briefs);
		// After a rate limit, the answer to an earlier request can come last.
		if (this.newestPage !== null && page.requestedAt < this.newestPage.requestedAt) return page;
		this.newestPage = page;
		if (page.nextCursor === null) this.setComplete(-Infinity, page);
		else if (this.complete !== null && hasReached(page, this.complete.reach))
			this.setComplete(this.complete.since, page);
		return page;
	}

	private async startReading(since: number, context: RequestContext): Promise<void> {
		const reading = this.fillGap(since, context).finally(() => (this.reading = null));
		this.reading = reading.catch(() => undefined);
		await reading;
	}

	/** Reads on from the newest page, until no brief that was created since the instant can be missing. */
	private async fillGap(since: number, context: RequestContext): Promise<void> {
		await this.readNewestPage(context, PAGE_FRESH_MS);
		const { complete, newestPage } = this;
		if (newestPage === null || this.isCompleteSince(since)) return;
		const isKnownBefore = complete !== null && complete.since <= since;
		const goal = isKnownBefore ? complete.reach : since - LIST_DISORDER_MS;
		const seen = new Set(newestPage.briefs.map(({ id }) => id));
		let page: ListPage = newestPage;
		while (page.nextCursor !== null && !hasReached(page, goal)) {
			page = await readPage(context, page.nextCursor);
			addUnseen(page.briefs, page.nextCursor, seen);
			this.remember(page.briefs);
		}
		const readBackTo = isKnownBefore ? complete.since : since;
		this.setComplete(page.nextCursor === null ? -Infinity : readBackTo, newestPage);
	}

	/**
	 * Briefs can be listed late and out of sequence, so the next page has to reach back further than the newest brief. This
	 * compares times of briefs with each other: they can differ from the clock that the answers show.
	 */
	private setComplete(since: number, newestPage: ListPage): void {
		const newest = Math.min(this.newestCreatedAt, newestPage.readAt);
		this.complete = { since, newestPage, reach: newest - LIST_LAG_MS - LIST_DISORDER_MS };
	}

	private isCompleteSince(since: number): boolean {
		const { complete, newestPage } = this;
		return complete !== null && complete.since <= since && complete.newestPage === newestPage;
	}
}

/** A page that is younger than this serves the next caller that needs the newest page, too. */
export const PAGE_FRESH_MS = 3_000;

export interface ListPage {
	readonly briefs: readonly BriefSummary[];
	readonly nextCursor: string | null;
	/** When the page was requested, by the service's clock. Briefs that were created later can be missing. */
	readonly readAt: number;
	/** The same by this machine's clock. */
	readonly requestedAt: number;
}

interface KnownBrief {
	readonly brief: BriefSummary;
	readonly createdAt: number;
	/** Normalized. */
	readonly productName: string;
}

/** Every brief is known that was created since `since` and was listed when `newestPage` was read. */
interface CompletePeriod {
	readonly since: number;
	readonly newestPage: ListPage;
	/** No brief is missing between this page and a newer page with a brief from this time or before. */
	readonly reach: number;
}

/** All briefs of a period, as the newest page and the answers to this process show them. */
export class ListSnapshot {
	private readonly byId: ReadonlyMap<string, KnownBrief>;
	private byName: ReadonlyMap<string, BriefSummary[]> | null = null;

	constructor(
		known: readonly KnownBrief[],
		readonly newestPage: ListPage,
	) {
		this.byId = new Map(known.map((each) => [each.brief.id, each]));
	}

	/** Newest first. */
	get briefs(): BriefSummary[] {
		return [...this.byId.values()].map(({ brief }) => brief).sort(compareNewest);
	}

	/** When the newest page was requested, by the service's clock. */
	get readAt(): number {
		return this.newestPage.readAt;
	}

	find(id: string): BriefSummary | undefined {
		return this.byId.get(id)?.brief;
	}

	/** Returns the briefs of a product, newest first. */
	findByName(productName: string): readonly BriefSummary[] {
		this.byName ??= groupByName([...this.byId.values()]);
		return this.byName.get(productName) ?? [];
	}
}

function groupByName(known: readonly KnownBrief[]): Map<string, BriefSummary[]> {
	const groups = new Map<string, BriefSummary[]>();
	for (const { brief, productName } of known) {
		const group = groups.get(productName);
		if (group === undefined) groups.set(productName, [brief]);
		else group.push(brief);
	}
	for (const group of groups.values()) group.sort(compareNewest);
	return groups;
}

async function readPage(context: RequestContext, cursor?: string): Promise<ListPage> {
	const { client, clock, signal } = context;
	const requestedAt = clock.now();
	const page = await readWithRetries(context, (client) => client.listBriefs({ cursor }, signal));
	// The first answer shows the service's clock, so the time of the request is computed after it.
	const readAt = client.now() - (clock.now() - requestedAt);
	return { briefs: page.data, nextCursor: page.next_cursor, readAt, requestedAt };
}

/**
 * Waits for the request of another caller, until this caller's own deadline.
 * @returns 'stopped' if the other caller was stopped; 'failed' if the request failed or lasts too long for this caller
 */
async function sharePage(
	page: Promise<ListPage>,
	context: RequestContext,
): Promise<ListPage | 'failed' | 'stopped'> {
	const ended = toResult(page).then(
		(result) => ('value' in result ? result.value : 'failed'),
		() => 'stopped' as const,
	);
	return (await waitForOther(ended, context)) ? await ended : 'failed';
}

/** Returns true when the promise resolves, or false at the caller's deadline. */
function waitForOther(
	promise: Promise<unknown>,
	{ clock, signal, readLimits }: RequestContext,
): Promise<boolean> {
	return raceDeadline(promise, readLimits.deadline ?? Infinity, clock, signal);
}

/** True if no brief that was created since the instant can be on a later page. */
function hasReached({ briefs }: ListPage, instant: number): boolean {
	const oldest = Math.min(...briefs.map(getCreationTime));
	return oldest <= instant;
}
