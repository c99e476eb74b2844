import { Failure } from '../../../batch/failure';
import { lockFolder, type Lock, type LockOptions } from '../../../batch/lock/lock';
import type { Fate } from '../../../batch/lock/holder';
import { lockText, machine } from '../../support/batch/lock-fixtures';
import { MemoryDisk } from '../../support/batch/memory-disk';
import { VirtualClock } from '../../support/virtual-clock';

const PATH = 'out/.lock';
const BEAT = 5000;

const locks: Lock[] = [];
afterEach(async () => {
	for (const lock of locks.splice(0)) await lock.release().catch(() => undefined);
});

/** A folder with a lock in it, whose holder this computer judges so. */
async function given(lock?: string, fate: Fate = 'unknown') {
	const disk = new MemoryDisk();
	await disk.makeFolder('out');
	if (lock !== undefined) disk.put(PATH, lock);
	const clock = new VirtualClock();
	const said: string[] = [];
	const take = async (options: LockOptions = {}) => {
		const taken = await lockFolder(disk, 'out', clock, {
			machine: machine(7, () => fate),
			say: (text) => said.push(text),
			...options,
		});
		locks.push(taken);
		return taken;
	};
	return { disk, clock, said, take };
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
	const error: unknown = await work.catch((reason: unknown) => reason);
	if (error instanceof Failure) return error;
	throw new Error('It did not fail.');
}

async function untilSoonAfter(isMet: () => boolean): Promise<void> {
	while (!isMet()) await new Promise(setImmediate);
	for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

/** The heart of another run: one byte more at each beat. */
async function beatOn(disk: MemoryDisk, clock: VirtualClock, beats: number): Promise<void> {
	for (let beat = 0; beat < beats; beat += 1) {
		await clock.sleep(BEAT);
		disk.put(PATH, `${disk.text(PATH)}\n`);
	}
}

describe('the lock of a folder', () => {
	test('names its holder, and is gone when it is released', async () => {
		const { disk, clock, take } = await given();
		const lock = await take();
		expect(JSON.parse(disk.text(PATH))).toMatchObject({
			pid: 7,
			host: 'here',
			since: '2026-11-10T12:00:00.000Z',
			beat: BEAT,
		});
		await lock.release();
		expect(disk.files()).toEqual([]);
		expect(clock.sleeping).toBe(0);
	});

	test('is refused at once with 6 where its process is at work, and says who has it', async () => {
		const { disk, clock, take } = await given(lockText(), 'alive');
		const start = clock.now();
		const { what, cure, exitCode } = await failureOf(take());
		expect(what).toBe(
			'The folder out is in use by process 99 on here, since 2026-11-20T09:00:00.000Z.',
		);
		expect(cure).toContain('its process is at work');
		expect(exitCode).toBe(6);
		expect(clock.now()).toBe(start);
		expect(disk.files()).toEqual([PATH]);
	});

	test('is taken over at once from a dead process, and nothing else is left behind', async () => {
		const { disk, clock, take } = await given(lockText(), 'dead');
		const start = clock.now();
		const lock = await take();
		expect(clock.now()).toBe(start);
		expect(disk.text(PATH)).toContain('"pid":7,');
		expect(disk.files()).toEqual([PATH]);
		await lock.release();
		expect(disk.files()).toEqual([]);
	});

	test.each(['', '{"pid":12,"ho'])(
		'is taken over two seconds after its writer died in the middle of it: %j',
		async (text) => {
			const { disk, clock, take } = await given(text);
			const start = clock.now();
			await take();
			expect(clock.now() - start).toBe(2000);
			expect(disk.text(PATH)).toContain('"pid":7,');
			expect(disk.files()).toEqual([PATH]);
		},
	);

	test.each([
		['something else', '"locked"'],
		['null', 'null'],
		['no process', lockText({ pid: 0 })],
		['half a process', lockText({ pid: 1.5 })],
		['no host', lockText({ host: 5 as never })],
		['a boot that is no text', lockText({ boot: 5 as never })],
		['a name of a file that would lead elsewhere', lockText({ nonce: '../../x' })],
		['no heart', lockText({ beat: undefined })],
		['a heart that does not beat', lockText({ beat: 0 })],
		['a heart that would be waited for too long', lockText({ beat: 600_001 })],
	])('of another form is refused with 6, and what to do: %s', async (_, text) => {
		const { disk, clock, take } = await given(text, 'dead');
		const start = clock.now();
		expect(await failureOf(take())).toMatchObject({
			what: 'The folder out has a lock in a form that this version of brief-batch does not know.',
			cure: expect.stringContaining(`remove the file ${PATH}.`) as string,
			exitCode: 6,
		});
		expect(clock.now()).toBe(start);
		expect([disk.files(), disk.text(PATH)]).toEqual([[PATH], text]);
	});

	test('of a run of which nothing is known here is taken over when its heart did not beat for four beats, and not before', async () => {
		const { disk, clock, said, take } = await given(lockText({ host: 'pod-7' }));
		const start = clock.now();
		await take();
		expect(clock.now() - start).toBe(4 * BEAT);
		expect(disk.text(PATH)).toContain('"pid":7,');
		expect(said).toEqual([
			'The folder out has a lock of process 99 on pod-7, since 2026-11-20T09:00:00.000Z. Looking for up to 20 seconds whether that run is alive …',
		]);
	});

	test('is refused as soon as its heart beats, however late in the time that it is watched', async () => {
		const { disk, clock, take } = await given(lockText({ host: 'pod-7' }));
		const start = clock.now();
		void clock.sleep(3.5 * BEAT).then(() => disk.put(PATH, `${disk.text(PATH)}\n`));
		const { what, cure, exitCode } = await failureOf(take());
		expect([what, cure]).toEqual([
			expect.stringContaining('process 99 on pod-7'),
			expect.stringContaining('its heart beats'),
		]);
		expect(exitCode).toBe(6);
		expect(clock.now() - start).toBeLessThan(4 * BEAT);
		expect(disk.text(PATH)).toContain('pod-7');
	});

	test('is watched for as long as its own pace asks for, whatever the pace of this version is', async () => {
		const { clock, take } = await given(lockText({ beat: 20_000 }));
		const start = clock.now();
		await take();
		expect(clock.now() - start).toBe(80_000);
	});

	test('gives a holder its whole time although this computer slept while it watched', async () => {
		const { disk, clock, take } = await given(lockText());
		const taking = failureOf(take());
		await clock.sleep(BEAT / 2);
		clock.set(clock.now() + 3_600_000);
		await beatOn(disk, clock, 1);
		expect((await taking).exitCode).toBe(6);
	});

	test('that another takes over while it is watched is judged anew', async () => {
		const { disk, clock, take } = await given(lockText());
		const taking = failureOf(take());
		await clock.sleep(BEAT);
		disk.put(PATH, lockText({ nonce: 'n-100', pid: 100 }));
		await beatOn(disk, clock, 2);
		expect((await taking).what).toContain('process 100');
	});

	test('is taken over although an earlier taker died in the middle of it', async () => {
		for (const right of [lockText({ nonce: 'n-2' }), '']) {
			const { disk, take } = await given(lockText(), 'dead');
			disk.put(`${PATH}.after-n-99`, right);
			await take();
			expect(disk.files()).toEqual([PATH]);
		}
	});

	test('is refused while another is taking it over', async () => {
		const { disk, take } = await given(lockText());
		disk.put(`${PATH}.after-n-99`, lockText({ pid: 55, nonce: 'n-2' }));
		const fateOf = ({ pid }: { pid: number }) => (pid === 55 ? 'alive' : 'dead');
		const { what } = await failureOf(take({ machine: machine(7, fateOf) }));
		expect(what).toContain('process 55');
	});

	test('stays with a holder whose heart beats again after the last look, when another has the right to take it over', async () => {
		const { disk, take } = await given(lockText());
		let beats = 0;
		disk.before = ({ operation, path }) => {
			if (operation !== 'open' || path !== `${PATH}.after-n-99`) return;
			beats += 1;
			disk.put(PATH, `${disk.text(PATH)}\n`);
		};
		const taking = failureOf(take());
		// It watches anew, as if nothing had been: and then the heart beats on.
		await untilSoonAfter(() => beats > 0);
		disk.put(PATH, `${disk.text(PATH)}\n`);
		expect((await taking).exitCode).toBe(6);
		expect(disk.text(PATH)).toContain('n-99');
		expect(disk.files()).toEqual([PATH]);
	});

	test('is not taken over by one that was stopped with the right to do so for so long that another has it', async () => {
		const { disk, clock, take } = await given(lockText(), 'dead');
		let isStopped = false;
		disk.before = ({ operation, path }) => {
			if (isStopped || operation !== 'sync' || !path.startsWith(`${PATH}.`)) return;
			if (path === `${PATH}.after-n-99`) return;
			isStopped = true;
			clock.set(clock.now() + 60_000);
			disk.put(PATH, lockText({ nonce: 'n-100', pid: 100 }));
			disk.put(`${PATH}.after-n-99`, lockText({ nonce: 'n-101', pid: 101 }));
		};
		const fateOf = ({ pid }: { pid: number }) => (pid === 100 ? 'alive' : 'dead');
		const { what } = await failureOf(take({ machine: machine(7, fateOf) }));
		expect(isStopped).toBe(true);
		expect(what).toContain('process 100');
		expect(disk.files()).toEqual([PATH, `${PATH}.after-n-99`]);
	});

	test('waits for a holder that has made the file and not written it yet', async () => {
		const { disk, clock, take } = await given('', 'alive');
		const taking = take();
		void clock.sleep(50).then(() => disk.put(PATH, lockText()));
		await expect(taking).rejects.toThrow('process 99');
	});

	test('leaves no empty file where the disk is full', async () => {
		for (const operation of ['write', 'sync']) {
			const { disk, take } = await given();
			disk.fail({ at: 1, on: (call) => call.operation === operation });
			await expect(take()).rejects.toMatchObject({ code: 'ENOSPC' });
			expect(disk.files()).toEqual([]);
		}
	});

	test('stops being watched where the run is interrupted', async () => {
		const { disk, clock, take } = await given(lockText());
		const interruption = new AbortController();
		void clock.sleep(BEAT).then(() => interruption.abort(new Error('Ctrl-C')));
		await expect(take({ signal: interruption.signal })).rejects.toThrow('Ctrl-C');
		expect(disk.text(PATH)).toContain('n-99');
	});

	test('that was taken over has done what is to be done first, and is left to the next run where that fails', async () => {
		const { disk, clock, take } = await given(lockText(), 'dead');
		const error = new Error('no room');
		await expect(take({ onTakeOver: () => Promise.reject(error) })).rejects.toThrow(error);
		expect(disk.files()).toEqual([PATH]);
		expect(clock.sleeping).toBe(0);
		let done = 0;
		const onTakeOver = () => Promise.resolve(void (done += 1));
		const lock = await take({ onTakeOver });
		expect(done).toBe(1);
		await lock.release();
		await take({ onTakeOver });
		expect(done).toBe(1);
	});
});

describe('the heart of a lock', () => {
	test('beats every five seconds into the lock’s own file, which stays JSON', async () => {
		const { disk, clock, take } = await given();
		await take();
		const { length } = disk.bytes(PATH);
		await clock.pass(10 * BEAT + 1);
		expect(disk.bytes(PATH).length).toBe(length + 10);
		expect(JSON.parse(disk.text(PATH))).toMatchObject({ pid: 7 });
	});

	test('is seen by another run, which is refused', async () => {
		const { take } = await given();
		await take();
		expect((await failureOf(take())).exitCode).toBe(6);
	});

	test('never writes into the lock of another, and never brings back one that was removed', async () => {
		const { disk, clock, take } = await given();
		await take();
		const other = lockText({ nonce: 'other' });
		disk.put(PATH, other);
		await clock.pass(10 * BEAT);
		expect(disk.text(PATH)).toBe(other);
		await disk.remove(PATH);
		await clock.pass(10 * BEAT);
		expect(disk.files()).toEqual([]);
	});

	test('stands still once the lock is lost', async () => {
		const { disk, clock, take } = await given();
		await take();
		disk.put(PATH, lockText({ nonce: 'other' }));
		clock.set(clock.now() + 60_000);
		await clock.pass(3 * BEAT);
		const { length } = disk.calls;
		await clock.pass(10 * BEAT);
		expect(disk.calls.length).toBe(length);
	});
});

describe('a run at work', () => {
	test('holds its lock while its heart beats', async () => {
		const { disk, clock, take } = await given();
		const lock = await take();
		await clock.pass(60 * BEAT);
		await lock.check();
		expect(disk.files()).toEqual([PATH]);
	});

	test('that has lost its lock is told who has it, and ends with 6', async () => {
		const { disk, take } = await given();
		const lock = await take();
		disk.put(PATH, lockText({ nonce: 'other', pid: 55, host: 'pod-8' }));
		const { what, exitCode } = await failureOf(lock.check());
		expect(what).toContain('(process 55 on pod-8, since 2026-11-20T09:00:00.000Z)');
		expect(exitCode).toBe(6);
		await lock.release();
		expect(disk.text(PATH)).toContain('pod-8');
	});

	test('whose lock is gone ends with 5, and makes no new one', async () => {
		const { disk, take } = await given();
		const lock = await take();
		await disk.remove(PATH);
		const { what, exitCode } = await failureOf(lock.check());
		expect(what).toContain('is gone');
		expect(exitCode).toBe(5);
		await lock.release();
		expect(disk.files()).toEqual([]);
	});

	test('goes on after it stood still for long, as on a computer that slept, where nobody took the folder over', async () => {
		const { disk, clock, take } = await given();
		const lock = await take();
		const { length } = disk.bytes(PATH);
		clock.set(clock.now() + 8 * 3_600_000);
		await lock.check();
		// A watcher sees at once that it lives.
		expect(disk.bytes(PATH).length).toBeGreaterThan(length);
		expect(disk.files()).toEqual([PATH]);
	});

	test('that stood still does not go on where another has the right to take its lock over', async () => {
		const { disk, clock, take } = await given();
		const fateOf = () => 'alive' as const;
		const lock = await take({ machine: machine(7, fateOf) });
		const { nonce } = JSON.parse(disk.text(PATH)) as { nonce: string };
		const { length } = disk.bytes(PATH);
		disk.put(`${PATH}.after-${nonce}`, lockText({ nonce: 'taker', pid: 55 }));
		clock.set(clock.now() + 60_000);
		const { what, exitCode } = await failureOf(lock.check());
		expect(what).toContain('another run has taken over');
		expect(exitCode).toBe(6);
		expect(disk.bytes(PATH).length).toBe(length);
	});

	test('that was stopped while it looked at its lock does not trust that look', async () => {
		const { disk, clock, take } = await given();
		const lock = await take();
		let looks = 0;
		disk.before = ({ operation, path }) => {
			if (operation !== 'read' || path !== PATH) return;
			looks += 1;
			if (looks === 1) clock.set(clock.now() + 60_000);
		};
		await lock.check();
		expect(looks).toBeGreaterThan(1);
	});

	test('that is stopped once more while it renews its lock, and loses it meanwhile, does not go on', async () => {
		const { disk, clock, take } = await given();
		const lock = await take();
		clock.set(clock.now() + 60_000);
		let hasRight = false;
		disk.before = ({ operation, path }) => {
			if (operation === 'close') hasRight = true;
			if (!hasRight || path !== PATH) return;
			// Stopped while it reads that the lock is its own; by the time of its beat another has taken over.
			if (operation === 'read') clock.set(clock.now() + 60_000);
			if (operation !== 'write') return;
			disk.before = () => undefined;
			disk.put(PATH, lockText({ nonce: 'other', pid: 55 }));
		};
		expect((await failureOf(lock.check())).what).toContain('process 55');
	});

	test('whose heart cannot beat, because the disk is full, ends with what the disk says', async () => {
		const { disk, clock, take } = await given();
		const lock = await take();
		disk.fail({ at: 1, forever: true, on: ({ operation }) => operation === 'write' });
		await clock.pass(BEAT);
		await lock.check();
		await clock.pass(3 * BEAT);
		await expect(lock.check()).rejects.toMatchObject({ code: 'ENOSPC' });
		disk.mend();
		await lock.check();
	});
});
