import fc from 'fast-check';
import type { Disk } from '../../../batch/folder/disk';
import { Journal, renewJournalFile } from '../../../batch/folder/journal/journal';
import { lockFolder } from '../../../batch/folder/lock/lock';
import { Stop as RunStop } from '../../../batch/stop';
import { journalIn } from '../../support/batch/journal-events';
import type { Clock } from '../../../service/api/ports';
import { lockText, machine } from '../../support/batch/lock-fixtures';
import { MemoryDisk } from '../../support/batch/memory-disk';
import { VirtualClock } from '../../support/virtual-clock';
import { FAULTS, settleDown, type FaultName } from '../../support/world/actions';
import { Life, type Death } from '../../support/world/life';
import { Promises } from '../../support/world/promises';
import { story } from '../../support/world/trace';
import { diskOf } from '../../support/world/effects';
import { World } from '../../support/world/world';
import { MINUTE, SECOND } from '../../support/time';
import { draws, isTorture } from '../../support/long-run';

jest.setTimeout(isTorture ? 7_200_000 : 300_000);

/**
 * What goes on at the same time may end in any order: fast-check's scheduler draws it, and shrinks it if a promise
 * breaks.
 */
const orders = (short: number, long: number) => draws(isTorture ? long : short, 20261121);

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
					thirdBrief: fc.constantFrom('queue' as const, undefined),
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
			orders(100, 10_000),
		);
	});
});

describe('several runs on one folder', () => {
	const HOLDERS = {
		nobody: undefined,
		'a dead process': lockText(),
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
		const lives: Life[] = [];
		const take = async (pid: number, death?: Death) => {
			const life = new Life(death);
			lives.push(life);
			living.add(pid);
			const die = () => living.delete(pid);
			void life.died.then(die);
			const taking = lockFolder(
				life.disk(disk),
				'out',
				life.clock(clock, () => 0),
				{
					machine: machine(pid, (other) => (living.has(other.pid) ? 'alive' : 'dead')),
				},
			);
			return await Promise.race([
				life.died,
				taking.then(
					() => 'has it',
					(error: unknown) => {
						die();
						if (error instanceof RunStop) return error.what;
						throw error;
					},
				),
			]);
		};
		const first = await turns.waitFor(Promise.all(deaths.map((death, i) => take(i + 1, death))));
		living.clear();
		for (const life of lives) life.kill();
		const later = await turns.waitFor(take(50));
		clock.stop();
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
				orders(120, 20_000),
			);
			// That all who live are refused is allowed, but must stay rare.
			expect(wins).toBeGreaterThan(contests / 2);
		},
	);
});

/** A process is stopped, as with SIGSTOP, and goes on later; never, if `ms` is infinite. */
interface Stop {
	/** At which of its effects, from 1. */
	at: number;
	/** Only calls to the disk of this kind count, as "write out/journal.jsonl". */
	of?: string;
	/** Whether that effect has taken place already. */
	when: 'before' | 'after';
	ms: number;
}

/** One process that is stopped and goes on. While it is stopped it does nothing; time and all others go on. */
class Stoppable {
	readonly disk: Disk;
	readonly clock: Clock;
	readonly stoppedForEver: Promise<'stopped'>;
	private tellEnd: (how: 'stopped') => void = () => undefined;
	private readonly effects: string[] = [];
	private goesOn: Promise<void> = Promise.resolve();

	constructor(
		disk: Disk,
		private readonly world: Clock,
		private readonly stops: readonly Stop[],
	) {
		this.stoppedForEver = new Promise((resolve) => (this.tellEnd = resolve));
		this.disk = diskOf(disk, (kind, path, work) => this.effect(`${kind} ${path}`, work));
		this.clock = {
			now: () => world.now(),
			sleep: (ms, signal) => this.effect('sleep', () => world.sleep(ms, signal)),
		};
	}

	kill(): void {
		this.stop(Infinity);
	}

	private async effect<T>(what: string, work: () => Promise<T>): Promise<T> {
		this.effects.push(what);
		const alike = this.effects.filter((one) => one === what).length;
		const all = this.effects.length;
		const isDue = ({ at, of }: Stop) =>
			of === undefined ? at === all : of === what && at === alike;
		const due = (when: Stop['when']) => {
			for (const stop of this.stops) if (isDue(stop) && stop.when === when) this.stop(stop.ms);
		};
		due('before');
		await this.goesOn;
		try {
			return await work();
		} finally {
			due('after');
			await this.goesOn;
		}
	}

	private stop(ms: number): void {
		const before = this.goesOn;
		if (ms < Infinity) {
			this.goesOn = before.then(() => this.world.sleep(ms));
			return;
		}
		this.goesOn = new Promise(() => undefined);
		this.tellEnd('stopped');
	}
}

describe('runs that know nothing of each other, and are stopped for a while or for ever', () => {
	const BEAT = 5 * SECOND;
	const LINES = 4;

	const ms = fc.constantFrom(BEAT, 2.5 * BEAT, 4 * BEAT, 5 * BEAT, 9 * BEAT, Infinity);
	const stop: fc.Arbitrary<Stop> = fc.oneof(
		fc.record({
			at: fc.integer({ min: 1, max: 60 }),
			when: fc.constantFrom<Array<Stop['when']>>('before', 'after'),
			ms,
		}),
		// Between the check and its effect, the worst of all moments.
		fc.record({
			at: fc.integer({ min: 1, max: LINES }),
			of: fc.constantFrom('write out/journal.jsonl', 'rename out/.lock', 'read out/.lock'),
			when: fc.constant('before' as const),
			ms,
		}),
	);
	const runs = fc.array(
		fc.record({
			begins: fc.constantFrom(0, 0, BEAT, 6 * BEAT),
			every: fc.constantFrom(0, BEAT / 2, 3 * BEAT),
			stops: fc.array(stop, { maxLength: 3 }),
		}),
		{ minLength: 2, maxLength: 4 },
	);
	type Run = typeof runs extends fc.Arbitrary<Array<infer R>> ? R : never;

	/** The runs write lines into one journal, each as long as its lock lets it; and then comes one more. */
	async function written(turns: fc.Scheduler, given: Run[]) {
		const disk = new MemoryDisk();
		await disk.makeFolder('out');
		const clock = new VirtualClock();
		disk.before = ({ operation, path }) =>
			turns.schedule(Promise.resolve(), `${operation} ${path}`);
		/** Whose effect came when: right after the check, as an order is sent. */
		const effects: number[] = [];
		const work = async (pid: number, { begins, every, stops }: Run) => {
			const process = new Stoppable(disk, clock, stops);
			const running = (async () => {
				await process.clock.sleep(begins);
				const lock = await lockFolder(process.disk, 'out', process.clock, {
					machine: machine(pid, () => 'unknown'),
					onTakeOver: (own) => renewJournalFile(own, 'out/journal.jsonl'),
				});
				const now = () => clock.now();
				const journal = await Journal.open(lock.disk, 'out/journal.jsonl', now, () => undefined);
				for (let line = 0; line < LINES; line += 1) {
					await process.clock.sleep(every);
					await journal.append({ event: 'withdrawn', key: String(pid), why: '' });
					await lock.check();
					effects.push(pid);
				}
				await lock.release();
				return 'done';
			})();
			const end = await Promise.race([
				running.catch((error: unknown) => {
					if (error instanceof RunStop) return error.what;
					throw error;
				}),
				process.stoppedForEver,
			]);
			// An ended process beats no more.
			process.kill();
			return end;
		};
		const ends = await turns.waitFor(Promise.all(given.map((run, i) => work(i + 1, run))));
		// What a stopped process had handed over may reach the disk now, and pass for a last beat.
		let later = 'refused';
		for (let pid = 50; later !== 'done' && pid < 53; pid += 1)
			later = await turns.waitFor(work(pid, { begins: 0, every: 0, stops: [] }));
		clock.stop();
		const lines = disk
			.text('out/journal.jsonl')
			.split('\n')
			.flatMap((line) => /"key":"(\d+)"/.exec(line)?.[1] ?? []);
		return {
			ends,
			later,
			effects,
			lines: lines.map(Number),
			journal: disk.bytes('out/journal.jsonl'),
		};
	}

	/** Each begins when all before it are through for good. */
	const owners = (of: number[]) => of.filter((pid, i) => pid !== of[i - 1]);

	test('none does anything once another has taken over; the journal stays whole, and the next run gets the folder', async () => {
		const seen = { takenOver: 0, lost: 0, outlived: 0 };
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), runs, async (turns, given) => {
				const { ends, later, effects, lines, journal } = await written(turns, given);
				for (const list of [owners(effects), owners(lines)])
					expect(new Set(list).size).toBe(list.length);
				journalIn(journal, 'journal');
				for (const end of ends)
					expect(end).toMatch(
						/^(done|stopped|.* in use by .*|.* has taken over .*|.* is gone: .*|.* was removed or replaced .*)$/,
					);
				expect(later).toBe('done');
				if (owners(effects).length > 2) seen.takenOver += 1;
				if (ends.some((end) => / taken /.test(end))) seen.lost += 1;
				given.forEach(({ stops }, i) => {
					if (ends[i] === 'done' && stops.some(({ ms }) => ms > 2 * BEAT)) seen.outlived += 1;
				});
			}),
			orders(200, 5_000),
		);
		// Each kind of outcome happened often enough.
		for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
	});
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
			orders.add(labels.filter((label) => /_briefs? is|sync out.journal/.test(label)).join());
		}),
		{ numRuns: 60, seed: 20261121 },
	);
	expect(orders.size).toBeGreaterThan(3);
});
