import { BRIEFS_PAGE_SIZE } from './limits';
import type { BriefStatus, BriefSummary } from './resources';
import type { BriefingService } from './service';
import { instantOf } from './timestamps';

/** A page may be empty and not the last, where the service filters after it has cut the pages. */
const MAX_BARREN_PAGES = 3;

/**
 * The workspace's briefs, newest first, page by page until the last one (docs/service.md section 4.7). What a stale
 * cursor does is not shown: a cursor that comes again, or several pages in a row that bring nothing new, end the walk,
 * so a service that starts over cannot keep it going.
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

/**
 * The workspace's briefs down to an instant of the service's time, newest first, and with them every older one on the
 * pages that had to be read; all of them where no time can be read. Throws what `service.briefs` throws.
 */
export async function briefsDownTo(
	service: Pick<BriefingService, 'briefs'>,
	instant: number,
	signal?: AbortSignal,
): Promise<BriefSummary[]> {
	const all: BriefSummary[] = [];
	for await (const page of briefPages(service, { signal })) {
		all.push(...page);
		const oldest = instantOf(page.at(-1)?.created_at);
		if (oldest !== null && oldest < instant) break;
	}
	return all;
}
