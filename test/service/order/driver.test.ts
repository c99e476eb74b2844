import {
	type LastingEvent,
	type PassingEvent,
	type OrderState,
	type Part,
	NEW_ORDER,
} from '../../../service/order/life';
import type { Brief } from '../../../service/api/resources';
import { BriefOrder } from '../../../service/order/brief-order';
import { OrderDriver, slotAfter, slotOnRecord } from '../../../service/order/driver';
import { momentNow } from '../../../service/order/times';
import { aBrief, anError } from '../../support/builders';
import { CUT, refused, type Fault } from '../../support/faults';
import { failureOf } from '../../support/failure-of';
import { rig, stopper, type Carried } from '../../support/service/rig';
import { HOUR, MINUTE } from '../../support/time';

type Rig = ReturnType<typeof rig>;

/** Carries an order, and returns what happened to it. */
async function story(all: Rig, name: string, options: Carried = {}) {
	const happened: Array<LastingEvent | PassingEvent> = [];
	const order = await all.carry(name, {
		last: 'order',
		...options,
		onRecord: (event) => Promise.resolve(void happened.push(event)),
		onNote: (event) => void happened.push(event),
	});
	return { order, happened, events: happened.map(({ event }) => event) };
}

/** As a run leaves an order whose answer it never heard. */
function leftInDoubt(
	all: Rig,
	{ first, last = first }: { first: number; last?: number },
): OrderState {
	const now = momentNow(all.tools);
	const before = (ms: number) => ({ service: now.service - ms, machine: now.machine - ms });
	const times = { firstTried: before(first), lastTried: before(last) };
	return { ...NEW_ORDER, stage: 'in_doubt', inDoubt: true, isIntended: true, ...times };
}

/** Lets the service do the work of a create, and nobody hear of it. */
async function lose(all: Rig, name: string): Promise<void> {
	all.memory.fail('create_brief', ...Array<Fault>(7).fill(CUT));
	await failureOf(all.create(name));
	all.memory.requests.length = 0;
}

test('an order is queued, gets its slot, is put on record and sent, in this order', async () => {
	const all = rig();
	const { order, happened, events } = await story(all, 'a');
	expect(events).toEqual(['queued', 'got_slot', 'intended', 'sent', 'accepted']);
	expect(happened.at(-1)).toMatchObject({ event: 'accepted', found: false });
	expect(order).toMatchObject({ stage: 'running', briefId: all.memory.briefs[0]?.id });
	expect(order.firstTried).toEqual(order.lastTried);
});

test('a part of its way says whether another one follows', async () => {
	const parts = async (fault?: Fault) => {
		const all = rig();
		if (fault !== undefined) all.memory.fail('create_brief', fault);
		const wanted = { input: { product_name: 'a' }, keyAfter: () => 'a' };
		const order = new BriefOrder({ ...wanted, whenBriefExists: 'use' }, all.tools);
		const driver = new OrderDriver(NEW_ORDER, order, all.tools);
		const carryOn = (last: Part) => driver.carryOn(last);
		return [await carryOn('take_over'), await carryOn('order'), await carryOn('recover')];
	};
	expect(await parts()).toEqual([true, true, true]);
	expect(await parts(refused(401, 'unauthorized', 'No'))).toEqual([true, false, false]);
});

test('a brief counts for its month once it is on record, so that nobody counts it beside its reservation', async () => {
	const all = rig();
	const used = () => all.workspace.monthUse(all.service.now());
	const counts: number[] = [];
	const onRecord = ({ event }: LastingEvent) => {
		if (event === 'accepted') counts.push(used());
		return Promise.resolve();
	};
	await all.carry('a', { onRecord, last: 'order' });
	expect([...counts, used()]).toEqual([0, 1]);
});

describe('an order that an earlier run left in doubt', () => {
	/** How such an order goes on. */
	async function left(times: { first: number; last?: number }) {
		const all = rig();
		const order = leftInDoubt(all, times);
		return { all, ...(await story(all, 'a', { order })) };
	}

	test('is taken over if its brief is listed, and not sent', async () => {
		const all = rig();
		await lose(all, 'a');
		const { order, happened } = await story(all, 'a', { order: leftInDoubt(all, { first: HOUR }) });
		const brief = expect.objectContaining({ id: all.memory.briefs[0]?.id }) as Brief;
		expect(happened).toEqual([
			{ event: 'looked', at: all.clock.now(), finding: { is: 'found', brief } },
			{ event: 'accepted', brief, found: true },
		]);
		expect(order).toMatchObject({ stage: 'running', inDoubt: false });
		expect(all.memory.creates()).toEqual([]);
		expect(all.workspace.unlisted().size + all.workspace.othersRunning()).toBe(1);
	});

	describe('holds its slot', () => {
		/** The times until which orders hold a slot, after one that may have had a brief a minute ago. */
		async function held(all: Rig, first: number) {
			const now = all.service.now();
			all.workspace.addUncertain('a', now - MINUTE, now);
			const order = leftInDoubt(all, { first, last: MINUTE });
			await all.carry('a', { order, last: 'recover' });
			return all.workspace.uncertainUntil();
		}

		test('until its brief is listed', async () => {
			const all = rig();
			await lose(all, 'a');
			expect(await held(all, 2 * HOUR)).toEqual([]);
		});

		test('until it certainly has none', async () => {
			expect(await held(rig(), 2 * HOUR)).toEqual([]);
		});

		test('as long as the list leaves it open', async () => {
			expect(await held(rig(), MINUTE)).toHaveLength(1);
		});
	});

	test('that was answered with the brief of another is parked, and has no slot to give back', async () => {
		const all = rig();
		const answer = anError('other_brief');
		const order = { ...leftInDoubt(all, { first: MINUTE }), isGivenUp: true, answer };
		const { events, order: left } = await story(all, 'a', { order });
		expect(events).toEqual(['looked', 'parked']);
		expect(left.stage).toBe('parked');
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('is certain to have come to nothing once the list would show it, and begins again', async () => {
		const { all, events, order } = await left({ first: 2 * HOUR });
		expect(events.slice(0, 3)).toEqual(['looked', 'withdrawn', 'queued']);
		// The key is as old as before, whatever came of the tries.
		expect(order.firstTried?.machine).toBeLessThanOrEqual(all.clock.now() - 2 * HOUR);
		expect(all.memory.creates()).toHaveLength(1);
	});

	test('does not get the brief that belongs to another order', async () => {
		const all = rig();
		await lose(all, 'a');
		const [first] = all.memory.briefs;
		const isOthers = (id: string) => id === first?.id;
		const order = leftInDoubt(all, { first: 2 * HOUR });
		// Its key brings that brief again.
		expect((await story(all, 'a', { order, isOthers })).order.stage).toBe('parked');
		all.memory.forgetKeys();
		expect((await story(all, 'a', { order, isOthers })).order.stage).toBe('running');
		expect(all.memory.creates()).toHaveLength(2);
	});

	test('is looked for once more if its key is not young and it waited long for its slot', async () => {
		const all = rig();
		all.others(MINUTE, HOUR);
		const order = leftInDoubt(all, { first: 15 * MINUTE, last: 5 * MINUTE });
		const { events } = await story(all, 'a', { order });
		expect(events).toEqual([
			...['looked', 'queued', 'got_slot', 'looked', 'intended', 'sent', 'accepted'],
		]);
	});

	test('is parked if another order takes the brief that was found, and its key is old', async () => {
		const all = rig();
		await lose(all, 'a');
		const { id } = all.memory.briefs[0]!;
		let isTaken = false;
		const happened: Array<LastingEvent | PassingEvent> = [];
		const order = await all.carry('a', {
			order: leftInDoubt(all, { first: 2 * HOUR }),
			isOthers: () => isTaken,
			onNote: (event) => {
				isTaken = true;
				happened.push(event);
			},
			onRecord: (event) => Promise.resolve(void happened.push(event)),
		});
		const finding = { is: 'unclear', ids: [id], isCertain: true };
		expect(happened.slice(1)).toEqual([
			{ event: 'looked', at: all.clock.now(), finding },
			{ event: 'parked', reason: 'unclear' },
		]);
		expect(order).toMatchObject({ stage: 'parked', inDoubt: true });
		expect(all.memory.creates()).toEqual([]);
	});
});

describe('a rate limit that another request met', () => {
	async function limited(seconds: number) {
		const all = rig();
		all.poller.observePage([]);
		await all.meetLimit(seconds);
		return { all, ...(await story(all, 'a')) };
	}

	test('is waited out before the create is decided', async () => {
		const { all, events } = await limited(10);
		expect(events).toEqual(['queued', 'got_slot', 'waited', 'intended', 'sent', 'accepted']);
		expect(all.time()).toBe(10);
	});

	test('ends the order before it is put on record if it lasts for hours, and gives the slot back', async () => {
		const { all, order, events } = await limited(7200);
		expect(events).toEqual(['queued', 'got_slot', 'answered']);
		expect(order).toMatchObject({ stage: 'answered', answer: { kind: 'rate_limited' } });
		expect(all.workspace.freeSlots()).toBe(2);
	});
});

describe('if nothing more is to be sent', () => {
	const noMore = AbortSignal.abort(new Error('no more'));

	test('an order that has its slot is not even put on record', async () => {
		const all = rig();
		const { signal: noMore, stop } = stopper();
		const kept: string[] = [];
		const failed = failureOf(
			all.carry('a', {
				noMore,
				onNote: ({ event }) => (event === 'got_slot' ? stop() : undefined),
				onRecord: ({ event }) => Promise.resolve(void kept.push(event)),
			}),
		);
		expect((await failed).message).toBe('stop');
		expect([kept, all.memory.creates(), all.workspace.freeSlots()]).toEqual([[], [], 2]);
	});

	test.each<[string, 'noMore' | 'signal', Partial<Record<'noMore' | 'signal', AbortSignal>>]>([
		['alone', 'noMore', {}],
		['beside another end', 'noMore', { signal: new AbortController().signal }],
		['at its other end', 'signal', { noMore: new AbortController().signal }],
	])('an order does not wait any longer for a slot: %s', async (_, ending, beside) => {
		const all = rig();
		all.others(HOUR, HOUR);
		const { signal, stop } = stopper();
		const failed = failureOf(all.carry('a', { ...beside, [ending]: signal }));
		await all.clock.pass(MINUTE);
		stop();
		expect((await failed).message).toBe('stop');
		expect(all.time()).toBe(60);
	});

	test('an order whose brief may exist goes on, and waits for its slot', async () => {
		const all = rig();
		all.others(5 * MINUTE, HOUR);
		const order = leftInDoubt(all, { first: MINUTE });
		expect((await story(all, 'a', { order, noMore })).order.stage).toBe('running');
		expect(all.time()).toBeGreaterThanOrEqual(5 * 60);
	});
});

test('an order does not even wait for a slot if nothing more may be ordered', async () => {
	const all = rig();
	const { order, events } = await story(all, 'a', { end: () => 'allowance' });
	expect(events).toEqual(['deferred']);
	expect(order.stage).toBe('deferred');
	expect(all.memory.requests).toEqual([]);
});

test('what is to be done with a brief is a fault of this program if nobody follows it', async () => {
	const all = rig();
	const failure = await failureOf(all.carry('a', { hasRecord: false }));
	expect(failure.message).toBe('Whoever ordered the brief follows it');
	expect(all.memory.briefs).toHaveLength(1);
});

test('a withdrawal says the words of the service, or the rule if it did not answer', async () => {
	const whyOf = async (all: Rig, options: Carried = {}) => {
		const { happened } = await story(all, 'a', options);
		return happened.flatMap((event) => (event.event === 'withdrawn' ? [event.why] : []));
	};
	const all = rig();
	all.memory.fail('create_brief', refused(401, 'unauthorized', 'Revoked'));
	expect(await whyOf(all)).toEqual([expect.stringContaining('Revoked')]);
	const order = leftInDoubt(all, { first: 2 * HOUR });
	expect(await whyOf(all, { order })).toEqual(['the service lists no brief of it']);
});

test('a brief that exists is got, watched and filed by whoever ordered it', async () => {
	const all = rig();
	const order = { ...NEW_ORDER, stage: 'running', briefId: 'b' } as const;
	const steps: string[] = [];
	const does = (step: string, event: 'seen' | 'ended' | 'filed') =>
		jest.fn(() => (steps.push(step), Promise.resolve({ event })));
	const follow = {
		get: does('get', 'seen'),
		watch: does('watch', 'ended'),
		file: does('file', 'filed'),
	};
	const kept: string[] = [];
	const onRecord = ({ event }: LastingEvent) => Promise.resolve(void kept.push(event));
	const done = await all.carry('a', { order, follow, onRecord });
	expect(steps).toEqual(['get', 'watch', 'file']);
	expect(done.stage).toBe('done');
	// Whoever follows it puts on record that it cannot be had now.
	const get = () => Promise.resolve({ event: 'parked' } as const);
	const parked = await all.carry('a', { order, follow: { ...follow, get }, onRecord });
	expect(parked.stage).toBe('parked');
	expect(kept).toEqual([]);
});

test('an answer with a brief that was known before is not its own, however new, if nothing speaks for it', async () => {
	const all = rig();
	const now = all.service.now();
	const nameless = aBrief({ product_name: '', created_at: now, input: {} });
	const isOwn = async () => {
		all.memory.fail('create_brief', { answer: { status: 202, body: JSON.stringify(nameless) } });
		return (await story(all, 'a')).order.stage;
	};
	expect(await isOwn()).toBe('running');
	expect(await isOwn()).toBe('parked');
});

test('an order that was never sent leaves its slot free', () => {
	expect(slotAfter(NEW_ORDER)).toBe('free');
});

test('a create is not refused for good if no look can say whether that was for want of a slot', async () => {
	const all = rig();
	all.memory.fail('create_brief', refused(400, 'no', 'Their words'));
	const order = await all.carry('a', {
		last: 'order',
		onNote: ({ event }) => {
			if (event === 'turned_away')
				all.memory.fail('list_briefs', refused(401, 'unauthorized', 'Revoked'));
		},
	});
	const answer = { kind: 'key_refused', operation: 'list_briefs' };
	expect(order).toMatchObject({ stage: 'to_order', answer });
});

test.each([
	['running', 'b1', 'brief'],
	['parked', 'b1', 'brief'],
	['parked', null, 'uncertain'],
	['in_doubt', null, 'none'],
	['done', 'b1', 'none'],
] as const)('an order on record as %s with brief %s holds a slot: %s', (stage, briefId, slot) => {
	expect(slotOnRecord({ ...NEW_ORDER, stage, briefId })).toBe(slot);
});
