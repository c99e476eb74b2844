import fc from 'fast-check';
import { Failure } from '../../../batch/failure';
import { lockFolder } from '../../../batch/lock';
import { MemoryDisk } from '../../support/batch/memory-disk';
import { VirtualClock } from '../../support/virtual-clock';
import { FAULTS, settleDown, type FaultName } from '../../support/world/actions';
import { Life, type Death } from '../../support/world/life';
import { Promises } from '../../support/world/promises';
import { story } from '../../support/world/trace';
import { MINUTE, SECOND, World } from '../../support/world/world';

const isTorture = process.env.TORTURE === '1';
jest.setTimeout(isTorture ? 7_200_000 : 300_000);

/**
 * What goes on at the same time may end in any order: fast-check's scheduler draws it, and shrinks it where a promise
 * breaks. New orders are for the long run: a change must not fail for what it has not touched.
 */
function settings(short: number, long: number): fc.Parameters<unknown> {
	const { SEED, SEED_PATH } = process.env;
	return {
		numRuns: isTorture ? long : short,
		...(isTorture && SEED === undefined ? {} : { seed: Number(SEED ?? 20261121) }),
		...(SEED_PATH === undefined ? {} : { path: SEED_PATH, endOnFailure: true }),
	};
}

/** Every call to the disk, every request and every answer goes on when its turn is drawn. */
function disorder(world: World, turns: fc.Scheduler, latencies: number[]): void {
	const turn = (of: string) => turns.schedule(Promise.resolve(), of);
	world.disk.before = ({ operation, path }) => turn(`${operation} ${path}`);
	world.onTheWay = Math.max(...latencies);
	let sent = 0;
	world.wire = (send) => async (request, signal) => {
		const latency = latencies[(sent += 1) % latencies.length] ?? 0;
		if (latency > 0) await world.clock.sleep(latency, signal);
		await turn(`${request.operation} is sent`);
		try {
			return await send(request, signal);
		} finally {
			await turn(`${request.operation} is answered`);
		}
	};
}

const death = fc.record({
	at: fc.integer({ min: 1, max: 300 }),
	when: fc.constantFrom<Array<Death['when']>>('before', 'amid', 'after'),
});
const fault = fc.record({
	on: fc.constantFrom('create_brief' as const, 'get_brief' as const, 'list_briefs' as const),
	with: fc.constantFrom(...(Object.keys(FAULTS) as FaultName[])),
});

describe('rows side by side', () => {
	test('keep every promise in whatever order requests and disk answer, killed in between, and all end well', async () => {
		const starts = fc.array(fc.option(death, { nil: undefined }), { minLength: 1, maxLength: 3 });
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(fc.constantFrom(0, 300, 5 * SECOND, 40 * SECOND), { minLength: 1, maxLength: 7 }),
				fc.array(fault, { maxLength: 3 }),
				starts,
				fc.record({
					listLag: fc.constantFrom(0, 20 * SECOND),
					third: fc.constantFrom('queue' as const, undefined),
					replayStatus: fc.constantFrom(200 as const, 202 as const),
				}),
				async (turns, latencies, faults, deaths, options) => {
					const world = new World({
						latency: 0,
						...options,
						duration: (index) => (3 + (index % 3)) * MINUTE,
					});
					const promises = new Promises(world);
					world.rows = ['A', 'B', 'B', 'C', 'D', 'E'];
					world.service.startOther(4 * MINUTE);
					for (const { on, with: name } of faults) world.service.fail(on, FAULTS[name]);
					disorder(world, turns, latencies);
					try {
						for (const death of deaths) {
							const power = death !== undefined && death.at % 2 === 0;
							await turns.waitFor(world.run({ death, power }));
							promises.check();
						}
						await turns.waitFor(settleDown(world, promises));
					} catch (error) {
						(error as Error).message += `\n${story(world)}`;
						throw error;
					}
				},
			),
			settings(150, 10_000),
		);
	});
});

describe('several runs on one folder', () => {
	const HOLDERS = {
		nobody: undefined,
		'a dead process': JSON.stringify({ pid: 99, host: 'here', since: 'long ago', nonce: 'n-99' }),
		'a file that nobody can read': '',
	};

	/** The processes that take the lock, of which some die on the way; and then one that comes later. */
	async function taken(
		turns: fc.Scheduler,
		lock: string | undefined,
		deaths: Array<Death | undefined>,
	) {
		const disk = new MemoryDisk();
		await disk.makeFolder('out');
		if (lock !== undefined) disk.put('out/.lock', lock);
		const clock = new VirtualClock();
		disk.before = ({ operation, path }) =>
			turns.schedule(Promise.resolve(), `${operation} ${path}`);
		const living = new Set<number>();
		const machine = (pid: number) => ({
			...{ pid, host: 'here' },
			isAlive: (other: number) => living.has(other),
		});
		const take = async (pid: number, death?: Death) => {
			const life = new Life(death);
			living.add(pid);
			const die = () => living.delete(pid);
			void life.died.then(die);
			const taking = lockFolder(life.disk(disk), 'out', life.clock(clock, 0), machine(pid));
			return await Promise.race([
				life.died,
				taking.then(
					() => 'has it',
					(error: unknown) => {
						die();
						if (error instanceof Failure) return error.what;
						throw error;
					},
				),
			]);
		};
		const first = await turns.waitFor(Promise.all(deaths.map((death, i) => take(i + 1, death))));
		living.clear();
		const later = await turns.waitFor(take(50));
		return { first, later, files: disk.files() };
	}

	const takers = fc.array(
		fc.option(
			fc.record({
				at: fc.integer({ min: 1, max: 16 }),
				when: fc.constantFrom<Array<Death['when']>>('before', 'amid', 'after'),
			}),
			{ nil: undefined, freq: 2 },
		),
		{ minLength: 2, maxLength: 4 },
	);

	test.each(Object.entries(HOLDERS))(
		'one at most gets a lock that is held by %s, wherever others die; and the next run gets it when all are dead',
		async (_, lock) => {
			let wins = 0;
			let contests = 0;
			await fc.assert(
				fc.asyncProperty(fc.scheduler(), takers, async (turns, deaths) => {
					const { first, later, files } = await taken(turns, lock, deaths);
					const winners = first.filter((end) => end === 'has it').length;
					expect(winners).toBeLessThanOrEqual(1);
					for (const end of first)
						expect(end).toMatch(/^(has it|died|The folder out is in use by .+)$/);
					expect(later).toBe('has it');
					expect(files).toContain('out/.lock');
					if (deaths.some((death) => death === undefined)) contests += 1;
					wins += winners;
				}),
				settings(200, 20_000),
			);
			// That all who live are refused is allowed, but must stay rare.
			expect(wins).toBeGreaterThan(contests / 2);
		},
	);
});

test('the order that is drawn reaches both requests and the journal', async () => {
	const orders = new Set<string>();
	await fc.assert(
		fc.asyncProperty(fc.scheduler(), async (turns) => {
			const world = new World({ latency: 0 });
			world.rows = ['A', 'B'];
			disorder(world, turns, [0]);
			await turns.waitFor(world.run());
			const labels = turns.report().map(({ label }) => label);
			orders.add(labels.filter((label) => /create_brief|sync out.journal/.test(label)).join());
		}),
		{ numRuns: 20, seed: 20261121 },
	);
	expect(orders.size).toBeGreaterThan(3);
});
