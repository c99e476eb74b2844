import { LIST_DISORDER_MS } from '../../../service/assumptions';
import { briefsDownTo, SharedList } from '../../../service/list/brief-list';
import type { ListBriefsQuery } from '../../../service/api/operations';
import type { BriefPage, BriefSummary } from '../../../service/api/resources';
import { aBrief } from '../../support/builders';
import { MINUTE } from '../../support/time';

const NOW = Date.UTC(2026, 10, 20, 12);

const brief = (minutesAgo: number): BriefSummary =>
	aBrief({ id: `of ${minutesAgo}`, created_at: NOW - minutesAgo * MINUTE });

type Page = [BriefSummary[], string | null];

/** A service with these pages, by their cursors, and a clock that is set by hand. */
function serviceWith(pages: Record<string, Page>) {
	const asked: string[] = [];
	const time = { now: NOW };
	const service = {
		now: () => time.now,
		briefs: ({ cursor = 'first' }: ListBriefsQuery = {}): Promise<BriefPage> => {
			asked.push(cursor);
			if (asked.length > 50) throw new Error('the walk does not end');
			const [data, next_cursor] = pages[cursor]!;
			return Promise.resolve({ data, next_cursor });
		},
	};
	return { service, asked, time };
}

const page = (minutesAgo: number[], next: string | null): Page => [minutesAgo.map(brief), next];
const THREE = {
	first: page([1, 2], 'second'),
	second: page([30, 40], 'third'),
	third: page([70], null),
};

const down = (pages: Record<string, Page>, minutesAgo: number) =>
	briefsDownTo(serviceWith(pages).service, NOW - minutesAgo * MINUTE);

describe('a list is complete', () => {
	test('although briefs moved on from page to page, and are in some disorder', async () => {
		const moved = { first: page([1, 2], 'b'), b: page([2, 3], null) };
		expect((await down(moved, 500)).isComplete).toBe(true);
		const disorder = LIST_DISORDER_MS / MINUTE;
		const mixed = { first: page([1, 2 + disorder], 'b'), b: page([2, 30], null) };
		expect((await down(mixed, 500)).isComplete).toBe(true);
	});

	test.each<[string, Record<string, Page>]>([
		['a cursor comes again', { first: page([1], 'b'), b: page([2], 'b') }],
		['the first page comes again', { first: page([1, 2], 'b'), b: page([1, 2], null) }],
		['it starts over with a new brief', { first: page([1, 2], 'b'), b: page([0, 1], null) }],
	])('but not if %s', async (_, pages) => {
		expect((await down(pages, 500)).isComplete).toBe(false);
	});

	test('and is read on at the instant itself, of which there may be more', async () => {
		const { service, asked } = serviceWith({ first: page([1, 5], 'b'), b: page([5], null) });
		await briefsDownTo(service, NOW - 4.9 * MINUTE);
		expect(asked).toEqual(['first']);
		await briefsDownTo(service, NOW - 5 * MINUTE);
		expect(asked).toEqual(['first', 'first', 'b']);
	});
});

describe('a list that several share', () => {
	const shared = () => {
		const { service, asked, time } = serviceWith(THREE);
		const list = new SharedList(service, { now: () => time.now });
		const downTo = (
			minutesAgo: number,
			enough: { maxAge: number; since?: number } = { maxAge: 15_000 },
		) => list.downTo(NOW - minutesAgo * MINUTE, enough);
		return { downTo, asked, time };
	};

	test('is read again if the last reading is too old, or began too early', async () => {
		const { downTo, asked, time } = shared();
		await downTo(1);
		time.now += 15_000;
		await downTo(1);
		expect(asked).toHaveLength(1);
		time.now += 1;
		expect((await downTo(1)).asOf).toBe(NOW + 15_001);
		await downTo(1, { maxAge: 15_000, since: NOW + 15_002 });
		expect(asked).toHaveLength(3);
		await downTo(1, { maxAge: Infinity });
		await downTo(1, { maxAge: Infinity, since: NOW + 15_001 });
		expect(asked).toHaveLength(3);
	});
});

test('a list is as of the time at which its first page was asked for, by the clock that the answer shows', async () => {
	const { service, time } = serviceWith(THREE);
	let ahead = 0;
	const slow = {
		now: () => time.now + ahead,
		briefs: (query: ListBriefsQuery) => {
			time.now += 5000;
			ahead = 60 * MINUTE;
			return service.briefs(query);
		},
	};
	const list = new SharedList(slow, { now: () => time.now });
	const { asOf, briefs } = await list.downTo(NOW - 60 * MINUTE, { maxAge: 0 });
	expect(briefs).toHaveLength(5);
	expect(asOf).toBe(NOW + 60 * MINUTE);
});
