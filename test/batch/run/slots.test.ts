import type { Heard } from '../../../batch/folder/events';
import { BUSY, CUT, FAILS, refused, type Fault } from '../../support/faults';
import { creates, Desk, products } from '../../support/batch/desk';
import { DAY, HOUR, MINUTE } from '../../support/time';

type SlotWait = Extract<Heard, { event: 'waits_for_slot' }>;

const waitsIn = (events: Heard[]) =>
	events.filter((event): event is SlotWait => event.event === 'waits_for_slot');

/** How long others take both slots. */
function takeBoth({ service }: Desk, ms: number, product?: string): void {
	for (let taken = 0; taken < 2; taken += 1) service.startOther(ms, product);
}

const LOST: Fault = { answerLost: 'before' };

describe('the slots (P4)', () => {
	test.each([
		['429', 'refuse'],
		['409', 'conflict'],
		['a queue', 'queue'],
	] as const)('are shared with others if a third brief meets %s', async (_, thirdBrief) => {
		const desk = new Desk({ thirdBrief });
		desk.service.startOther(7 * MINUTE);
		expect((await desk.run(products(6))).exitCode).toBe(0);
		desk.expectSound();
		expect(desk.service.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
	});

	test('are asked for patiently if a list that lags shows them free', async () => {
		const desk = new Desk({ listLag: MINUTE });
		takeBoth(desk, 9 * MINUTE);
		expect((await desk.run(products(3))).exitCode).toBe(0);
		desk.expectSound();
		expect(desk.service.creates().length).toBeLessThan(25);
	});

	test('are held by an order that an earlier run left in doubt, until the list must show its brief', async () => {
		const desk = new Desk({
			listLag: 9 * MINUTE,
			thirdBrief: 'queue',
			duration: () => 30 * MINUTE,
		});
		desk.service.fail('create_brief', CUT, refused(400, 'invalid', 'No'));
		expect((await desk.run(['A'])).tally).toBe('5: 1 pending');
		await desk.run(['A', 'B', 'C']);
		expect(desk.service.mostRunning).toBe(2);
	});

	test('are asked for first by an order whose brief may have one, before those that have none', async () => {
		const duration = (index: number) => (index === 0 ? 3 : 28) * MINUTE;
		const desk = new Desk({ listLag: 9 * MINUTE, thirdBrief: 'queue', duration });
		const rows = ['Lost', 'Short', 'Running', 'Lost too', 'Unheard'];
		const sentKeys = new Set<string>();
		desk.onEvent = (event) => {
			if (event.event !== 'sent') return;
			const row = rows[[...sentKeys.add(event.key)].indexOf(event.key)]!;
			if (row.startsWith('Lost')) desk.service.fail('create_brief', LOST);
			if (row !== 'Unheard') return;
			desk.service.fail('create_brief', CUT);
			void desk.clock.pass(1000).then(() => desk.interruption.abort());
		};
		await desk.run(rows);
		expect(desk.stages()).toEqual(['in_doubt', 'done', 'running', 'in_doubt', 'in_doubt']);
		desk.onEvent = () => {};
		await desk.clock.pass(2 * MINUTE);
		await desk.run(rows);
		expect(desk.service.mostRunning).toBe(2);
	});

	test('cost a run that is alone one look', async () => {
		const desk = new Desk({ duration: (index) => (4 + (index % 2)) * MINUTE });
		expect((await desk.run(products(10))).exitCode).toBe(0);
		const [first, second] = desk.service.creates();
		expect(second!.at - first!.at).toBeLessThan(2000);
	});

	test.each([0, 3000])(
		'run three briefs at most if two folders start in the same moment, and the list lags by %i ms',
		async (listLag) => {
			const one = new Desk({ thirdBrief: 'queue', listLag });
			const other = new Desk({}, undefined, one);
			const others = products(6).map((name) => `Other ${name}`);
			const ended = await Promise.all([one.run(products(6)), other.run(others)]);
			expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
			expect(one.service.mostRunning).toBeLessThanOrEqual(3);
			expect(one.service.briefs).toHaveLength(12);
		},
	);
});

describe('slots that never come free (P11)', () => {
	test('are reported at growing intervals, and end the run with 5, which names the briefs', async () => {
		const desk = new Desk();
		desk.service.startOther(365 * DAY, 'Endless lamp');
		await desk.clock.pass(MINUTE);
		desk.service.startOther(365 * DAY, 'Endless chair');
		const start = desk.clock.now();
		const reported: number[] = [];
		desk.onEvent = ({ event }) => {
			if (event === 'waits_for_slot') reported.push((desk.clock.now() - start) / MINUTE);
		};
		const { tally, failure, events } = await desk.run(products(3));
		expect(tally).toBe('5: 3 pending');
		const wanted = [0, 1, 2, 5, 10, 20, 40, 60, 120];
		expect(reported).toHaveLength(wanted.length);
		wanted.forEach((minutes, nth) => {
			expect(reported[nth]).toBeGreaterThanOrEqual(minutes);
			expect(reported[nth]).toBeLessThan(minutes + 2);
		});
		const [first] = waitsIn(events);
		expect(first).toMatchObject({
			cause: 'taken',
			running: [
				{ product_name: 'Endless lamp', ours: false },
				{ product_name: 'Endless chair', ours: false },
			],
		});
		expect(Date.parse(first?.until ?? '') - start).toBeLessThan(2 * HOUR + MINUTE);
		for (const { id } of desk.service.briefs) expect(failure?.what).toContain(id);
		expect(failure?.what).toContain('Nothing could be ordered since 2026-11-10 12:01 UTC: ');
		expect(desk.clock.now() - start).toBeLessThan(2 * HOUR + 5 * MINUTE);
	});

	test('are asked for after twice the time-out, because the service judges', async () => {
		const desk = new Desk();
		const start = desk.clock.now();
		takeBoth(desk, 365 * DAY);
		await desk.run(products(1));
		const sent = desk.service.creates();
		expect(sent[0]!.at - start).toBeGreaterThan(HOUR);
		expect(sent[0]!.at - start).toBeLessThan(HOUR + 5 * MINUTE);
		expect(sent.length).toBeLessThan(70);
		// Nothing came of any of them, and the next run need not look for one.
		expect(desk.stages()).toEqual(['to_order']);
	});

	test('are taken again if the service counts their briefs no longer', async () => {
		const desk = new Desk({ thirdBrief: 'queue', duration: () => 4 * MINUTE });
		takeBoth(desk, 3 * HOUR);
		await desk.clock.pass(2 * HOUR);
		const start = desk.clock.now();
		await desk.run(products(1));
		expect(desk.service.briefs).toHaveLength(3);
		expect(desk.service.briefs[2]!.created - start).toBeLessThan(MINUTE);
	});

	test('end the run also if the list of a service that refuses for ever shows a free one', async () => {
		const desk = new Desk();
		desk.meet('create_brief', BUSY);
		const start = desk.clock.now();
		const { tally, failure, events } = await desk.run(products(3));
		expect(tally).toBe('5: 3 pending');
		expect(failure?.what).toContain('although its list shows a free slot');
		expect(waitsIn(events)[0]?.cause).toBe('refused');
		expect(desk.clock.now() - start).toBeLessThan(2 * HOUR + 5 * MINUTE);
	});

	test('do not end a run that orders now and then', async () => {
		const desk = new Desk();
		const start = desk.clock.now();
		// Whenever none of ours runs, others take both slots for 50 minutes.
		desk.service.intercept = ({ operation }) => {
			if (operation !== 'list_briefs' || desk.service.running() > 0) return undefined;
			desk.service.startOther(50 * MINUTE);
			desk.service.startOther(55 * MINUTE);
			return undefined;
		};
		expect((await desk.run(products(4), { timeout: 15 * MINUTE })).exitCode).toBe(0);
		expect(desk.clock.now() - start).toBeGreaterThan(4 * 15 * MINUTE);
		desk.expectSound();
	});
});

describe('a refusal while both slots are taken is for want of one', () => {
	/** Others take both slots between the look and the first order. */
	function race(desk: Desk, ms: number, then: () => void = () => undefined): void {
		desk.service.intercept = ({ operation }) => {
			if (operation !== 'create_brief' || desk.service.briefs.length > 0) return undefined;
			takeBoth(desk, ms);
			then();
			return undefined;
		};
	}

	test.each([400, 403, 409, 422] as const)('whatever it is called: %i', async (status) => {
		const thirdBrief = `bare-${status}` as const;
		const desk = new Desk({ thirdBrief });
		race(desk, 7 * MINUTE);
		expect((await desk.run(products(3))).tally).toBe('0: 3 ready');
		expect(desk.service.requests.some((request) => request.status === status)).toBe(true);
		desk.expectSound();
		// Also if one of them has ended before the look at the slots is answered.
		const slow = new Desk({ thirdBrief });
		const down = { status: 503, headers: { 'retry-after': '180' } };
		race(slow, 2 * MINUTE, () => slow.service.fail('list_briefs', { answer: down }));
		expect((await slow.run(products(1))).tally).toBe('0: 1 ready');
		slow.expectSound();
	});

	test.each([
		[400, '1: 1 ready, 1 failed'],
		[403, '4: 2 pending'],
	])('but with a free one a %i is what it says', async (status, end) => {
		const desk = new Desk();
		desk.service.fail('create_brief', refused(status, 'refused', 'Not so.'));
		expect((await desk.run(products(2))).tally).toBe(end);
	});

	test('but beside two that never end, if the service has taken others, a 400 is what it says', async () => {
		const desk = new Desk();
		desk.service.shown = (brief) =>
			brief.product_name === 'Endless lamp'
				? { ...brief, status: 'checking', title: null, finished_at: null }
				: brief;
		takeBoth(desk, MINUTE, 'Endless lamp');
		await desk.clock.pass(3 * HOUR);
		desk.meet('create_brief', refused(400, 'refused', 'No.'), creates('Product 2'));
		expect((await desk.run(products(5))).tally).toBe('1: 4 ready, 1 failed');
	});

	test('may be one if no look is answered: the row is left for the next run', async () => {
		const desk = new Desk();
		desk.service.intercept = ({ operation }) => {
			if (operation !== 'create_brief') return undefined;
			desk.meet('list_briefs', FAILS);
			return refused(400, 'refused', 'Not now.');
		};
		expect((await desk.run(products(1))).tally).toBe('5: 1 pending');
		desk.service.mend();
		expect((await desk.run(products(1))).exitCode).toBe(0);
	});
});
