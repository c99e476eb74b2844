import { success, type Answer } from '../answer';
import { cursorAfter, readCursor, type CursorPlace } from '../briefs/cursor';
import { progressOf } from '../briefs/brief-life';
import type { StoredBrief } from '../briefs/record';
import { summaryOf } from '../briefs/shapes';
import { invalidRequest } from '../refusal';
import type { Call, Service } from '../service-state';

const DEFAULT_LIMIT = 20;

/** What the OpenAPI document lets through. */
interface ListBriefsQuery {
	status?: string;
	limit?: number;
	cursor?: string;
}

/** docs/api.md section 4.2 and 4.7: newest first, `next_cursor` null on the last page. */
export function answerListBriefs(service: Service, call: Call): Answer {
	const { briefs, clock, seed, switches } = service;
	const now = clock.now();
	const query = call.query as ListBriefsQuery;
	const filter = `${call.key.workspace.id} ${query.status ?? ''}`;
	const place = query.cursor === undefined ? 'start' : placeOf(service, query.cursor, filter);

	const matches = briefs
		.inWorkspace(call.key.workspace.id)
		.filter((brief) => brief.listedAt <= now)
		.filter(
			(brief) =>
				query.status === undefined ||
				progressOf(brief, now, switches.unknownStatus).status === query.status,
		)
		.sort(newestFirst)
		.filter((brief) => place === 'start' || newestFirst(place, brief) < 0);

	const page = matches.slice(0, query.limit ?? DEFAULT_LIMIT);
	const last = page.at(-1);
	return success({
		data: page.map((brief) => summaryOf(brief, { now, seed, switches })),
		next_cursor:
			last !== undefined && page.length < matches.length
				? cursorAfter(last, filter, now, seed)
				: null,
	});
}

function newestFirst(
	one: Pick<StoredBrief, 'createdAt' | 'serial'>,
	other: Pick<StoredBrief, 'createdAt' | 'serial'>,
): number {
	return other.createdAt - one.createdAt || other.serial - one.serial;
}

/** docs/api.md section 4.2: behaviour for an invalid or stale cursor is not shown. */
function placeOf(service: Service, cursor: string, filter: string): CursorPlace | 'start' {
	const { clock, seed, switches } = service;
	const place = readCursor(cursor, filter, seed);
	if (place !== undefined && clock.now() - place.issuedAt < switches.cursorMemoryMs) return place;
	switch (switches.staleCursor) {
		case 400:
			throw invalidRequest([
				{ in: 'query', field: 'cursor', code: 'stale', message: 'cursor is invalid or stale' },
			]);
		case 'first-page':
			return 'start';
	}
}
