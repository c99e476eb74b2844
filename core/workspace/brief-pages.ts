import { ServiceError } from '../api/errors';
import type { BriefPage, BriefSummary } from '../api/types';

/**
 * Reads the brief list page by page, newest first, without briefs that a page repeats.
 * @throws {ServiceError} if paging has started over, so that it would never end
 */
export async function* readBriefPages(
	readPage: (cursor: string | undefined) => Promise<BriefPage>,
): AsyncGenerator<BriefSummary[], void> {
	const seen = new Set<string>();
	let cursor: string | undefined;
	do {
		const { data, next_cursor } = await readPage(cursor);
		const unseen = new Map(
			data.filter(({ id }) => !seen.has(id)).map((brief) => [brief.id, brief]),
		);
		if (unseen.size === 0 && next_cursor !== null)
			throw new ServiceError({ kind: 'list_unreadable', operation: 'list_briefs' });
		for (const id of unseen.keys()) seen.add(id);
		yield [...unseen.values()];
		cursor = next_cursor ?? undefined;
	} while (cursor !== undefined);
}
