import type { DiskOperation } from '../../support/batch/memory-disk';
import { FAULTS, settleDown, type FaultName } from '../../support/world/actions';
import type { Death, EffectKind } from '../../support/world/life';
import { Promises } from '../../support/world/promises';
import { MINUTE, SECOND, World, type Start } from '../../support/world/world';

const isTorture = process.env.TORTURE === '1';
jest.setTimeout(isTorture ? 7_200_000 : 300_000);

/** How many points were tried, for docs/reliability.md. */
const tried: Record<string, number> = {};
afterAll(() => {
	if (process.env.COUNT === '1') console.log(tried);
});

/** Three rows, the second of which fails in the service, and somebody else's brief in the way. */
function made(): { world: World; promises: Promises } {
	const world = new World({ failed: (index) => index === 2, listLag: 5 * SECOND, third: 'queue' });
	world.rows = ['A', 'B', 'C'];
	world.service.startOther(5 * MINUTE);
	return { world, promises: new Promises(world) };
}

/** All effects of a run that nothing disturbs. */
async function effectsOf(start: Start = {}): Promise<number> {
	const { world } = made();
	await world.run(start);
	return world.past[0]!.effects.length;
}

/** Every nth of many in the short cut; all of them in torture. */
function sample<T>(all: T[], wanted: number, seed: number): T[] {
	if (isTorture || all.length <= wanted) return all;
	const step = all.length / wanted;
	return Array.from({ length: wanted }, (_, i) => all[Math.floor(i * step + (seed % step))]!);
}

function count(what: string): void {
	tried[what] = (tried[what] ?? 0) + 1;
}

/** Runs, holds the promises, and lets the same command finish the work. */
async function through(starts: Start[], prepare: (world: World) => void = () => undefined) {
	const { world, promises } = made();
	prepare(world);
	try {
		for (const start of starts) {
			await world.run(start);
			promises.check();
		}
		await settleDown(world, promises);
		// Not one row is lost, parked or paid for nothing.
		expect(
			world
				.records()
				.all()
				.map(({ state }) => state),
		).toEqual(['done', 'done', 'done']);
	} catch (error) {
		(error as Error).message = `${JSON.stringify(starts)}: ${(error as Error).message}`;
		throw error;
	}
	return world;
}

const WHENS: Array<Death['when']> = ['before', 'amid', 'after'];

describe('the process dies', () => {
	test.each([
		['killed', false],
		['with the power cut', true],
	])('at every single effect, %s', async (_, power) => {
		const effects = await effectsOf();
		expect(effects).toBeGreaterThan(100);
		for (let at = 1; at <= effects; at += 1) {
			// Just after an effect is just before the next one, unless several are under way.
			for (const when of isTorture || at === effects ? WHENS : WHENS.slice(0, 2)) {
				await through([{ death: { at, when }, power }]);
				count('deaths');
			}
		}
	});

	test('at any effect, and at any effect of the recovery', async () => {
		const effects = await effectsOf();
		const pairs: Start[][] = [];
		for (let first = 1; first <= effects; first += 1) {
			for (let second = 1; second <= effects + 40; second += 1) {
				const power = (first + second) % 2 === 0;
				const when = WHENS[(first + second) % 3]!;
				pairs.push([
					{ death: { at: first, when: WHENS[first % 3]! }, power },
					{ death: { at: second, when }, power: !power },
				]);
			}
		}
		for (const starts of sample(pairs, 150, 17)) {
			await through(starts);
			count('double deaths');
		}
	});

	test('at any effect, while the service fails the recovery', async () => {
		const effects = await effectsOf();
		const names = Object.keys(FAULTS) as FaultName[];
		const cases: Array<{ at: number; name: FaultName }> = [];
		for (let at = 1; at <= effects; at += 1) for (const name of names) cases.push({ at, name });
		for (const { at, name } of sample(cases, 100, 5)) {
			const { world, promises } = made();
			await world.run({ death: { at, when: 'amid' }, power: at % 2 === 0 });
			promises.check();
			world.service.fail('create_brief', FAULTS[name]);
			world.service.fail('list_briefs', FAULTS[name]);
			await world.run();
			promises.check();
			await settleDown(world, promises);
			count('deaths, then faults');
		}
	});
});

/** What brings the process to an end is told; it may not be a stack trace, a hang or a success. */
const KINDS: DiskOperation[] = [
	'write',
	'sync',
	'open',
	'rename',
	'size',
	'makeFolder',
	'syncFolder',
	'close',
	'remove',
	'truncate',
];

describe('the disk fails', () => {
	test.each([
		['once', {}],
		['for ever', { forever: true }],
	])('%s, at every single call of every kind', async (_, fault) => {
		for (const kind of KINDS) {
			for (let at = 1; ; at += 1) {
				const world = await through([{}], ({ disk }) => {
					const code = at % 2 === 0 ? 'ENOSPC' : 'EIO';
					disk.fail({ ...fault, at, code, taken: 9, on: ({ operation }) => operation === kind });
				});
				count(`disk ${kind}`);
				const [first] = world.past;
				if (first!.effects.filter((effect) => effect.kind === kind).length < at) break;
			}
		}
	});

	test('and again during the recovery', async () => {
		const effects = await effectsOf();
		const pairs: Array<[number, number]> = [];
		for (let a = 1; a <= effects; a += 1) for (let b = 1; b <= effects; b += 1) pairs.push([a, b]);
		for (const [a, b] of sample(pairs, 100, 3)) {
			const { world, promises } = made();
			for (const at of [a, b]) {
				world.disk.fail({ at, forever: (a + b) % 2 === 0, taken: a % 50 });
				await world.run();
				promises.check();
				world.disk.mend();
				if (b % 3 === 0) world.disk.cutPower();
			}
			await settleDown(world, promises);
			count('double disk faults');
		}
	});
});

/** After these the rows end as they do without them; the others may end a row, or the run. */
const PASSING: FaultName[] = [
	'never sent',
	'lost before',
	'lost after',
	'broken JSON',
	'login page',
	'redirect',
	'timeout',
	'500',
	'502 after',
	'503',
	'rate',
	'rate, 50 minutes',
	'rate, a day',
	'rate by header',
	'slots 429',
	'slots 409',
	'in flight',
	'empty 200',
];

/** A run that nothing disturbs sends fewer requests than this. */
const MOST_REQUESTS = 60;
const everyRequestAndFault = (Object.keys(FAULTS) as FaultName[]).flatMap((name) =>
	Array.from({ length: MOST_REQUESTS }, (_, i): [FaultName, number] => [name, i + 1]),
);

describe('a request fails', () => {
	test('at each of those that there are', async () => {
		const { world } = made();
		await world.run();
		expect(world.service.requests.length).toBeLessThan(MOST_REQUESTS);
	});

	test('once, each with every fault', async () => {
		for (const [name, at] of sample(everyRequestAndFault, 150, 2)) {
			const { world, promises } = made();
			let seen = 0;
			world.service.intercept = () => ((seen += 1) === at ? FAULTS[name] : undefined);
			await world.run();
			promises.check();
			await settleDown(world, promises);
			if (PASSING.includes(name)) {
				const states = world
					.records()
					.all()
					.map(({ state }) => state);
				expect([name, at, ...states]).toEqual([name, at, 'done', 'done', 'done']);
			}
			count('requests, once');
		}
	});

	test('and all after it, each with every fault', async () => {
		for (const [name, at] of sample(everyRequestAndFault, 60, 1)) {
			const { world, promises } = made();
			let seen = 0;
			world.service.intercept = () => ((seen += 1) >= at ? FAULTS[name] : undefined);
			await world.run();
			promises.check();
			await settleDown(world, promises);
			count('requests, for ever');
		}
	});
});

test('what is counted as an effect is everything that a process does outside', async () => {
	const { world } = made();
	await world.run();
	const kinds = new Set(world.past[0]!.effects.map(({ kind }) => kind));
	const expected: EffectKind[] = [
		'request',
		'sleep',
		'open',
		'write',
		'sync',
		'close',
		'rename',
		'syncFolder',
		'makeFolder',
		'read',
		'size',
		'remove',
	];
	expect([...kinds].sort()).toEqual([...expected].sort());
});
