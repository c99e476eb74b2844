import { getEventListeners } from 'node:events';
import type { ServiceRequest } from '../../../service/api/operations';
import { DEFAULT_POLL_INTERVAL } from '../../../service/api/poll-interval';
import type { BriefSummary } from '../../../service/api/resources';
import { BriefPoller, type BriefWaitOptions } from '../../../service/watch/poller';
import { SlotPatience, type SlotWaitReport } from '../../../service/watch/slots';
import { WaitTimeout } from '../../../service/watch/wait';
import { FAILS, rateLimit, refused } from '../../support/faults';
import { failureOf } from '../../support/failure-of';
import { rig, stopper, type RigOptions } from '../../support/service/rig';
import { aSummary } from '../../support/builders';
import { HOUR, MINUTE, SECOND } from '../../support/time';

/** Briefs of these durations that were started behind the poller's back, as the service shows them. */
async function given(durations: number[], options: RigOptions = {}) {
	const all = rig(options);
	const { memory, service, workspace, poller, clock } = all;
	const start = async (...more: number[]) => {
		const briefs = await Promise.all(all.others(...more).map(({ id }) => service.brief(id)));
		memory.requests.length = 0;
		return briefs;
	};
	const briefs = await start(...durations);
	return {
		...all,
		start,
		briefs,
		/** Waits for the first brief, or for all. */
		ended: (how?: BriefWaitOptions) => poller.waitForEnd(briefs[0]!, how),
		allEnded: (how?: BriefWaitOptions) => briefs.map((brief) => poller.waitForEnd(brief, how)),
		/** Takes them for briefs of this process. */
		addOwn: (...ours: BriefSummary[]) => {
			for (const brief of ours) workspace.addOwn(brief, service.now());
		},
		operations: () => memory.requests.map(({ operation }) => operation),
		/** The seconds from each request to the next. */
		gaps: () => memory.requests.slice(1).map(({ at }, i) => (at - memory.requests[i]!.at) / SECOND),
		takeSlotIn: (ms: number) => poller.takeSlot({ deadline: clock.now() + ms }),
	};
}

/** As a wait for it saw it last: before its end, or before its last change. */
const stale = (brief: BriefSummary, status = 'writing') => ({ ...brief, status });
const isOf =
	({ id }: { id: string }) =>
	({ path }: Pick<ServiceRequest, 'path'>) =>
		path.endsWith(id);

/** A brief that only an older page shows, so that it is got, and two that run for so long. */
async function oneOld(duration: number, options?: RigOptions) {
	const all = await given([...Array<number>(150).fill(0), duration, duration], options);
	return { ...all, old: stale(all.briefs[0]!), others: all.briefs.slice(-2) };
}

/** What a wait is told of its brief. */
function hearing() {
	const heard: string[] = [];
	return { heard, onStatus: ({ status }: BriefSummary) => heard.push(status) };
}

const statuses = async (waits: Array<Promise<BriefSummary>>) =>
	(await Promise.all(waits)).map(({ status }) => status);
const kinds = async (waits: Array<Promise<unknown>>) =>
	(await Promise.all(waits.map((wait) => failureOf(wait)))).map(({ kind }) => kind);

describe('waiting for a brief', () => {
	test('ends soon after the brief has ended, 15 to 60 seconds from one look to the next', async () => {
		const all = await given([240 * SECOND]);
		const { heard, onStatus } = hearing();
		expect((await all.ended({ onStatus })).status).toBe('ready');
		expect(all.time()).toBe(240);
		expect(heard).toEqual(['researching', 'writing', 'checking', 'ready']);
		expect([Math.min(...all.gaps()), Math.max(...all.gaps())]).toEqual([15, 60]);
		expect(all.clock.sleeping).toBe(0);
	});

	test.each([
		['three on the third page', [0, 1, 2], { pages: 3, gets: 0 }],
		['two on the third page', [0, 1], { pages: 2, gets: 2 }],
		['one on the third page and one on the first', [0, 249], { pages: 1, gets: 1 }],
	])('reads no more pages than gets would cost: %s', async (_, places, { pages, gets }) => {
		const { briefs, poller, memory } = await given(Array<number>(250).fill(0));
		const waits = places.map((place) =>
			poller.waitForEnd(stale(briefs[place]!), { isItself: () => true }),
		);
		expect(new Set(await statuses(waits))).toEqual(new Set(['ready']));
		expect([memory.count('list_briefs'), memory.count('get_brief')]).toEqual([pages, gets]);
	});

	test('needs no look at one that has ended', async () => {
		const all = await given([0]);
		expect(await all.ended()).toBe(all.briefs[0]);
		expect(all.operations()).toEqual([]);
	});

	test('endures two minutes in which a new brief is not known yet', async () => {
		const all = rig({ getLag: 100 * SECOND });
		const [{ id } = { id: '' }] = all.others(60 * SECOND);
		const brief = aSummary({ id });
		all.workspace.addOwn(brief, all.service.now());
		const end = all.poller.waitForEnd(brief);
		await all.clock.pass(70 * SECOND);
		// It holds its slot all the same.
		expect(all.workspace.freeSlots()).toBe(1);
		expect((await end).status).toBe('ready');
		expect(all.time()).toBeGreaterThan(100);
	});

	test('gives back at once the slot of a brief that is gone', async () => {
		const all = await given([HOUR]);
		all.addOwn(...all.briefs);
		all.memory.remove(all.briefs[0]!.id);
		expect(await kinds([all.ended()])).toEqual(['not_found']);
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('goes on with a status of tomorrow, without haste', async () => {
		const all = await given([200 * SECOND]);
		const body = JSON.stringify(stale(all.briefs[0]!, 'polishing'));
		all.memory.intercept = () =>
			all.time() > 3000 ? undefined : { answer: { status: 200, body } };
		expect((await all.ended()).status).toBe('ready');
		expect(all.memory.requests.length).toBeLessThan(3000 / 15 + 2);
	});
});

describe('looks that fail', () => {
	test('change nothing for those who wait, as long as patience lasts', async () => {
		const all = await given([60 * SECOND, 60 * SECOND]);
		all.memory.intercept = () => (all.time() < 300 ? FAILS : undefined);
		expect(await statuses(all.allEnded())).toEqual(['ready', 'ready']);
		// They come further and further apart, up to a minute.
		expect(Math.min(...all.gaps())).toBeGreaterThanOrEqual(15);
		expect(Math.max(...all.gaps())).toBe(60);
	});

	test('of one brief end its waits alone, as soon as patience is over, with one get a look', async () => {
		const all = await oneOld(2000 * SECOND);
		const isOfOld = isOf(all.old);
		all.memory.intercept = (request) => (isOfOld(request) ? FAILS : undefined);
		const lone = kinds([1, 2, 3].map(() => all.poller.waitForEnd(all.old)));
		const going = statuses(all.others.map((brief) => all.poller.waitForEnd(brief)));
		expect(await lone).toEqual(Array(3).fill('service_unavailable'));
		const gets = all.memory.requests.filter(isOfOld);
		expect(all.clock.now() - gets[0]!.at).toBe(10 * MINUTE);
		expect(gets.length).toBe(all.memory.requests.length - gets.length);
		expect(await going).toEqual(['ready', 'ready']);
		expect(all.time()).toBeLessThan(2030);
	});

	test('of one brief for a rate limit concern all', async () => {
		const all = await oneOld(HOUR);
		all.memory.fail('get_brief', rateLimit(86_400));
		const waits = [all.old, all.others[0]!].map((brief) => all.poller.waitForEnd(brief));
		expect(await kinds(waits)).toEqual(['rate_limited', 'rate_limited']);
		expect(all.time()).toBeLessThan(60);
	});

	test('with 400 for one ID ends the waits for that one alone', async () => {
		const all = await oneOld(60 * SECOND);
		all.memory.fail('get_brief', refused(400, 'bad_request', 'No'));
		const [old, other] = [all.old, all.others[0]!].map((brief) => all.poller.waitForEnd(brief));
		expect(await kinds([old!])).toEqual(['invalid_input']);
		expect((await other!).status).toBe('ready');
	});
});

test('an error of whoever hears of a look ends the waits', async () => {
	const onLook = () => {
		throw new Error('ours');
	};
	expect((await failureOf(rig({ onLook }).poller.takeSlot())).message).toBe('ours');
});

describe('giving up', () => {
	test('before the wait begins makes no look', async () => {
		const all = await given([HOUR]);
		const signal = AbortSignal.abort(new Error('stop'));
		expect((await failureOf(all.ended({ signal }))).message).toBe('stop');
		expect(all.operations()).toEqual([]);
	});

	test('an abort ends a wait at once, and leaves neither a timer nor a request', async () => {
		const all = await given([HOUR], { latency: 10 * SECOND });
		const before = all.time();
		const resting = stopper();
		const rest = failureOf(all.ended({ signal: resting.signal, deadline: all.clock.now() + HOUR }));
		await all.clock.pass(20 * SECOND);
		resting.stop();
		expect((await rest).message).toBe('stop');
		expect([all.time() - before, all.clock.sleeping]).toEqual([20, 0]);

		const looking = stopper();
		const look = failureOf(all.poller.takeSlot({ signal: looking.signal }));
		await all.clock.pass(2 * SECOND);
		expect(all.memory.requests).toHaveLength(1);
		looking.stop();
		expect((await look).message).toBe('stop');
		await Promise.resolve();
		expect(all.clock.sleeping).toBe(0);
	});

	test('who gave up during a look is not called back', async () => {
		const all = await given([200 * SECOND, 200 * SECOND], { latency: 10 * SECOND });
		const [a, b] = all.briefs;
		const { signal, stop } = stopper();
		const { heard, onStatus } = hearing();
		const gone = failureOf(all.poller.waitForEnd(stale(a!, 'queued'), { signal, onStatus }));
		const stays = all.poller.waitForEnd(b!);
		while (all.memory.requests.length === 0) await all.clock.pass(SECOND);
		stop();
		await Promise.all([gone, stays]);
		expect(heard).toEqual([]);
		// The look went on for the one who stayed.
		expect(Math.min(...all.gaps())).toBeGreaterThanOrEqual(15);
	});

	test('a brief that nobody waits for any more is not looked for', async () => {
		const all = await oneOld(200 * SECOND, { latency: 10 * SECOND });
		const { signal, stop } = stopper();
		const gone = failureOf(all.poller.waitForEnd(all.old, { signal }));
		const stays = all.others.map((brief) => all.poller.waitForEnd(brief));
		await all.clock.pass(35 * SECOND);
		expect(all.operations().at(-1)).toBe('list_briefs');
		stop();
		await Promise.all([gone, ...stays]);
		expect(all.memory.count('get_brief')).toBe(0);
	});

	test('a deadline holds while a look is held up by a rate limit', async () => {
		const all = await given([60 * SECOND]);
		await all.meetLimit(3000);
		const waiting = all.ended({ deadline: all.clock.now() + 300 * SECOND });
		expect((await failureOf(waiting, WaitTimeout)).unseenFor).toBe(300 * SECOND);
		expect([all.time(), all.clock.sleeping]).toEqual([300, 0]);
	});

	test('the end of all waits leaves no listener behind', async () => {
		const all = await given([60 * SECOND, 60 * SECOND]);
		const { signal } = new AbortController();
		const own = jest.spyOn(AbortSignal, 'any');
		const waits = all.allEnded({ signal });
		const listeners = () =>
			own.mock.results.map(({ value }) => getEventListeners(value as AbortSignal, 'abort').length);
		expect(listeners()).toEqual([1, 1]);
		await Promise.all(waits);
		expect(listeners()).toEqual([0, 0]);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		own.mockRestore();
	});
});

describe('waiting for a slot', () => {
	test('gives slots in the order of asking, never more than two, with one look for all', async () => {
		const all = rig();
		const order: number[] = [];
		let [held, most] = [0, 0];
		const take = async (_: unknown, index: number) => {
			const slot = await all.poller.takeSlot();
			slot.noteAnswer();
			order.push(index);
			most = Math.max(most, (held += 1));
			await all.clock.pass(100 * SECOND);
			held -= 1;
			slot.release();
		};
		await Promise.all(Array.from({ length: 6 }, take));
		expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5]]);
		expect(all.memory.requests.length).toBeLessThanOrEqual(300 / 15 + 1);
	});

	test('counts the briefs of others, leaves the list alone while both have stages to go, and reports each look', async () => {
		let looks = 0;
		const all = await given([HOUR, 300 * SECOND], { onLook: () => (looks += 1) });
		await all.poller.takeSlot();
		expect(all.time()).toBeGreaterThanOrEqual(300);
		expect(all.time()).toBeLessThanOrEqual(315);
		expect(all.workspace.othersRunning()).toBe(1);
		// A look every 15 seconds would make 21.
		expect(looks).toBeLessThanOrEqual(12);
		expect(looks).toBe(all.memory.count('list_briefs'));
	});

	test('with `once` looks a single time, and is refused if both are taken', async () => {
		const all = await given([HOUR, HOUR]);
		const said = { status: null, code: '', details: [], requestId: '' };
		expect(await failureOf(all.poller.takeSlot({ once: true }))).toMatchObject({
			kind: 'slots_busy',
			operation: 'create_brief',
			message: 'Two briefs are already running in the workspace',
			...said,
		});
		expect([all.memory.requests.length, all.time()]).toEqual([1, 0]);
	});

	test('with `once` is not refused a free slot that waits for the answer to another order', async () => {
		const { poller } = rig();
		const [first, second] = [poller.takeSlot({ once: true }), poller.takeSlot({ once: true })];
		(await first).noteAnswer();
		await second;
	});

	test('with `once` waits for the next look alone, whoever is before it and whatever runs', async () => {
		const all = await given([HOUR, HOUR]);
		all.poller.observePage(all.briefs);
		const deadline = all.clock.now() + 5 * MINUTE;
		const first = failureOf(all.poller.takeSlot({ notBefore: all.clock.now() + MINUTE, deadline }));
		await all.clock.pass(4 * SECOND);
		expect(await kinds([all.poller.takeSlot({ once: true })])).toEqual(['slots_busy']);
		expect(all.time()).toBe(15);
		await first;
	});

	test('goes by what was read last', async () => {
		const all = await given([HOUR, HOUR]);
		all.poller.observePage(all.briefs);
		all.poller.observePage([], SECOND);
		expect(all.workspace.freeSlots()).toBe(0);
	});

	test('looks as soon as an order before has a brief, and only when it is due if its answer came late', async () => {
		const all = await given([]);
		const take = async () => await all.poller.takeSlot();
		const first = await take();
		const second = take();
		await all.clock.pass(4 * SECOND);
		first.noteAnswer();
		const slot = await second;
		expect(all.time()).toBe(15);
		first.release();
		await all.clock.pass(5 * SECOND);
		slot.giveTo((await all.start(HOUR))[0]!);
		await take();
		expect(all.time()).toBe(20);
	});

	test('counts the age of the briefs that run from the look that showed them', async () => {
		const all = await given([HOUR, HOUR]);
		const created_at = all.service.now() - 150 * SECOND;
		const queued = all.briefs.map(({ id }) => aSummary({ id, created_at }));
		all.poller.observePage(queued, 20 * SECOND);
		const start = all.clock.now();
		await failureOf(all.takeSlotIn(MINUTE), WaitTimeout);
		expect((all.memory.requests[0]!.at - start) / SECOND).toBe(30);
	});

	test('needs no look right after one', async () => {
		const all = await given([]);
		const take = async (notBefore?: number) => (await all.poller.takeSlot({ notBefore })).release();
		await take();
		await take();
		await all.clock.pass(3 * SECOND);
		await take(all.clock.now());
		expect([all.time(), all.memory.requests.length]).toEqual([3, 1]);
		await all.clock.pass(1 * SECOND);
		await take();
		expect(all.gaps()).toEqual([15]);
	});

	test.each([
		['behind one who was refused nobody is served before him', ['new', 60, 30], [60, 30, 'new'], 2],
		['who was refused for longer holds up nobody before him', [0, 60], [0, 60], 2],
		['those who were refused keep their order', [60, 30, 0], [60, 30, 0], 1],
	])('%s', async (_, asking, served, looks) => {
		const all = rig();
		const now = all.clock.now();
		const order: unknown[] = [];
		const takes = asking.map(async (refusedFor) => {
			const seconds = Number(refusedFor);
			const notBefore = seconds >= 0 ? now + seconds * SECOND : undefined;
			const slot = await all.poller.takeSlot({ notBefore });
			expect(all.clock.now()).toBeGreaterThanOrEqual(notBefore ?? now);
			order.push(refusedFor);
			slot.release();
		});
		await Promise.all(takes);
		expect([order, all.time()]).toEqual([served, 60]);
		expect(all.memory.requests).toHaveLength(looks);
	});

	test('gives back the slot of a brief of this process that the service does not know any more', async () => {
		const all = await given([HOUR, HOUR]);
		all.addOwn(...all.briefs);
		for (const { id } of all.briefs) all.memory.remove(id);
		// For one somebody waits, and for the other nobody.
		const gone = kinds([all.ended({ since: all.clock.now() })]);
		const [first, second] = [all.poller.takeSlot(), all.poller.takeSlot()];
		expect(await gone).toEqual(['not_found']);
		(await first).noteAnswer();
		await second;
		expect(all.time()).toBeGreaterThan(120);
		expect(all.time()).toBeLessThan(180);
	});

	test('looks after a brief of this process once a look, and only if a slot is wanted', async () => {
		const all = await given([HOUR, 400 * SECOND, HOUR], { listLag: 10 * HOUR });
		const [ours, a, b] = all.briefs;
		all.addOwn(ours!, a!);
		const getsOf = (brief: BriefSummary) =>
			all.memory.requests.filter(isOf(brief)).map(({ at }) => at);
		const { signal, stop } = stopper();
		const waits = [a!, b!].map((brief) => all.poller.waitForEnd(brief, { signal }));
		await all.clock.pass(300 * SECOND);
		expect(getsOf(ours!)).toEqual([]);
		await all.poller.takeSlot({ signal });
		const gets = getsOf(a!);
		expect(new Set(gets).size).toBe(gets.length);
		expect(getsOf(ours!).length).toBeGreaterThan(0);
		stop();
		await failureOf(waits[1]!);
		await waits[0];
	});

	test('gives the slots there are, whatever becomes of a brief that cannot be looked at', async () => {
		const all = await given([HOUR, 2000 * SECOND], { listLag: 10 * HOUR });
		all.addOwn(...all.briefs);
		all.memory.intercept = (request) => (isOf(all.briefs[0]!)(request) ? FAILS : undefined);
		await all.poller.takeSlot();
		expect(all.time()).toBeGreaterThanOrEqual(2000);
		expect(all.time()).toBeLessThan(2060);
	});

	test('a deadline ends the wait', async () => {
		const all = await given([HOUR, HOUR]);
		all.poller.observePage(all.briefs);
		const failure = await failureOf(all.takeSlotIn(5 * MINUTE), WaitTimeout);
		const said = { name: 'WaitTimeout', message: 'The waiting time is over' };
		expect(failure).toMatchObject({ ...said, unseenFor: 0, brief: undefined });
		expect(all.time()).toBe(300);
	});

	test.each([
		[60, 'WaitTimeout'],
		[61, 'ServiceError'],
	])('after %i s of a rate limit since the last look ends with %s', async (seconds, name) => {
		const all = await given([HOUR, HOUR]);
		all.poller.observePage(all.briefs);
		await all.meetLimit(3000);
		expect((await failureOf<Error>(all.takeSlotIn(seconds * SECOND), Error)).name).toBe(name);
	});

	test.each([
		[120, 0],
		[121, 121],
	])('after %i s of an outage since the last look says %i', async (seconds, unseen) => {
		const all = await given([HOUR, HOUR]);
		all.poller.observePage(all.briefs);
		all.memory.intercept = () => FAILS;
		const failure = await failureOf(all.takeSlotIn(seconds * SECOND), WaitTimeout);
		expect(failure.unseenFor).toBe(unseen * SECOND);
	});

	test('a deadline in an outage says for how long nothing was seen', async () => {
		const all = await given([HOUR, HOUR]);
		all.memory.intercept = () => (all.time() < 100 ? undefined : FAILS);
		const failure = await failureOf(all.takeSlotIn(5 * MINUTE), WaitTimeout);
		expect(failure.unseenFor).toBe(240 * SECOND);
	});
});

describe('a look at the list that needs older pages', () => {
	/** Three briefs that only an older page shows. */
	async function threeOld() {
		const all = await given(Array<number>(250).fill(0));
		const end = () => all.briefs.slice(0, 3).map((brief) => all.poller.waitForEnd(stale(brief)));
		return { ...all, end };
	}

	test.each([
		['the service refuses its own cursor', refused(400, 'invalid', 'Stale cursor')],
		['an older page cannot be read', FAILS],
	])('gets the briefs one by one if %s', async (_, answer) => {
		const all = await threeOld();
		all.memory.intercept = ({ query }) => (query.cursor === undefined ? undefined : answer);
		expect(await statuses(all.end())).toEqual(Array(3).fill('ready'));
		const gets = Array<string>(3).fill('get_brief');
		expect(all.operations()).toEqual(['list_briefs', 'list_briefs', ...gets]);
	});
});

test('a list whose last page does not show the briefs is not read again', async () => {
	const all = await given([0, 0], { listLag: HOUR });
	await Promise.all(all.briefs.map((brief) => all.poller.waitForEnd(stale(brief))));
	expect(all.operations()).toEqual(['list_briefs', 'get_brief', 'get_brief']);
});

describe('a brief of another order under the ID that is watched', () => {
	const isItself = () => false;

	test.each([
		['by itself', []],
		['in the list', [HOUR]],
	])(
		'is not taken for it, and ends its wait once that has lasted too long: %s',
		async (_, beside) => {
			const all = await given([120 * SECOND, ...beside]);
			const { signal, stop } = stopper();
			const others = all.briefs
				.slice(1)
				.map((brief) => failureOf(all.poller.waitForEnd(brief, { signal })));
			const { heard, onStatus } = hearing();
			const deadline = all.clock.now() + HOUR;
			const failure = await failureOf(all.ended({ isItself, onStatus, deadline }));
			const brief = { id: all.briefs[0]!.id };
			expect(failure).toMatchObject({ kind: 'unreadable_answer', brief });
			expect(failure.message).toContain('it gave a brief of “Somebody else’s product”');
			expect(all.time()).toBeGreaterThanOrEqual(600);
			expect(all.time()).toBeLessThan(720);
			expect(heard).toEqual([]);
			stop();
			await Promise.all(others);
		},
	);
});

describe('patience with the slots', () => {
	/** A poller that waits for slots four times five minutes at most. */
	async function patient(durations: number[], options: RigOptions = {}) {
		const all = await given(durations, options);
		const { service, clock, workspace } = all;
		const reported: SlotWaitReport[] = [];
		const report = (wait: SlotWaitReport) => reported.push(wait);
		const slotPatience = new SlotPatience(workspace, clock, 5 * MINUTE, report);
		const how = { interval: DEFAULT_POLL_INTERVAL, patience: 10 * MINUTE, slotPatience };
		const poller = new BriefPoller(service, clock, workspace, how);
		const takeSlot = () => poller.takeSlot({ deadline: clock.now() + HOUR });
		return { ...all, poller, takeSlot, reported, slotPatience };
	}

	test('is known to those who order', async () => {
		const { poller, slotPatience } = await patient([]);
		expect(poller.slotPatience).toBe(slotPatience);
		expect(rig().poller.slotPatience).toBeUndefined();
	});

	test.each([
		['that shows both taken begins it at once', { duration: HOUR, age: 0, notBefore: 0 }, 1],
		['that shows a free slot does not', { duration: 0, age: 0, notBefore: MINUTE }, 0],
		[
			'that is due leaves it to the next one',
			{ duration: HOUR, age: 10 * MINUTE, notBefore: 0 },
			0,
		],
	])('a look %s', async (_, { duration, age, notBefore }, reports) => {
		const all = await patient([duration, HOUR]);
		const now = all.clock.now();
		all.poller.observePage(all.briefs, age);
		const ended = all.poller.takeSlot({ deadline: now + HOUR, notBefore: now + notBefore });
		expect(all.reported).toHaveLength(reports);
		await ended.catch(() => undefined);
	});

	test('ends all waits for a slot once both were taken for too long, and reports that on the way', async () => {
		const all = await patient([3 * HOUR, 3 * HOUR]);
		expect(await kinds([all.takeSlot(), all.takeSlot()])).toEqual(['slots_busy', 'slots_busy']);
		expect(all.time()).toBe(20 * 60);
		expect(all.reported[0]).toMatchObject({ cause: 'taken', holders: [{}, {}] });
		expect(all.clock.sleeping).toBe(0);
	});

	test('is not asked of a wait for the list to show the order before', async () => {
		const all = await patient([], { listLag: HOUR });
		const slot = await all.poller.takeSlot();
		slot.giveTo((await all.start(HOUR))[0]!);
		await all.takeSlot();
		expect(all.time()).toBeGreaterThan(120);
		expect(all.reported).toEqual([]);
	});
});

describe('whether both slots are taken', () => {
	test('counts a brief that has ended since then', async () => {
		const all = await given([10 * SECOND, HOUR]);
		const start = all.service.now();
		await all.clock.pass(20 * SECOND);
		expect(await all.poller.wereSlotsTaken(start + 10 * SECOND)).toBe(true);
		expect(await all.poller.wereSlotsTaken(start + 10 * SECOND + 1)).toBe(false);
	});
});
