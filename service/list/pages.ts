import { LIST_DISORDER_MS, LIST_RESTARTS } from '../assumptions';
import { ServiceError } from '../api/errors';
import { outcomeOf } from '../api/outcome';
import type { Now } from '../api/ports';
import type { BriefPage, BriefStatus, BriefSummary } from '../api/resources';
import type { BriefingService } from '../api/service';
import { instantOf } from '../api/timestamps';

/** A page may be empty without being the last, if the service filters after it cuts the pages. */
const MAX_BARREN_PAGES = 3;

type WalkEnd =
	| 'last_page'
	/** The last page, but empty, as some services answer a stale cursor. */
	| 'empty_page'
	/** The pages did not follow each other, so some briefs may be missing. */
	| 'broken_off';

/** A service that lists its briefs page by page, and says its time. */
export type Lister = Now & Pick<BriefingService, 'briefs'>;

interface WalkOptions {
	status?: BriefStatus;
	pageSize?: number;
	signal?: AbortSignal;
}

/**
 * Reads the workspace's briefs, newest first, page by page (docs/api.md section 4.7). If the service refuses its own
 * cursor, the walk starts over a few times. If the service starts over, the walk ends at a cursor that comes again, or
 * after several pages without anything new.
 */
export class PageWalk {
	/** Null while there may be more pages. */
	end: WalkEnd | null = null;
	private readonly seenIds = new Set<string>();
	private row = new PagesInARow();
	private cursor: string | undefined;
	private restarts = 0;
	private barren = 0;

	constructor(
		private readonly service: Lister,
		private readonly options: WalkOptions,
	) {}

	/** Checks whether each page so far followed the one before. */
	get isSound(): boolean {
		return this.row.isSound;
	}

	/**
	 * Gives the new briefs of the next page; null at the end. Throws what `service.briefs` throws, and `list_unreadable`
	 * if the service keeps refusing its own cursors.
	 */
	async next(): Promise<BriefSummary[] | null> {
		while (this.end === null) {
			const page = await this.read();
			if (page === null) continue;
			const fresh = page.data.filter(({ id }) => !this.seenIds.has(id));
			for (const { id } of fresh) this.seenIds.add(id);
			this.barren = fresh.length === 0 ? this.barren + 1 : 0;
			this.end = this.endAfter(page);
			this.cursor = page.next_cursor ?? undefined;
			if (fresh.length > 0) return fresh;
		}
		return null;
	}

	/** Reads the next page; null if the service refused the cursor and the walk starts over. */
	private async read(): Promise<BriefPage | null> {
		const { status, pageSize, signal } = this.options;
		const { cursor } = this;
		const query = { status, limit: pageSize, cursor };
		const outcome = await outcomeOf(this.service.briefs(query, signal));
		if ('value' in outcome) {
			this.row.add(cursor, outcome.value.data);
			return outcome.value;
		}
		const { error } = outcome;
		if (!isCursorRefused(error, cursor)) throw error;
		if (this.restarts >= LIST_RESTARTS) throw error.with({ kind: 'list_unreadable' });
		this.restarts += 1;
		this.cursor = undefined;
		this.row = new PagesInARow();
		this.barren = 0;
		return null;
	}

	private endAfter({ data, next_cursor: next }: BriefPage): WalkEnd | null {
		if (next === null) {
			if (!this.isSound) return 'broken_off';
			return data.length === 0 && this.cursor !== undefined ? 'empty_page' : 'last_page';
		}
		// Starting over counts as stuck only after it has brought nothing new.
		const isStuck = this.row.hasAsked(next) || this.barren >= MAX_BARREN_PAGES;
		return isStuck ? 'broken_off' : null;
	}
}

/** Pages that were read one after the other, and perhaps do not follow each other, as far as can be seen. */
class PagesInARow {
	isSound = true;
	private readonly cursors = new Set<string | undefined>();
	private readonly ids = new Set<string>();
	private first: string | undefined;
	private oldest = Infinity;

	add(cursor: string | undefined, page: readonly BriefSummary[]): void {
		this.cursors.add(cursor);
		const times = page.flatMap(({ created_at }) => instantOf(created_at) ?? []);
		const isShownAgain = page.some(({ id }) => this.first === id);
		// A page repeats some briefs of the one before when new ones have come meanwhile, but never all of them.
		const isAllSeen = page.length > 0 && page.every(({ id }) => this.ids.has(id));
		const goesUp = Math.max(...times) > this.oldest + LIST_DISORDER_MS;
		if (isShownAgain || isAllSeen || goesUp) this.isSound = false;
		this.first ??= page[0]?.id;
		for (const { id } of page) this.ids.add(id);
		this.oldest = Math.min(this.oldest, ...times);
	}

	hasAsked(cursor: string): boolean {
		return this.cursors.has(cursor);
	}
}

/** Checks whether the service refuses its own cursor: without the cursor it answers the same request. */
export function isCursorRefused({ kind }: ServiceError, cursor: string | undefined): boolean {
	return cursor !== undefined && (kind === 'invalid_input' || kind === 'not_found');
}

/**
 * Gives the pages of a walk. Throws what the walk throws.
 * @param options.isAllNeeded also throws `list_unreadable` if briefs may be missing
 */
export async function* briefPages(
	service: Lister,
	{ isAllNeeded = false, ...options }: WalkOptions & { isAllNeeded?: boolean } = {},
): AsyncGenerator<BriefSummary[]> {
	const walk = new PageWalk(service, options);
	for (let page; (page = await walk.next()) !== null;) yield page;
	if (isAllNeeded && walk.end === 'broken_off') {
		throw new ServiceError({ kind: 'list_unreadable', operation: 'list_briefs' });
	}
}
