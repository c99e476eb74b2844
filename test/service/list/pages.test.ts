import type { ServiceError, ErrorKind } from '../../../service/api/errors';
import { allowanceOf, briefsOfThisMonth } from '../../../service/list/allowance';
import type { ListBriefsQuery } from '../../../service/api/operations';
import { briefPages } from '../../../service/list/pages';
import type { BriefPage, BriefSummary, Licence, Timestamp } from '../../../service/api/resources';
import { aSummary, anError } from '../../support/builders';

const NOW = Date.UTC(2026, 10, 20, 12);
const brief = (id: string, created_at: Timestamp = NOW, status = 'ready'): BriefSummary =>
	aSummary({ id, status, created_at });

/** A service that answers with these pages, by their cursors. */
function listing(pageOf: (cursor: string | undefined) => [BriefSummary[], string | null]) {
	const queries: ListBriefsQuery[] = [];
	return {
		queries,
		now: () => NOW,
		briefs: (query: ListBriefsQuery = {}): Promise<BriefPage> => {
			queries.push(query);
			if (queries.length > 100) throw new Error('the walk does not end');
			const [data, next_cursor] = pageOf(query.cursor);
			return Promise.resolve({ data, next_cursor });
		},
	};
}

/** The same if each page but the last names the next one, by cursors c1, c2 and so on. */
const pagesOf = (...pages: BriefSummary[][]) =>
	listing((cursor) => {
		const place = cursor === undefined ? 0 : Number(cursor.slice(1));
		return [pages[place]!, place + 1 < pages.length ? `c${place + 1}` : null];
	});

async function walk(service: ReturnType<typeof listing>, options = {}): Promise<string[]> {
	const ids: string[] = [];
	for await (const page of briefPages(service, options))
		ids.push(page.map(({ id }) => id).join(''));
	return ids;
}

describe('briefPages', () => {
	test('ends at an empty last page', async () => {
		const service = pagesOf([brief('a')], []);
		expect(await walk(service)).toEqual(['a']);
		expect(service.queries).toHaveLength(2);
	});
});

describe('briefsOfThisMonth', () => {
	test('reads on until a page ends in an earlier month', async () => {
		const first = [brief('a'), brief('b', '2026-11-01T00:00:00Z')];
		const second = [brief('c', '2026-11-01'), brief('d', '2026-10-31T23:59:59Z')];
		const service = pagesOf(first, second, []);
		const briefs = await briefsOfThisMonth(service);
		expect(briefs.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
		expect(service.queries).toHaveLength(2);
	});

	test('judges a page by its last brief alone, and can be aborted', async () => {
		const { signal } = new AbortController();
		const signals: unknown[] = [];
		const service = pagesOf([brief('a'), brief('b', '2026-11-02'), brief('c', '2026-10-31')], []);
		const briefs = (query: ListBriefsQuery, given?: AbortSignal) => {
			signals.push(given);
			return service.briefs(query);
		};
		expect(await briefsOfThisMonth({ now: service.now, briefs }, signal)).toHaveLength(3);
		expect(signals).toEqual([signal]);
	});
});

describe('allowanceOf', () => {
	const licence = (used_this_month: number, monthly_allowance: number | null = 10): Licence => ({
		product: 'creator-briefs',
		name: '',
		channels: ['api'],
		renews_or_ends_at: null,
		monthly_allowance,
		used_this_month,
	});
	const briefs = [
		brief('a', NOW, 'writing'),
		brief('b', '2026-11-01T00:00:00Z'),
		brief('b', '2026-11-01T00:00:00Z'),
		brief('c', '2026-10-31T23:59:59.999Z', 'polishing'),
		brief('d', 'yesterday'),
	];

	test('counts the list if used_this_month reads 0, and names what it cannot date', () => {
		expect(allowanceOf(licence(0), briefs, NOW)).toEqual({
			allowance: 10,
			used: 2,
			remaining: 8,
			running: 2,
			resets_at: '2026-12-01T00:00:00.000Z',
			notices: [expect.stringMatching(/^1 brief has a creation time that cannot be read/)],
		});
	});

	test.each([-1, 0, null])('is not known if the licence says %s', (monthly_allowance) => {
		const dated = briefs.slice(0, 4);
		expect(allowanceOf(licence(4, monthly_allowance), dated, NOW)).toMatchObject({
			allowance: null,
			used: 4,
			remaining: null,
			notices: [expect.stringMatching(/^The month’s allowance is not known/)],
		});
		expect(allowanceOf(licence(0, monthly_allowance), [], NOW).allowance).toBeNull();
		expect(allowanceOf(null, [], NOW).allowance).toBeNull();
	});
});

describe('a list that is not read to its end', () => {
	const said = { code: 'invalid', message: 'stale', requestId: 'req_1' };
	const refusal = (kind: ErrorKind, status: number) =>
		anError(kind, { operation: 'list_briefs', status, ...said });
	const refusing = (error: ServiceError) => {
		const { queries, now, briefs } = pagesOf([brief('a')], [brief('b')]);
		return {
			queries,
			now,
			briefs: (query: ListBriefsQuery = {}) =>
				query.cursor === undefined ? briefs(query) : Promise.reject(error),
		};
	};

	test.each([
		[400, 'invalid_input'],
		[404, 'not_found'],
	] as const)('is the fault of a service that refuses its cursor with %i', async (status, kind) => {
		const { message, requestId } = said;
		const failure = { kind: 'list_unreadable', status, message, requestId };
		await expect(walk(refusing(refusal(kind, status)))).rejects.toMatchObject(failure);
	});

	test.each<[string, Parameters<typeof listing>[0]]>([
		['a cursor that comes again', (cursor) => [[brief(cursor ?? 'first')], 'c1']],
		['new cursors', (cursor = '') => [[brief('a'), brief('b')], `c${cursor}`]],
		['a new brief', (cursor) => [cursor ? [brief('new'), brief('a')] : [brief('a')], 'c1']],
	])('is the fault of a service that starts over with %s', async (_, pageOf) => {
		const nothingSaid = { status: null, code: '', message: '', details: [], requestId: '' };
		const failure = { kind: 'list_unreadable', operation: 'list_briefs', retryAt: null };
		const service = listing(pageOf);
		await expect(walk(service)).rejects.toMatchObject({ ...failure, ...nothingSaid });
		expect(service.queries).toHaveLength(2);
	});

	test('may have another reason', async () => {
		const walked = walk(refusing(refusal('service_unavailable', 503)));
		await expect(walked).rejects.toMatchObject({ kind: 'service_unavailable' });
		const briefs = () => Promise.reject(refusal('invalid_input', 400));
		const first = walk({ queries: [], now: () => NOW, briefs });
		await expect(first).rejects.toMatchObject({ kind: 'invalid_input' });
	});
});
