import { CUT, rateLimit } from '../../support/faults';
import type { VirtualSandboxOptions } from '../../support/virtual-sandbox';
import { settleDown } from '../../support/world/actions';
import { Promises } from '../../support/world/promises';
import { JOURNAL } from '../../support/batch/desk';
import { World } from '../../support/world/world';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/time';

jest.setTimeout(30_000);

/** Cases that chance hardly meets, because several things must fall together. */
function made(options: VirtualSandboxOptions, rows = ['A']) {
	const world = new World(options);
	world.rows = rows;
	const promises = new Promises(world);
	/** Every promise holds, now and when all trouble is over; and each row is paid for once. */
	const expectSettled = async () => {
		promises.check();
		await settleDown(world, promises);
		expect(paid(world).sort()).toEqual(rows);
	};
	return { world, promises, expectSettled };
}

const paid = (world: World) => world.paid().map(({ input }) => input.product_name);
const AFTER_THE_ANSWER = { death: { at: 1, of: 'create_brief', when: 'amid' } } as const;

describe('a row that is killed again and again, after each answer (P1)', () => {
	const lags = [0, 30 * SECOND, 5 * MINUTE, 9 * MINUTE];
	const lives = [20 * MINUTE, HOUR, DAY];
	const parts = [0.1, 0.3, 0.6, 1.1];
	const cases = lags.flatMap((listLag) =>
		lives.flatMap((keyMemoryMs) =>
			parts.map((part) => ({ listLag, keyMemoryMs, wait: part * keyMemoryMs })),
		),
	);
	test.each<VirtualSandboxOptions & { listLag: number; keyMemoryMs: number; wait: number }>([
		...cases,
		// The list never shows its brief, but the key is remembered.
		{ listLag: 1000 * DAY, keyMemoryMs: 10 * DAY, wait: 25 * MINUTE },
		// Nothing shows what was ordered, and the key outlives an hour.
		{ listLag: 0, keyMemoryMs: 90 * MINUTE, wait: 25 * MINUTE, inputShape: 'empty' },
	])(
		'list lag $listLag ms, keys forgotten after $keyMemoryMs ms, killed every $wait ms: one paid brief',
		async ({ wait, ...options }) => {
			const { world, promises, expectSettled } = made(options);
			for (let kill = 1; kill <= 8; kill += 1) {
				await world.run(AFTER_THE_ANSWER);
				promises.check();
				await world.pass(wait);
			}
			await expectSettled();
			expect(world.records().all()[0]).toMatchObject({
				state: { stage: 'done' },
				brief: { status: 'ready' },
			});
		},
	);

	test('if the list cannot show whose brief it is, it is parked, with the briefs to look at', async () => {
		const { world, expectSettled } = made({ keyMemoryMs: HOUR, inputShape: 'empty' });
		await world.run(AFTER_THE_ANSWER);
		await world.pass(MINUTE);
		world.service.startOther(4 * MINUTE, 'A');
		await world.pass(2 * HOUR);
		await expectSettled();
		const [record] = world.records().all();
		expect(record?.state.stage).toBe('parked');
		expect(record?.cause).toMatchObject({ reason: 'unclear' });
		for (const { id } of world.service.briefs)
			expect(record?.cause).toMatchObject({ ids: expect.arrayContaining([id]) as string[] });
	});
});

describe('a brief that was listed before an order was first sent is none of its own (P12)', () => {
	test('though the create never arrived, and it is of the same product', async () => {
		const { world, promises } = made({ keyMemoryMs: HOUR });
		world.rows = [{ product_name: 'A', objective: 'Sales' }];
		world.service.startOther(4 * MINUTE, 'A');
		await world.pass(MINUTE);
		await world.run({ death: { at: 1, of: 'create_brief', when: 'before' } });
		await world.pass(2 * HOUR);
		await world.run();
		promises.check();
		expect(world.paid().map(({ input }) => input)).toEqual(world.rows);
		const [record] = world.records().all();
		expect(record?.state.briefId).toBe(world.paid()[0]?.id);
	});

	test('though another was to be ordered beside it: nobody is asked about it', async () => {
		const { world, promises } = made({ keyMemoryMs: HOUR });
		world.service.startOther(4 * MINUTE, 'A');
		await world.pass(HOUR);
		const dies = { death: { at: 1, of: 'create_brief', when: 'before' } } as const;
		await world.run({ ...dies, orderAgain: true });
		await world.pass(2 * HOUR);
		await settleDown(world, promises);
		expect(paid(world)).toEqual(['A']);
		expect(world.records().all().at(-1)?.state).toMatchObject({
			stage: 'done',
			briefId: world.paid()[0]?.id,
		});
	});
});

describe('an order whose brief has ended, and is not filed', () => {
	test('knows its brief in the next process, which files it (P2)', async () => {
		const { world, promises } = made({}, ['A', 'B']);
		await world.run({ deathOn: { event: 'ended', nth: 1 } });
		expect(world.records().all()[0]?.state).toMatchObject({ stage: 'running' });
		await settleDown(world, promises);
		expect(paid(world).sort()).toEqual(['A', 'B']);
	});
});

const HOLDS_BACK = rateLimit(3000);

describe('an order without an answer that is sent again late (P1)', () => {
	test.each([
		['of a rate limit', ['A'], [CUT, HOLDS_BACK, HOLDS_BACK]],
		['another row met a rate limit that holds back all', ['A', 'B'], [HOLDS_BACK, CUT]],
	])('because %s, is looked for first', async (_, rows, faults) => {
		const { world, expectSettled } = made({ keyMemoryMs: 20 * MINUTE, listLag: MINUTE }, rows);
		world.service.fail('create_brief', ...faults);
		await world.run();
		await expectSettled();
	});

	test('because the computer slept, is looked for first', async () => {
		const { world, promises } = made({ keyMemoryMs: 20 * MINUTE });
		world.service.fail('create_brief', CUT);
		// The first sleep after the answer was lost is the wait before the next try.
		await world.run();
		const sleeps = world.past[0]!.effects;
		const lost = sleeps.findIndex(({ of }) => of === 'create_brief');
		const sleepAt = 1 + sleeps.findIndex(({ kind }, n) => n > lost && kind === 'sleep');
		const again = made({ keyMemoryMs: 20 * MINUTE });
		again.world.service.fail('create_brief', CUT);
		await again.world.run({ sleepAt, sleepMs: 2 * DAY });
		await settleDown(again.world, again.promises);
		expect(paid(again.world)).toEqual(['A']);
		expect(again.world.service.count('create_brief')).toBe(1);
		promises.check();
	});

	test('because the computer slept while the list was read, is looked for once more', async () => {
		const { world, expectSettled } = made({ keyMemoryMs: 20 * MINUTE, listLag: 5 * MINUTE });
		await world.run(AFTER_THE_ANSWER);
		let lists = 0;
		world.wire = (send) => async (request, signal) => {
			const answer = await send(request, signal);
			// The first is that of the preflight; the second looks for the order.
			if (request.operation === 'list_briefs' && (lists += 1) === 2) {
				world.clock.set(world.clock.now() + 2 * DAY);
			}
			return answer;
		};
		await world.run();
		await expectSettled();
	});

	test('because others held both slots, is looked for first', async () => {
		const { world, expectSettled } = made({ keyMemoryMs: 20 * MINUTE, listLag: 5 * MINUTE });
		await world.run(AFTER_THE_ANSWER);
		await world.pass(4 * MINUTE);
		world.service.startOther(3 * HOUR);
		await world.pass(5.5 * MINUTE);
		world.service.startOther(3 * HOUR);
		await world.run();
		await expectSettled();
	});

	test('is not taken for nothing if the list shows it and the get does not know it yet', async () => {
		const { world, expectSettled } = made({ keyMemoryMs: HOUR, getLag: 80 * MINUTE });
		await world.run(AFTER_THE_ANSWER);
		await world.pass(70 * MINUTE);
		await world.run();
		await expectSettled();
	});
});

test('a clock that is set ahead while a run is at work makes no order younger than it is (P1)', async () => {
	const { world, promises, expectSettled } = made({ keyMemoryMs: 20 * MINUTE });
	world.service.startOther(MINUTE);
	world.service.startOther(MINUTE);
	// The machine begins three days behind, and a time server sets it right after licences and list were answered.
	world.skew = -3 * DAY;
	let requests = 0;
	world.wire = (send) => (request, signal) => {
		if ((requests += 1) > 2) world.skew = 0;
		return send(request, signal);
	};
	await world.run(AFTER_THE_ANSWER);
	promises.check();
	await world.pass(40 * MINUTE);
	await expectSettled();
});

test('a slot is not held while a rate limit is waited out: others who took it meanwhile count (P4)', async () => {
	const { world, promises } = made({ thirdBrief: 'queue' }, ['A', 'B']);
	world.service.fail('create_brief', HOLDS_BACK, HOLDS_BACK);
	void world.pass(10 * MINUTE).then(() => {
		world.service.startOther(50 * MINUTE);
		world.service.startOther(50 * MINUTE);
	});
	await world.run();
	promises.check();
	expect(world.service.mostRunning).toBe(2);
	expect(paid(world)).toEqual(['A', 'B']);
});

describe('a slot counts as old as the page that showed it free (P4)', () => {
	/** Others take what slots are free while the answer to this is on its way for twenty minutes. */
	function holdUp(world: World, which: 'list_briefs' | 'get_brief'): void {
		let isHeldUp = false;
		world.wire = (send) => async (request, signal) => {
			const answer = await send(request, signal);
			const isFree = world.service.running() < 2;
			if (isHeldUp || request.operation !== which || !isFree) return answer;
			isHeldUp = true;
			for (let waits = 1; waits <= 2; waits += 1) {
				while (world.service.running() < 2) world.service.startOther(40 * MINUTE);
				await world.clock.sleep(10 * MINUTE);
			}
			return answer;
		};
	}

	test('also if that was long on its way', async () => {
		const { world, promises } = made({ thirdBrief: 'queue' });
		world.service.startOther(MINUTE);
		world.service.startOther(MINUTE);
		holdUp(world, 'list_briefs');
		await world.run();
		promises.check();
		expect(world.service.mostRunning).toBe(2);
		expect(paid(world)).toEqual(['A']);
	});

	test('also if another brief, which it did not show, was got long after it', async () => {
		const { world, promises } = made({ thirdBrief: 'queue', listLag: 5 * MINUTE }, ['A', 'B']);
		world.service.startOther(HOUR);
		await world.pass(6 * MINUTE);
		await world.run({ deathOn: { event: 'accepted', nth: 1 } });
		holdUp(world, 'get_brief');
		await world.run();
		promises.check();
		expect(world.service.mostRunning).toBe(2);
		expect(paid(world).sort()).toEqual(['A', 'B']);
	});
});

test('a slot that others take while the lock is read before an order is sent, on a disk that hangs, is looked for again (P4)', async () => {
	const { world, promises } = made({ thirdBrief: 'queue' });
	const { disk } = world;
	const read = disk.read.bind(disk);
	let isHeldUp = false;
	disk.read = async (path) => {
		const isIntended = disk.files().includes(JOURNAL) && disk.text(JOURNAL).includes('"intended"');
		if (!isHeldUp && isIntended && path.endsWith('.lock')) {
			isHeldUp = true;
			world.service.startOther(40 * MINUTE);
			world.service.startOther(40 * MINUTE);
			await world.clock.sleep(8 * MINUTE);
		}
		return await read(path);
	};
	await world.run();
	promises.check();
	expect(isHeldUp).toBe(true);
	expect(world.service.mostRunning).toBe(2);
	expect(paid(world)).toEqual(['A']);
});

test.each([0, 3.5 * MINUTE])(
	'an order that stays without an answer keeps its slot, also where the list lags by %i ms (P4)',
	async (listLag) => {
		const { world, expectSettled } = made({ thirdBrief: 'queue', listLag }, ['A', 'B', 'C']);
		world.service.intercept = ({ body }) => (body?.includes('"A"') === true ? CUT : undefined);
		await world.run();
		await expectSettled();
	},
);

describe('a month and more (P5)', () => {
	test('an allowance of two a month carries ten rows through five months, without one refused order', async () => {
		const rows = Array.from({ length: 10 }, (_, i) => `Product ${i}`);
		const { world, promises } = made({ allowance: 2 }, rows);
		for (let month = 1; month <= 5; month += 1) {
			const ending = await world.run();
			promises.check();
			expect(ending).toMatchObject({ report: { end: { counts: { ready: 2 * month } } } });
			await world.pass(31 * DAY);
		}
		expect(world.service.requests.filter(({ status }) => status === 429)).toEqual([]);
	});

	test('a run that is started again every few hours for a month orders nothing beyond', async () => {
		const rows = Array.from({ length: 12 }, (_, i) => `Product ${i}`);
		const { world, promises } = made({ allowance: 5, listLag: MINUTE }, rows);
		for (let hour = 1; hour <= 30 * 24; hour += 5) {
			if (hour % 7 === 0) await world.run({ death: { at: 10 + hour, when: 'after' } });
			else await world.run();
			await world.pass(5 * HOUR);
		}
		promises.check();
		expect(paid(world)).toHaveLength(10);
	});
});
