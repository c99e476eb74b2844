import type { BriefSummary } from '../../../core/api/types';
import { normalizeText } from '../../../core/input/content';
import { BriefList } from '../../../core/workspace/brief-list';
import type { RequestContext } from '../../../core/workspace/request-context';
import { refuse } from '../support/orders';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { VirtualService, type ServiceBehavior } from '../../support/virtual-service';

/** A row is ordered only if the brief list was read without a gap for the period in which a brief could exist. */

let service: VirtualService;
let context: RequestContext;
let briefs: BriefList;
let start: number;
function startService(behavior: Partial<ServiceBehavior>): void {
	service = new VirtualService({ ...behavior });
	context = service.startProcess().context;
	briefs = new BriefList();
	start = service.clock.now();
}
beforeEach(() => startService({ pageSize: 2 }));

function create(...names: readonly string[]): void {
	for (const product_name of names) service.create('x', { product_name });
}

/** Creates a brief on each of the next days, and lets the last day pass. */
async function createDaily(names: string): Promise<void> {
	for (const name of names) {
		create(name);
		await service.clock.pass(DAY);
	}
}

/** Returns the names of the briefs since a day after the start. */
async function readNames(day = 0, caller = context): Promise<string> {
	const { briefs: listed } = await briefs.readSince(start + day * DAY, caller);
	return listed.map(({ product_name }) => product_name).join('');
}

async function countLists(read: () => Promise<unknown>): Promise<number> {
	const before = service.count('list_briefs');
	await read();
	return service.count('list_briefs') - before;
}

/** Answers every request with a rate limit until this time has passed. */
function rateLimit(ms: number): void {
	const end = service.clock.now() + ms;
	service.intercept = () => {
		const minutes = (end - service.clock.now()) / MINUTE;
		return minutes <= 0 ? null : refuse(service, [429, 'rate_limited', minutes]);
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
		await createDaily('ABCDEF');
		// E and F, then a page that is older.
		expect(await countLists(() => readNames(4))).toBe(2);
		expect(await countLists(() => readNames(4))).toBe(0);
		expect(await readNames(4)).toBe('FE');
	});

	test('is completed by the pages below the newest page', async () => {
		await createDaily('ABCDEF');
		await readNames(4);
		await createDaily('GHI');
		await briefs.readNewestPage(context, 0);
		// A page with the newest known brief, and a page that is more than 22 minutes older.
		expect(await countLists(() => readNames(4))).toBe(2);
		expect(await readNames(4)).toBe('IHGFE');
		expect(await countLists(() => readNames(5))).toBe(0);
		expect(await readNames()).toBe('IHGFEDCBA');
	});

	test('is read once for callers that ask at the same time', async () => {
		await createDaily('ABCDEF');
		const other = service.startProcess().context;
		const lists = await countLists(() => Promise.all([readNames(), readNames(0, other)]));
		expect(lists).toBe(3);
	});

	test('continues to be read if the caller that reads it is stopped', async () => {
		await createDaily('ABCDEF');
		const first = service.startProcess();
		const stopped = readNames(0, first.context);
		const names = readNames();
		await service.clock.pass(400);
		first.process.interrupt();
		await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		expect(await names).toBe('FEDCBA');
	});

	test('is read by a caller itself at its deadline if another caller is still reading', async () => {
		rateLimit(30 * MINUTE);
		const first = readNames();
		await expect(readNames(0, startHurried())).rejects.toMatchObject({ kind: 'rate_limited' });
		expect(service.clock.now() - start).toBeLessThan(2 * MINUTE);
		expect(await first).toBe('');
	});

	test('has the newest status of each brief', async () => {
		create('A');
		await readNames();
		await service.clock.pass(HOUR);
		create('B');
		await briefs.readNewestPage(context, 0);
		const { briefs: listed } = await briefs.readSince(start, context);
		expect(listed.map(({ status }) => status)).toEqual(['writing', 'ready']);
	});

	test('is complete after the last page, however old it is', async () => {
		create('A');
		await briefs.readNewestPage(context, 0);
		await service.clock.pass(MINUTE);
		expect(await countLists(() => briefs.readSince(0, context))).toBe(0);
	});

	test('cannot be read if the cursor leads back to the same page', async () => {
		await createDaily('ABCD');
		service.intercept = ({ query }) => {
			if (query['cursor'] === undefined) return null;
			const data = service.created.slice(2).map((brief) => service.show(brief));
			const body = JSON.stringify({ data, next_cursor: '2' });
			return { ...refuse(service, [200]), body };
		};
		await expect(readNames()).rejects.toMatchObject({ kind: 'list_unreadable' });
	});

	test('is read although two pages get no answer', async () => {
		create('A');
		service.intercept = () => (service.count('list_briefs') < 3 ? 'lost' : null);
		expect(await readNames()).toBe('A');
	});

	test('is read again if its old briefs were forgotten', async () => {
		await createDaily('ABCD');
		await readNames();
		briefs.forgetBefore(start + 2 * DAY);
		expect(briefs.get(service.created[0]!.id)).toBeUndefined();
		expect(await readNames(2)).toBe('DC');
		expect(await readNames()).toBe('DCBA');
	});

	test('contains every brief if old briefs are forgotten while a caller reads', async () => {
		await createDaily('ABCDEF');
		await readNames();
		await createDaily('GHI');
		await briefs.readNewestPage(context, 0);
		const reading = readNames();
		await service.clock.pass(100);
		briefs.forgetBefore(start + 3 * DAY);
		expect(await reading).toBe('IHGFEDCBA');
		expect(await readNames()).toBe('IHGFEDCBA');
	});
});

describe('a request for the newest page', () => {
	beforeEach(() => startService({}));

	function readPage(caller = context, maxAgeMs = MINUTE) {
		return briefs.readNewestPage(caller, maxAgeMs);
	}

	test('is shared by callers that accept its age', async () => {
		expect(await countLists(() => Promise.all([readPage(), readPage()]))).toBe(1);
		expect(await countLists(() => readPage())).toBe(0);
		expect(await countLists(() => readPage(context, 0))).toBe(1);
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
		expect(service.clock.now() - start).toBeLessThan(2 * MINUTE);
		expect((await sent).briefs).toEqual([]);
	});

	test('of another caller does not keep a stopped caller waiting', async () => {
		service.delayAnswer = () => HOUR;
		const sent = readPage();
		const stopped = service.startProcess();
		const shared = readPage(stopped.context);
		stopped.process.interrupt();
		await expect(shared).rejects.toMatchObject({ name: 'AbortError' });
		expect(service.clock.now()).toBe(start);
		expect((await sent).briefs).toEqual([]);
	});

	test('is the page that was requested last, not the page that arrives last', async () => {
		service.delayAnswer = () => (service.count('list_briefs') === 1 ? 1000 : 0);
		const slow = briefs.readNewestPage(context, 0);
		await service.clock.pass(200);
		const newest = await briefs.readNewestPage(context, 0);
		await slow;
		expect((await briefs.readSince(start, context)).newestPage).toBe(newest);
	});
});

describe('the list has no gap', () => {
	/** Sets the clock of the service back, as its answers show it. */
	async function setBack(ms: number): Promise<void> {
		service.intercept = ({ operation }) => {
			if (operation !== 'list_licences') return null;
			const date = new Date(service.clock.now() - ms).toUTCString();
			return { status: 200, headers: { date }, body: '{"data":[]}' };
		};
		for (let count = 0; count < 2; count += 1) await context.client.listLicences();
	}

	test('after a page that arrives after a younger page', async () => {
		await createDaily('ABCD');
		service.delayAnswer = () => (service.count('list_briefs') === 1 ? 1000 : 0);
		const slow = briefs.readNewestPage(context, 0);
		await service.clock.pass(200);
		create('E');
		await briefs.readNewestPage(context, 0);
		await slow;
		expect(await readNames()).toBe('EDCBA');
	});

	test('after a page that takes an hour to arrive', async () => {
		create('A');
		service.delayAnswer = () => (service.count('list_briefs') === 1 ? HOUR : 0);
		const reading = readNames();
		await service.clock.pass(30 * MINUTE);
		create('B', 'C', 'D');
		expect(await reading).toBe('A');
		await briefs.readNewestPage(context, 0);
		expect(await readNames()).toHaveLength(4);
	});

	test('after a brief that is listed late', async () => {
		startService({ pageSize: 2, listLagMs: 5 * MINUTE });
		create('A');
		await service.clock.pass(HOUR);
		create('B');
		await service.clock.pass(4 * MINUTE);
		expect(await readNames()).toBe('A');
		create('C', 'D', 'E');
		await service.clock.pass(6 * MINUTE);
		await briefs.readNewestPage(context, 0);
		expect(await readNames()).toHaveLength(5);
	});

	test('after a brief that is listed late, below an older brief', async () => {
		startService({ pageSize: 2, listLagMs: 10 * MINUTE });
		create('A');
		await service.clock.pass(45 * MINUTE);
		create('L', 'B');
		const late = service.created[1]!;
		Object.assign(late, { createdAt: late.createdAt + 6 * MINUTE });
		await service.clock.pass(5.5 * MINUTE);
		create('C');
		await service.clock.pass(9.5 * MINUTE);
		expect(await readNames()).toBe('BA');
		await service.clock.pass(2 * MINUTE);
		await briefs.readNewestPage(context, 0);
		expect(await readNames()).toHaveLength(4);
	});

	test('after a poll of another caller while the pages are read', async () => {
		startService({ pageSize: 4 });
		await createDaily('a'.repeat(20));
		const reading = readNames();
		await service.clock.pass(500);
		create('A', 'B', 'C');
		await service.clock.pass(500);
		// More briefs than the newest page shows.
		create('D', 'E');
		await briefs.readNewestPage(context, 0);
		expect(await reading).toHaveLength(25);
	});

	test('after the clock of the service was set back before the pages are read', async () => {
		await createDaily('ABCDEF');
		await briefs.readNewestPage(context, 0);
		await setBack(MINUTE);
		await service.clock.pass(5000);
		expect(await readNames()).toBe('FEDCBA');
	});

	test('after the clock of the service was set back between two pages', async () => {
		await createDaily('A');
		await readNames();
		await setBack(5 * MINUTE);
		create('B', 'C', 'D');
		await briefs.readNewestPage(context, 0);
		expect(await readNames()).toHaveLength(4);
	});
});

describe('if created_at', () => {
	const FORMATS: ReadonlyArray<readonly [string, (time: number) => string]> = [
		['is two hours behind', (time) => new Date(time - 2 * HOUR).toISOString()],
		['is two hours ahead', (time) => new Date(time + 2 * HOUR).toISOString()],
		['has only minutes', (time) => new Date(time).toISOString().slice(0, 16)],
		['has only days', (time) => new Date(time).toISOString().slice(0, 10)],
		['cannot be read', () => 'soon'],
	];

	function show(format: (time: number) => string): void {
		const original = service.show.bind(service);
		service.show = (brief) => ({ ...original(brief), created_at: format(brief.createdAt) });
	}

	test.each(FORMATS)(
		'%s, the list has no gap after more briefs than a page shows',
		async (_, format) => {
			show(format);
			create('A');
			await service.clock.pass(HOUR);
			create('B');
			await service.clock.pass(30_000);
			expect(await readNames(-2)).toHaveLength(2);
			await service.clock.pass(5 * MINUTE);
			create('C', 'D', 'E');
			await briefs.readNewestPage(context, 0);
			expect(await readNames(-2)).toHaveLength(5);
		},
	);

	test.each(FORMATS)(
		'%s, the list has no gap after a brief that is listed late',
		async (_, format) => {
			startService({ pageSize: 2, listLagMs: 5 * MINUTE });
			show(format);
			create('A');
			await service.clock.pass(HOUR);
			create('B');
			await service.clock.pass(4 * MINUTE);
			expect(await readNames(-2)).toBe('A');
			create('C', 'D', 'E');
			await service.clock.pass(6 * MINUTE);
			await briefs.readNewestPage(context, 0);
			expect(await readNames(-2)).toHaveLength(5);
		},
	);

	test.each(FORMATS.slice(0, 4))('%s, a complete list is not read again', async (_, format) => {
		show(format);
		await createDaily('ABCDEF');
		await readNames();
		await briefs.readNewestPage(context, 0);
		expect(await countLists(() => readNames())).toBe(0);
		create('G');
		await briefs.readNewestPage(context, 0);
		// One more page, in case a brief is listed late below the newest known brief.
		expect(await countLists(() => readNames())).toBeLessThanOrEqual(1);
	});

	test('is in the future for one brief, the list has no gap after it', async () => {
		show((time) => (time === start ? '2099-01-01' : new Date(time).toISOString()));
		create('A');
		await service.clock.pass(HOUR);
		create('B');
		await service.clock.pass(MINUTE);
		expect(await readNames()).toBe('AB');
		await service.clock.pass(HOUR);
		create('C', 'D', 'E');
		await briefs.readNewestPage(context, 0);
		expect(await readNames()).toHaveLength(5);
	});

	test('cannot be read, the list is read to its end', async () => {
		show(() => 'soon');
		await createDaily('ABCDEF');
		expect(await countLists(() => readNames(4))).toBe(3);
		await briefs.readNewestPage(context, 0);
		expect(await countLists(() => readNames(4))).toBe(2);
	});
});

describe('the briefs of a period', () => {
	function makeSummary(id: string, created_at: string, product_name = 'Mug'): BriefSummary {
		const texts = { title: null, url: '', updated_at: created_at, finished_at: null };
		return { id, status: 'ready', product_name, created_at, ...texts };
	}
	const DAY_9 = '2026-11-09T00:00:00Z';

	beforeEach(() => {
		startService({});
		briefs.remember([
			makeSummary('a', '2026-11-08'),
			makeSummary('b', DAY_9, 'MUG '),
			makeSummary('d', DAY_9),
			makeSummary('c', DAY_9),
			makeSummary('e', 'soon'),
			makeSummary('f', DAY_9, 'Pan'),
		]);
	});

	test('are sorted by their time and their ID, and a time that cannot be read is the newest', async () => {
		const { briefs: listed } = await briefs.readSince(start - 100 * DAY, context);
		expect(listed.map(({ id }) => id).join('')).toBe('efdcba');
	});

	test('are found by the normalized name of their product, newest first', async () => {
		const list = await briefs.readSince(start - 100 * DAY, context);
		const ids = list.findByName(normalizeText('Mug')).map(({ id }) => id);
		expect(ids.join('')).toBe('edcba');
		expect(list.findByName('cup')).toEqual([]);
		expect(list.find('f')?.product_name).toBe('Pan');
		expect(list.find('x')).toBeUndefined();
	});

	test('are those since its begin, and those whose time cannot be read', async () => {
		const { briefs: listed } = await briefs.readSince(Date.parse(DAY_9) + 1, context);
		expect(listed.map(({ id }) => id).join('')).toBe('e');
	});

	test('do not change when the list is read again', async () => {
		create('A');
		const list = await briefs.readSince(start, context);
		await service.clock.pass(HOUR);
		create('B');
		await briefs.readNewestPage(context, 0);
		expect(list.briefs.map(({ status }) => status)).toEqual(['ready', 'writing']);
		expect(list.readAt).toBeLessThan(start + MINUTE);
	});
});
