import { BriefPoller } from '../../../service/watch/brief-poller';
import { SlotPatience, type SlotWaitReport } from '../../../service/watch/slot-patience';
import { refusal } from '../../support/faults';
import { HOUR, MINUTE, S, failureOf, rig } from '../../support/service/rig';

type Rig = ReturnType<typeof rig>;

/** Starts briefs behind the poller's back, and gives them as the service shows them. */
async function started({ memory, service }: Rig, durations: number[]) {
	const ids = durations.map((duration) => memory.startOther(duration).id);
	const briefs = await Promise.all(ids.map((id) => service.brief(id)));
	memory.requests.length = 0;
	return briefs;
}

const operations = ({ memory }: Rig) => memory.requests.map(({ operation }) => operation);

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
