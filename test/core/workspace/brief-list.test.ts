import type { RequestContext } from '../../../core/workspace/request-context';
import { BriefList } from '../../../core/workspace/brief-list';
import { USUAL } from '../support/orders';
import { DAY, HOUR, MINUTE, VirtualService, type Nature } from '../support/virtual-service';

/** "No brief with this content exists" is believed only for a period that was read without a gap. */

let service: VirtualService;
let context: RequestContext;
let briefs: BriefList;
let start: number;

function startService(nature: Partial<Nature>): void {
	service = new VirtualService({ ...USUAL, ...nature });
	context = service.startProcess().context;
	briefs = new BriefList();
	start = service.clock.now();
}

async function createDaily(...names: readonly string[]): Promise<void> {
	for (const product_name of names) {
		service.create('x', { product_name });
		await service.clock.pass(DAY);
	}
}

function create(...names: readonly string[]): void {
	for (const product_name of names) service.create('x', { product_name });
}

async function countLists(read: () => Promise<unknown>): Promise<number> {
	const before = service.count('list_briefs');
	await read();
	return service.count('list_briefs') - before;
}

/** Sets the clock of the service back, as its answers show it. */
async function setBack(ms: number): Promise<void> {
	service.intercept = ({ operation }) => {
		if (operation !== 'list_licences') return null;
		const date = new Date(service.clock.now() - ms).toUTCString();
		return { status: 200, headers: { date }, body: '{"data":[]}' };
	};
	for (let count = 0; count < 9; count += 1) await context.client.listLicences();
}

/** Answers every request with a rate limit until this time has passed. */
function rateLimit(ms: number): void {
	const end = service.clock.now() + ms;
	service.intercept = () => {
		const seconds = Math.ceil((end - service.clock.now()) / 1000);
		if (seconds <= 0) return null;
		const { answer } = service.refuse(429, 'rate_limited');
		return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
	};
}

/** Returns the context of a caller that stops waiting after this time. */
function startHurried(ms: number): RequestContext {
	const hurried = service.startProcess().context;
	const deadline = service.clock.now() + ms;
	return { ...hurried, readLimits: { ...hurried.readLimits, deadline } };
}

beforeEach(() => startService({ pageSize: 2 }));

test('reads only the pages that a period needs, and none twice', async () => {
	await createDaily('A', 'B', 'C', 'D', 'E', 'F');
	const lists = await countLists(() => briefs.readSince(start + 4 * DAY, context));
	// E and F, then a page that is older.
	expect(lists).toBe(2);
	expect(await briefs.readSince(start + 4 * DAY, context)).toHaveLength(2);
	expect(await countLists(() => briefs.readSince(start + 4 * DAY, context))).toBe(0);
});

test('fills a gap below the newest page, and only the gap', async () => {
	await createDaily('A', 'B', 'C', 'D', 'E', 'F');
	await briefs.readSince(start + 4 * DAY, context);
	await createDaily('G', 'H', 'I');
	await briefs.readNewestPage(context, 0);
	// The second page, with one new brief and one known brief.
	expect(await countLists(() => briefs.readSince(start + 4 * DAY, context))).toBe(1);
	expect(await briefs.readSince(start + 4 * DAY, context)).toHaveLength(5);
	expect(await countLists(() => briefs.readSince(start + 5 * DAY, context))).toBe(0);
	expect(await briefs.readSince(start, context)).toHaveLength(9);
});

test('reads a period once for callers that ask at the same time', async () => {
	await createDaily('A', 'B', 'C', 'D', 'E', 'F');
	const lists = await countLists(() =>
		Promise.all([
			briefs.readSince(start, context),
			briefs.readSince(start, service.startProcess().context),
		]),
	);
	expect(lists).toBe(3);
});

test('reads a period on if the caller that reads it is stopped', async () => {
	await createDaily('A', 'B', 'C', 'D', 'E', 'F');
	const first = service.startProcess();
	const stopped = briefs.readSince(start, first.context);
	const listed = briefs.readSince(start, context);
	await service.clock.pass(400);
	first.process.interrupt();
	await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
	expect(await listed).toHaveLength(6);
});

test('reads a period itself at the deadline if another caller is still reading it', async () => {
	rateLimit(30 * MINUTE);
	const first = briefs.readSince(start, context);
	const hurried = briefs.readSince(start, startHurried(MINUTE));
	await expect(hurried).rejects.toMatchObject({ kind: 'rate_limited' });
	expect(service.clock.now() - start).toBeLessThan(2 * MINUTE);
	expect(await first).toEqual([]);
});

test('returns the newest brief first, with its newest status', async () => {
	create('A');
	await briefs.readSince(start, context);
	await service.clock.pass(HOUR);
	create('B');
	await briefs.readNewestPage(context, 0);
	const listed = await briefs.readSince(start, context);
	expect(listed.map(({ product_name, status }) => [product_name, status])).toEqual([
		['B', 'writing'],
		['A', 'ready'],
	]);
});

test('is complete after the last page, however old the period', async () => {
	create('A');
	await briefs.readNewestPage(context, 0);
	await service.clock.pass(MINUTE);
	expect(await countLists(() => briefs.readSince(0, context))).toBe(0);
});

test('throws if the cursor leads back to the same page', async () => {
	await createDaily('A', 'B', 'C', 'D');
	service.intercept = (request) => {
		if (request.operation !== 'list_briefs' || request.query['cursor'] === undefined) return null;
		const data = service.created.slice(2).map((brief) => service.show(brief));
		return { status: 200, headers: {}, body: JSON.stringify({ data, next_cursor: '2' }) };
	};
	const reading = briefs.readSince(start, context);
	await expect(reading).rejects.toMatchObject({
		kind: 'list_unreadable',
	});
});

test('repeats a page that is not answered', async () => {
	create('A');
	let lists = 0;
	service.intercept = ({ operation }) =>
		operation === 'list_briefs' && (lists += 1) < 3 ? 'lost' : null;
	expect(await briefs.readSince(start, context)).toHaveLength(1);
});

describe('a request for the newest page', () => {
	test('is shared by callers that accept its age', async () => {
		create('A');
		const pages = [briefs.readNewestPage(context, MINUTE), briefs.readNewestPage(context, MINUTE)];
		expect(await countLists(() => Promise.all(pages))).toBeLessThanOrEqual(1);
		expect(await countLists(() => briefs.readNewestPage(context, MINUTE))).toBe(0);
		expect(await countLists(() => briefs.readNewestPage(context, 0))).toBe(1);
	});

	test('is sent again by the next caller if its sender is stopped', async () => {
		startService({});
		const first = service.startProcess();
		const stopped = briefs.readNewestPage(first.context, MINUTE);
		const shared = briefs.readNewestPage(context, MINUTE);
		await service.clock.pass(10);
		expect(() => first.process.die()).toThrow();
		await expect(stopped).rejects.toThrow();
		expect(await shared).toEqual([]);
		expect(service.count('list_briefs')).toBe(2);
	});

	test('is sent again once, however many callers share it, if its sender is stopped', async () => {
		startService({});
		const first = service.startProcess();
		const stopped = briefs.readNewestPage(first.context, MINUTE);
		const shared = [1, 2, 3].map(() =>
			briefs.readNewestPage(service.startProcess().context, MINUTE),
		);
		await service.clock.pass(10);
		expect(() => first.process.die()).toThrow();
		await expect(stopped).rejects.toThrow();
		expect(await Promise.all(shared)).toEqual([[], [], []]);
		expect(service.count('list_briefs')).toBe(2);
	});

	test('that another caller sent keeps no caller waiting beyond its own deadline', async () => {
		startService({});
		rateLimit(30 * MINUTE);
		const sent = briefs.readNewestPage(context, MINUTE);
		const shared = briefs.readNewestPage(startHurried(MINUTE), MINUTE);
		await expect(shared).rejects.toMatchObject({ kind: 'rate_limited' });
		expect(service.clock.now() - start).toBeLessThan(2 * MINUTE);
		expect(await sent).toEqual([]);
	});

	test('that another caller sent does not keep a stopped caller waiting', async () => {
		startService({});
		service.delayAnswer = () => HOUR;
		const sent = briefs.readNewestPage(context, MINUTE);
		const stopped = service.startProcess();
		const shared = briefs.readNewestPage(stopped.context, MINUTE);
		const stoppedAt = service.clock.now();
		stopped.process.interrupt();
		await expect(shared).rejects.toMatchObject({ name: 'AbortError' });
		expect(service.clock.now()).toBe(stoppedAt);
		expect(await sent).toEqual([]);
	});
});

describe('no gap is left', () => {
	test('by a page that arrives after a younger page', async () => {
		await createDaily('A', 'B', 'C', 'D');
		service.delayAnswer = () => (service.count('list_briefs') === 1 ? 1000 : 0);
		const slow = briefs.readNewestPage(context, 0);
		await service.clock.pass(200);
		create('E');
		await briefs.readNewestPage(context, 0);
		await slow;
		expect(await briefs.readSince(start, context)).toHaveLength(5);
	});

	test('by a brief that is listed late', async () => {
		startService({ pageSize: 2, listLagMs: 5 * MINUTE });
		create('Early');
		await service.clock.pass(HOUR);
		create('Late');
		await service.clock.pass(4 * MINUTE);
		expect(await briefs.readSince(start, context)).toHaveLength(1);
		create('A', 'B', 'C');
		await service.clock.pass(6 * MINUTE);
		await briefs.readNewestPage(context, 0);
		expect(await briefs.readSince(start, context)).toHaveLength(5);
	});

	test('by a brief that is listed late, below an older brief', async () => {
		startService({ pageSize: 2, listLagMs: 10 * MINUTE });
		create('Old');
		await service.clock.pass(45 * MINUTE);
		create('Late', 'Older than Late');
		const late = service.created[1]!;
		Object.assign(late, { createdAt: late.createdAt + 6 * MINUTE });
		await service.clock.pass(5.5 * MINUTE);
		create('New');
		await service.clock.pass(9.5 * MINUTE);
		expect(await briefs.readSince(start, context)).toHaveLength(2);
		await service.clock.pass(2 * MINUTE);
		await briefs.readNewestPage(context, 0);
		expect(await briefs.readSince(start, context)).toHaveLength(4);
	});

	test('by a poll of another caller during a long reading', async () => {
		startService({ pageSize: 4 });
		await createDaily(...Array.from({ length: 20 }, (_, day) => `Old ${day}`));
		const reading = briefs.readSince(start, context);
		await service.clock.pass(500);
		create('A', 'B', 'C');
		await service.clock.pass(500);
		// One more than the newest page shows.
		create('D', 'E');
		await briefs.readNewestPage(context, 0);
		expect(await reading).toHaveLength(25);
	});

	test('by a clock of the service that is set back before a reading', async () => {
		await createDaily('A', 'B', 'C', 'D', 'E', 'F');
		await briefs.readNewestPage(context, 0);
		await setBack(MINUTE);
		await service.clock.pass(5000);
		expect(await briefs.readSince(start, context)).toHaveLength(6);
	});

	test('by a clock of the service that is set back between two pages', async () => {
		await createDaily('Old');
		await briefs.readSince(start, context);
		await setBack(5 * MINUTE);
		create('A', 'B', 'C');
		await briefs.readNewestPage(context, 0);
		expect(await briefs.readSince(start, context)).toHaveLength(4);
	});
});

test('forgets old briefs and reads them again for a longer period', async () => {
	await createDaily('A', 'B', 'C', 'D');
	await briefs.readSince(start, context);
	briefs.forgetBefore(start + 2 * DAY);
	expect(briefs.get(service.created[0]!.id)).toBeUndefined();
	expect(await briefs.readSince(start + 2 * DAY, context)).toHaveLength(2);
	expect(await briefs.readSince(start, context)).toHaveLength(4);
});

test('misses no brief if old briefs are to be forgotten while a caller reads', async () => {
	await createDaily('A', 'B', 'C', 'D', 'E', 'F');
	await briefs.readSince(start, context);
	await createDaily('G', 'H', 'I');
	await briefs.readNewestPage(context, 0);
	const reading = briefs.readSince(start, context);
	await service.clock.pass(100);
	briefs.forgetBefore(start + 3 * DAY);
	expect(await reading).toHaveLength(9);
	expect(await briefs.readSince(start, context)).toHaveLength(9);
});
