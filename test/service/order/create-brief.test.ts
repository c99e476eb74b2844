import { whenAgain } from '../../../service/order/again';
import type { CreateOptions } from '../../../service/order/create-brief';
import type { LastingEvent, PassingEvent } from '../../../service/order/events';
import { NEW_ORDER, type OrderState } from '../../../service/order/states';
import type { ErrorKind } from '../../../service/errors';
import type { FailedTries } from '../../../service/retry';
import { WaitTimeout } from '../../../service/watch/wait';
import { DEFAULT_POLL_INTERVAL } from '../../../service/poll-interval';
import { BROKEN_JSON, CUT, LOGIN_PAGE, refusal, type Fault } from '../../support/faults';
import { HOUR, MINUTE, S, failureOf, rig } from '../../support/service/rig';
import { anError } from '../../support/builders';

const posts = ({ memory }: ReturnType<typeof rig>) =>
	memory.requests.filter(({ operation }) => operation === 'create_brief');
const rateLimit = (seconds?: number): Fault => ({
	answer: refusal(
		...([429, 'rate_limited', 'Slow down'] as const),
		seconds === undefined ? {} : { 'retry-after': String(seconds) },
	),
});

describe('many briefs', () => {
	test('twenty are created in the order of asking, two at a time, without one refusal', async () => {
		const all = rig({ duration: (index) => (180 + ((index * 53) % 180)) * S });
		const names = Array.from({ length: 20 }, (_, index) => `Lamp ${index}`);
		const ended = await Promise.all(
			names.map(async (name) => {
				const brief = await all.create(name);
				return await all.poller.ended(brief, { since: all.clock.now() });
			}),
		);
		expect(all.memory.briefs.map(({ input }) => input.product_name)).toEqual(names);
		expect(ended.every(({ status }) => status === 'ready')).toBe(true);
		expect(all.memory.mostRunning).toBe(2);
		expect(posts(all).map(({ status }) => status)).toEqual(Array(20).fill(202));
		// Ten rounds of 180 to 360 seconds, and little more.
		expect(all.time()).toBeLessThan(10 * 300);
		expect(all.clock.sleeping).toBe(0);
	});

	test('a list that lags does not make a third brief run', async () => {
		const all = rig({ listLag: 60 * S, third: 'queue' });
		await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => all.create(name)));
		expect(all.memory.mostRunning).toBe(2);
	});
});

describe('a create without a usable answer', () => {
	test.each<[string, Fault]>([
		['cut before the work', { lost: 'before' }],
		['cut after the work', CUT],
		['never sent', { lost: 'never-sent' }],
		['broken JSON', BROKEN_JSON],
		['a login page', LOGIN_PAGE],
		['an empty 204', { answer: { status: 204, body: '' }, after: true }],
		['a redirect', { answer: { status: 307, headers: { location: 'https://x.example' } } }],
		['a 408', { answer: { status: 408 }, after: true }],
		['a 500', { answer: { status: 500 } }],
		['a 502 after the work', { answer: { status: 502 }, after: true }],
	])(
		'%s is sent again with the same key and the same bytes, and paid once',
		async (_case, fault) => {
			const all = rig();
			all.memory.fail('create_brief', fault, fault, fault);
			const brief = await all.create();
			expect(all.memory.briefs.map(({ id }) => id)).toEqual([brief.id]);
			expect(new Set(posts(all).map(({ body }) => body)).size).toBe(1);
			expect(new Set(posts(all).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
			expect(all.time()).toBe(2 + 4 + 8);
		},
	);

	test('ends after two minutes of a saved 500, instead of asking for ever', async () => {
		const all = rig();
		all.memory.fail('create_brief', { answer: { status: 500 }, saved: true });
		const failure = await failureOf(all.create());
		expect(failure.kind).toBe('in_doubt');
		expect(posts(all)).toHaveLength(7);
		expect(all.time()).toBe(2 + 4 + 8 + 16 + 32 + 60);
		expect(all.clock.sleeping).toBe(0);
	});

	test('keeps its slot until a look shows whether the brief exists', async () => {
		const all = rig();
		all.memory.startOther(HOUR);
		all.memory.fail('create_brief', ...Array<Fault>(6).fill({ lost: 'before' }), CUT);
		await failureOf(all.create('a'));
		expect(all.workspace.freeSlots()).toBe(0);
		await all.create('b');
		expect(all.memory.mostRunning).toBe(2);
	});

	test('keeps its slot where an earlier run may have got it a brief already', async () => {
		const all = rig();
		all.memory.fail('create_brief', ...Array<Fault>(7).fill({ lost: 'never-sent' }));
		const order = { ...NEW_ORDER, inDoubt: true };
		expect(await all.carry('a', { order })).toMatchObject({
			stage: 'in_doubt',
			answer: { kind: 'service_unavailable' },
		});
		expect(all.workspace.freeSlots()).toBe(1);
		all.memory.fail('create_brief', ...Array<Fault>(7).fill({ lost: 'never-sent' }));
		expect(await failureOf(all.create('b'))).toMatchObject({ inDoubt: undefined });
		expect(all.workspace.freeSlots()).toBe(1);
	});

	test('keeps its slot as well when it is aborted on the way', async () => {
		const all = rig({ latency: 2 * S });
		const stop = new AbortController();
		const failed = failureOf(all.create('a', { signal: stop.signal }));
		await all.clock.pass(3.5 * S);
		stop.abort(new Error('stop'));
		expect((await failed).message).toBe('stop');
		expect(all.workspace.freeSlots()).toBe(1);
		await all.service.briefs().then(({ data }) => all.poller.observePage(data));
		expect(all.workspace.freeSlots()).toBe(1);
		expect(all.memory.running()).toBe(1);
	});

	test('followed by a refusal is said to be in doubt still', async () => {
		const all = rig();
		all.memory.fail(
			'create_brief',
			{ lost: 'before' },
			{ answer: refusal(401, 'unauthorized', 'Revoked') },
		);
		expect(await failureOf(all.create())).toMatchObject({ kind: 'key_refused', inDoubt: true });
		all.memory.fail('create_brief', { answer: refusal(401, 'unauthorized', 'Revoked') });
		expect(await failureOf(all.create('other'))).toMatchObject({ inDoubt: undefined });
	});
});

describe('a create without an answer whose key is old by the time it may be sent again', () => {
	test('is settled by the list: the brief is found, and takes over its slot', async () => {
		const all = rig();
		all.memory.fail('create_brief', CUT, rateLimit(3600));
		const brief = await all.create();
		expect(all.memory.briefs.map(({ id }) => id)).toEqual([brief.id]);
		expect(posts(all)).toHaveLength(2);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('is in doubt no more where the list shows no brief of it, whatever comes of the next try', async () => {
		const all = rig();
		const revoked = { answer: refusal(401, 'unauthorized', 'Revoked') };
		all.memory.fail('create_brief', { lost: 'before' }, rateLimit(3600), revoked);
		expect(await failureOf(all.create())).toMatchObject({
			kind: 'key_refused',
			inDoubt: undefined,
		});
		expect(posts(all)).toHaveLength(3);
	});
});

describe('a replay', () => {
	test.each([200, 202] as const)(
		'with %i gives the brief in its present state',
		async (replayStatus) => {
			const all = rig({ replayStatus });
			const first = await all.create();
			await all.clock.pass(HOUR);
			const again = await all.create();
			expect(again).toMatchObject({ id: first.id, status: 'ready', markdown: '# A brief' });
			expect(all.memory.briefs).toHaveLength(1);
			expect(all.workspace.freeSlots()).toBe(2);
		},
	);
});

test('a replay that shows the brief as it was is followed by the look that shows it ready', async () => {
	const all = rig();
	const first = await all.create();
	await all.clock.pass(HOUR);
	all.memory.fail('create_brief', { answer: { status: 202, body: JSON.stringify(first) } });
	const again = await all.create();
	expect(again).toMatchObject({ id: first.id, status: 'queued' });
	expect((await all.poller.ended(again)).status).toBe('ready');
	expect(all.workspace.freeSlots()).toBe(2);
});

describe('a refusal for want of a slot', () => {
	const busy = refusal(429, 'concurrency_limit', 'Two briefs can run at a time');

	test('waits longer each time, up to a minute, and then goes on with the same key', async () => {
		const all = rig();
		all.memory.fail('create_brief', ...Array<Fault>(6).fill({ answer: busy }));
		await all.create();
		const gaps = posts(all).map(({ at }, i, list) => (at - (list[i - 1]?.at ?? at)) / S);
		expect(gaps).toEqual([0, 15, 30, 60, 60, 60, 60]);
		expect(all.memory.briefs).toHaveLength(1);
	});

	test('holds back all who wait, not just the one refused', async () => {
		const all = rig();
		let until = 20 * MINUTE;
		all.memory.intercept = ({ operation }) =>
			operation === 'create_brief' && all.time() * S < until ? { answer: busy } : undefined;
		const creates = Array.from({ length: 18 }, (_, index) => all.create(`Lamp ${index}`));
		await all.clock.pass(until);
		// Two at a time are tried: after 15, 30 and then every 60 seconds.
		expect(posts(all).length).toBeLessThanOrEqual(2 * (20 + 3));
		until = 0;
		await Promise.all(creates);
		expect(all.memory.mostRunning).toBe(2);
	});

	/** Others take both slots at the very moment of a create, which is refused as something else. */
	const takenBy = (all: ReturnType<typeof rig>, answer: Fault) => {
		all.memory.intercept = ({ operation }) => {
			if (operation !== 'create_brief') return undefined;
			all.memory.intercept = () => undefined;
			for (let i = 0; i < 2; i += 1) all.memory.startOther(10 * MINUTE);
			return answer;
		};
	};

	test('may be called something else: both slots are seen taken, and it waits for one', async () => {
		const all = rig();
		takenBy(all, { answer: refusal(400, 'bad_request', 'No') });
		await all.create();
		expect(posts(all).map(({ status }) => status)).toEqual([400, 202]);
		expect(all.time()).toBeGreaterThanOrEqual(10 * 60);
		expect(all.memory.mostRunning).toBe(2);
	});

	test('that was called a conflict leaves it in doubt, for its own brief may have the slot', async () => {
		const all = rig();
		takenBy(all, { answer: refusal(409, 'idempotency_in_flight', 'In progress') });
		expect(await failureOf(all.create('a', { once: true }))).toMatchObject({
			kind: 'slots_busy',
			status: 409,
			inDoubt: true,
		});
	});
});

describe('a rate limit', () => {
	test('holds back all requests, whoever makes them', async () => {
		const all = rig();
		const other = all.memory.startOther(200 * S);
		const brief = await all.service.brief(other.id);
		all.memory.fail('create_brief', rateLimit(100));
		const create = all.create();
		const ended = all.poller.ended(brief);
		await all.clock.pass(10 * S);
		const closed = all.clock.now();
		await Promise.all([create, ended, all.service.licences(), all.service.hooks()]);
		const inside = all.memory.requests.filter(({ at }) => at > closed && at < closed + 90 * S);
		expect(inside).toEqual([]);
		expect(posts(all)[1]!.at - posts(all)[0]!.at).toBe(100 * S);
	});

	test('of which the service does not say how long it lasts is tried ever more slowly, and not for ever', async () => {
		const all = rig();
		all.memory.fail('create_brief', ...Array<Fault>(99).fill(rateLimit()));
		expect((await failureOf(all.create())).kind).toBe('rate_limited');
		const gaps = posts(all).map(({ at }, i, list) => (at - (list[i - 1]?.at ?? at)) / S);
		expect(gaps.slice(0, 8)).toEqual([0, 2, 4, 8, 16, 32, 60, 60]);
		expect(gaps).toHaveLength(15);
	});

	test('of an hour is waited out, one of a day is reported at once', async () => {
		const all = rig();
		all.memory.fail('create_brief', rateLimit(3600));
		await all.create('a');
		expect(all.time()).toBe(3600);
		all.memory.fail('create_brief', rateLimit(86_400));
		expect((await failureOf(all.create('b'))).kind).toBe('rate_limited');
		expect(all.time()).toBe(3600);
	});

	test('beyond the deadline that another request has met is not waited out either', async () => {
		const all = rig();
		all.memory.fail('create_brief', { lost: 'never-sent' });
		all.memory.fail('get_brief', rateLimit(1000));
		const deadline = all.clock.now() + 300 * S;
		const failed = failureOf(all.create('a', { deadline }));
		await all.clock.pass(S);
		await failureOf(all.service.brief('x'));
		expect((await failed).kind).toBe('rate_limited');
		expect(all.time()).toBeLessThan(10);
	});

	test('that keeps the slots from being looked at is what is told at the deadline', async () => {
		const all = rig();
		all.memory.fail('list_briefs', rateLimit(1000));
		const deadline = all.clock.now() + 300 * S;
		expect((await failureOf(all.create('a', { deadline }))).kind).toBe('rate_limited');
		expect(all.time()).toBe(300);
		expect(posts(all)).toEqual([]);
	});

	test('that is met at the deadline alone is not: the slots were taken until then', async () => {
		const all = rig();
		all.memory.startOther(HOUR);
		all.memory.startOther(HOUR);
		const deadline = all.clock.now() + 300 * S;
		const failed = failureOf(all.create('a', { deadline }));
		await all.clock.pass(295 * S);
		all.memory.fail('get_brief', rateLimit(1000));
		await failureOf(all.service.brief('x'));
		expect(await failed).toBeInstanceOf(WaitTimeout);
	});

	test('and failures by turns are each counted for themselves', async () => {
		const all = rig();
		const limits = Array<Fault>(4).fill(rateLimit(1));
		all.memory.fail('create_brief', CUT, CUT, CUT, ...limits, CUT, CUT, CUT);
		await all.create('a');
		const many = Array<Fault>(14).fill(rateLimit(1));
		all.memory.fail('create_brief', ...many, CUT, ...many);
		await all.create('b');
		expect(all.memory.briefs).toHaveLength(2);
	});
});

describe('what ends a create', () => {
	test('a used-up allowance, at once', async () => {
		const all = rig({ allowance: 1 });
		await all.create('a');
		const failure = await failureOf(all.create('b'));
		expect(failure.kind).toBe('allowance_used_up');
		expect(posts(all)).toHaveLength(2);
		expect(all.workspace.freeSlots()).toBe(1);
	});

	test('a conflict, after three tries where the first request may still be at work', async () => {
		const all = rig();
		const inFlight = { answer: refusal(409, 'idempotency_in_flight', 'In progress') };
		all.memory.fail('create_brief', inFlight, inFlight);
		await all.create('a');
		expect(all.time()).toBe(2 + 4);
		all.memory.fail('create_brief', inFlight, inFlight, inFlight);
		expect(await failureOf(all.create('b'))).toMatchObject({ kind: 'conflict', inDoubt: true });
		expect(posts(all)).toHaveLength(6);
	});

	test('a look for a free slot that is refused, before anything is sent', async () => {
		const all = rig();
		all.memory.fail('list_briefs', { answer: refusal(401, 'unauthorized', 'Revoked') });
		expect(await failureOf(all.create())).toMatchObject({
			kind: 'key_refused',
			operation: 'list_briefs',
			inDoubt: undefined,
		});
		expect(posts(all)).toEqual([]);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('the brief of another order, whose key it is', async () => {
		const all = rig();
		const other = await all.create('b');
		all.memory.fail('create_brief', { answer: { status: 202, body: JSON.stringify(other) } });
		expect(await failureOf(all.create('a'))).toMatchObject({
			kind: 'other_brief',
			brief: { id: other.id, product_name: 'b' },
			inDoubt: true,
		});
		expect(posts(all)).toHaveLength(2);
	});

	test('a brief that is another item’s, whatever it shows, and its slot is free after the next look', async () => {
		const all = rig();
		all.poller.observePage([]);
		const theirs = { id: 'b1', status: 'ready', product_name: 'a', input: { product_name: 'a' } };
		all.memory.fail('create_brief', { answer: { status: 202, body: JSON.stringify(theirs) } });
		const isClaimed = (id: string) => id === 'b1';
		expect(await failureOf(all.create('a', { isClaimed }))).toMatchObject({ kind: 'other_brief' });
		expect(all.workspace.freeSlots()).toBe(1);
		expect(all.workspace.inDoubtUntil()).toEqual([]);
		all.poller.observePage([]);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('a key that was used with another body, at once', async () => {
		const all = rig();
		all.memory.fail('create_brief', { answer: refusal(422, 'idempotency_key_reused', '') });
		expect((await failureOf(all.create())).kind).toBe('conflict');
		expect(posts(all)).toHaveLength(1);
	});

	test.each<[number, string, ErrorKind]>([
		[400, 'bad_request', 'invalid_input'],
		[401, 'unauthorized', 'key_refused'],
		[403, 'insufficient_scope', 'scope_missing'],
		[403, 'licence_required', 'licence_missing'],
		[404, 'not_found', 'not_found'],
		[402, 'payment_required', 'allowance_used_up'],
	])('%i %s, at once, and the slot is free again', async (status, code, kind) => {
		const all = rig();
		all.memory.fail('create_brief', { answer: refusal(status, code, 'No') });
		expect((await failureOf(all.create())).kind).toBe(kind);
		expect(posts(all)).toHaveLength(1);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('an intent that cannot be put on record, before anything is sent', async () => {
		const all = rig();
		const onRecord = () => Promise.reject(new Error('disk full'));
		expect((await failureOf(all.carry('a', { onRecord }))).message).toBe('disk full');
		expect(posts(all)).toEqual([]);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('a deadline without a slot, and an abort while it waits to send again', async () => {
		const all = rig();
		all.memory.startOther(HOUR);
		all.memory.startOther(HOUR);
		const deadline = all.clock.now() + 100 * S;
		expect(await failureOf(all.create('a', { deadline }))).toBeInstanceOf(WaitTimeout);
		const other = rig();
		other.memory.fail('create_brief', ...Array<Fault>(9).fill({ lost: 'before' }));
		const stop = new AbortController();
		const failed = failureOf(other.create('a', { signal: stop.signal }));
		await other.clock.pass(10 * S);
		stop.abort(new Error('stop'));
		expect((await failed).message).toBe('stop');
		expect(other.time()).toBe(10);
		expect(other.clock.sleeping).toBe(0);
	});

	test('an abort of the request itself, which is no error of the service', async () => {
		const all = rig({ latency: 10 * S });
		const stop = new AbortController();
		const failed = failureOf(all.service.brief('x', stop.signal));
		await all.clock.pass(2 * S);
		stop.abort(new Error('stop'));
		expect((await failed).message).toBe('stop');
		expect((await failureOf(all.service.brief('x', stop.signal))).message).toBe('stop');
		expect(all.memory.requests).toHaveLength(1);
	});
});

describe('a slot that was free when it was given', () => {
	test('is looked at again where a rate limit was waited out before the create was sent', async () => {
		const all = rig({ third: 'queue' });
		all.memory.fail('list_licences', rateLimit(600));
		await failureOf(all.service.licences());
		all.poller.observePage([]);
		const created = all.create();
		await all.clock.pass(300 * S);
		all.memory.startOther(HOUR);
		all.memory.startOther(20 * MINUTE);
		await created;
		expect(all.memory.mostRunning).toBe(2);
		expect(all.time()).toBeGreaterThanOrEqual(300 + 20 * 60);
		expect(all.time()).toBeLessThan(300 + 20 * 60 + 40);
	});

	test('is not looked at for ever where the intent takes long to be put on record', async () => {
		const all = rig();
		const intents: number[] = [];
		const onRecord = async ({ type }: LastingEvent) => {
			if (type !== 'intended') return;
			intents.push(all.time());
			await all.clock.pass(100 * S);
		};
		await all.carry('a', { onRecord, until: isRunning });
		// 100 seconds are too long for the slot and for the intent at first, but not any more when 120 are allowed.
		expect(intents).toEqual([0, 100]);
		expect(posts(all)).toHaveLength(1);
		expect(all.memory.count('list_briefs')).toBe(3);
	});

	test('is not looked at again for half a minute', async () => {
		const all = rig();
		const onRecord = () => all.clock.pass(30 * S);
		await all.carry('a', { onRecord, until: isRunning });
		expect(all.memory.requests.map(({ operation }) => operation)).toEqual([
			'list_briefs',
			'create_brief',
		]);
	});
});

describe('the same create', () => {
	const none: FailedTries = { failures: 1, conflicts: 1, rateLimits: 1, since: 0 };
	const again = (kind: ErrorKind, tries: Partial<FailedTries> = {}, status = 429) =>
		whenAgain(
			errorOf(kind, status),
			{ tries: { ...none, ...tries }, refusals: 1, inDoubt: true },
			{ now: 1000, interval: DEFAULT_POLL_INTERVAL },
		);

	test.each<ErrorKind>(['in_doubt', 'service_unavailable', 'unreadable_answer'])(
		'is sent again after %s, ever later, seven times at most',
		(kind) => {
			expect(again(kind)).toEqual({ how: 'with_this_slot', at: 1000 + 2 * S });
			expect(again(kind, { failures: 6 })).toEqual({ how: 'with_this_slot', at: 1000 + 60 * S });
			expect(again(kind, { failures: 7 })).toEqual({ how: 'never' });
		},
	);

	test('is sent again after a 409, three times at most, and not after another conflict', () => {
		expect(again('conflict', {}, 409)).toEqual({ how: 'with_this_slot', at: 1000 + 2 * S });
		expect(again('conflict', { conflicts: 2 }, 409).how).toBe('with_this_slot');
		expect(again('conflict', { conflicts: 3 }, 409).how).toBe('never');
		expect(again('conflict', {}, 422).how).toBe('never');
	});

	test('is sent again after a lost answer with `once` as well', async () => {
		const all = rig();
		all.memory.fail('create_brief', CUT);
		await all.create('a', { once: true });
		expect(posts(all)).toHaveLength(2);
		expect(all.memory.briefs).toHaveLength(1);
	});
});

describe('each time that a create is sent', () => {
	const rateLimited = { answer: refusal(429, 'rate_limited', '', { 'retry-after': '5' }) };
	const busy = { answer: refusal(429, 'concurrency_limit', '') };

	test.each<[string, Fault[], boolean[]]>([
		['the first time', [], [false]],
		['where nothing came of it', [rateLimited, { lost: 'never-sent' }], [false, false, false]],
		['where the answer was lost', [CUT, rateLimited], [false, true, true]],
		['where it is still being done', [{ answer: refusal(409, 'in_progress', '') }], [false, true]],
		['after another wait for a slot', [busy, { lost: 'before' }, busy], [false, false, true, true]],
	])('it has a slot, and is known to be in doubt or not: %s', async (_case, faults, told) => {
		const all = rig();
		const heard: boolean[] = [];
		all.memory.fail('create_brief', ...faults);
		const onNote = ({ type }: PassingEvent, { inDoubt }: OrderState) => {
			if (type !== 'sent') return;
			heard.push(inDoubt);
			expect(all.workspace.freeSlots()).toBe(1);
		};
		await all.carry('a', { onNote, until: isRunning });
		expect(heard).toEqual(told);
	});

	test('what ends an order in doubt from outside leaves it its slot', async () => {
		const all = rig();
		all.memory.fail('create_brief', CUT);
		const onNote = ({ type }: PassingEvent, { inDoubt }: OrderState) => {
			if (type === 'sent' && inDoubt) throw new Error('stopped');
		};
		expect((await failureOf(all.carry('a', { onNote }))).message).toBe('stopped');
		expect(posts(all)).toHaveLength(1);
		expect(all.workspace.freeSlots()).toBe(1);
	});
});

describe('the slot, while a rate limit is waited out', () => {
	/** The free slots in the middle of a wait of so many seconds. */
	async function freeAfter(seconds: number, before: Fault[], options: CreateOptions = {}) {
		const all = rig();
		all.memory.fail('create_brief', ...before, rateLimit(seconds));
		const created = all.create('a', options);
		await all.clock.pass((before.length * 2 + seconds / 2) * S);
		const free = all.workspace.freeSlots();
		await created;
		expect(all.memory.briefs).toHaveLength(1);
		return free;
	}

	test('is given back where the wait is longer than the time between two looks', async () => {
		expect(await freeAfter(16, [])).toBe(2);
		expect(await freeAfter(15, [])).toBe(1);
	});
});

describe('an order without a record, as in n8n', () => {
	const limited = rateLimit(720);
	const fails = { answer: { status: 503, body: '' } };

	test('that is in doubt is sent again with its key for an hour, for only that tells its brief apart', async () => {
		const all = rig();
		all.memory.fail('create_brief', CUT, limited);
		await all.create();
		expect(all.memory.requests.map(({ operation }) => operation)).toEqual([
			...['list_briefs', 'create_brief', 'create_brief', 'create_brief'],
		]);
		expect(all.memory.briefs).toHaveLength(1);
	});

	test('is looked for once its key is old, and a look that fails is repeated', async () => {
		const all = rig();
		all.memory.fail('create_brief', CUT, ...Array<Fault>(6).fill(limited));
		const created = all.create();
		await all.clock.pass(30 * MINUTE);
		all.memory.fail('list_briefs', fails, fails);
		const brief = await created;
		expect(all.memory.briefs.map(({ id }) => id)).toEqual([brief.id]);
		expect(all.memory.count('list_briefs')).toBe(4);
	});

	test('is in doubt still, and says so, where the look fails for good', async () => {
		const all = rig();
		all.memory.fail('create_brief', CUT, ...Array<Fault>(6).fill(limited));
		const failed = failureOf(all.create());
		await all.clock.pass(30 * MINUTE);
		all.memory.fail('list_briefs', ...Array<Fault>(7).fill(fails));
		expect(await failed).toMatchObject({ operation: 'create_brief', inDoubt: true });
	});

	test('is in doubt still, and says so, where no slot comes free before the deadline', async () => {
		const all = rig();
		all.memory.startOther(2 * HOUR);
		const busy = { answer: refusal(429, 'concurrency_limit', '') };
		all.memory.fail('create_brief', CUT, busy);
		const deadline = all.clock.now() + 2 * MINUTE;
		expect(await failureOf(all.create('a', { deadline }))).toMatchObject({ inDoubt: true });
	});
});

test('a key that the service has forgotten costs a second brief: nothing here can prevent that', async () => {
	const all = rig({ keyLife: HOUR });
	await all.create();
	await all.clock.pass(2 * HOUR);
	await all.create();
	expect(all.memory.briefs).toHaveLength(2);
});

const isRunning = ({ stage }: OrderState) => stage === 'running';

const errorOf = (kind: ErrorKind, status = 429) => anError(kind, { status });
