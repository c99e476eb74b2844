import type { DiskOperation } from '../../support/batch/memory-disk';
import { FAULTS, settleDown, type FaultName } from '../../support/world/actions';
import type { Death, EffectKind } from '../../support/world/life';
import { Promises } from '../../support/world/promises';
import { World, type Start } from '../../support/world/world';
import { MINUTE, SECOND } from '../../support/time';
import { isTorture } from '../../support/long-run';

jest.setTimeout(isTorture ? 7_200_000 : 300_000);

/** How many points were tried, for docs/reliability.md. */
const tried: Record<string, number> = {};
afterAll(() => {
	if (process.env.COUNT === '1') console.log(tried);
});

/** Three rows, the second of which fails in the service, and somebody else's brief in the way. */
function made(): { world: World; promises: Promises } {
	const world = new World({
		failed: (index) => index === 2,
		listLag: 5 * SECOND,
		thirdBrief: 'queue',
	});
	world.rows = ['A', 'B', 'C'];
	world.service.startOther(5 * MINUTE);
	return { world, promises: new Promises(world) };
}

/** A run that nothing disturbs. */
async function undisturbed(): Promise<World> {
	const { world } = made();
	await world.run();
	return world;
}
const effectsOf = async () => (await undisturbed()).past[0]!.effects.length;

/** Every nth of many in the short cut; all of them in torture. */
function sample<T>(all: T[], wanted: number, seed: number): T[] {
	if (isTorture || all.length <= wanted) return all;
	const step = all.length / wanted;
	return Array.from({ length: wanted }, (_, i) => all[Math.floor(i * step + (seed % step))]!);
}

type Step = Start & {
	/** What goes wrong before the run, and after it. */
	before?: (world: World) => void;
	after?: (world: World) => void;
};

/** Runs, holds the promises, and lets the same command finish the work. */
async function through(what: string, steps: Step[]): Promise<World> {
	tried[what] = (tried[what] ?? 0) + 1;
	const { world, promises } = made();
	try {
		for (const { before, after, ...start } of steps) {
			before?.(world);
			await world.run(start);
			promises.check();
			after?.(world);
		}
		await settleDown(world, promises);
	} catch (error) {
		(error as Error).message = `${JSON.stringify(steps)}: ${(error as Error).message}`;
		throw error;
	}
	return world;
}

/** The same, and after it not one row is lost, parked or paid for nothing. */
async function throughToDone(what: string, steps: Step[]): Promise<void> {
	const records = (await through(what, steps)).records().all();
	const states = records.map(({ state }) => state.stage);
	expect([steps, states]).toEqual([steps, ['done', 'done', 'done']]);
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
			const when = WHENS[(at + Number(power)) % 2]!;
			for (const one of isTorture || at === effects ? WHENS : [when])
				await throughToDone('deaths', [{ death: { at, when: one }, power }]);
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
		for (const starts of sample(pairs, 60, 17)) await throughToDone('double deaths', starts);
	});

	test('at any effect, while the service fails the recovery', async () => {
		const effects = await effectsOf();
		const cases = names.flatMap((name) =>
			Array.from({ length: effects }, (_, i) => ({ at: i + 1, name })),
		);
		for (const { at, name } of sample(cases, 60, 5)) {
			const before = ({ service }: World) => {
				service.fail('create_brief', FAULTS[name]);
				service.fail('list_briefs', FAULTS[name]);
			};
			const death = { at, when: 'amid' } as const;
			await carriedBy(name)('deaths, then faults', [{ death, power: at % 2 === 0 }, { before }]);
		}
	});
});

/** The process says why it ends; the end may not be a stack trace, a hang or a success. */
const KINDS: DiskOperation[] = [
	...(['write', 'sync', 'open', 'rename', 'size', 'makeFolder', 'syncFolder', 'close'] as const),
	...(['remove', 'truncate'] as const),
];

describe('the disk fails', () => {
	test('at every single call of every kind, once or for ever, and then perhaps the power', async () => {
		const { effects } = (await undisturbed()).past[0]!;
		for (const kind of KINDS) {
			const calls = effects.filter((effect) => effect.kind === kind).length;
			// What follows a failure may call once more.
			for (let at = 1; at <= calls + 2; at += 1) {
				const every = [0, 1, 2, 3].map((n) => ({ forever: n > 1, isCut: n % 2 === 1 }));
				const one = { forever: at % 3 === 0, isCut: at % 2 === 0 };
				for (const { forever, isCut } of isTorture ? every : [one]) {
					const code = at % 4 < 2 ? 'ENOSPC' : 'EIO';
					const on = ({ operation }: { operation: string }) => operation === kind;
					const before = ({ disk }: World) => disk.fail({ forever, at, code, bytesTaken: 9, on });
					const after = ({ disk }: World) => {
						disk.mend();
						if (isCut) disk.cutPower();
					};
					await throughToDone(`disk ${kind}`, [{ before, after }]);
				}
			}
		}
	});

	test('and again during the recovery', async () => {
		const effects = await effectsOf();
		const pairs: Array<[number, number]> = [];
		for (let a = 1; a <= effects; a += 1) for (let b = 1; b <= effects; b += 1) pairs.push([a, b]);
		for (const [a, b] of sample(pairs, 60, 3)) {
			const steps = [a, b].map((at) => ({
				before: ({ disk }: World) =>
					disk.fail({ at, forever: (a + b) % 2 === 0, bytesTaken: a % 50 }),
				after: ({ disk }: World) => {
					disk.mend();
					if (b % 3 === 0) disk.cutPower();
				},
			}));
			await throughToDone('double disk faults', steps);
		}
	});
});

const names = Object.keys(FAULTS) as FaultName[];
/** After these the rows end as they do without them; the others may end a row, or the run. */
const PASSING: FaultName[] = [
	...(['never sent', 'lost before', 'lost after', 'broken JSON', 'login page'] as const),
	...(['redirect', 'timeout', '500', '502 after', '503', 'rate', 'rate, 50 minutes'] as const),
	...(['rate, a day', 'rate by header', 'slots 429', 'slots 409', 'in flight'] as const),
	...(['empty 200', 'teapot'] as const),
	...names.filter((name) => name.startsWith('page ')),
];
const carriedBy = (name: FaultName) => (PASSING.includes(name) ? throughToDone : through);

/** A run that nothing disturbs sends fewer requests than this. */
const MOST_REQUESTS = 60;
const everyRequestAndFault = names.flatMap((name) =>
	Array.from({ length: MOST_REQUESTS }, (_, i): [FaultName, number] => [name, i + 1]),
);

describe('a request fails', () => {
	test('at each of those that there are', async () => {
		const { service } = await undisturbed();
		expect(service.requests.length).toBeLessThan(MOST_REQUESTS);
	});

	test.each([
		['once', 90, 2],
		['for ever', 40, 1],
	])('%s, each with every fault', async (how, wanted, seed) => {
		for (const [name, at] of sample(everyRequestAndFault, wanted, seed)) {
			let seen = 0;
			const isHit = () => (how === 'once' ? (seen += 1) === at : (seen += 1) >= at);
			const before = ({ service }: World) => {
				service.intercept = () => (isHit() ? FAULTS[name] : undefined);
			};
			const carry = how === 'once' ? carriedBy(name) : through;
			await carry(`requests, ${how}`, [{ before }]);
		}
	});
});

test('what counts as an effect is everything that a process does outside', async () => {
	const kinds = (await undisturbed()).past[0]!.effects.map(({ kind }) => kind);
	const expected: EffectKind[] = [
		...(['request', 'sleep', 'open', 'write', 'sync', 'close', 'rename', 'syncFolder'] as const),
		...(['makeFolder', 'read', 'size', 'list', 'remove'] as const),
	];
	expect([...new Set(kinds)].sort()).toEqual([...expected].sort());
});
