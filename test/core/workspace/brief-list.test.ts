import { normalizeText } from '../../../core/input/content';
import type { RequestContext } from '../../../core/workspace/request-context';
import { makeBrief } from '../support/facts';
import { ListReader } from '../support/list-reader';
import { refuse } from '../../support/faults';
import { DAY, HOUR, MINUTE } from '../../support/time';
import type { VirtualService } from '../../support/virtual-service';

/** Which pages are read, for whom, and what a caller gets. That no brief is missing is tested in list-gaps.test.ts. */

let list: ListReader;
let service: VirtualService;
beforeEach(() => {
	list = new ListReader();
	({ service } = list);
});

/** Answers every request with a rate limit until this time has passed. */
function rateLimit(ms: number): void {
	const end = service.clock.now() + ms;
	service.intercept = () => {
		const minutes = (end - service.clock.now()) / MINUTE;
		return minutes <= 0 ? null : refuse([429, 'rate_limited', minutes]);
	};
}

/** Returns the context of a caller that stops waiting after a minute. */
function startHurried(): RequestContext {
	const hurried = service.startProcess().context;
	const deadline = service.clock.now() + MINUTE;
	return { ...hurried, readLimits: { ...hurried.readLimits, deadline } };
}

describe('a period', () => {
	test('is read with the necessary pages, and no page twice', async () => {
		await list.createDaily('ABCDEF');
		// E and F, then a page that is older.
		expect(await list.countLists(() => list.readNames(4))).toBe(2);
		expect(await list.countLists(() => list.readNames(4))).toBe(0);
		expect(await list.readNames(4)).toBe('FE');
	});

	test('is completed by the pages below the newest page', async () => {
		await list.createDaily('ABCDEF');
		await list.readNames(4);
		await list.createDaily('GHI');
		await list.readNewestPage();
		// A page with the newest known brief, and a page that is more than 22 minutes older.
		expect(await list.countLists(() => list.readNames(4))).toBe(2);
		expect(await list.readNames(4)).toBe('IHGFE');
		expect(await list.countLists(() => list.readNames(5))).toBe(0);
		expect(await list.readNames()).toBe('IHGFEDCBA');
	});

	test('is read once for callers that ask at the same time', async () => {
		await list.createDaily('ABCDEF');
		const other = service.startProcess().context;
		const lists = await list.countLists(() =>
			Promise.all([list.readNames(), list.readNames(0, other)]),
		);
		expect(lists).toBe(3);
	});

	test('continues to be read if the caller that reads it is stopped', async () => {
		await list.createDaily('ABCDEF');
		const first = service.startProcess();
		const stopped = list.readNames(0, first.context);
		const names = list.readNames();
		await service.clock.pass(400);
		first.process.interrupt();
		await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		expect(await names).toBe('FEDCBA');
	});

	test('is read by a caller itself at its deadline if another caller is still reading', async () => {
		rateLimit(30 * MINUTE);
		const first = list.readNames();
		await expect(list.readNames(0, startHurried())).rejects.toMatchObject({ kind: 'rate_limited' });
		expect(service.clock.now() - list.start).toBeLessThan(2 * MINUTE);
		expect(await first).toBe('');
	});

	test('has the newest status of each brief', async () => {
		list.create('A');
		await list.readNames();
		await service.clock.pass(HOUR);
		list.create('B');
		await list.readNewestPage();
		const { briefs: listed } = await list.briefs.readSince(list.start, list.context);
		expect(listed.map(({ status }) => status)).toEqual(['researching', 'ready']);
	});

	test('is complete after the last page, however old it is', async () => {
		list.create('A');
		await list.readNewestPage();
		await service.clock.pass(MINUTE);
		expect(await list.countLists(() => list.briefs.readSince(0, list.context))).toBe(0);
	});

	test('cannot be read if the cursor leads back to the same page', async () => {
		await list.createDaily('ABCD');
		service.intercept = ({ query }) => {
			if (query['cursor'] === undefined) return null;
			const data = service.created.slice(2).map((brief) => service.show(brief));
			const body = JSON.stringify({ data, next_cursor: '2' });
			return { status: 200, body };
		};
		await expect(list.readNames()).rejects.toMatchObject({ kind: 'list_unreadable' });
	});

	test('is read although two pages get no answer', async () => {
		list.create('A');
		service.intercept = () => (service.count('list_briefs') < 3 ? 'lost' : null);
		expect(await list.readNames()).toBe('A');
	});

	test('is read again if its old briefs were forgotten', async () => {
		await list.createDaily('ABCD');
		await list.readNames();
		list.briefs.forgetBefore(list.start + 2 * DAY);
		expect(list.briefs.get(service.created[0]!.id)).toBeUndefined();
		expect(await list.readNames(2)).toBe('DC');
		expect(await list.readNames()).toBe('DCBA');
	});

	test('contains every brief if old briefs are forgotten while a caller reads', async () => {
		await list.createDaily('ABCDEF');
		await list.readNames();
		await list.createDaily('GHI');
		await list.readNewestPage();
		const reading = list.readNames();
		await service.clock.pass(100);
		list.briefs.forgetBefore(list.start + 3 * DAY);
		expect(await reading).toBe('IHGFEDCBA');
		expect(await list.readNames()).toBe('IHGFEDCBA');
	});
});

describe('a request for the newest page', () => {
	function readPage(caller = list.context, maxAgeMs = MINUTE) {
		return list.briefs.readNewestPage(caller, maxAgeMs);
	}

	test('is shared by callers that accept its age', async () => {
		expect(await list.countLists(() => Promise.all([readPage(), readPage()]))).toBe(1);
		expect(await list.countLists(() => readPage())).toBe(0);
		expect(await list.countLists(() => readPage(list.context, 0))).toBe(1);
	});

	test('is sent again once, however many callers share it, if its sender is stopped', async () => {
		const first = service.startProcess();
		const stopped = readPage(first.context);
		const shared = [1, 2, 3].map(() => readPage(service.startProcess().context));
		await service.clock.pass(10);
		expect(() => first.process.die()).toThrow();
		await expect(stopped).rejects.toThrow();
		const pages = await Promise.all(shared);
		expect(pages.map((page) => page.briefs)).toEqual([[], [], []]);
		expect(service.count('list_briefs')).toBe(2);
	});

	test('of another caller delays no caller beyond its deadline', async () => {
		rateLimit(30 * MINUTE);
		const sent = readPage();
		await expect(readPage(startHurried())).rejects.toMatchObject({ kind: 'rate_limited' });
		expect(service.clock.now() - list.start).toBeLessThan(2 * MINUTE);
		expect((await sent).briefs).toEqual([]);
	});

	test('of another caller does not keep a stopped caller waiting', async () => {
		service.delayAnswer = () => HOUR;
		const sent = readPage();
		const stopped = service.startProcess();
		const shared = readPage(stopped.context);
		stopped.process.interrupt();
		await expect(shared).rejects.toMatchObject({ name: 'AbortError' });
		expect(service.clock.now()).toBe(list.start);
		expect((await sent).briefs).toEqual([]);
	});

	test('is the page that was requested last, not the page that arrives last', async () => {
		service.delayAnswer = () => (service.count('list_briefs') === 1 ? 1000 : 0);
		const slow = readPage(list.context, 0);
		await service.clock.pass(200);
		const newest = await readPage(list.context, 0);
		await slow;
		expect((await list.briefs.readSince(list.start, list.context)).newestPage).toBe(newest);
	});
});

describe('the briefs of a period', () => {
	const DAY_9 = '2026-11-09T00:00:00Z';

	beforeEach(() => {
		list.briefs.remember([
			makeBrief({ id: 'a', created_at: '2026-11-08' }),
			makeBrief({ id: 'b', created_at: DAY_9, product_name: 'MUG ' }),
			makeBrief({ id: 'd', created_at: DAY_9 }),
			makeBrief({ id: 'c', created_at: DAY_9 }),
			makeBrief({ id: 'e', created_at: 'soon' }),
			makeBrief({ id: 'f', created_at: DAY_9, product_name: 'Pan' }),
		]);
	});

	test('are found by the normalized name of their product, newest first', async () => {
		const snapshot = await list.briefs.readSince(list.start - 100 * DAY, list.context);
		const ids = snapshot.findByName(normalizeText('Mug')).map(({ id }) => id);
		expect(ids.join('')).toBe('edcba');
		expect(snapshot.findByName('cup')).toEqual([]);
		expect(snapshot.find('f')?.product_name).toBe('Pan');
		expect(snapshot.find('x')).toBeUndefined();
	});

	test('are those since its begin, and those whose time cannot be read', async () => {
		const { briefs: listed } = await list.briefs.readSince(Date.parse(DAY_9) + 1, list.context);
		expect(listed.map(({ id }) => id).join('')).toBe('e');
	});

	test('do not change when the list is read again', async () => {
		list.create('A');
		const snapshot = await list.briefs.readSince(list.start, list.context);
		await service.clock.pass(HOUR);
		list.create('B');
		await list.readNewestPage();
		expect(snapshot.briefs.map(({ status }) => status)).toEqual(['ready', 'researching']);
		expect(snapshot.readAt).toBeLessThan(list.start + MINUTE);
	});
});
