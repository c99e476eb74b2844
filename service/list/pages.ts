import { MOST_PAGES } from '../assumptions';
import { ServiceError } from '../api/errors';
import { outcomeOf } from '../api/outcome';
import type { Now } from '../api/ports';
import type { BriefPage, BriefStatus, BriefSummary } from '../api/resources';
import type { BriefingService } from '../api/service';

type WalkEnd =
	| 'last_page'
	/** The pages do not follow each other, or have no end, so some briefs may be missing. */
	| 'broken_off';

/** A service that lists its briefs page by page, and says its time. */
export type Lister = Now & Pick<BriefingService, 'briefs'>;

interface WalkOptions {
	status?: BriefStatus;
	pageSize?: number;
	signal?: AbortSignal;
}

/**
 * Reads the workspace's briefs, newest first, page by page (docs/api.md section 4.7). A service may start over when it
 * does not know its own cursor any more. Then the walk breaks off.
 */
export class PageWalk {
	/** Null while there may be more pages. */
	end: WalkEnd | null = null;
	private readonly seenIds = new Set<string>();
	private readonly cursors = new Set<string | undefined>();
	private newestId: string | undefined;
	private cursor: string | undefined;

	constructor(
		private readonly service: Lister,
		private readonly options: WalkOptions,
	) {}

	/**
	 * Gives the new briefs of the next page; null at the end. Throws what `service.briefs` throws, and `list_unreadable`
	 * if the service refuses its own cursor.
	 */
	async next(): Promise<BriefSummary[] | null> {
		while (this.end === null) {
			const page = await this.read();
			// A brief moves on to the next page when new ones come meanwhile.
			const newBriefs = page.data.filter(({ id }) => !this.seenIds.has(id));
			this.end = this.endAfter(page);
			for (const { id } of newBriefs) this.seenIds.add(id);
			this.cursor = page.next_cursor ?? undefined;
			if (newBriefs.length > 0) return newBriefs;
		}
		return null;
	}

	private async read(): Promise<BriefPage> {
		const { status, pageSize, signal } = this.options;
		const { cursor } = this;
		this.cursors.add(cursor);
		const outcome = await outcomeOf(
			this.service.briefs({ status, limit: pageSize, cursor }, signal),
		);
		if ('value' in outcome) return outcome.value;
		const { error } = outcome;
		const isCursorRefused = error.kind === 'invalid_input' || error.kind === 'not_found';
		// Without the cursor the service answers the same request.
		throw cursor !== undefined && isCursorRefused ? error.with({ kind: 'list_unreadable' }) : error;
	}

	private endAfter({ data, next_cursor: next }: BriefPage): WalkEnd | null {
		const startsOver = data.some(({ id }) => id === this.newestId);
		this.newestId ??= data[0]?.id;
		if (startsOver) return 'broken_off';
		if (next === null) return 'last_page';
		return this.cursors.has(next) || this.cursors.size >= MOST_PAGES ? 'broken_off' : null;
	}
}

/** Gives the pages of a walk. Throws what the walk throws, and `list_unreadable` at the end if briefs may be missing. */
export async function* briefPages(
	service: Lister,
	options: WalkOptions = {},
): AsyncGenerator<BriefSummary[]> {
	const walk = new PageWalk(service, options);
	for (let page; (page = await walk.next()) !== null;) yield page;
	if (walk.end === 'broken_off') {
		throw new ServiceError({ kind: 'list_unreadable', operation: 'list_briefs' });
	}
}
