import { WatchedList } from '../../nodes/shared/watched-list';
import type { BriefPage } from '../../service/api/resources';
import { SharedList } from '../../service/list/brief-list';
import { aSummary } from '../support/builders';
import { DAY, MINUTE, SECOND } from '../support/time';

const NOW = Date.UTC(2026, 10, 20, 12);
const { signal } = new AbortController();
afterEach(() => jest.restoreAllMocks());

/** A workspace with briefs of these ages, one on a page, newest first, and what was asked of its list. */
function workspaceWith(...ages: number[]) {
	const asked: number[] = [];
	const time = { now: NOW };
	jest.spyOn(Date, 'now').mockImplementation(() => time.now);
	const createdAt = ages.map((age) => NOW - age);
	let isBroken = false;
	const pageAt = (at: number): BriefPage => {
		const [created_at = NOW] = createdAt.slice(at);
		const next_cursor = at + 1 < createdAt.length ? String(at + 1) : null;
		return { data: [aSummary({ id: String(created_at), created_at })], next_cursor };
	};
	const service = {
		now: () => time.now,
		briefs: ({ cursor = '0' } = {}) => {
			asked.push(Number(cursor));
			return Promise.resolve(pageAt(isBroken ? 0 : Number(cursor)));
		},
	};
	const pages = new SharedList(service, { now: () => time.now });
	return {
		list: new WatchedList(),
		pages,
		time,
		order: (age: number) => createdAt.unshift(time.now - age),
		breakOff: () => (isBroken = true),
		newestPage: () => pageAt(0),
		/** The pages that were asked for since the last time. */
		pagesAsked: () => asked.splice(0),
	};
}

const MONTHS = [MINUTE, 30 * MINUTE, 2 * DAY, 32 * DAY, 60 * DAY];

describe('the list of a workspace', () => {
	it('is read down to the oldest brief that may be used, and then only as far as it may be new', async () => {
		const { list, pages, time, pagesAsked } = workspaceWith(...MONTHS);
		await list.upToDate(pages, 0, signal);
		expect(pagesAsked()).toEqual([0, 1, 2, 3]);
		time.now += MINUTE;
		await list.upToDate(pages, MINUTE, signal);
		expect(pagesAsked()).toEqual([]);
		await list.upToDate(pages, 0, signal);
		expect(pagesAsked()).toEqual([0, 1]);
		expect(list.briefs.all()).toHaveLength(4);
	});

	it('is read to its end from where the reading has come to, once', async () => {
		const { list, pages, pagesAsked } = workspaceWith(...MONTHS);
		await list.upToDate(pages, 0, signal);
		pagesAsked();
		await list.toEnd(pages, signal);
		await list.toEnd(pages, signal);
		expect(pagesAsked()).toEqual([4]);
		expect(list.briefs.all()).toHaveLength(5);
	});

	it('is kept up to date by looks that reach what is known', async () => {
		const { list, pages, time, newestPage, pagesAsked } = workspaceWith(30 * MINUTE, DAY);
		await list.upToDate(pages, 0, signal);
		pagesAsked();
		time.now += MINUTE;
		list.see(newestPage(), time.now);
		await list.upToDate(pages, 0, signal);
		expect([pagesAsked(), list.hasGap, list.asOf]).toEqual([[], false, time.now]);
	});

	it('is read again after a look that does not, by a reading that began no earlier', async () => {
		const { list, pages, time, order, newestPage, pagesAsked } = workspaceWith(30 * MINUTE, DAY);
		await list.upToDate(pages, 0, signal);
		pagesAsked();
		time.now += MINUTE;
		order(SECOND);
		order(0);
		list.see(newestPage(), time.now);
		expect(list.hasGap).toBe(true);
		await list.upToDate(pages, Infinity, signal);
		expect([pagesAsked(), list.hasGap]).toEqual([[0, 1, 2], false]);
	});

	it('that breaks off is not taken for the whole list', async () => {
		const { list, pages, breakOff } = workspaceWith(...MONTHS);
		breakOff();
		await expect(list.upToDate(pages, 0, signal)).rejects.toMatchObject({
			kind: 'list_unreadable',
		});
		expect(list.hasGap).toBe(true);
	});
});
