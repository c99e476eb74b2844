import { getEventListeners } from 'node:events';
import { BriefPoller } from '../../../service/watch/poller';
import { SlotPatience, type SlotWaitReport } from '../../../service/watch/slots';
import { WaitTimeout } from '../../../service/watch/wait';
import { LOGIN_PAGE, refusal } from '../../support/faults';
import { HOUR, MINUTE, S, failureOf, rig } from '../../support/service/rig';
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

/** A request of somebody else meets a rate limit of a second. */
async function limitedOnce({ memory, service }: Rig) {
	const before = memory.intercept;
	memory.intercept = () => ({
		answer: refusal(429, 'rate_limited', 'Slow down', { 'retry-after': '1' }),
	});
	try {
		await service.licences();
	} finally {
		memory.intercept = before;
	}
}

describe('waiting for a brief', () => {
	test('ends soon after the brief has ended, 15 to 60 seconds from one look to the next', async () => {
		const all = rig();
		const [brief] = await started(all, [240 * S]);
		const seen: string[] = [];
		const ended = await all.poller.ended(brief!, { onStatus: ({ status }) => seen.push(status) });
		expect(ended.status).toBe('ready');
		expect(all.time()).toBe(240);
		expect(seen).toEqual(['researching', 'writing', 'checking', 'ready']);
		const gaps = all.memory.requests.map(
			({ at }, i, list) => at - (list[i - 1]?.at ?? at - 30 * S),
		);
		expect(Math.min(...gaps)).toBe(15 * S);
		expect(Math.max(...gaps)).toBe(60 * S);
		expect(all.clock.sleeping).toBe(0);
	});

	test('asks nothing about a brief that has ended', async () => {
		const all = rig({ failed: () => true });
		const [brief] = await started(all, [0]);
		expect((await all.poller.ended(brief!)).status).toBe('failed');
		expect(all.memory.requests).toEqual([]);
	});

	test('costs one request a look for fifty, by the list', async () => {
		const all = rig();
		const briefs = await started(all, Array<number>(50).fill(100 * S));
		await Promise.all(briefs.map((brief) => all.poller.ended(brief)));
		expect(all.memory.count('get_brief')).toBe(0);
		const looks = new Set(all.memory.requests.map(({ at }) => at));
		expect(looks.size).toBe(all.memory.requests.length);
		for (const { query } of all.memory.requests) expect(query.limit).toBe('100');
	});

	test('follows the pages to briefs that are further back, and gets single ones', async () => {
		const all = rig();
		const briefs = await started(all, Array<number>(250).fill(0));
		const old = briefs.slice(0, 3).map((brief) => ({ ...brief, status: 'writing' }));
		const ended = await Promise.all(old.map((brief) => all.poller.ended(brief)));
		expect(ended.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
		expect(all.memory.count('list_briefs')).toBe(3);
		expect(all.memory.count('get_brief')).toBe(0);

		all.memory.requests.length = 0;
		const two = [briefs[0]!, briefs[249]!].map((brief) => ({ ...brief, status: 'writing' }));
		await Promise.all(two.map((brief) => all.poller.ended(brief)));
		expect(all.memory.requests.map(({ operation }) => operation)).toEqual([
			'list_briefs',
			'get_brief',
		]);
	});

	test('endures two minutes in which a new brief is not known yet', async () => {
		const all = rig({ getLag: 100 * S });
		const { id } = all.memory.startOther(60 * S);
		const waited = all.poller.ended(aSummary({ id }));
		expect((await waited).status).toBe('ready');
		expect(all.time()).toBeGreaterThan(100);
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

	test('looks when the first of several needs it', async () => {
		const all = rig();
		all.memory.startOther(300 * S);
		await all.clock.pass(250 * S);
		all.memory.startOther(300 * S);
		const { data } = await all.service.briefs();
		const [fresh, checked] = data;
		all.poller.observePage(data);
		const now = all.clock.now();
		const waits = [
			all.poller.ended(checked!, { since: all.clock.now() - 250 * S }),
			all.poller.ended(fresh!, { since: all.clock.now() }),
		];
		await Promise.all(waits);
		const [first] = all.memory.requests.slice(1);
		expect(first!.at).toBe(now + 7.5 * S);
	});

	test('reads no more pages than gets would cost', async () => {
		const all = rig();
		const briefs = await started(all, Array<number>(250).fill(0));
		const old = briefs.slice(0, 2).map((brief) => ({ ...brief, status: 'writing' }));
		await Promise.all(old.map((brief) => all.poller.ended(brief)));
		expect(all.memory.count('list_briefs')).toBe(2);
		expect(all.memory.count('get_brief')).toBe(2);
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

	test('looks at two that are checked twice in a shortest interval, and not while requests are to be fewer', async () => {
		const all = rig();
		const briefs = await started(all, [1000 * S, 1000 * S]);
		all.memory.intercept = ({ operation }) => {
			const checked = briefs.map((brief) => ({ ...brief, status: 'checking' }));
			const page = { data: checked, next_cursor: null };
			return operation === 'list_briefs'
				? { answer: { status: 200, body: JSON.stringify(page) } }
				: undefined;
		};
		const giveUp = new AbortController();
		const waits = briefs.map((brief) =>
			all.poller.ended({ ...brief, status: 'checking' }, { signal: giveUp.signal }),
		);
		const ends = Promise.allSettled(waits);
		await all.clock.pass(150 * S);
		const before = all.memory.requests.length;
		expect(before).toBeGreaterThan(18);
		await expect(limitedOnce(all)).rejects.toThrow();
		await all.clock.pass(600 * S);
		expect(all.memory.requests.length - before).toBeLessThanOrEqual(1 + 600 / 15);
		const cautious = all.memory.requests.length;
		await all.clock.pass(150 * S);
		expect(all.memory.requests.length - cautious).toBeGreaterThan(18);
		giveUp.abort();
		await ends;
	});

	test('two may wait for the same brief', async () => {
		const all = rig();
		const [brief] = await started(all, [100 * S]);
		const both = await Promise.all([all.poller.ended(brief!), all.poller.ended(brief!)]);
		expect(both.map(({ status }) => status)).toEqual(['ready', 'ready']);
	});
});

describe('looks that fail', () => {
	test('change nothing for those who wait, as long as patience lasts', async () => {
		const all = rig();
		const briefs = await started(all, [60 * S, 60 * S]);
		all.memory.intercept = () =>
			all.time() < 300 ? { answer: { status: 503, body: '' } } : undefined;
		const ended = await Promise.all(briefs.map((brief) => all.poller.ended(brief)));
		expect(ended.map(({ status }) => status)).toEqual(['ready', 'ready']);
		const gaps = all.memory.requests.map(({ at }, i, list) => at - (list[i - 1]?.at ?? -Infinity));
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(15 * S);
		// They come further and further apart, up to a minute.
		expect(Math.max(...gaps.slice(1))).toBe(60 * S);
	});

	test('end all waits when they last too long, and the next ones are endured anew', async () => {
		const all = rig();
		const briefs = await started(all, [HOUR, HOUR]);
		all.memory.intercept = () => LOGIN_PAGE;
		const failures = await Promise.all(briefs.map((brief) => failureOf(all.poller.ended(brief))));
		expect(failures.map(({ kind }) => kind)).toEqual(['unreadable_answer', 'unreadable_answer']);
		expect(all.time()).toBeGreaterThanOrEqual(600);
		expect(all.time()).toBeLessThan(720);
		const since = all.time();
		await failureOf(all.poller.ended(briefs[0]!));
		expect(all.time() - since).toBeGreaterThanOrEqual(600);
		expect(all.clock.sleeping).toBe(0);
	});

	test('of one brief are its own: the others go on unhindered, and only its own wait ends', async () => {
		const all = rig();
		const briefs = await started(all, [...Array<number>(150).fill(0), 2000 * S, 2000 * S]);
		const poisoned = { ...briefs[0]!, status: 'writing' };
		all.memory.intercept = ({ path }) =>
			path.endsWith(poisoned.id) ? { answer: { status: 500, body: '' } } : undefined;
		const lone = failureOf(all.poller.ended(poisoned));
		const others = briefs.slice(-2).map((brief) => all.poller.ended(brief));
		expect((await lone).kind).toBe('service_unavailable');
		expect(all.time()).toBeLessThan(700);
		expect((await Promise.all(others)).map(({ status }) => status)).toEqual(['ready', 'ready']);
		expect(all.time()).toBeLessThan(2030);
	});

	test('of one brief end the waits of all who wait for it, with one get a look', async () => {
		const all = rig();
		const briefs = await started(all, [...Array<number>(150).fill(0), 2000 * S, 2000 * S]);
		const poisoned = { ...briefs[0]!, status: 'writing' };
		all.memory.intercept = ({ path }) =>
			path.endsWith(poisoned.id) ? { answer: { status: 500, body: '' } } : undefined;
		const lone = [1, 2, 3].map(() => failureOf(all.poller.ended(poisoned)));
		const others = briefs.slice(-2).map((brief) => all.poller.ended(brief));
		const kinds = (await Promise.all(lone)).map(({ kind }) => kind);
		expect(kinds).toEqual(Array(3).fill('service_unavailable'));
		expect(all.time()).toBeLessThan(700);
		const paths = all.memory.requests.map(({ path }) => path);
		const gets = paths.filter((path) => path.endsWith(poisoned.id));
		expect(gets.length).toBe(paths.length - gets.length);
		await Promise.all(others);
	});

	test('of one brief count anew after each look that succeeds', async () => {
		const all = rig();
		const briefs = await started(all, [...Array<number>(150).fill(0), 3000 * S, 3000 * S]);
		const shaky = { ...briefs[0]!, status: 'writing' };
		let gets = 0;
		all.memory.intercept = ({ path }) => {
			if (!path.endsWith(shaky.id) || all.time() > 2000) return undefined;
			gets += 1;
			const running = { answer: { status: 200, body: JSON.stringify(shaky) } };
			return gets % 20 === 0 ? running : { answer: { status: 500, body: '' } };
		};
		const others = briefs.slice(-2).map((brief) => all.poller.ended(brief));
		expect((await all.poller.ended(shaky)).status).toBe('ready');
		expect(all.time()).toBeGreaterThan(2000);
		await Promise.all(others);
	});

	test('of one brief for a rate limit concern all', async () => {
		const all = rig();
		const briefs = await started(all, [...Array<number>(150).fill(0), HOUR]);
		const headers = { 'retry-after': '86400' };
		all.memory.fail('get_brief', { answer: refusal(429, 'rate_limited', 'Slow down', headers) });
		const waits = [{ ...briefs[0]!, status: 'writing' }, briefs[150]!].map((brief) =>
			failureOf(all.poller.ended(brief)),
		);
		const kinds = (await Promise.all(waits)).map(({ kind }) => kind);
		expect(kinds).toEqual(['rate_limited', 'rate_limited']);
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
		const failures = await Promise.all(waits.map(failureOf));
		expect(failures.map((failure) => failure.kind)).toEqual([kind, kind, kind]);
		expect(all.memory.requests).toHaveLength(1);
		expect(all.clock.sleeping).toBe(0);
	});

	test('for a reason that is not the service’s end all waits too', async () => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		all.memory.intercept = () => {
			throw new TypeError('a bug');
		};
		expect(await failureOf(all.poller.ended(brief!))).toEqual(new TypeError('a bug'));
	});

	test('by a clock that fails end all waits too', async () => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		all.clock.sleep = () => Promise.reject(new TypeError('no clock'));
		expect(await failureOf(all.poller.ended(brief!))).toEqual(new TypeError('no clock'));
	});

	test('with a rate limit wait as long as the service says', async () => {
		const all = rig();
		const [brief] = await started(all, [60 * S]);
		all.memory.fail('get_brief', {
			answer: refusal(429, 'rate_limited', 'Slow down', { 'retry-after': '1200' }),
		});
		await all.poller.ended(brief!);
		const [first, second] = all.memory.requests;
		expect(second!.at - first!.at).toBe(1200 * S);
	});

	test('with a rate limit of days end the waits at once, and nothing is asked before its end', async () => {
		const all = rig();
		const [brief] = await started(all, [60 * S]);
		const headers = { 'retry-after': String(30 * 86_400) };
		all.memory.fail('get_brief', { answer: refusal(429, 'rate_limited', 'Slow down', headers) });
		expect((await failureOf(all.poller.ended(brief!))).kind).toBe('rate_limited');
		expect((await failureOf(all.service.licences())).kind).toBe('rate_limited');
		expect(all.memory.requests).toHaveLength(1);
		await all.clock.pass(15 * 86_400_000);
		await all.clock.pass(15 * 86_400_000);
		expect((await all.poller.ended(brief!)).status).toBe('ready');
	});
});

describe('giving up', () => {
	test('an abort ends a wait at once, and leaves neither a timer nor a request', async () => {
		const all = rig({ latency: 10 * S });
		const { poller, clock } = all;
		const [brief] = await started(all, [HOUR]);
		const before = all.time();
		const resting = new AbortController();
		const rest = failureOf(
			poller.ended(brief!, { signal: resting.signal, deadline: clock.now() + HOUR }),
		);
		await clock.pass(20 * S);
		resting.abort(new Error('stop'));
		expect((await rest).message).toBe('stop');
		expect(all.time() - before).toBe(20);
		expect(clock.sleeping).toBe(0);

		const looking = new AbortController();
		const look = failureOf(poller.takeSlot({ signal: looking.signal }));
		await clock.pass(2 * S);
		expect(all.memory.requests).toHaveLength(1);
		looking.abort(new Error('stop'));
		expect((await look).message).toBe('stop');
		await Promise.resolve();
		expect(clock.sleeping).toBe(0);
	});

	test('an abort during a look does not touch those who join at that moment', async () => {
		const all = rig({ latency: 10 * S });
		const stop = new AbortController();
		const first = failureOf(all.poller.takeSlot({ signal: stop.signal }));
		await all.clock.pass(2 * S);
		stop.abort(new Error('stop'));
		const second = all.poller.takeSlot();
		await first;
		(await second).release();
	});

	test('one signal may end hundreds of waits, without a warning about its listeners', async () => {
		const warnings: Error[] = [];
		const note = (warning: Error) => warnings.push(warning);
		process.on('warning', note);
		const all = rig();
		const stop = new AbortController();
		const briefs = await started(all, Array<number>(300).fill(HOUR));
		const waits = briefs.map((brief) =>
			failureOf(all.poller.ended(brief, { signal: stop.signal })),
		);
		await all.clock.pass(100 * S);
		stop.abort(new Error('stop'));
		expect(new Set((await Promise.all(waits)).map(({ message }) => message))).toEqual(
			new Set(['stop']),
		);
		expect(all.clock.sleeping).toBe(0);
		process.off('warning', note);
		expect(warnings).toEqual([]);
	});

	test('who gave up during a look is not called back', async () => {
		const all = rig({ latency: 10 * S });
		const [a, b] = await started(all, [200 * S, 200 * S]);
		const stop = new AbortController();
		const heard: string[] = [];
		const onStatus = ({ status }: { status: string }) => heard.push(status);
		const stale = { ...a!, status: 'queued' };
		const gone = failureOf(all.poller.ended(stale, { signal: stop.signal, onStatus }));
		const stays = all.poller.ended(b!);
		while (all.memory.requests.length === 0) await all.clock.pass(S);
		stop.abort(new Error('stop'));
		await gone;
		expect(heard).toEqual([]);
		await stays;
		expect(heard).toEqual([]);
		// The look went on for the one who stayed.
		const gaps = all.memory.requests.map(({ at }, i, list) => at - (list[i - 1]?.at ?? -Infinity));
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(15 * S);
	});

	test('a brief that nobody waits for any more is not looked for', async () => {
		const all = rig({ latency: 10 * S });
		const briefs = await started(all, [...Array<number>(150).fill(0), 200 * S, 200 * S]);
		const stop = new AbortController();
		const gone = failureOf(
			all.poller.ended({ ...briefs[0]!, status: 'writing' }, { signal: stop.signal }),
		);
		const stays = briefs.slice(-2).map((brief) => all.poller.ended(brief));
		await all.clock.pass(35 * S);
		expect(all.memory.requests.at(-1)).toMatchObject({ operation: 'list_briefs' });
		stop.abort(new Error('stop'));
		await gone;
		await Promise.all(stays);
		expect(all.memory.count('get_brief')).toBe(0);
	});

	test('nobody begins to wait with a signal that is aborted', async () => {
		const all = rig();
		const signal = AbortSignal.abort(new Error('stop'));
		expect((await failureOf(all.poller.takeSlot({ signal }))).message).toBe('stop');
		all.poller.observePage([]);
		expect((await failureOf(all.poller.takeSlot({ signal }))).message).toBe('stop');
		expect(all.memory.requests).toEqual([]);
	});

	test('nobody begins to wait for a brief with a signal that is aborted', async () => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		const signal = AbortSignal.abort(new Error('stop'));
		expect((await failureOf(all.poller.ended(brief!, { signal }))).message).toBe('stop');
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
		const headers = { 'retry-after': '3000' };
		all.memory.fail('get_brief', { answer: refusal(429, 'rate_limited', 'Slow down', headers) });
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
		const stop = new AbortController();
		all.clock.sleep = () => {
			stop.abort(new Error('stop'));
			return Promise.reject(new Error('stop'));
		};
		const options = { signal: stop.signal, deadline: all.clock.now() + MINUTE };
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

	test('counts other people’s briefs', async () => {
		const all = rig();
		await started(all, [HOUR, 200 * S]);
		await all.poller.takeSlot();
		expect(all.time()).toBeGreaterThanOrEqual(200);
		expect(all.time()).toBeLessThanOrEqual(215);
		expect(all.workspace.othersRunning()).toBe(1);
	});

	test('leaves the list alone while both briefs that hold the slots have stages to go', async () => {
		const all = rig();
		await started(all, [HOUR, 300 * S]);
		await all.poller.takeSlot();
		expect(all.time()).toBeGreaterThanOrEqual(300);
		expect(all.time()).toBeLessThanOrEqual(315);
		// A look every 15 seconds would make 21.
		expect(all.memory.count('list_briefs')).toBeLessThanOrEqual(12);
	});

	test('reports each look that shows the workspace', async () => {
		let looks = 0;
		const all = rig({ onLook: () => (looks += 1) });
		await started(all, [100 * S, 100 * S]);
		await all.poller.takeSlot();
		expect(looks).toBe(all.memory.count('list_briefs'));
	});

	test('leaves a slot to others where that is wanted', async () => {
		const all = rig({ leaveSlots: 1 });
		const first = await all.poller.takeSlot();
		expect(all.workspace.freeSlots()).toBe(0);
		first.release();
		await started(all, [HOUR]);
		await all.poller.takeSlot();
		expect(all.workspace.freeSlots()).toBe(0);
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

	test('takes a page that was read for another reason as a look', async () => {
		const all = rig();
		const { data } = await all.service.briefs();
		all.poller.observePage(data);
		await all.poller.takeSlot();
		expect(all.memory.requests).toHaveLength(1);
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

	test('behind somebody whom the service refused nobody is served before him', async () => {
		const all = rig();
		const now = all.clock.now();
		const order: string[] = [];
		const take = async (name: string, notBefore?: number) => {
			const permit = await all.poller.takeSlot({ notBefore });
			order.push(`${name} ${all.time()}`);
			permit.release();
		};
		const newcomer = take('newcomer');
		await Promise.all([take('refused', now + 60 * S), take('refused too', now + 30 * S), newcomer]);
		expect(order.slice(0, 2)).toEqual(['refused 60', 'refused too 60']);
		expect(order).toHaveLength(3);
		// One that the newcomer began before the others came, and one that serves all.
		expect(all.memory.requests).toHaveLength(2);
	});

	test('passes to the next when the first gives up', async () => {
		const all = rig();
		await started(all, [HOUR, 100 * S]);
		const stop = new AbortController();
		const first = failureOf(all.poller.takeSlot({ signal: stop.signal }));
		const next = all.poller.takeSlot();
		await all.clock.pass(20 * S);
		stop.abort(new Error('stop'));
		await first;
		await next;
		expect(all.time()).toBeLessThanOrEqual(115);
	});

	test('those before one whom the service refused for longer are served', async () => {
		const all = rig();
		const now = all.clock.now();
		const times = [0, 60].map(async (seconds) => {
			(await all.poller.takeSlot({ notBefore: now + seconds * S })).release();
			return all.time();
		});
		expect(await Promise.all(times)).toEqual([0, 60]);
	});

	test('those whom the service refused keep their order', async () => {
		const all = rig();
		const now = all.clock.now();
		const order: number[] = [];
		const waits = [60, 30, 0].map(async (seconds) => {
			const permit = await all.poller.takeSlot({ notBefore: now + seconds * S });
			order.push(seconds);
			permit.release();
		});
		await Promise.all(waits);
		expect(order).toEqual([60, 30, 0]);
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

	test('gives back at once the slot of a brief that somebody waited for and that is gone', async () => {
		const all = rig();
		const [brief] = await started(all, [HOUR]);
		all.workspace.adopt(brief!, all.service.now());
		all.memory.remove(brief!.id);
		expect((await failureOf(all.poller.ended(brief!))).kind).toBe('not_found');
		expect(all.workspace.freeSlots()).toBe(2);
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
		const stop = new AbortController();
		const waiting = failureOf(all.poller.takeSlot({ signal: stop.signal }));
		await all.clock.pass(119 * S);
		expect(all.memory.count('get_brief')).toBe(0);
		await all.clock.pass(30 * S);
		expect(all.memory.count('get_brief')).toBeGreaterThan(0);
		stop.abort(new Error('stop'));
		await waiting;
	});

	test('looks after a brief of this process once a look, and only where a slot is wanted', async () => {
		const all = rig({ listLag: 10 * HOUR });
		const [ours, a, b] = await started(all, [HOUR, 400 * S, HOUR]);
		all.workspace.adopt(ours!, all.service.now());
		all.workspace.adopt(a!, all.service.now());
		const getsOf = (id: string) =>
			all.memory.requests.filter(({ path }) => path.endsWith(id)).map(({ at }) => at);
		const stop = new AbortController();
		const { signal } = stop;
		const waits = [a!, b!].map((brief) => all.poller.ended(brief, { signal }));
		await all.clock.pass(300 * S);
		expect(getsOf(ours!.id)).toEqual([]);
		const slot = all.poller.takeSlot({ signal });
		await slot;
		const gets = getsOf(a!.id);
		expect(new Set(gets).size).toBe(gets.length);
		expect(getsOf(ours!.id).length).toBeGreaterThan(0);
		stop.abort(new Error('stop'));
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

	test('gives back the slot of a brief of this process that has ended and left the first page', async () => {
		const all = rig({ listLag: 10 * HOUR });
		for (const brief of await started(all, [200 * S, HOUR])) {
			all.workspace.adopt(brief, all.service.now());
		}
		await all.poller.takeSlot();
		expect(all.time()).toBeGreaterThanOrEqual(200);
		expect(all.time()).toBeLessThan(240);
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

test('a brief that cannot be looked at ends its wait as soon as patience is over', async () => {
	const all = rig();
	const briefs = await started(all, [...Array<number>(150).fill(0), 2000 * S, 2000 * S]);
	const poisoned = { ...briefs[0]!, status: 'writing' };
	all.memory.intercept = ({ path }) =>
		path.endsWith(poisoned.id) ? { answer: { status: 500, body: '' } } : undefined;
	const others = briefs.slice(-2).map((brief) => all.poller.ended(brief));
	expect((await failureOf(all.poller.ended(poisoned))).kind).toBe('service_unavailable');
	const first = all.memory.requests.find(({ path }) => path.endsWith(poisoned.id));
	expect(all.clock.now() - first!.at).toBe(10 * MINUTE);
	await Promise.all(others);
});

test('looks are as close as they may be only when the last call for fewer requests is over ten minutes old', async () => {
	const gapAfter = async (calm: number) => {
		const all = rig();
		const briefs = (await started(all, [HOUR, HOUR])).map((brief) => ({
			...brief,
			status: 'checking',
		}));
		all.memory.fail('list_licences', { answer: refusal(429, 'rate_limited', 'Slow down') });
		await failureOf(all.service.licences());
		await all.clock.pass(calm);
		const [stop, now] = [new AbortController(), all.clock.now()];
		const options = { since: now - HOUR, seenAt: now, signal: stop.signal };
		const waits = Promise.allSettled(briefs.map((brief) => all.poller.ended(brief, options)));
		all.memory.requests.length = 0;
		await all.clock.pass(20 * S);
		stop.abort(new Error('stop'));
		await waits;
		return (all.memory.requests[0]!.at - now) / S;
	};
	expect(await gapAfter(10 * MINUTE)).toBe(15);
	expect(await gapAfter(10 * MINUTE + 1)).toBe(7.5);
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
