import { BRIEFS_PAGE_SIZE } from './limits';
import type { BriefStatus, BriefSummary } from './resources';
import type { BriefingService } from './service';

/** A page may be empty and not the last, where the service filters after it has cut the pages. */
const MAX_BARREN_PAGES = 3;

/**
 * The workspace's briefs, newest first, page by page until the last one (API.md section 4.7). What a stale cursor does
 * is not shown: a cursor that comes again, or several pages in a row that bring nothing new, end the walk, so a service
 * that starts over cannot keep it going.
 * Throws what `service.briefs` throws.
 */
export async function* briefPages(
	service: Pick<BriefingService, 'briefs'>,
	options: { status?: BriefStatus; pageSize?: number; signal?: AbortSignal } = {},
): AsyncGenerator<BriefSummary[]> {
	const { status, pageSize = BRIEFS_PAGE_SIZE.max, signal } = options;
	const seen = new Set<string>();
	const cursors = new Set<string | undefined>();
	let barren = 0;
	let cursor: string | undefined;
	do {
		cursors.add(cursor);
		const page = await service.briefs({ status, limit: pageSize, cursor }, signal);
		const fresh = page.data.filter((brief) => !seen.has(brief.id));
		for (const brief of fresh) seen.add(brief.id);
		barren = fresh.length === 0 ? barren + 1 : 0;
		if (fresh.length > 0) yield fresh;
		cursor = page.next_cursor ?? undefined;
		// The last page names none, as the first request does.
	} while (!cursors.has(cursor) && barren < MAX_BARREN_PAGES);
}
