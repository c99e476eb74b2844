import { getProgress, type StoredBrief } from '../briefs/brief';
import { createHex, type Seed } from '../random';
import { invalidRequest } from '../refusals';
import type { Answer, Call, Service } from '../state';
import { toSummary } from './brief-json';

const DEFAULT_LIMIT = 20;

/** The query that the OpenAPI document permits. */
interface ListBriefsQuery {
	status?: string;
	limit?: number;
	cursor?: string;
}

/** A position in the list, which is sorted by time and, for the same time, by serial. */
interface Position {
	time: number;
	serial: number;
}

/** docs/api.md sections 4.2 and 4.7: newest first, and the last page has no `next_cursor`. */
export function listBriefs(service: Service, { key, query }: Call): Answer {
	const { briefs, clock, options, seed } = service;
	const { status, limit = DEFAULT_LIMIT, cursor } = query as ListBriefsQuery;
	const filter = `${key.workspace} ${status ?? ''}`;
	const position = cursor === undefined ? undefined : readCursor(cursor, filter, seed);
	const now = clock.now();
	const matches = briefs
		.listInWorkspace(key.workspace)
		.filter(({ listedAt }) => listedAt <= now)
		.filter((brief) => status === undefined || getProgress(brief, now).status === status)
		.map((brief) => ({ brief, ...getPosition(brief, options.listDisorderMs) }))
		.filter((each) => position === undefined || compareNewestFirst(position, each) < 0)
		.sort(compareNewestFirst);
	const page = matches.slice(0, limit);
	const last = page.at(-1);
	const hasMore = last !== undefined && page.length < matches.length;
	return {
		status: 200,
		body: {
			data: page.map(({ brief }) => toSummary(service, brief)),
			next_cursor: hasMore ? makeCursor(last, filter, seed) : null,
		},
	};
}

/** Moves two of three briefs up, by half of `disorderMs` or all of it, so that the list is out of sequence. */
function getPosition({ createdAt, serial }: StoredBrief, disorderMs: number): Position {
	return { time: createdAt + ((serial % 3) * disorderMs) / 2, serial };
}

function compareNewestFirst(a: Position, b: Position): number {
	return b.time - a.time || b.serial - a.serial;
}

/** A cursor names the last brief of its page. It is sealed, so that only a cursor of this filter is valid. */
function makeCursor({ time, serial }: Position, filter: string, seed: Seed): string {
	const position = `${time}.${serial}`;
	return Buffer.from(`${position}.${seal(position, filter, seed)}`).toString('base64url');
}

/** docs/api.md section 4.2 leaves open what happens to an invalid cursor: here 400. */
function readCursor(cursor: string, filter: string, seed: Seed): Position {
	const [time, serial, sealed] = Buffer.from(cursor, 'base64url').toString().split('.');
	if (sealed !== seal(`${time}.${serial}`, filter, seed)) {
		const message = 'cursor is invalid or stale';
		throw invalidRequest({ in: 'query', field: 'cursor', code: 'stale', message });
	}
	return { time: Number(time), serial: Number(serial) };
}

function seal(position: string, filter: string, seed: Seed): string {
	return createHex(16, seed, 'cursor', position, filter);
}
