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
		yield addUnseen(data, next_cursor, seen);
		cursor = next_cursor ?? undefined;
	} while (cursor !== undefined);
}

/**
 * Returns the briefs that no earlier page has shown, and adds their IDs to `seen`.
 * @throws {ServiceError} if there are none and the page is not the last, because paging has then started over
 */
export function addUnseen(
	briefs: readonly BriefSummary[],
	nextCursor: string | null,
	seen: Set<string>,
): BriefSummary[] {
	const unseen = new Map(
		briefs.filter(({ id }) => !seen.has(id)).map((brief) => [brief.id, brief]),
	);
	if (unseen.size === 0 && nextCursor !== null)
		throw new ServiceError({ kind: 'list_unreadable', operation: 'list_briefs' });
	for (const id of unseen.keys()) seen.add(id);
	return [...unseen.values()];
}
