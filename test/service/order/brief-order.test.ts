import type { ErrorKind } from '../../../service/api/errors';
import { nullIfUnknown } from '../../../service/api/outcome';
import { BriefOrder, type WhenBriefExists } from '../../../service/order/brief-order';
import type { Brief } from '../../../service/api/resources';
import { ListedBriefs } from '../../../service/order/listed-briefs';
import { aBrief } from '../../support/builders';
import { BUSY, CUT, FAILS, rateLimit, refused, type Fault } from '../../support/faults';
import { failureOf } from '../../support/failure-of';
import { rig, stopper } from '../../support/service/rig';
import { HOUR, MINUTE, SECOND } from '../../support/time';

const REVOKED = refused(401, 'unauthorized', 'Revoked');
const IN_FLIGHT = refused(409, 'idempotency_in_flight', 'In progress');
const times = (count: number, fault: Fault) => Array<Fault>(count).fill(fault);

/** A service whose next creates meet these faults. */
function failing(creates: Fault[]) {
	const all = rig();
	all.memory.fail('create_brief', ...creates);
	return all;
}

test('twenty are created in the order of asking, two at a time, without one refusal', async () => {
	const all = rig({ duration: (index) => (180 + ((index * 53) % 180)) * SECOND });
	const names = Array.from({ length: 20 }, (_, index) => `Lamp ${index}`);
	const ended = names.map(async (name) => {
		const brief = await all.create(name);
		return (await all.poller.waitForEnd(brief, { since: all.clock.now() })).status;
	});
	expect(new Set(await Promise.all(ended))).toEqual(new Set(['ready']));
	expect(all.memory.briefs.map(({ input }) => input.product_name)).toEqual(names);
	expect(all.memory.mostRunning).toBe(2);
	expect(all.memory.creates().map(({ status }) => status)).toEqual(Array(20).fill(202));
	// Ten rounds of 180 to 360 seconds, and little more.
	expect(all.time()).toBeLessThan(10 * 300);
	expect(all.clock.sleeping).toBe(0);
});

test('a list that lags makes no third brief run', async () => {
	const all = rig({ listLag: 60 * SECOND, thirdBrief: 'queue' });
	await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => all.create(name)));
	expect(all.memory.mostRunning).toBe(2);
});

describe('a create without a usable answer', () => {
	test('keeps its slot until a look shows whether the brief exists', async () => {
		const all = failing([...times(6, { answerLost: 'before' }), CUT]);
		all.others(HOUR);
		await failureOf(all.create('a'));
		expect(all.workspace.freeSlots()).toBe(0);
		await all.create('b');
		expect(all.memory.mostRunning).toBe(2);
	});

	test('keeps its slot if it is aborted on the way', async () => {
		const all = rig({ latency: 2 * SECOND });
		const { signal, stop } = stopper();
		const failed = failureOf(all.create('a', { signal }));
		await all.clock.pass(3.5 * SECOND);
		stop();
		expect((await failed).message).toBe('stop');
		expect(all.workspace.freeSlots()).toBe(1);
		await all.service.briefs().then(({ data }) => all.poller.observePage(data));
		expect([all.workspace.freeSlots(), all.memory.running()]).toEqual([1, 1]);
	});

	test('and whose key is old is found in the list, and its brief takes over its slot', async () => {
		const all = failing([CUT, rateLimit(3600)]);
		const brief = await all.create();
		expect(all.memory.briefs.map(({ id }) => id)).toEqual([brief.id]);
		expect(all.memory.creates()).toHaveLength(2);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('and whose key is old has a brief without a text yet if only the list shows that', async () => {
		const all = failing([CUT, rateLimit(3600)]);
		all.memory.fail('get_brief', refused(404, 'not_found', 'No such brief'));
		const brief = await all.create();
		expect(brief).toMatchObject({ id: all.memory.briefs[0]?.id, markdown: null, sources: [] });
		expect(all.memory.creates()).toHaveLength(2);
	});

	test('and whose key is old is in doubt no more if the list shows no brief of it', async () => {
		const all = failing([{ answerLost: 'before' }, rateLimit(3600), REVOKED]);
		const settled = { kind: 'key_refused', inDoubt: undefined };
		expect(await failureOf(all.create())).toMatchObject(settled);
		expect(all.memory.creates()).toHaveLength(3);
	});
});

test.each([200, 202] as const)('a replay with %i gives the brief as it is now', async (status) => {
	const all = rig({ replayStatus: status });
	const first = await all.create();
	await all.clock.pass(HOUR);
	const now = { id: first.id, status: 'ready', markdown: '# A brief' };
	expect(await all.create()).toMatchObject(now);
	expect(all.memory.briefs).toHaveLength(1);
	expect(all.workspace.freeSlots()).toBe(2);
});

describe('a refusal for want of a slot', () => {
	test('waits longer each time, up to a minute, and then goes on with the same key', async () => {
		const all = failing(times(6, BUSY));
		await all.create();
		expect(all.gaps()).toEqual([0, 15, 30, 60, 60, 60, 60]);
		expect(all.memory.briefs).toHaveLength(1);
	});

	test('that was called a conflict leaves it in doubt: its own brief may have the slot', async () => {
		const all = rig();
		all.memory.intercept = ({ operation }) => {
			if (operation !== 'create_brief') return undefined;
			all.memory.intercept = () => undefined;
			// Others take both slots at this very moment.
			all.others(10 * MINUTE, 10 * MINUTE);
			return IN_FLIGHT;
		};
		const busy = { kind: 'slots_busy', status: 409, inDoubt: true };
		expect(await failureOf(all.create('a', { once: true }))).toMatchObject(busy);
	});
});

test('a rate limit that keeps the slots from being looked at is reported at the deadline', async () => {
	const all = rig();
	all.memory.fail('list_briefs', rateLimit(1000));
	const failed = failureOf(all.create('a', { deadline: all.clock.now() + 300 * SECOND }));
	expect((await failed).kind).toBe('rate_limited');
	expect([all.time(), all.memory.creates()]).toEqual([300, []]);
});

describe('a create ends', () => {
	test.each<[number, string, ErrorKind]>([
		[400, 'bad_request', 'invalid_input'],
		[401, 'unauthorized', 'key_refused'],
		[403, 'insufficient_scope', 'scope_missing'],
		[403, 'licence_required', 'licence_missing'],
		[404, 'not_found', 'not_found'],
		[402, 'payment_required', 'allowance_used_up'],
		[429, 'allowance_reached', 'allowance_used_up'],
	])('at %i %s at once, and its slot is free again', async (status, code, kind) => {
		const all = failing([refused(status, code, 'No')]);
		expect(await failureOf(all.create())).toMatchObject({ kind, inDoubt: undefined });
		expect(all.memory.creates()).toHaveLength(1);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('at a brief that is another item’s, and its slot is free after the next look', async () => {
		const theirs = { id: 'b1', status: 'ready', product_name: 'a', input: { product_name: 'a' } };
		const all = failing([{ answer: { status: 202, body: JSON.stringify(theirs) } }]);
		all.poller.observePage([]);
		const isOthers = (id: string) => id === 'b1';
		expect(await failureOf(all.create('a', { isOthers }))).toMatchObject({ kind: 'other_brief' });
		expect([all.workspace.freeSlots(), all.workspace.uncertainUntil()]).toEqual([1, []]);
		all.poller.observePage([]);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('at an abort while it waits to be sent again', async () => {
		const all = failing(times(9, { answerLost: 'before' }));
		const { signal, stop } = stopper();
		const failed = failureOf(all.create('a', { signal }));
		await all.clock.pass(10 * SECOND);
		stop();
		expect((await failed).message).toBe('stop');
		expect([all.time(), all.clock.sleeping]).toEqual([10, 0]);
	});
});

test('an order without a record, as in n8n, is in doubt still, and says so, if the look fails for good', async () => {
	const all = failing([CUT, ...times(6, rateLimit(720))]);
	const failed = failureOf(all.create());
	await all.clock.pass(30 * MINUTE);
	all.memory.fail('list_briefs', ...times(7, FAILS));
	expect(await failed).toMatchObject({ operation: 'create_brief', inDoubt: true });
});

describe('an order of a process that knows the list', () => {
	const DAY = 24 * HOUR;

	/** A service whose list a process reads once, and keeps up to date by its looks. */
	function listing(options: Parameters<typeof rig>[0] = {}) {
		const all = rig({ ...options, onLook: ({ data }) => list.briefs.see(data) });
		const list = {
			briefs: new ListedBriefs(() => all.service.now()),
			hasGap: true,
			read: async () => {
				list.briefs.see((await all.service.briefs()).data);
				list.hasGap = false;
				return all.service.now();
			},
			readToEnd: jest.fn(() => Promise.resolve()),
			get: (id: string) => nullIfUnknown(all.service.brief(id)),
		};
		const place = async (name: string, whenBriefExists: WhenBriefExists = 'use') => {
			const outcome = await all.place(name, { list, whenBriefExists });
			return 'brief' in outcome ? [outcome.brief.id, outcome.alreadyExisted] : outcome;
		};
		return { ...all, list, place };
	}

	test('gets the brief that is there, and pays only if there is none', async () => {
		const all = listing({ keyMemoryMs: 0 });
		expect(await all.place('a')).toEqual([all.memory.briefs[0]?.id, false]);
		await all.clock.pass(HOUR);
		expect(await all.place('a')).toEqual([all.memory.briefs[0]?.id, true]);
		expect(await all.place('a', 'orderAnother')).toEqual([all.memory.briefs[1]?.id, false]);
		expect(all.list.readToEnd).toHaveBeenCalledTimes(1);
		// Of several, the one that was asked for last.
		expect(await all.place('a')).toEqual([all.memory.briefs[1]?.id, true]);
		expect(all.memory.creates()).toHaveLength(2);
		expect(all.list.readToEnd).toHaveBeenCalledTimes(1);
	});

	test('knows what is there before it orders anything, also that a failed one is to be ordered again', async () => {
		const all = listing({ keyMemoryMs: 0, failed: () => true });
		const look = async (name: string, whenBriefExists: WhenBriefExists = 'use') => {
			const wanted = { input: { product_name: name }, whenBriefExists, keyAfter: () => 'key' };
			return await new BriefOrder(wanted, all.tools, all.list).takeOver();
		};
		const [id] = (await all.place('a')) as [string];
		await all.clock.pass(HOUR);
		expect(await look('a')).toMatchObject({
			brief: { id, status: 'failed' },
			alreadyExisted: true,
		});
		expect(await look('a', 'useUnlessFailed')).toBeNull();
		expect(await look('a', 'orderAnother')).toBeNull();
		expect(await look('b')).toBeNull();
		expect(all.memory.creates()).toHaveLength(1);
	});

	test('knows its own brief before the list shows it', async () => {
		const all = listing({ keyMemoryMs: 0, listLag: 10 * MINUTE });
		const [id] = (await all.place('a')) as [string];
		expect(await all.place('a')).toEqual([id, true]);
		expect(all.memory.creates()).toHaveLength(1);
	});

	test('is not looked for any more once its execution is stopped', async () => {
		const all = listing();
		const { signal, stop } = stopper();
		stop();
		const wanted = {
			input: { product_name: 'a' },
			whenBriefExists: 'use',
			keyAfter: () => 'key',
		} as const;
		const failure = failureOf(new BriefOrder(wanted, all.tools, all.list).takeOver(signal));
		expect((await failure).message).toBe('stop');
	});

	test('that was never answered is not given the brief beside which it was ordered', async () => {
		const all = listing({ keyMemoryMs: 0 });
		await all.place('a');
		await all.clock.pass(HOUR);
		all.memory.fail('create_brief', { answerLost: 'before' }, rateLimit(3600));
		expect(await all.place('a', 'orderAnother')).toEqual([all.memory.briefs[1]?.id, false]);
	});

	test('knows that the service is mistaken if a new key was answered with the brief of another product', async () => {
		const all = listing();
		const mistakenAfter = async (body: object) => {
			all.memory.fail('create_brief', { answer: { status: 202, body: JSON.stringify(body) } });
			const wanted = {
				input: { product_name: 'a' },
				whenBriefExists: 'orderAnother',
				keyAfter: () => 'key',
			} as const;
			const order = new BriefOrder(wanted, all.tools, all.list);
			await order.place({ once: true }).catch(() => {});
			return order.isServiceMistaken;
		};
		const product = (name: string) => aBrief({ product_name: name, input: { product_name: name } });
		expect(await mistakenAfter(product('b'))).toBe(true);
		expect(await mistakenAfter(product('a'))).toBe(false);
	});

	test('was not there before if a try without an answer has made it, and was if an earlier order has', async () => {
		const all = listing();
		all.memory.fail('create_brief', CUT, rateLimit(3600));
		const [id] = (await all.place('a')) as [string];
		expect(await all.place('a', 'orderAnother')).toEqual([id, true]);
		expect(all.memory.briefs).toHaveLength(1);
		// The key is old, or young and the brief is being written by then.
		for (const seconds of [3600, 300]) {
			const lost = listing();
			lost.memory.fail('create_brief', CUT, rateLimit(seconds));
			expect(await lost.place('a')).toEqual([lost.memory.briefs[0]?.id, false]);
		}
	});

	test('without an answer takes the only listed brief of its product, whatever that shows', async () => {
		const all = listing();
		all.memory.switches.inputShape = 'filled-in';
		all.memory.fail('create_brief', CUT, rateLimit(3600));
		expect(await all.place('a')).toEqual([all.memory.briefs[0]?.id, false]);
		// It is no answer to a create that shows how the service shows an input.
		expect(all.list.briefs.knowledge.lessons).toBe(0);
	});

	test.each<[string, WhenBriefExists, string, number]>([
		['a new brief', 'use', 'queued', 1],
		['a new brief beside another', 'orderAnother', 'queued', 1],
		['a brief that its key had brought before', 'use', 'ready', 1],
		['a brief of a key that may have had other values', 'orderAnother', 'ready', 0],
	])('learns how inputs are shown from an answer with %s: %s, %s', async (...given) => {
		const [, whenBriefExists, status, lessons] = given;
		const all = listing();
		const input = { product_name: 'a', objective: 'Sales' };
		const body = JSON.stringify(aBrief({ id: 'b', product_name: 'a', input, status }));
		all.memory.fail('create_brief', { answer: { status: 202, body } });
		await all.place('a', whenBriefExists);
		expect(all.list.briefs.knowledge.lessons).toBe(lessons);
	});

	test('says of an answer with a brief that this process knows that it was there', async () => {
		const all = listing();
		const [id] = (await all.place('a', 'orderAnother')) as [string];
		expect(await all.place('a', 'orderAnother')).toEqual([id, true]);
	});

	test('takes a brief that another process orders while it waits for a slot', async () => {
		const all = listing({ keyMemoryMs: 0 });
		all.others(10 * MINUTE, 20 * MINUTE);
		const placed = all.place('a');
		await all.clock.pass(5 * MINUTE);
		const theirs = all.memory.startOther(HOUR, 'a');
		expect(await placed).toEqual([theirs.id, true]);
		expect(all.memory.creates()).toHaveLength(0);
	});

	test('names what may be its brief, and orders nothing beside it', async () => {
		const all = listing({ keyMemoryMs: 0 });
		const [id] = (await all.place('a')) as [string];
		await all.clock.pass(HOUR);
		const others = (whole: Brief) => ({ ...whole, input: { objective: 'Sales' } });
		const theirs = all.memory.startOther(MINUTE, 'a');
		all.list.get = async (wanted) => {
			const whole = await nullIfUnknown(all.service.brief(wanted));
			return whole && (wanted === theirs.id ? others(whole) : { ...whole, input: {} });
		};
		expect(await all.place('a')).toEqual({ mayExist: [expect.objectContaining({ id })] });
		expect(all.memory.creates()).toHaveLength(1);
	});

	test('orders a failed one again if it is to, with one key until that has failed too', async () => {
		const all = listing({ failed: (index) => index < 2 });
		const [first] = (await all.place('a')) as [string];
		await all.clock.pass(HOUR);
		expect(await all.place('a')).toEqual([first, true]);
		const [second] = (await all.place('a', 'useUnlessFailed')) as [string];
		expect(await all.place('a', 'useUnlessFailed')).toEqual([second, true]);
		await all.clock.pass(HOUR);
		expect(await all.place('a', 'useUnlessFailed')).toEqual([all.memory.briefs[2]?.id, false]);
		const keys = all.memory.briefs.map(({ key }) => key);
		expect(keys).toEqual(['a', `a${first}`, `a${second}`]);
	});

	test('has another key than the brief of each month before, which the service still gives for its key', async () => {
		const all = listing({ keyMemoryMs: 999 * DAY });
		for (let month = 1; month <= 4; month += 1) {
			expect(await all.place('a')).toEqual([all.memory.briefs[month - 1]?.id, false]);
			for (const days of [16, 16]) await all.clock.pass(days * DAY);
		}
		const ids = all.memory.briefs.map(({ id }) => id);
		const keys = all.memory.creates().map(({ headers }) => headers['idempotency-key']);
		expect(keys).toEqual(['a', `a${ids[0]}`, `a${ids[1]}`, `a${ids[2]}`]);
	});

	test('has another key than an old brief of the same content that was spelt otherwise, and not than one of another', async () => {
		const all = listing({ keyMemoryMs: 999 * DAY });
		const old = all.memory.startOther(MINUTE, ' VEGAN  soap');
		all.memory.startOther(MINUTE, 'Vegan soap', 'On other terms');
		for (const days of [16, 16]) await all.clock.pass(days * DAY);
		expect(await all.place('Vegan soap')).toEqual([all.memory.briefs[2]?.id, false]);
		expect(all.memory.briefs[2]?.key).toBe(`Vegan soap${old.id}`);
	});

	test('believes a new brief whose time is wrong, and pays once', async () => {
		const all = listing({ writtenAhead: -60 * DAY });
		expect(await all.place('a')).toEqual([all.memory.briefs[0]?.id, false]);
		expect(all.memory.briefs).toHaveLength(1);
	});

	test('orders once beside a failed one that the list shows, and does not read the list again for it', async () => {
		const all = listing({ keyMemoryMs: 0, failed: (index) => index === 0 });
		const [first] = (await all.place('a')) as [string];
		await all.clock.pass(HOUR);
		await all.list.read();
		const reads = all.memory.count('list_briefs');
		expect(await all.place('a', 'useUnlessFailed')).toEqual([all.memory.briefs[1]?.id, false]);
		expect(all.memory.briefs.map(({ key }) => key)).toEqual(['a', `a${first}`]);
		// One reading before the search, and one look for the slot.
		expect(all.memory.count('list_briefs')).toBe(reads + 2);
	});

	test.each<[string, number, string, WhenBriefExists]>([
		['of an earlier month, which the list does not show', 40, 'ready', 'use'],
		['of an earlier month, if another was to be ordered', 40, 'ready', 'orderAnother'],
		['that is not that old', 20, 'ready', 'use'],
		['of now', 0, 'ready', 'use'],
		['that is still being written', 40, 'writing', 'use'],
	])('takes the brief of an answer, %s: nobody knows how to order another', async (...given) => {
		const [, days, status, whenBriefExists] = given;
		const all = listing();
		const created_at = new Date(all.clock.now() - days * DAY).toISOString();
		const ended = { status, created_at, finished_at: status === 'ready' ? created_at : null };
		const product = { product_name: 'a', input: { product_name: 'a' } };
		const body = JSON.stringify(aBrief({ id: 'same', ...ended, ...product }));
		all.memory.fail('create_brief', { answer: { status: 200, headers: {}, body } });
		expect(await all.place('a', whenBriefExists)).toEqual(['same', true]);
		expect(all.memory.creates()).toHaveLength(1);
	});
});
