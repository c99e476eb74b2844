import { VirtualBatch } from '../support/virtual-batch';

const list = (count: number) => Array.from({ length: count }, (_, index) => `Product ${index}`);
const count = (statuses: readonly string[], status: string) =>
	statuses.filter((each) => each === status).length;

describe('when a service fails every brief', () => {
	test('a run of 36 rows pays for six briefs at most', async () => {
		const batch = new VirtualBatch({ failed: () => true });
		const { end } = await batch.run(list(36));
		expect(end).toBe('max_failures');
		expect(batch.sandbox.briefs).toHaveLength(6);
	});

	test('each later night pays for one brief', async () => {
		const batch = new VirtualBatch({ failed: () => true });
		const paid: number[] = [];
		for (let night = 0; night < 4; night += 1) {
			await batch.run(list(30));
			paid.push(batch.sandbox.briefs.length);
			await batch.clock.pass(82_000_000);
		}
		expect(paid).toEqual([6, 7, 8, 9]);
	});
});

describe('slots that are taken by others', () => {
	test.each([
		'refuse',
		'queue',
		'conflict',
		'bare-400',
		'bare-403',
		'bare-409',
		'bare-422',
	] as const)('are waited for, and no create is refused (third brief: %s)', async (thirdBrief) => {
		const batch = new VirtualBatch({ thirdBrief });
		batch.sandbox.startOther(400_000, 'Of a colleague');
		batch.sandbox.startOther(500_000, 'Of another colleague');
		const { statuses } = await batch.run(list(4));
		expect(count(statuses, 'ready')).toBe(4);
		expect(batch.sandbox.mostRunning).toBe(2);
		expect(batch.sandbox.count('create_brief')).toBe(4);
	});

	test.each(['refuse', 'bare-400', 'bare-403', 'bare-409', 'bare-422'] as const)(
		'in the last moment cost one refused create (third brief: %s)',
		async (thirdBrief) => {
			const batch = new VirtualBatch({ thirdBrief });
			batch.beforeFirstCreate = () => {
				batch.sandbox.startOther(300_000, 'Of a colleague');
				batch.sandbox.startOther(200_000, 'Of another colleague');
			};
			const { statuses } = await batch.run(list(3));
			expect(count(statuses, 'ready')).toBe(3);
			expect(batch.sandbox.mostRunning).toBe(2);
			expect(batch.sandbox.count('create_brief')).toBe(4);
		},
	);
});

test('a brief that takes an hour is saved by a later run, and is paid once', async () => {
	const batch = new VirtualBatch({ duration: (index) => (index === 0 ? 4_000_000 : 240_000) });
	expect((await batch.run(list(3))).statuses).toEqual(['pending', 'ready', 'ready']);
	expect((await batch.run(list(3))).statuses).toEqual(['pending', 'ready', 'ready']);
	await batch.clock.pass(3_000_000);
	expect((await batch.run(list(3))).statuses).toEqual(['ready', 'ready', 'ready']);
	expect(batch.sandbox.briefs).toHaveLength(3);
});

describe('after Ctrl-C', () => {
	test('the same command finishes, and no brief is paid twice', async () => {
		const { batch } = await interruptFiveRows();
		const { statuses } = await batch.run(list(5));
		expect(count(statuses, 'ready')).toBe(5);
		expect(batch.sandbox.briefs).toHaveLength(5);
	});

	test('the run says what happens to briefs that are being written and to rows that are left', async () => {
		const { end } = await interruptFiveRows();
		expect(end.running).toBe(2);
		expect(end.overview.rows.filter(({ brief }) => brief === null)).toHaveLength(3);
		expect(end.stop?.finding?.nextSteps.map(({ text }) => text)).toEqual([
			'Run the same command again: it saves briefs that are being written, at no further cost, and orders rows that were not ordered yet.',
		]);
	});
});

/** Ctrl-C comes a minute after the second create. Counted from the start, it would come early on a busy machine. */
async function interruptFiveRows() {
	const batch = new VirtualBatch();
	const stop = new AbortController();
	let creates = 0;
	batch.intercept = () => {
		creates += 1;
		if (creates === 2) void batch.clock.sleep(60_000).then(() => stop.abort());
		return null;
	};
	const end = await batch.run(list(5), {}, stop.signal);
	expect(end.end).toBe('interrupted');
	return { batch, end };
}

test('answers that are lost after the work cost nothing', async () => {
	const batch = new VirtualBatch();
	batch.sandbox.fail('create_brief', { answerLost: 'after' }, { answerLost: 'after' });
	const { statuses } = await batch.run(list(3));
	expect(count(statuses, 'ready')).toBe(3);
	expect(batch.sandbox.briefs).toHaveLength(3);
});

test('deleted files are fetched again at no cost', async () => {
	const batch = new VirtualBatch();
	await batch.run(list(3));
	const listFiles = () => [...batch.disk.files.keys()].filter((path) => path.endsWith('.md'));
	for (const path of listFiles()) batch.disk.files.delete(path);
	const { statuses } = await batch.run(list(3));
	expect(count(statuses, 'ready')).toBe(3);
	expect(listFiles()).toHaveLength(3);
	expect(batch.sandbox.briefs).toHaveLength(3);
});

test('a journal that was lost 100 days ago costs nothing if keys are remembered for ever', async () => {
	const batch = new VirtualBatch({ keyMemoryMs: Infinity });
	await batch.run(list(2));
	batch.disk.files.clear();
	for (let day = 0; day < 100; day += 1) await batch.clock.pass(86_400_000);
	const { statuses } = await batch.run(list(2));
	expect(count(statuses, 'ready')).toBe(2);
	expect(batch.sandbox.briefs).toHaveLength(2);
});

test('a brief is ready only when its files are on the disk', async () => {
	const batch = new VirtualBatch();
	batch.disk.replace = async () => {
		throw new Error('The disk is full');
	};
	const { statuses } = await batch.run(list(1));
	expect(statuses).toEqual(['pending']);
});
