import type { ErrorKind } from '../../../service/api/errors';
import { nullIfUnknown } from '../../../service/api/outcome';
import type { WhenBriefExists } from '../../../service/order/create-brief';
import { ListedBriefs } from '../../../service/order/listed-briefs';
import { CREATE_TRIES } from '../../../service/assumptions';
import { type PassingEvent, NEW_ORDER, type OrderState } from '../../../service/order/life';
import { WaitTimeout } from '../../../service/watch/wait';
import {
	BUSY,
	CUT,
	FAILS,
	LOGIN_PAGE,
	rateLimit,
	refusal,
	refused,
	type Fault,
} from '../../support/faults';
import { failureOf } from '../../support/failure-of';
import { rig, stopper } from '../../support/service/rig';
import { HOUR, MINUTE, SECOND } from '../../support/time';

const NEVER_SENT: Fault = { lost: 'never-sent' };
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
		return (await all.poller.ended(brief, { since: all.clock.now() })).status;
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
	const all = rig({ listLag: 60 * SECOND, third: 'queue' });
	await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => all.create(name)));
	expect(all.memory.mostRunning).toBe(2);
});

test('a slow brief of an order in doubt keeps its slot for as long as the list may lag (P4)', async () => {
	const listLag = 9 * MINUTE;
	const all = rig({ listLag, third: 'queue', duration: () => 14 * MINUTE });
	all.memory.intercept = ({ body }) => (body?.includes('doubtful') === true ? CUT : undefined);
	expect((await failureOf(all.create('doubtful'))).kind).toBe('in_doubt');
	await Promise.all(['a', 'b'].map((name) => all.create(name)));
	expect(all.memory.briefs).toHaveLength(3);
	expect(all.memory.mostRunning).toBe(2);
});

describe('a create without a usable answer', () => {
	test.each<[string, Fault]>([
		['cut before the work', { lost: 'before' }],
		['cut after the work', CUT],
		['never sent', NEVER_SENT],
		['a login page', LOGIN_PAGE],
		['an empty 204 after the work', { answer: { status: 204, body: '' }, after: true }],
		['a 500', { answer: { status: 500 } }],
	])('is sent again with the same key and bytes, and paid once: %s', async (_, fault) => {
		const all = failing(times(3, fault));
		const brief = await all.create();
		expect(all.memory.briefs.map(({ id }) => id)).toEqual([brief.id]);
		expect(new Set(all.memory.creates().map(({ body }) => body)).size).toBe(1);
		expect(
			new Set(all.memory.creates().map(({ headers }) => headers['idempotency-key'])).size,
		).toBe(1);
		expect(all.time()).toBe(2 + 4 + 8);
	});

	test('ends after two minutes of a saved 500', async () => {
		const all = failing([{ answer: { status: 500 }, saved: true }]);
		expect((await failureOf(all.create())).kind).toBe('in_doubt');
		expect(all.gaps()).toEqual([0, 2, 4, 8, 16, 32, 60]);
		expect(all.clock.sleeping).toBe(0);
	});

	test('keeps its slot until a look shows whether the brief exists', async () => {
		const all = failing([...times(6, { lost: 'before' }), CUT]);
		all.others(HOUR);
		await failureOf(all.create('a'));
		expect(all.workspace.freeSlots()).toBe(0);
		await all.create('b');
		expect(all.memory.mostRunning).toBe(2);
	});

	test('keeps its slot if an earlier run may have got it a brief', async () => {
		const all = failing(times(14, NEVER_SENT));
		const order = await all.carry('a', { order: { ...NEW_ORDER, inDoubt: true } });
		expect(order).toMatchObject({ stage: 'in_doubt', answer: { kind: 'service_unavailable' } });
		expect(all.workspace.freeSlots()).toBe(1);
		expect(await failureOf(all.create('b'))).toMatchObject({ inDoubt: undefined });
		expect(all.workspace.freeSlots()).toBe(1);
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

	test('stays in doubt after a later refusal', async () => {
		const all = failing([{ lost: 'before' }, REVOKED]);
		expect(await failureOf(all.create())).toMatchObject({ kind: 'key_refused', inDoubt: true });
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
		const all = failing([{ lost: 'before' }, rateLimit(3600), REVOKED]);
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

test('a replay that gives the brief as it was is followed by a look that shows it ready', async () => {
	const all = rig();
	const first = await all.create();
	await all.clock.pass(HOUR);
	all.memory.fail('create_brief', { answer: { status: 202, body: JSON.stringify(first) } });
	expect((await all.poller.ended(await all.create())).status).toBe('ready');
	expect(all.workspace.freeSlots()).toBe(2);
});

describe('a refusal for want of a slot', () => {
	test('waits longer each time, up to a minute, and then goes on with the same key', async () => {
		const all = failing(times(6, BUSY));
		await all.create();
		expect(all.gaps()).toEqual([0, 15, 30, 60, 60, 60, 60]);
		expect(all.memory.briefs).toHaveLength(1);
	});

	test('holds back all who wait, not just the one refused', async () => {
		const all = rig();
		let until = 20 * MINUTE;
		all.memory.intercept = ({ operation }) =>
			operation === 'create_brief' && all.time() * SECOND < until ? BUSY : undefined;
		const creates = Array.from({ length: 18 }, (_, index) => all.create(`Lamp ${index}`));
		await all.clock.pass(until);
		// Two at a time are tried: after 15, 30 and then every 60 seconds.
		expect(all.memory.creates().length).toBeLessThanOrEqual(2 * (20 + 3));
		until = 0;
		await Promise.all(creates);
		expect(all.memory.mostRunning).toBe(2);
	});

	/** Others take both slots at the very moment of a create, which is refused as something else. */
	function takenBy(answer: Fault) {
		const all = rig();
		all.memory.intercept = ({ operation }) => {
			if (operation !== 'create_brief') return undefined;
			all.memory.intercept = () => undefined;
			all.others(10 * MINUTE, 10 * MINUTE);
			return answer;
		};
		return all;
	}

	test('may be called something else: both slots are seen taken, and it waits for one', async () => {
		const all = takenBy(refused(400, 'bad_request', 'No'));
		await all.create();
		expect(all.memory.creates().map(({ status }) => status)).toEqual([400, 202]);
		expect(all.time()).toBeGreaterThanOrEqual(10 * 60);
		expect(all.memory.mostRunning).toBe(2);
	});

	test('that was called a conflict leaves it in doubt: its own brief may have the slot', async () => {
		const busy = { kind: 'slots_busy', status: 409, inDoubt: true };
		expect(await failureOf(takenBy(IN_FLIGHT).create('a', { once: true }))).toMatchObject(busy);
	});
});

describe('a rate limit', () => {
	test('of unknown length is tried ever more slowly, and not for ever', async () => {
		const all = failing(times(99, rateLimit()));
		expect((await failureOf(all.create())).kind).toBe('rate_limited');
		expect(all.gaps()).toEqual([0, 2, 4, 8, 16, 32, ...Array<number>(9).fill(60)]);
	});

	test('of an hour is waited out, and one of a day is reported at once', async () => {
		const all = failing([rateLimit(3600)]);
		await all.create('a');
		expect(all.time()).toBe(3600);
		all.memory.fail('create_brief', rateLimit(86_400));
		expect((await failureOf(all.create('b'))).kind).toBe('rate_limited');
		expect(all.time()).toBe(3600);
	});

	test('that another request met is not waited out beyond the deadline', async () => {
		const all = failing([NEVER_SENT]);
		const failed = failureOf(all.create('a', { deadline: all.clock.now() + 300 * SECOND }));
		await all.clock.pass(SECOND);
		await all.meetLimit(1000);
		expect((await failed).kind).toBe('rate_limited');
		expect(all.time()).toBeLessThan(10);
	});

	test('by a server at fault may be for nothing: it is looked for before its old key is sent', async () => {
		const all = rig({ keyLife: HOUR, duration: () => 75 * MINUTE });
		all.others(75 * MINUTE);
		const answer = refusal(503, 'concurrency_conflict', 'Two briefs are running');
		all.memory.fail('create_brief', { answer, after: true });
		expect((await all.create('a')).id).toBe(all.memory.briefs[1]?.id);
		expect(all.memory.briefs).toHaveLength(2);
	});

	test('that keeps the slots from being looked at is reported at the deadline', async () => {
		const all = rig();
		all.memory.fail('list_briefs', rateLimit(1000));
		const failed = failureOf(all.create('a', { deadline: all.clock.now() + 300 * SECOND }));
		expect((await failed).kind).toBe('rate_limited');
		expect([all.time(), all.memory.creates()]).toEqual([300, []]);
	});

	test('that begins just before the deadline is not reported: the slots were taken until then', async () => {
		const all = rig();
		all.others(HOUR, HOUR);
		const failed = failureOf(all.create('a', { deadline: all.clock.now() + 300 * SECOND }));
		await all.clock.pass(295 * SECOND);
		await all.meetLimit(1000);
		expect(await failed).toBeInstanceOf(WaitTimeout);
	});
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

	test('at a key that was used with another body, at once', async () => {
		const all = failing([refused(422, 'idempotency_key_reused', '')]);
		expect((await failureOf(all.create())).kind).toBe('key_taken');
		expect(all.memory.creates()).toHaveLength(1);
	});

	test('after several conflicts, because the first request may still be at work', async () => {
		const all = failing(times(2, IN_FLIGHT));
		await all.create('a');
		expect(all.gaps()).toEqual([0, 2, 4]);
		const { failures } = CREATE_TRIES;
		all.memory.fail('create_brief', ...times(failures, IN_FLIGHT));
		expect(await failureOf(all.create('b'))).toMatchObject({ kind: 'conflict', inDoubt: true });
		expect(all.memory.creates()).toHaveLength(3 + failures);
	});

	test('at a refused look for a slot, before anything is sent', async () => {
		const all = rig();
		all.memory.fail('list_briefs', REVOKED);
		const failure = { kind: 'key_refused', operation: 'list_briefs', inDoubt: undefined };
		expect(await failureOf(all.create())).toMatchObject(failure);
		expect([all.memory.creates(), all.workspace.freeSlots()]).toEqual([[], 2]);
	});

	test('at the brief of another order, whose key it is', async () => {
		const all = rig();
		const other = await all.create('b');
		all.memory.fail('create_brief', { answer: { status: 202, body: JSON.stringify(other) } });
		const brief = { id: other.id, product_name: 'b' };
		const failure = { kind: 'other_brief', brief, inDoubt: true };
		expect(await failureOf(all.create('a'))).toMatchObject(failure);
		expect(all.memory.creates()).toHaveLength(2);
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

	test('at an intent that cannot be put on record, before anything is sent', async () => {
		const all = rig();
		const onRecord = () => Promise.reject(new Error('disk full'));
		expect((await failureOf(all.carry('a', { onRecord }))).message).toBe('disk full');
		expect([all.memory.creates(), all.workspace.freeSlots()]).toEqual([[], 2]);
	});

	test('at the deadline without a slot', async () => {
		const all = rig();
		all.others(HOUR, HOUR);
		const deadline = all.clock.now() + 100 * SECOND;
		expect(await failureOf(all.create('a', { deadline }))).toBeInstanceOf(WaitTimeout);
	});

	test('at an abort while it waits to be sent again', async () => {
		const all = failing(times(9, { lost: 'before' }));
		const { signal, stop } = stopper();
		const failed = failureOf(all.create('a', { signal }));
		await all.clock.pass(10 * SECOND);
		stop();
		expect((await failed).message).toBe('stop');
		expect([all.time(), all.clock.sleeping]).toEqual([10, 0]);
	});
});

describe('a slot that was free when it was given', () => {
	test('is looked at again if a rate limit was waited out before the create was sent', async () => {
		const all = rig({ third: 'queue' });
		await all.meetLimit(600);
		all.poller.observePage([]);
		const created = all.create();
		await all.clock.pass(300 * SECOND);
		all.others(HOUR, 20 * MINUTE);
		await created;
		expect(all.memory.mostRunning).toBe(2);
		expect(all.time()).toBeGreaterThanOrEqual(300 + 20 * 60);
		expect(all.time()).toBeLessThan(300 + 20 * 60 + 40);
	});

	test('is not looked at for ever if each look takes long', async () => {
		const all = rig({ latency: 80 * SECOND });
		await all.create();
		// 80 seconds are too long at first, but not any more when 120 are allowed.
		expect(all.memory.count('list_briefs')).toBe(3);
		expect(all.memory.creates()).toHaveLength(1);
	});

	test('is not looked at again for half a minute', async () => {
		const all = rig();
		await all.carry('a', { onRecord: () => all.clock.pass(30 * SECOND), last: 'order' });
		const operations = all.memory.requests.map(({ operation }) => operation);
		expect(operations).toEqual(['list_briefs', 'create_brief']);
	});
});

test.each<[string, Fault[], boolean[]]>([
	['the first time', [], [false]],
	['if nothing came of it', [rateLimit(5), NEVER_SENT], [false, false, false]],
	['if the answer was lost', [CUT, rateLimit(5)], [false, true, true]],
	['if it is still being done', [IN_FLIGHT], [false, true]],
	['after a wait for a slot', [BUSY, { lost: 'before' }, BUSY], [false, false, true, true]],
])(
	'each create has a slot, and is known to be in doubt or not: %s',
	async (_, creates, expected) => {
		const all = failing(creates);
		const heard: Array<[inDoubt: boolean, freeSlots: number]> = [];
		const onNote = ({ type }: PassingEvent, { inDoubt }: OrderState) => {
			if (type === 'sent') heard.push([inDoubt, all.workspace.freeSlots()]);
		};
		await all.carry('a', { onNote, last: 'order' });
		expect(heard).toEqual(expected.map((inDoubt) => [inDoubt, 1]));
	},
);

describe('an order without a record, as in n8n', () => {
	const OLD = [CUT, ...times(6, rateLimit(720))];

	test('is looked for only once its key is old, and a look that fails is repeated', async () => {
		const all = failing(OLD);
		const created = all.create();
		await all.clock.pass(30 * MINUTE);
		all.memory.fail('list_briefs', FAILS, FAILS);
		const brief = await created;
		expect(all.memory.briefs.map(({ id }) => id)).toEqual([brief.id]);
		expect(all.memory.count('list_briefs')).toBe(4);
	});

	test('is in doubt still, and says so, if the look fails for good', async () => {
		const all = failing(OLD);
		const failed = failureOf(all.create());
		await all.clock.pass(30 * MINUTE);
		all.memory.fail('list_briefs', ...times(7, FAILS));
		expect(await failed).toMatchObject({ operation: 'create_brief', inDoubt: true });
	});

	test('is in doubt still, and says so, if no slot comes free before the deadline', async () => {
		const all = failing([CUT, BUSY]);
		all.others(2 * HOUR);
		const deadline = all.clock.now() + 2 * MINUTE;
		expect(await failureOf(all.create('a', { deadline }))).toMatchObject({ inDoubt: true });
	});
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
			get: (id: string) => nullIfUnknown(all.service.brief(id)),
		};
		const place = async (name: string, whenBriefExists: WhenBriefExists = 'use') => {
			const outcome = await all.place(name, { list, whenBriefExists });
			return 'brief' in outcome ? [outcome.brief.id, outcome.alreadyExisted] : outcome;
		};
		return { ...all, list, place };
	}

	test('gets the brief that is there, and pays only if there is none', async () => {
		const all = listing({ keyLife: 0 });
		expect(await all.place('a')).toEqual([all.memory.briefs[0]?.id, false]);
		await all.clock.pass(HOUR);
		expect(await all.place('a')).toEqual([all.memory.briefs[0]?.id, true]);
		expect(await all.place('a', 'orderAnother')).toEqual([all.memory.briefs[1]?.id, false]);
		// Of several, the one that was asked for last.
		expect(await all.place('a')).toEqual([all.memory.briefs[1]?.id, true]);
		expect(all.memory.creates()).toHaveLength(2);
	});

	test('takes a brief that another process orders while it waits for a slot', async () => {
		const all = listing({ keyLife: 0 });
		all.others(10 * MINUTE, 20 * MINUTE);
		const placed = all.place('a');
		await all.clock.pass(5 * MINUTE);
		const theirs = all.memory.startOther(HOUR, 'a');
		expect(await placed).toEqual([theirs.id, true]);
		expect(all.memory.creates()).toHaveLength(0);
	});

	test('names what may be its brief, and orders nothing beside it', async () => {
		const all = listing({ keyLife: 0 });
		const [id] = (await all.place('a')) as [string];
		all.memory.isInputHidden = true;
		expect(await all.place('a')).toMatchObject({ mayExist: [{ id }] });
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

	test('passes over briefs of earlier months that the service gives for their keys, and pays for one', async () => {
		const all = listing({ keyLife: 999 * DAY });
		for (let month = 1; month <= 4; month += 1) {
			expect(await all.place('a')).toEqual([all.memory.briefs[month - 1]?.id, false]);
			expect(all.memory.briefs).toHaveLength(month);
			for (const days of [16, 16]) await all.clock.pass(days * DAY);
		}
		expect(all.memory.creates()).toHaveLength(1 + 2 + 3 + 4);
	});

	test('believes a new brief whose time is wrong, and pays once', async () => {
		const all = listing({ writtenAhead: -60 * DAY });
		expect(await all.place('a')).toEqual([all.memory.briefs[0]?.id, false]);
		expect(all.memory.briefs).toHaveLength(1);
	});
});
