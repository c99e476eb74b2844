import type { RunEvent } from '../../../batch/run/events';
import { refusal } from '../../support/faults';
import { creates, DAY, Desk, HOUR, MINUTE, products } from '../../support/batch/desk';

type SlotWait = Extract<RunEvent, { event: 'waiting_for_slot' }>;

const waitsIn = (events: RunEvent[]) =>
	events.filter((event): event is SlotWait => event.event === 'waiting_for_slot');

describe('slots that never come free (P11)', () => {
	test('are told at once and at growing intervals, and end the run with 5, which names the briefs', async () => {
		const desk = new Desk();
		desk.service.startOther(365 * DAY, 'Endless lamp');
		await desk.clock.pass(MINUTE);
		desk.service.startOther(365 * DAY, 'Endless chair');
		const start = desk.clock.now();
		const told: number[] = [];
		desk.onEvent = ({ event }) => {
			if (event === 'waiting_for_slot') told.push((desk.clock.now() - start) / MINUTE);
		};
		const { exitCode, counts, failure, events } = await desk.run(products(3));
		expect([exitCode, counts.pending]).toEqual([5, 3]);
		const wanted = [0, 1, 2, 5, 10, 20, 40, 60, 120];
		expect(told).toHaveLength(wanted.length);
		wanted.forEach((minutes, nth) => {
			expect(told[nth]).toBeGreaterThanOrEqual(minutes);
			expect(told[nth]).toBeLessThan(minutes + 2);
		});
		const [first] = waitsIn(events);
		expect(first?.briefs.map(({ product_name, ours }) => [product_name, ours])).toEqual([
			['Endless lamp', false],
			['Endless chair', false],
		]);
		expect(first?.cause).toBe('taken');
		expect(Date.parse(first?.until ?? '') - start).toBeLessThan(2 * HOUR + MINUTE);
		for (const { id } of desk.service.briefs) expect(failure?.what).toContain(id);
		expect(failure?.what).toContain('since 2026-11-10 12:00 UTC');
		expect(desk.clock.now() - start).toBeLessThan(2 * HOUR + 5 * MINUTE);
	});

	test('are asked for all the same after twice the time-out: the service judges', async () => {
		const desk = new Desk();
		const start = desk.clock.now();
		desk.service.startOther(365 * DAY);
		desk.service.startOther(365 * DAY);
		await desk.run(products(1));
		const creates = desk.service.requests.filter(({ operation }) => operation === 'create_brief');
		expect(creates[0]!.at - start).toBeGreaterThan(HOUR);
		expect(creates[0]!.at - start).toBeLessThan(HOUR + 5 * MINUTE);
		expect(creates.length).toBeLessThan(70);
		// Nothing came of any of them, and the next run need not look for one.
		expect(desk.states()).toEqual(['withdrawn']);
	});

	test('are taken again by a service that counts them no longer', async () => {
		const desk = new Desk({ third: 'queue', duration: () => 4 * MINUTE });
		desk.service.startOther(3 * HOUR);
		desk.service.startOther(3 * HOUR);
		await desk.clock.pass(2 * HOUR);
		const start = desk.clock.now();
		await desk.run(products(1));
		expect(desk.service.briefs).toHaveLength(3);
		expect(desk.service.briefs[2]!.created - start).toBeLessThan(MINUTE);
	});

	test('of a service that refuses for ever while its list shows a free one end the run too', async () => {
		const desk = new Desk();
		desk.service.intercept = ({ operation }) =>
			operation === 'create_brief'
				? { answer: refusal(429, 'concurrency_limit', 'Two briefs can run at a time') }
				: undefined;
		const start = desk.clock.now();
		const { exitCode, failure, counts, events } = await desk.run(products(3));
		expect([exitCode, counts.pending]).toEqual([5, 3]);
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
		const { exitCode } = await desk.run(products(4), { timeout: 15 * MINUTE });
		expect(exitCode).toBe(0);
		expect(desk.clock.now() - start).toBeGreaterThan(4 * 15 * MINUTE);
		desk.expectSound();
	});
});

describe('slots that others take while the run begins (P4)', () => {
	test('are looked at again where the licences came long after the list', async () => {
		const desk = new Desk({ third: 'queue' });
		let hasFailed = false;
		desk.service.intercept = ({ operation }) => {
			if (operation !== 'list_licences' || hasFailed) return undefined;
			hasFailed = true;
			void desk.clock.sleep(20_000).then(() => {
				desk.service.startOther(7 * MINUTE);
				desk.service.startOther(7 * MINUTE);
			});
			return { answer: { status: 503, headers: { 'retry-after': '60' } } };
		};
		const { exitCode } = await desk.run(products(1));
		expect(exitCode).toBe(0);
		desk.expectSound();
	});
});

describe('a refusal while both slots are taken is for want of one, whatever it is called', () => {
	test.each([400, 403, 409, 422])(
		'with the status %i, also where one has ended before the look at the slots is answered',
		async (status) => {
			const desk = new Desk({ third: refusal(status, 'refused', 'Not now.') });
			let isOver = false;
			desk.service.intercept = ({ operation }) => {
				if (operation !== 'create_brief' || isOver) return undefined;
				isOver = true;
				desk.service.startOther(2 * MINUTE);
				desk.service.startOther(2 * MINUTE);
				const down = { status: 503, headers: { 'retry-after': '180' } };
				desk.service.fail('list_briefs', { answer: down });
				return undefined;
			};
			const { exitCode, counts } = await desk.run(products(1));
			expect([exitCode, counts.ready]).toEqual([0, 1]);
			desk.expectSound();
		},
	);

	test.each([400, 403, 409, 422])('with the status %i', async (status) => {
		const desk = new Desk({ third: refusal(status, 'refused', 'Not now.') });
		let hasRaced = false;
		// Others take both slots between the look and the order.
		desk.service.intercept = ({ operation }) => {
			if (operation !== 'create_brief' || hasRaced) return undefined;
			hasRaced = true;
			desk.service.startOther(7 * MINUTE);
			desk.service.startOther(7 * MINUTE);
			return undefined;
		};
		const { exitCode, counts } = await desk.run(products(3));
		expect([exitCode, counts.ready]).toEqual([0, 3]);
		expect(desk.service.requests.some((request) => request.status === status)).toBe(true);
		desk.expectSound();
	});

	test.each([
		[400, { exitCode: 1, counts: { failed: 1, ready: 1 } }],
		[403, { exitCode: 4 }],
	])('but with a free one a %i is what it says', async (status, wanted) => {
		const desk = new Desk();
		desk.service.fail('create_brief', { answer: refusal(status, 'refused', 'Not so.') });
		expect(await desk.run(products(2))).toMatchObject(wanted);
	});

	test('and beside two that never end, where the service has taken others, a 400 is what it says too', async () => {
		const desk = new Desk({ shownRunning: 'Endless lamp' });
		desk.service.startOther(MINUTE, 'Endless lamp');
		desk.service.startOther(MINUTE, 'Endless lamp');
		await desk.clock.pass(3 * HOUR);
		desk.service.intercept = (request) =>
			creates('Product 2')(request) ? { answer: refusal(400, 'refused', 'Not so.') } : undefined;
		const { exitCode, counts } = await desk.run(products(5));
		expect([exitCode, counts.ready, counts.failed]).toEqual([1, 4, 1]);
	});

	test('where no look tells, the row is left for the next run', async () => {
		const desk = new Desk();
		desk.service.intercept = ({ operation }) => {
			if (operation === 'create_brief') {
				desk.service.intercept = (request) =>
					request.operation === 'list_briefs' ? { answer: { status: 503 } } : undefined;
				return { answer: refusal(400, 'refused', 'Not now.') };
			}
			return undefined;
		};
		const { exitCode, counts } = await desk.run(products(1));
		expect([exitCode, counts.pending, counts.failed]).toEqual([5, 1, 0]);
		desk.service.mend();
		expect((await desk.run(products(1))).exitCode).toBe(0);
	});
});

describe('two runs on two folders', () => {
	test.each([0, 3000])(
		'that start in the same moment never have more than three briefs accepted, where the list lags by %i ms (P4)',
		async (listLag) => {
			const one = new Desk({ third: 'queue', listLag });
			const other = new Desk({}, undefined, one);
			const others = products(6).map((name) => `Other ${name}`);
			const ended = await Promise.all([one.run(products(6)), other.run(others)]);
			expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
			expect(one.service.mostRunning).toBeLessThanOrEqual(3);
			expect(one.service.briefs).toHaveLength(12);
		},
	);

	test('a run that is alone pays one look for it', async () => {
		const desk = new Desk({ duration: (index) => (4 + (index % 2)) * MINUTE });
		const { exitCode } = await desk.run(products(10));
		expect(exitCode).toBe(0);
		const creates = desk.service.requests.filter(({ operation }) => operation === 'create_brief');
		expect(creates[1]!.at - creates[0]!.at).toBeLessThan(2000);
	});
});
