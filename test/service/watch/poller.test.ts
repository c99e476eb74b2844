import { getEventListeners } from 'node:events';
import type { BriefSummary } from '../../../service/resources';
import { BriefPoller } from '../../../service/watch/poller';
import { SlotPatience, type SlotWaitReport } from '../../../service/watch/slots';
import { WaitTimeout } from '../../../service/watch/wait';
import { LOGIN_PAGE, refusal, type Fault } from '../../support/faults';
import { HOUR, MINUTE, S, failureOf, rig, stopper } from '../../support/service/rig';
import { cpuTime } from '../../support/cpu-time';
import { aSummary } from '../../support/builders';

type Rig = ReturnType<typeof rig>;

/** Starts briefs behind the poller's back, and gives them as the service shows them. */
async function started({ memory, service }: Rig, durations: number[]) {
	const ids = durations.map((duration) => memory.startOther(duration).id);
	const briefs = await Promise.all(ids.map((id) => service.brief(id)));
	memory.requests.length = 0;
	return briefs;
}

const operations = ({ memory }: Rig) => memory.requests.map(({ operation }) => operation);

/** As whoever waits for it saw it last: before its end, or before its last change. */
const stale = (brief: BriefSummary, status = 'writing') => ({ ...brief, status });

/** A brief that only an older page shows, so that it is got, and two that run for so long. */
async function oneOld(all: Rig, duration: number) {
	const briefs = await started(all, [...Array<number>(150).fill(0), duration, duration]);
	return { old: stale(briefs[0]!), others: briefs.slice(-2) };
}

const limited = (seconds: number): Fault => ({
	answer: refusal(429, 'rate_limited', 'Slow down', { 'retry-after': String(seconds) }),
});

const statuses = async (waits: Array<Promise<BriefSummary>>) =>
	(await Promise.all(waits)).map(({ status }) => status);
const kinds = async (waits: Array<Promise<unknown>>) =>
	(await Promise.all(waits.map(failureOf))).map(({ kind }) => kind);

const gapsOf = ({ memory }: Rig) =>
	memory.requests.map(({ at }, i, list) => at - (list[i - 1]?.at ?? -Infinity));

describe('waiting for a brief', () => {
	test('ends soon after the brief has ended, 15 to 60 seconds from one look to the next', async () => {
		const all = rig();
		const [brief] = await started(all, [240 * S]);
		const seen: string[] = [];
		const ended = await all.poller.ended(brief!, { onStatus: ({ status }) => seen.push(status) });
		expect(ended.status).toBe('ready');
		expect(all.time()).toBe(240);
		expect(seen).toEqual(['researching', 'writing', 'checking', 'ready']);
		const [, ...gaps] = gapsOf(all);
		expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([15 * S, 60 * S]);
		expect(all.clock.sleeping).toBe(0);
	});

	test('asks nothing about a brief that has ended', async () => {
		const all = rig({ failed: () => true });
		const [brief] = await started(all, [0]);
		expect((await all.poller.ended(brief!)).status).toBe('failed');
		expect(all.memory.requests).toEqual([]);
	});

	test('costs one request a look for fifty, by the list, also where two wait for the same one', async () => {
		const all = rig();
		const briefs = await started(all, Array<number>(50).fill(100 * S));
		const ended = await statuses([...briefs, briefs[0]!].map((brief) => all.poller.ended(brief)));
		expect(new Set(ended)).toEqual(new Set(['ready']));
		expect(all.memory.count('get_brief')).toBe(0);
		const looks = new Set(all.memory.requests.map(({ at }) => at));
		expect(looks.size).toBe(all.memory.requests.length);
		for (const { query } of all.memory.requests) expect(query.limit).toBe('100');
	});

	test.each([
		['three on the third page', [0, 1, 2], { pages: 3, gets: 0 }],
		['two on the third page', [0, 1], { pages: 2, gets: 2 }],
		['one on the third page and one on the first', [0, 249], { pages: 1, gets: 1 }],
	])('reads no more pages than gets would cost: %s', async (_where, places, { pages, gets }) => {
		const all = rig();
		const briefs = await started(all, Array<number>(250).fill(0));
		const waits = places.map((place) => all.poller.ended(stale(briefs[place]!)));
		expect(new Set(await statuses(waits))).toEqual(new Set(['ready']));
		const asked = ['list_briefs', 'get_brief'] as const;
		expect(asked.map((operation) => all.memory.count(operation))).toEqual([pages, gets]);
	});

	test('endures two minutes in which a new brief is not known yet', async () => {
		const all = rig({ getLag: 100 * S });
		const { id } = all.memory.startOther(60 * S);
		expect((await all.poller.ended(aSummary({ id }))).status).toBe('ready');
		expect(all.time()).toBeGreaterThan(100);
	});

	test('looks when the first of several needs it', async () => {
		const all = rig();
		all.memory.startOther(300 * S);
		await all.clock.pass(250 * S);
		all.memory.startOther(300 * S);
		const { data } = await all.service.briefs();
		const [fresh, checked] = data;
		all.poller.observePage(data);
		const now = all.clock.now();
		await Promise.all([
			all.poller.ended(checked!, { since: now - 250 * S }),
			all.poller.ended(fresh!, { since: now }),
		]);
		expect(all.memory.requests[1]!.at).toBe(now + 7.5 * S);
	});

	test('gives back at once the slot of a brief that is gone', async () => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		all.workspace.adopt(brief!, all.service.now());
		all.memory.remove(brief!.id);
		expect((await failureOf(all.poller.ended(brief!))).kind).toBe('not_found');
		expect(all.workspace.freeSlots()).toBe(2);
	});

	test('ends for a brief that stays unknown, and for no other', async () => {
		const all = rig();
		const [brief] = await started(all, [400 * S]);
		const gone = all.poller.ended(aSummary({ id: 'gone' }), { since: all.clock.now() });
		const other = all.poller.ended(brief!);
		expect((await failureOf(gone)).kind).toBe('not_found');
		expect(all.time()).toBeGreaterThan(120);
		expect(all.time()).toBeLessThanOrEqual(180);
		expect((await other).status).toBe('ready');
	});

	test('goes on with a status of tomorrow, without haste', async () => {
		const all = rig();
		const [brief] = await started(all, [200 * S]);
		all.memory.intercept = () =>
			all.time() > 3000
				? undefined
				: { answer: { status: 200, body: JSON.stringify({ ...brief, status: 'polishing' }) } };
		expect((await all.poller.ended(brief!)).status).toBe('ready');
		expect(all.memory.requests.length).toBeLessThan(3000 / 15 + 2);
	});

	test('gets what the last page does not show, and asks for no page after it', async () => {
		const all = rig({ getLag: 100 * S });
		const ids = [all.memory.startOther(60 * S).id, all.memory.startOther(60 * S).id];
		all.memory.briefs.reverse();
		const lost = [...ids, 'gone'].map((id) => aSummary({ id }));
		all.memory.intercept = ({ operation }) =>
			operation === 'list_briefs'
				? { answer: { status: 200, body: '{"data":[],"next_cursor":null}' } }
				: undefined;
		const [first, second, gone] = lost.map((brief) => all.poller.ended(brief));
		expect((await failureOf(gone!)).kind).toBe('not_found');
		await Promise.all([first, second]);
		const looks = all.memory.requests.filter(({ at }) => at === all.memory.requests[0]!.at);
		expect(looks.map(({ operation }) => operation)).toEqual([
			'list_briefs',
			...Array<string>(3).fill('get_brief'),
		]);
	});

	test('looks at two twice in a shortest interval only if the last call for fewer requests is over ten minutes old', async () => {
		const gapAfter = async (calm: number) => {
			const all = rig();
			const briefs = await started(all, [HOUR, HOUR]);
			all.memory.fail('list_licences', { answer: refusal(429, 'rate_limited', 'Slow down') });
			await failureOf(all.service.licences());
			await all.clock.pass(calm);
			const { signal, stop } = stopper();
			const now = all.clock.now();
			const options = { since: now - HOUR, seenAt: now, signal };
			const waits = Promise.allSettled(
				briefs.map((brief) => all.poller.ended(stale(brief, 'checking'), options)),
			);
			all.memory.requests.length = 0;
			await all.clock.pass(20 * S);
			stop();
			await waits;
			return (all.memory.requests[0]!.at - now) / S;
		};
		expect(await gapAfter(10 * MINUTE)).toBe(15);
		expect(await gapAfter(10 * MINUTE + 1)).toBe(7.5);
	});
});

describe('looks that fail', () => {
	test('change nothing for those who wait, as long as patience lasts', async () => {
		const all = rig();
		const briefs = await started(all, [60 * S, 60 * S]);
		all.memory.intercept = () =>
			all.time() < 300 ? { answer: { status: 503, body: '' } } : undefined;
		const ended = await statuses(briefs.map((brief) => all.poller.ended(brief)));
		expect(ended).toEqual(['ready', 'ready']);
		const [, ...gaps] = gapsOf(all);
		// They come further and further apart, up to a minute.
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(15 * S);
		expect(Math.max(...gaps)).toBe(60 * S);
	});

	test('end all waits when they last too long, and the next ones are endured again', async () => {
		const all = rig();
		const briefs = await started(all, [HOUR, HOUR]);
		all.memory.intercept = () => LOGIN_PAGE;
		expect(await kinds(briefs.map((brief) => all.poller.ended(brief)))).toEqual([
			...['unreadable_answer', 'unreadable_answer'],
		]);
		expect(all.time()).toBeGreaterThanOrEqual(600);
		expect(all.time()).toBeLessThan(720);
		const since = all.time();
		await failureOf(all.poller.ended(briefs[0]!));
		expect(all.time() - since).toBeGreaterThanOrEqual(600);
		expect(all.clock.sleeping).toBe(0);
	});

	test('of one brief are its own: they end its waits as soon as patience is over, with one get a look, and no other', async () => {
		const all = rig();
		const { old, others } = await oneOld(all, 2000 * S);
		const isOfOld = ({ path }: { path: string }) => path.endsWith(old.id);
		all.memory.intercept = (request) =>
			isOfOld(request) ? { answer: { status: 500, body: '' } } : undefined;
		const lone = kinds([1, 2, 3].map(() => all.poller.ended(old)));
		const going = statuses(others.map((brief) => all.poller.ended(brief)));
		expect(await lone).toEqual(Array(3).fill('service_unavailable'));
		const gets = all.memory.requests.filter(isOfOld);
		expect(all.clock.now() - gets[0]!.at).toBe(10 * MINUTE);
		expect(gets.length).toBe(all.memory.requests.length - gets.length);
		expect(await going).toEqual(['ready', 'ready']);
		expect(all.time()).toBeLessThan(2030);
	});

	test('of one brief count again after each look that succeeds', async () => {
		const all = rig();
		const { old, others } = await oneOld(all, 3000 * S);
		let gets = 0;
		all.memory.intercept = ({ path }) => {
			if (!path.endsWith(old.id) || all.time() > 2000) return undefined;
			gets += 1;
			const running = { answer: { status: 200, body: JSON.stringify(old) } };
			return gets % 20 === 0 ? running : { answer: { status: 500, body: '' } };
		};
		const going = others.map((brief) => all.poller.ended(brief));
		expect((await all.poller.ended(old)).status).toBe('ready');
		expect(all.time()).toBeGreaterThan(2000);
		await Promise.all(going);
	});

	test('of one brief for a rate limit concern all', async () => {
		const all = rig();
		const { old, others } = await oneOld(all, HOUR);
		all.memory.fail('get_brief', limited(86_400));
		const waits = [old, others[0]!].map((brief) => all.poller.ended(brief));
		expect(await kinds(waits)).toEqual(['rate_limited', 'rate_limited']);
		expect(all.time()).toBeLessThan(60);
	});

	test.each([
		[401, 'unauthorized', 'key_refused'],
		[403, 'insufficient_scope', 'scope_missing'],
		[404, 'not_found', 'not_found'],
	])('with %i %s end all waits at once', async (status, code, kind) => {
		const all = rig();
		const briefs = await started(all, [HOUR, HOUR]);
		all.memory.intercept = () => ({ answer: refusal(status, code, 'No') });
		const waits = [...briefs.map((brief) => all.poller.ended(brief)), all.poller.takeSlot()];
		expect(await kinds(waits)).toEqual([kind, kind, kind]);
		expect(all.memory.requests).toHaveLength(1);
		expect(all.clock.sleeping).toBe(0);
	});

	test.each<[string, (all: Rig, bug: Error) => void]>([
		[
			'for a reason that is not the service’s',
			({ memory }, bug) => {
				memory.intercept = () => {
					throw bug;
				};
			},
		],
		['by a clock that fails', ({ clock }, bug) => void (clock.sleep = () => Promise.reject(bug))],
	])('%s end all waits too', async (_why, breaks) => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		const bug = new TypeError('a bug');
		breaks(all, bug);
		expect(await failureOf(all.poller.ended(brief!))).toBe(bug);
	});

	test('with a rate limit wait as long as the service says', async () => {
		const all = rig();
		const [brief] = await started(all, [60 * S]);
		all.memory.fail('get_brief', limited(1200));
		await all.poller.ended(brief!);
		expect(gapsOf(all)[1]).toBe(1200 * S);
	});

	test('with a rate limit of days end the waits at once, and nothing is asked before its end', async () => {
		const all = rig();
		const [brief] = await started(all, [60 * S]);
		all.memory.fail('get_brief', limited(30 * 86_400));
		expect(await kinds([all.poller.ended(brief!)])).toEqual(['rate_limited']);
		expect(await kinds([all.service.licences()])).toEqual(['rate_limited']);
		expect(all.memory.requests).toHaveLength(1);
		for (const days of [15, 15]) await all.clock.pass(days * 86_400_000);
		expect((await all.poller.ended(brief!)).status).toBe('ready');
	});
});

describe('giving up', () => {
	test('an abort ends a wait at once, and leaves neither a timer nor a request', async () => {
		const all = rig({ latency: 10 * S });
		const { poller, clock } = all;
		const [brief] = await started(all, [HOUR]);
		const before = all.time();
		const resting = stopper();
		const rest = failureOf(
			poller.ended(brief!, { signal: resting.signal, deadline: clock.now() + HOUR }),
		);
		await clock.pass(20 * S);
		resting.stop();
		expect((await rest).message).toBe('stop');
		expect(all.time() - before).toBe(20);
		expect(clock.sleeping).toBe(0);

		const looking = stopper();
		const look = failureOf(poller.takeSlot({ signal: looking.signal }));
		await clock.pass(2 * S);
		expect(all.memory.requests).toHaveLength(1);
		looking.stop();
		expect((await look).message).toBe('stop');
		await Promise.resolve();
		expect(clock.sleeping).toBe(0);
	});

	test('an abort during a look does not touch those who join at that moment', async () => {
		const all = rig({ latency: 10 * S });
		const { signal, stop } = stopper();
		const first = failureOf(all.poller.takeSlot({ signal }));
		await all.clock.pass(2 * S);
		stop();
		const second = all.poller.takeSlot();
		await first;
		(await second).release();
	});

	test('one signal may end hundreds of waits, without a warning about its listeners', async () => {
		const warnings: Error[] = [];
		const note = (warning: Error) => warnings.push(warning);
		process.on('warning', note);
		const all = rig();
		const { signal, stop } = stopper();
		const briefs = await started(all, Array<number>(300).fill(HOUR));
		const waits = briefs.map((brief) => failureOf(all.poller.ended(brief, { signal })));
		await all.clock.pass(100 * S);
		stop();
		const messages = (await Promise.all(waits)).map(({ message }) => message);
		expect(new Set(messages)).toEqual(new Set(['stop']));
		expect(all.clock.sleeping).toBe(0);
		process.off('warning', note);
		expect(warnings).toEqual([]);
	});

	test('who gave up during a look is not called back', async () => {
		const all = rig({ latency: 10 * S });
		const [a, b] = await started(all, [200 * S, 200 * S]);
		const { signal, stop } = stopper();
		const heard: string[] = [];
		const onStatus = ({ status }: BriefSummary) => heard.push(status);
		const gone = failureOf(all.poller.ended(stale(a!, 'queued'), { signal, onStatus }));
		const stays = all.poller.ended(b!);
		while (all.memory.requests.length === 0) await all.clock.pass(S);
		stop();
		await gone;
		await stays;
		expect(heard).toEqual([]);
		// The look went on for the one who stayed.
		expect(Math.min(...gapsOf(all))).toBeGreaterThanOrEqual(15 * S);
	});

	test('a brief that nobody waits for any more is not looked for', async () => {
		const all = rig({ latency: 10 * S });
		const { old, others } = await oneOld(all, 200 * S);
		const { signal, stop } = stopper();
		const gone = failureOf(all.poller.ended(old, { signal }));
		const stays = others.map((brief) => all.poller.ended(brief));
		await all.clock.pass(35 * S);
		expect(all.memory.requests.at(-1)).toMatchObject({ operation: 'list_briefs' });
		stop();
		await gone;
		await Promise.all(stays);
		expect(all.memory.count('get_brief')).toBe(0);
	});

	test('nobody begins to wait with a signal that is aborted', async () => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		const signal = AbortSignal.abort(new Error('stop'));
		const waits = [
			() => all.poller.takeSlot({ signal }),
			() => all.poller.ended(brief!, { signal }),
		];
		for (const wait of waits) expect((await failureOf(wait())).message).toBe('stop');
		all.poller.observePage([]);
		for (const wait of waits) expect((await failureOf(wait())).message).toBe('stop');
		expect(all.memory.requests).toEqual([]);
	});

	test('a deadline ends its own wait, with the brief as last seen, and no other', async () => {
		const all = rig();
		const [a, b] = await started(all, [300 * S, 300 * S]);
		const deadline = all.clock.now() + 100 * S;
		const failure = await failureOf(all.poller.ended(a!, { deadline }));
		expect(all.time()).toBe(100);
		expect(failure).toBeInstanceOf(WaitTimeout);
		expect(failure.message).toBe(
			'The brief was not seen to end within the waiting time, and was researching when last seen',
		);
		expect(failure).toHaveProperty('unseenFor', 0);
		expect(failure).toHaveProperty('brief.id', a!.id);
		expect((await all.poller.ended(b!)).status).toBe('ready');
		expect(all.clock.sleeping).toBe(0);
	});

	test('a deadline holds while a look is held up by a rate limit', async () => {
		const all = rig();
		const [brief] = await started(all, [60 * S]);
		all.memory.fail('get_brief', limited(3000));
		await failureOf(all.service.brief('any'));
		const deadline = all.clock.now() + 300 * S;
		const failure = await failureOf(all.poller.ended(brief!, { deadline }));
		expect(failure).toBeInstanceOf(WaitTimeout);
		expect(failure).toHaveProperty('unseenFor', 300 * S);
		expect(all.time()).toBe(300);
		expect(all.clock.sleeping).toBe(0);
	});

	test('the end of all waits leaves no listener behind', async () => {
		const all = rig();
		const { signal } = new AbortController();
		const briefs = await started(all, [60 * S, 60 * S]);
		const waits = briefs.map((brief) => all.poller.ended(brief, { signal }));
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await Promise.all(waits);
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	});

	test('a wait can end before it is given out, for a clock may be told of the end of all at once', async () => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		const { signal, stop } = stopper();
		all.clock.sleep = () => {
			stop();
			return Promise.reject(new Error('stop'));
		};
		const options = { signal, deadline: all.clock.now() + MINUTE };
		expect((await failureOf(all.poller.ended(brief!, options))).message).toBe('stop');
		expect(all.memory.requests).toEqual([]);
	});

	test('a deadline of months is no timer that rings at once', async () => {
		const all = rig();
		const [brief] = await started(all, [240 * S]);
		const deadline = all.clock.now() + 90 * 86_400_000;
		expect((await all.poller.ended(brief!, { deadline })).status).toBe('ready');
	});
});

describe('waiting for a slot', () => {
	test('gives slots in the order of asking, never more than two, with one look for all', async () => {
		const all = rig();
		const order: number[] = [];
		let held = 0;
		let most = 0;
		await Promise.all(
			Array.from({ length: 6 }, async (_, index) => {
				const permit = await all.poller.takeSlot();
				permit.answered();
				order.push(index);
				held += 1;
				most = Math.max(most, held);
				await all.clock.pass(100 * S);
				held -= 1;
				permit.release();
			}),
		);
		expect(most).toBe(2);
		expect(order).toEqual([0, 1, 2, 3, 4, 5]);
		expect(all.memory.requests.length).toBeLessThanOrEqual(300 / 15 + 1);
	});

	test('counts other people’s briefs, leaves the list alone while both have stages to go, and reports each look', async () => {
		let looks = 0;
		const all = rig({ onLook: () => (looks += 1) });
		await started(all, [HOUR, 300 * S]);
		await all.poller.takeSlot();
		expect(all.time()).toBeGreaterThanOrEqual(300);
		expect(all.time()).toBeLessThanOrEqual(315);
		expect(all.workspace.othersRunning()).toBe(1);
		// A look every 15 seconds would make 21.
		expect(all.memory.count('list_briefs')).toBeLessThanOrEqual(12);
		expect(looks).toBe(all.memory.count('list_briefs'));
	});

	test('with `once` looks a single time, and is refused where both are taken', async () => {
		const all = rig();
		await started(all, [HOUR, HOUR]);
		const failure = await failureOf(all.poller.takeSlot({ once: true }));
		expect(failure).toMatchObject({
			kind: 'slots_busy',
			operation: 'create_brief',
			status: null,
			code: '',
			details: [],
			message: 'Two briefs are already running in the workspace',
			requestId: '',
		});
		expect(all.memory.requests).toHaveLength(1);
		expect(all.time()).toBe(0);
	});

	test('with `once` does not overtake those who wait', async () => {
		const all = rig();
		await started(all, [HOUR]);
		const earlier = all.poller.takeSlot();
		const once = failureOf(all.poller.takeSlot({ once: true }));
		await earlier;
		expect((await once).kind).toBe('slots_busy');
	});

	test('with `once` ends at the next look where those before it are held back', async () => {
		const all = rig();
		const held = all.poller.takeSlot({ notBefore: all.clock.now() + 600 * S });
		expect((await failureOf(all.poller.takeSlot({ once: true }))).kind).toBe('slots_busy');
		expect(all.time()).toBe(0);
		await held;
		expect(all.time()).toBe(600);
	});

	test('needs no look right after one', async () => {
		const all = rig();
		(await all.poller.takeSlot()).release();
		(await all.poller.takeSlot()).release();
		await all.clock.pass(3 * S);
		(await all.poller.takeSlot({ notBefore: all.clock.now() })).release();
		expect(all.time()).toBe(3);
		expect(all.memory.requests).toHaveLength(1);
		await all.clock.pass(1 * S);
		(await all.poller.takeSlot()).release();
		expect(all.memory.requests).toHaveLength(2);
		expect(all.memory.requests[1]!.at - all.memory.requests[0]!.at).toBe(15 * S);
	});

	test('looks at the list at once when the last look was at a single brief', async () => {
		const all = rig();
		const [brief] = await started(all, [240 * S]);
		all.workspace.adopt(brief!, all.service.now());
		await started(all, [HOUR]);
		await all.poller.ended(brief!);
		const since = all.time();
		await all.poller.takeSlot();
		expect(all.time()).toBe(since);
	});

	test.each([
		['behind one who was refused nobody is served before him', ['new', 60, 30], [60, 30, 'new'], 2],
		['who was refused for longer holds up nobody before him', [0, 60], [0, 60], 2],
		['those who were refused keep their order', [60, 30, 0], [60, 30, 0], 1],
	])('%s', async (_what, asking, served, looks) => {
		const all = rig();
		const now = all.clock.now();
		const order: unknown[] = [];
		const takes = asking.map(async (refused) => {
			const notBefore = typeof refused === 'number' ? now + refused * S : undefined;
			const slot = await all.poller.takeSlot({ notBefore });
			order.push(refused);
			slot.release();
			return all.time();
		});
		const times = await Promise.all(takes);
		expect(order).toEqual(served);
		for (const [place, refused] of asking.entries())
			if (typeof refused === 'number') expect(times[place]).toBeGreaterThanOrEqual(refused);
		expect(Math.max(...times)).toBe(60);
		expect(all.memory.requests).toHaveLength(looks);
	});

	test('passes to the next when the first gives up', async () => {
		const all = rig();
		await started(all, [HOUR, 100 * S]);
		const { signal, stop } = stopper();
		const first = failureOf(all.poller.takeSlot({ signal }));
		const next = all.poller.takeSlot();
		await all.clock.pass(20 * S);
		stop();
		await first;
		await next;
		expect(all.time()).toBeLessThanOrEqual(115);
	});

	test('nobody overtakes the queue because the last look is fresh', async () => {
		const all = rig();
		all.poller.observePage([]);
		const refused = all.poller.takeSlot({ notBefore: all.clock.now() + 60 * S });
		const newcomer = all.poller.takeSlot().then(() => all.time());
		(await refused).answered();
		expect(await newcomer).toBe(60);
		const later = rig();
		later.poller.observePage([]);
		await later.poller.takeSlot({ notBefore: later.clock.now() + 1 });
		expect(later.time()).toBeGreaterThan(0);
	});

	test('gives back the slot of a brief of this process that the service does not know any more', async () => {
		const all = rig();
		const briefs = await started(all, [HOUR, HOUR]);
		for (const brief of briefs) {
			all.workspace.adopt(brief, all.service.now());
			all.memory.remove(brief.id);
		}
		// For one somebody waits, and for the other nobody.
		const gone = failureOf(all.poller.ended(briefs[0]!, { since: all.clock.now() }));
		const first = all.poller.takeSlot();
		const second = all.poller.takeSlot();
		expect((await gone).kind).toBe('not_found');
		(await first).answered();
		await second;
		expect(all.time()).toBeGreaterThan(120);
		expect(all.time()).toBeLessThan(180);
	});

	test('leaves a new brief of this process alone that the list does not show yet', async () => {
		const all = rig({ listLag: 10 * HOUR });
		const [other] = await started(all, [HOUR]);
		all.workspace.adopt(other!, all.service.now());
		const permit = await all.poller.takeSlot();
		const [brief] = await started(all, [HOUR]);
		permit.accepted(brief!);
		const { signal, stop } = stopper();
		const waiting = failureOf(all.poller.takeSlot({ signal }));
		await all.clock.pass(119 * S);
		expect(all.memory.count('get_brief')).toBe(0);
		await all.clock.pass(30 * S);
		expect(all.memory.count('get_brief')).toBeGreaterThan(0);
		stop();
		await waiting;
	});

	test('looks after a brief of this process once a look, and only where a slot is wanted', async () => {
		const all = rig({ listLag: 10 * HOUR });
		const [ours, a, b] = await started(all, [HOUR, 400 * S, HOUR]);
		all.workspace.adopt(ours!, all.service.now());
		all.workspace.adopt(a!, all.service.now());
		const getsOf = (id: string) =>
			all.memory.requests.filter(({ path }) => path.endsWith(id)).map(({ at }) => at);
		const { signal, stop } = stopper();
		const waits = [a!, b!].map((brief) => all.poller.ended(brief, { signal }));
		await all.clock.pass(300 * S);
		expect(getsOf(ours!.id)).toEqual([]);
		const slot = all.poller.takeSlot({ signal });
		await slot;
		const gets = getsOf(a!.id);
		expect(new Set(gets).size).toBe(gets.length);
		expect(getsOf(ours!.id).length).toBeGreaterThan(0);
		stop();
		await failureOf(waits[1]!);
		await waits[0];
	});

	test('gives the slots there are, whatever becomes of a brief that cannot be looked at', async () => {
		const all = rig({ listLag: 10 * HOUR });
		const [ours, other] = await started(all, [HOUR, 2000 * S]);
		for (const brief of [ours!, other!]) all.workspace.adopt(brief, all.service.now());
		all.memory.intercept = ({ path }) =>
			path.endsWith(ours!.id) ? { answer: { status: 503 } } : undefined;
		await all.poller.takeSlot();
		expect(all.time()).toBeGreaterThanOrEqual(2000);
		expect(all.time()).toBeLessThan(2060);
	});

	test('is not disturbed by a brief that cannot be looked at, and is by a key that is refused', async () => {
		const all = rig({ listLag: 10 * HOUR });
		for (const brief of await started(all, [HOUR, HOUR])) {
			all.workspace.adopt(brief, all.service.now());
		}
		all.memory.fail(
			'get_brief',
			{ lost: 'before' },
			{ answer: refusal(401, 'unauthorized', 'No') },
		);
		expect((await failureOf(all.poller.takeSlot())).kind).toBe('key_refused');
	});

	test('hundreds who wait cost hardly any time', async () => {
		const all = rig();
		const begun = cpuTime();
		await Promise.all(
			Array.from({ length: 600 }, async () => {
				const permit = await all.poller.takeSlot();
				permit.answered();
				await all.clock.pass(60 * S);
				permit.release();
			}),
		);
		expect(all.time()).toBeLessThanOrEqual((600 / 2) * 75);
		expect(cpuTime() - begun).toBeLessThan(5000);
	});

	test('a deadline ends the wait', async () => {
		const all = rig();
		await started(all, [HOUR, HOUR]);
		const deadline = all.clock.now() + 5 * MINUTE;
		const failure = await failureOf(all.poller.takeSlot({ deadline }));
		expect(failure).toBeInstanceOf(WaitTimeout);
		expect(failure).toHaveProperty('brief', undefined);
		expect(failure.message).toBe('No slot was seen free within the waiting time');
		expect(failure.name).toBe('WaitTimeout');
		expect(failure).toHaveProperty('unseenFor', 0);
		expect(all.time()).toBe(300);
	});

	test('a deadline in an outage says for how long nothing was seen', async () => {
		const all = rig();
		await started(all, [HOUR, HOUR]);
		all.memory.intercept = () =>
			all.time() < 100 ? undefined : { answer: refusal(503, 'down', 'No') };
		const deadline = all.clock.now() + 5 * MINUTE;
		const failure = await failureOf(all.poller.takeSlot({ deadline }));
		expect(failure).toBeInstanceOf(WaitTimeout);
		expect(failure).toHaveProperty('unseenFor', 240 * S);
	});
});

describe('a list that was seen', () => {
	test('is one that was looked at or read for another reason, not a single brief', async () => {
		const all = rig();
		expect(all.poller.hasSeenList()).toBe(false);
		const [brief] = await started(all, [60 * S]);
		await all.poller.ended(brief!);
		expect(operations(all)).toContain('get_brief');
		expect(all.poller.hasSeenList()).toBe(false);
		all.poller.observePage([]);
		expect(all.poller.hasSeenList()).toBe(true);
	});
});

describe('a look at the list that needs older pages', () => {
	/** Three briefs that only an older page shows. */
	async function threeOld(all: Rig) {
		const briefs = await started(all, Array<number>(250).fill(0));
		return briefs.slice(0, 3).map((brief) => ({ ...brief, status: 'writing' }));
	}

	test('gets the briefs one by one where the service refuses its own cursor', async () => {
		const all = rig();
		const old = await threeOld(all);
		all.memory.intercept = ({ query }) =>
			query.cursor === undefined ? undefined : { answer: refusal(400, 'invalid', 'Stale cursor') };
		const ended = await Promise.all(old.map((brief) => all.poller.ended(brief)));
		expect(ended.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
		const gets = Array<string>(3).fill('get_brief');
		expect(operations(all)).toEqual(['list_briefs', 'list_briefs', ...gets]);
	});

	test('has failed where a page cannot be read, and the next one shows them all', async () => {
		const all = rig();
		const old = await threeOld(all);
		let isBroken = true;
		all.memory.intercept = ({ query }) => {
			if (query.cursor === undefined || !isBroken) return undefined;
			isBroken = false;
			return { answer: { status: 503 } };
		};
		const ended = await Promise.all(old.map((brief) => all.poller.ended(brief)));
		expect(ended.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
		expect(operations(all)).toEqual(Array(5).fill('list_briefs'));
	});
});

describe('a brief of another order under the ID that is watched', () => {
	const isItself = () => false;

	test('is not taken for it, and ends its wait once that has lasted too long', async () => {
		const all = rig();
		const [brief] = await started(all, [120 * S]);
		const heard: string[] = [];
		const onStatus = ({ status }: { status: string }) => heard.push(status);
		const deadline = all.clock.now() + HOUR;
		const failure = await failureOf(all.poller.ended(brief!, { isItself, onStatus, deadline }));
		expect(failure).toMatchObject({ kind: 'unreadable_answer', brief: { id: brief!.id } });
		expect(failure.message).toContain('it gave a brief of “Somebody else’s product”');
		expect(all.time()).toBeGreaterThanOrEqual(600);
		expect(all.time()).toBeLessThan(720);
		expect(heard).toEqual([]);
	});

	test('ends only the wait that it is not for, where another waits for the same ID', async () => {
		const all = rig();
		// No page of a look shows it, so that it is got.
		const [brief] = await started(all, [900 * S, ...Array<number>(150).fill(0)]);
		const heard: string[] = [];
		const onStatus = ({ status }: { status: string }) => heard.push(status);
		const stale = { ...brief!, status: 'queued' };
		const deadline = all.clock.now() + HOUR;
		const mistaken = failureOf(all.poller.ended(stale, { isItself, onStatus, deadline }));
		const right = all.poller.ended(stale, { isItself: ({ id }) => id === brief!.id, deadline });
		expect((await right).status).toBe('ready');
		expect(all.time()).toBe(900);
		expect((await mistaken).kind).toBe('unreadable_answer');
		expect(heard).toEqual([]);
	});

	test('is not taken for it where the list shows it, and the other waits go on', async () => {
		const all = rig();
		const [mistaken, other] = await started(all, [60 * S, 900 * S]);
		const deadline = all.clock.now() + HOUR;
		const failure = failureOf(all.poller.ended(mistaken!, { isItself, deadline }));
		const right = all.poller.ended(other!, { isItself: () => true, deadline });
		expect((await failure).kind).toBe('unreadable_answer');
		expect(all.time()).toBeLessThan(720);
		expect((await right).status).toBe('ready');
		expect(all.time()).toBe(900);
	});
});

describe('patience with the slots', () => {
	/** A poller that waits for slots four times five minutes at most. */
	function patient(options: Parameters<typeof rig>[0] = {}) {
		const all = rig(options);
		const { service, clock, workspace, interval } = all;
		const told: SlotWaitReport[] = [];
		const slotPatience = new SlotPatience(workspace, clock, {
			timeout: 5 * MINUTE,
			tell: (report) => told.push(report),
		});
		const poller = new BriefPoller(service, clock, workspace, {
			interval,
			patience: 10 * MINUTE,
			slotPatience,
		});
		return { ...all, poller, told, slotPatience };
	}

	test('is known to those who order', () => {
		const { poller, slotPatience } = patient();
		expect(poller.slotPatience).toBe(slotPatience);
		expect(rig().poller.slotPatience).toBeUndefined();
	});

	test('ends all waits for a slot once both were taken for too long, and tells of it on the way', async () => {
		const all = patient();
		await started(all, [3 * HOUR, 3 * HOUR]);
		const deadline = all.clock.now() + HOUR;
		const waits = [1, 2].map(() => failureOf(all.poller.takeSlot({ deadline })));
		const kinds = (await Promise.all(waits)).map(({ kind }) => kind);
		expect(kinds).toEqual(['slots_busy', 'slots_busy']);
		expect(all.time()).toBe(20 * 60);
		expect(all.told[0]).toMatchObject({ cause: 'taken', holders: [{}, {}] });
		expect(all.clock.sleeping).toBe(0);
	});

	test('lasts for a slot that comes free in time', async () => {
		const all = patient();
		await started(all, [10 * MINUTE, 3 * HOUR]);
		(await all.poller.takeSlot({ deadline: all.clock.now() + HOUR })).release();
		expect(all.time()).toBe(600);
		expect(all.told.length).toBeGreaterThan(0);
	});

	test('is not asked of a wait for the list to show the order before', async () => {
		const all = patient({ listLag: HOUR });
		const permit = await all.poller.takeSlot();
		const [brief] = await started(all, [HOUR]);
		permit.accepted(brief!);
		await all.poller.takeSlot({ deadline: all.clock.now() + HOUR });
		expect(all.time()).toBeGreaterThan(120);
		expect(all.told).toEqual([]);
	});

	test('is not asked where nobody wants a slot', async () => {
		const all = patient();
		const briefs = await started(all, [HOUR, HOUR]);
		await Promise.all(briefs.map((brief) => all.poller.ended(brief)));
		expect(all.memory.count('list_briefs')).toBeGreaterThan(0);
		expect(all.told).toEqual([]);
	});
});

describe('whether both slots are taken', () => {
	test('is seen by a look of that moment, however young the last one is', async () => {
		let looks = 0;
		const all = rig({ onLook: () => (looks += 1) });
		const permit = await all.poller.takeSlot();
		expect(await all.poller.wereSlotsTaken(all.service.now())).toBe(false);
		await started(all, [HOUR, HOUR]);
		expect(await all.poller.wereSlotsTaken(all.service.now())).toBe(true);
		expect([operations(all), looks]).toEqual([['list_briefs'], 3]);
		permit.release();
	});

	test('is not known where the look fails or is given up', async () => {
		const all = rig();
		all.memory.fail('list_briefs', { answer: { status: 503 } });
		expect((await failureOf(all.poller.wereSlotsTaken(all.service.now()))).kind).toBe(
			'service_unavailable',
		);
		const signal = AbortSignal.abort(new Error('stop'));
		const slow = rig({ latency: S });
		expect((await failureOf(slow.poller.wereSlotsTaken(slow.service.now(), signal))).message).toBe(
			'stop',
		);
	});
});
