import type { BriefPage, BriefSummary } from '../../service/api/resources';
import { MonthUse } from '../../service/list/allowance';
import { briefPages, PageWalk, type Lister } from '../../service/list/pages';
import { ListedBriefs } from '../../service/order/listed-briefs';
import { clock } from './node-clock';

interface Enough {
	/** The longest time since the list was read, in milliseconds. */
	maxAge: number;
	signal: AbortSignal;
	/** Called with the newest page, and how long ago it was asked for. */
	onNewest: (page: readonly BriefSummary[], age: number) => void;
}

/**
 * The list of one workspace, as all executions of this process know it: read once, down to the oldest brief that may be
 * used, and kept up to date by the looks of the watch.
 */
export class WatchedList {
	readonly briefs = new ListedBriefs(() => this.asOf);
	readonly monthUse = new MonthUse();
	/** The service's time of the newest page, and our own. */
	asOf = -Infinity;
	private readAt = -Infinity;
	/** Set if briefs may be listed that were not read. */
	hasGap = true;
	/** The number of briefs that were known when none was missing. */
	private wholeSize = 0;
	private reading: Promise<void> | null = null;
	/** Set if also the briefs are known that are too old to be used. */
	private isReadToEnd = false;
	private readingToEnd: Promise<void> | null = null;

	/** Takes in the newest page of the list. After a long pause it does not reach what is known. */
	see({ data, next_cursor: next }: BriefPage, asOf: number): void {
		this.isReadToEnd ||= next === null;
		const isWhole = next === null || this.reachesKnown(data);
		this.take(data);
		if (isWhole) this.becomeWhole(asOf);
		else this.hasGap = true;
	}

	/** Reads what is not known yet, newest first. All who ask for it meanwhile share the reading. Throws ServiceError. */
	async upToDate(reader: Lister, { maxAge, ...reading }: Enough): Promise<void> {
		if (!this.hasGap && clock.now() - this.readAt <= maxAge) return;
		this.reading ??= this.read(reader, reading).finally(() => (this.reading = null));
		await this.reading;
	}

	private async read(reader: Lister, { signal, onNewest }: Omit<Enough, 'maxAge'>): Promise<void> {
		const briefs: Lister['briefs'] = async (query, ...rest) => {
			const askedAt = clock.now();
			const page = await reader.briefs(query, ...rest);
			if (query?.cursor !== undefined) return page;
			this.asOf = reader.now();
			onNewest(page.data, clock.now() - askedAt);
			return page;
		};
		const unread: BriefSummary[] = [];
		let isKnownReached = false;
		for await (const page of briefPages({ now: () => reader.now(), briefs }, { signal })) {
			unread.push(...page);
			isKnownReached = this.reachesKnown(page);
			if (isKnownReached) break;
		}
		this.isReadToEnd ||= !isKnownReached;
		// Only now: a reading that fails in the middle is begun again from the newest page.
		this.take(unread);
		this.becomeWhole(this.asOf);
	}

	/** Reads the list to its end, once. One that breaks off is read as far as it goes. Throws ServiceError. */
	async toEnd(reader: Lister, signal: AbortSignal): Promise<void> {
		if (this.isReadToEnd) return;
		this.readingToEnd ??= this.readToEnd(reader, signal).finally(() => (this.readingToEnd = null));
		await this.readingToEnd;
	}

	private async readToEnd(reader: Lister, signal: AbortSignal): Promise<void> {
		const walk = new PageWalk(reader, { signal });
		for (let page; (page = await walk.next()) !== null;) this.take(page);
		this.isReadToEnd = true;
	}

	private take(briefs: readonly BriefSummary[]): void {
		this.briefs.see(briefs);
		for (const { id, created_at } of briefs) this.monthUse.add(id, created_at);
	}

	private reachesKnown(page: readonly BriefSummary[]): boolean {
		const last = page.at(-1);
		return (
			last === undefined || this.briefs.wasSeen(last, this.wholeSize) || this.briefs.isOld(last)
		);
	}

	private becomeWhole(asOf: number): void {
		this.asOf = asOf;
		this.readAt = clock.now();
		this.wholeSize = this.briefs.size;
		this.hasGap = false;
	}
}
