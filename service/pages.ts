import { BRIEFS_PAGE_SIZE } from './limits';
import type { BriefStatus, BriefSummary } from './resources';
import type { BriefingService } from './service';

/**
 * The workspace's briefs, newest first, page by page until the last one (API.md section 4.7). What a stale cursor does
 * is not shown: a page that brings nothing new ends the walk, so a service that starts over cannot keep it going.
 * Throws what `service.briefs` throws.
 */
export async function* briefPages(
	service: Pick<BriefingService, 'briefs'>,
	options: { status?: BriefStatus; pageSize?: number; signal?: AbortSignal } = {},
): AsyncGenerator<BriefSummary[]> {
	const { status, pageSize = BRIEFS_PAGE_SIZE.max, signal } = options;
	const seen = new Set<string>();
	let cursor: string | undefined;
	do {
		const page = await service.briefs({ status, limit: pageSize, cursor }, signal);
		const fresh = page.data.filter((brief) => !seen.has(brief.id));
		if (fresh.length === 0) return;
		for (const brief of fresh) seen.add(brief.id);
		yield fresh;
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
}
