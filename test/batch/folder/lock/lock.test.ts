import type { Machine } from '../../../../batch/folder/lock/holder';
import { lockFolder, type Lock } from '../../../../batch/folder/lock/lock';
import { Stop } from '../../../../batch/stop';
import { lockText, machine } from '../../../support/batch/lock-fixtures';
import { MemoryDisk, type DiskCall } from '../../../support/batch/memory-disk';
import { failureOf } from '../../../support/failure-of';
import { VirtualClock } from '../../../support/virtual-clock';
import { MINUTE } from '../../../support/time';

type Fate = ReturnType<Machine['fateOf']>;
type LockOptions = Parameters<typeof lockFolder>[3];

const PATH = 'out/.lock';
const RIGHT = `${PATH}.after-n-99`;
const BEAT = 5000;

const locks: Lock[] = [];
afterEach(async () => {
	for (const lock of locks.splice(0)) await lock.release().catch(() => undefined);
});

/** A folder with a lock in it, whose holder this computer judges so. */
async function given(lock?: string, fate: Fate | Machine['fateOf'] = 'unknown') {
	const disk = new MemoryDisk();
	await disk.makeFolder('out');
	if (lock !== undefined) disk.put(PATH, lock);
	const clock = new VirtualClock();
	const start = clock.now();
	const said: string[] = [];
	const here = machine(7, typeof fate === 'string' ? () => fate : fate);
	const say = (text: string) => said.push(text);
	const take = async (options: LockOptions = {}) => {
		const taken = await lockFolder(disk, 'out', clock, { machine: here, say, ...options });
		locks.push(taken);
		return taken;
	};
	return {
		disk,
		clock,
		said,
		take,
		waited: () => clock.now() - start,
		sleep: (ms: number) => clock.set(clock.now() + ms),
		/** One byte more: the heart of whoever has the lock. */
		beat: () => disk.put(PATH, `${disk.text(PATH)}\n`),
		expectOwn: () => {
			expect(disk.text(PATH)).toContain('"pid":7,');
			expect(disk.files()).toEqual([PATH]);
		},
	};
}

const refusalOf = (work: Promise<unknown>) => failureOf(work, Stop);

async function untilSoonAfter(isMet: () => boolean): Promise<void> {
	while (!isMet()) await new Promise(setImmediate);
	for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

describe('the lock of a folder', () => {
	test('names its holder, and is gone when it is released', async () => {
		const { disk, clock, take } = await given();
		const lock = await take();
		const holder = { pid: 7, host: 'here', since: '2026-11-10T12:00:00.000Z', beat: BEAT };
		expect(JSON.parse(disk.text(PATH))).toMatchObject(holder);
		await lock.release();
		expect(disk.files()).toEqual([]);
		expect(clock.sleeping).toBe(0);
	});

	test('is refused at once with 6 if its process is at work, and says who has it', async () => {
		const { disk, take, waited } = await given(lockText(), 'alive');
		expect(await refusalOf(take())).toMatchObject({
			what: 'The folder out is in use by process 99 on here, since 2026-11-20 09:00 UTC.',
			cure: 'That run is alive: its process is at work. Wait until it is done. Once it has ended or was killed, the same command takes the folder over by itself.',
			exitCode: 6,
		});
		expect([waited(), disk.files()]).toEqual([0, [PATH]]);
	});

	test.each([
		['at once from a dead process', lockText(), 'dead', 0],
		['two seconds after its writer died before it wrote', '', 'unknown', 2000],
		['two seconds after its writer died while it wrote', '{"pid":12,"ho', 'unknown', 2000],
		['four beats after one about which nothing is known', lockText(), 'unknown', 4 * BEAT],
		['by the pace of its holder', lockText({ beat: 20_000 }), 'unknown', 80_000],
		['by the slowest pace', lockText({ beat: 600_000 }), 'unknown', 2_400_000],
	] as const)('is taken over %s, and nothing else is left behind', async (_, text, fate, after) => {
		const { disk, take, waited, expectOwn } = await given(text, fate);
		const lock = await take();
		expect(waited()).toBe(after);
		expectOwn();
		await lock.release();
		expect(disk.files()).toEqual([]);
	});

	test('is watched with a word about it', async () => {
		const { said, take } = await given(lockText({ host: 'pod-7' }));
		await take();
		expect(said).toEqual([
			'The folder out has a lock of process 99 on pod-7, since 2026-11-20 09:00 UTC. Looking for up to 20 seconds whether that run is alive …',
		]);
	});

	test.each([
		['something else', '"locked"'],
		['null', 'null'],
		['no process', lockText({ pid: 0 })],
		['half a process', lockText({ pid: 1.5 })],
		['no host', lockText({ host: 5 as never })],
		['a boot that is no text', lockText({ boot: 5 as never })],
		['a name of a file that would lead elsewhere', lockText({ nonce: '../../x' })],
		['a name of a file that ends elsewhere', lockText({ nonce: 'x/y' })],
		['no heart', lockText({ beat: undefined })],
		['a heart that does not beat', lockText({ beat: 0 })],
		['a heart that would be waited for too long', lockText({ beat: 600_001 })],
	])('of another form is refused with 6, and what to do: %s', async (_, text) => {
		const { disk, take, waited } = await given(text, 'dead');
		expect(await refusalOf(take())).toMatchObject({
			what: 'The folder out has a lock in a form that this version of brief-batch does not know.',
			cure: `If no run works on the folder, remove the file ${PATH}. Otherwise wait until that run is done.`,
			exitCode: 6,
		});
		expect([waited(), disk.files(), disk.text(PATH)]).toEqual([0, [PATH], text]);
	});

	test('is refused as soon as its heart beats, however late in the time that it is watched', async () => {
		const { disk, clock, take, beat, waited } = await given(lockText({ host: 'pod-7' }));
		void clock.sleep(3.5 * BEAT).then(beat);
		const { what, cure, exitCode } = await refusalOf(take());
		expect(`${exitCode} ${what} ${cure}`).toMatch(
			/^6 .*process 99 on pod-7.*: its heart beats. Wait/,
		);
		expect(waited()).toBeLessThan(4 * BEAT);
		expect(disk.text(PATH)).toContain('pod-7');
	});

	test('gives a holder its whole time although this computer slept while it watched', async () => {
		const { clock, take, sleep, beat } = await given(lockText());
		const taking = refusalOf(take());
		await clock.sleep(BEAT / 2);
		sleep(60 * MINUTE);
		void clock.sleep(BEAT).then(beat);
		expect((await taking).exitCode).toBe(6);
	});

	test('that another takes over while it is watched is judged again', async () => {
		const { disk, clock, take, beat } = await given(lockText());
		const taking = refusalOf(take());
		await clock.sleep(BEAT);
		disk.put(PATH, lockText({ nonce: 'n-100', pid: 100 }));
		void clock.sleep(BEAT).then(beat);
		expect((await taking).what).toContain('process 100');
	});

	test.each([lockText({ nonce: 'n-2' }), ''])(
		'is taken over although an earlier taker died in the middle of it: %j',
		async (right) => {
			const { disk, take, expectOwn } = await given(lockText(), 'dead');
			disk.put(RIGHT, right);
			await take();
			expectOwn();
		},
	);

	test('is refused while another is taking it over', async () => {
		const { disk, take } = await given(lockText(), ({ pid }) => (pid === 55 ? 'alive' : 'dead'));
		disk.put(RIGHT, lockText({ pid: 55, nonce: 'n-2' }));
		expect((await refusalOf(take())).what).toContain('process 55');
	});

	test('stays with a holder whose heart beats again after the last look, when another has the right to take it over', async () => {
		const { disk, take, beat } = await given(lockText());
		let beats = 0;
		disk.before = ({ operation, path }) => {
			if (operation !== 'open' || path !== RIGHT) return;
			beats += 1;
			beat();
		};
		const taking = refusalOf(take());
		// It watches again from the start, and then the heart beats on.
		await untilSoonAfter(() => beats > 0);
		beat();
		expect((await taking).exitCode).toBe(6);
		expect(disk.text(PATH)).toContain('n-99');
		expect(disk.files()).toEqual([PATH]);
	});

	test('is not taken over by one that was stopped with the right to do so for so long that another has it', async () => {
		const alive = ({ pid }: { pid: number }) => (pid === 100 ? 'alive' : 'dead');
		const { disk, take, sleep } = await given(lockText(), alive);
		let isStopped = false;
		disk.before = ({ operation, path }) => {
			if (isStopped || operation !== 'sync' || !path.startsWith(`${PATH}.`)) return;
			if (path === RIGHT) return;
			isStopped = true;
			sleep(MINUTE);
			disk.put(PATH, lockText({ nonce: 'n-100', pid: 100 }));
			disk.put(RIGHT, lockText({ nonce: 'n-101', pid: 101 }));
		};
		const { what } = await refusalOf(take());
		expect([isStopped, what]).toEqual([true, expect.stringContaining('process 100')]);
		expect(disk.files()).toEqual([PATH, RIGHT]);
	});

	test.each([
		[2 * BEAT, 1, 1],
		[2 * BEAT + 1, 1, 2],
	])(
		'is given up by a taker that was stopped for longer than its right is trusted: %i ms',
		async (stopped, renamed, removed) => {
			const { disk, take, sleep, expectOwn } = await given(lockText(), 'dead');
			let renames = 0;
			let isStopped = false;
			disk.before = ({ operation, path }) => {
				if (operation === 'rename') renames += 1;
				if (isStopped || operation !== 'sync' || path === RIGHT) return;
				isStopped = true;
				sleep(stopped);
			};
			await take();
			expect([renames, disk.count('remove', RIGHT)]).toEqual([renamed, removed]);
			expectOwn();
		},
	);

	test('waits for a holder that has made the file and not written it yet', async () => {
		const { disk, clock, take } = await given('', 'alive');
		const taking = take();
		void clock.sleep(50).then(() => disk.put(PATH, lockText()));
		await expect(taking).rejects.toThrow('process 99');
	});

	test('that another wrote over while its own was made is another’s', async () => {
		const { disk, take } = await given();
		disk.before = ({ operation, path }) => {
			if (operation === 'sync' && path === PATH) disk.put(PATH, lockText({ pid: 55 }));
		};
		const { what, cure, exitCode } = await refusalOf(take());
		expect(`${exitCode} ${what}`).toMatch(/^6 .*process 55/);
		expect(cure).toMatch(/^Wait until it is done/);
		expect(disk.count('close')).toBe(1);
	});

	test.each(['write', 'sync'])('leaves no empty file if a %s fails', async (operation) => {
		const { disk, take } = await given();
		disk.fail({ at: 1, on: (call) => call.operation === operation });
		await expect(take()).rejects.toMatchObject({ code: 'ENOSPC' });
		expect(disk.files()).toEqual([]);
		expect(disk.count('close')).toBe(1);
	});

	test('that is released after it was seen is tried for again a moment later, unless the run is interrupted', async () => {
		const { disk, take, waited, expectOwn } = await given();
		const busy = Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
		let refused = 0;
		disk.before = ({ operation, path }) => {
			if (operation === 'open' && path === PATH && (refused += 1) <= 3) throw busy;
		};
		await take();
		expectOwn();
		expect(waited()).toBe(300);

		const interrupted = await given();
		const end = new AbortController();
		interrupted.disk.before = ({ operation }) => {
			if (operation !== 'open') return;
			end.abort();
			throw busy;
		};
		await expect(interrupted.take({ signal: end.signal })).rejects.toThrow('aborted');
		expect(interrupted.disk.count('open')).toBe(1);
	});

	test('is refused if it is a link that leads nowhere', async () => {
		const { disk, take } = await given();
		disk.isLink = () => Promise.resolve(true);
		disk.before = ({ operation }) => {
			if (operation === 'open') throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
		};
		expect(await refusalOf(take())).toMatchObject({
			what: 'out/.lock is a link that leads nowhere, and no lock.',
			cure: 'Remove it, or name another folder with --out.',
			exitCode: 2,
		});
	});

	test('stops being watched if the run is interrupted', async () => {
		const { disk, clock, take } = await given(lockText());
		const interruption = new AbortController();
		void clock.sleep(BEAT).then(() => interruption.abort(new Error('Ctrl-C')));
		await expect(take({ signal: interruption.signal })).rejects.toThrow('Ctrl-C');
		expect(disk.text(PATH)).toContain('n-99');
	});

	test('that was taken over has done what is to be done first, and is left to the next run if that fails', async () => {
		const { disk, clock, take } = await given(lockText(), 'dead');
		const error = new Error('no room');
		await expect(take({ onTakeOver: () => Promise.reject(error) })).rejects.toThrow(error);
		expect([disk.files(), clock.sleeping]).toEqual([[PATH], 0]);
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
		const lock = await take();
		const { length } = disk.bytes(PATH);
		await clock.pass(10 * BEAT + 1);
		expect(disk.bytes(PATH).length).toBe(length + 10);
		expect(JSON.parse(disk.text(PATH))).toMatchObject({ pid: 7 });
		await lock.check();
		// Another run sees it beat.
		expect((await refusalOf(take())).exitCode).toBe(6);
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

	test('stops once the lock is lost', async () => {
		const { disk, clock, take, sleep } = await given();
		await take();
		disk.put(PATH, lockText({ nonce: 'other' }));
		sleep(MINUTE);
		await clock.pass(3 * BEAT);
		const { length } = disk.calls;
		await clock.pass(10 * BEAT);
		expect(disk.calls.length).toBe(length);
	});
});

describe('a run at work', () => {
	test.each([
		[
			'is another’s ends with 6, and says whose',
			lockText({ nonce: 'other', pid: 55, host: 'pod-8' }),
			'This run was paused too long, so another run (process 55 on pod-8, since 2026-11-20 09:00 UTC) has taken over the folder out.',
			6,
		],
		[
			'is gone ends with 5',
			undefined,
			'The lock of the folder out is gone: another run has taken it over and ended since, or somebody removed the lock or the folder.',
			5,
		],
	])('whose lock %s, and makes no new one', async (_, other, what, exitCode) => {
		const { disk, take } = await given();
		const lock = await take();
		if (other === undefined) await disk.remove(PATH);
		else disk.put(PATH, other);
		const failure = await refusalOf(lock.check());
		expect(failure).toMatchObject({ what, exitCode });
		expect(failure.cure).toContain('Nothing more was written or ordered here.');
		await lock.release();
		expect(disk.files().map((path) => disk.text(path))).toEqual(other === undefined ? [] : [other]);
	});

	test('goes on after it was stopped for long, as on a computer that slept, if nobody took the folder over', async () => {
		const { disk, take, sleep } = await given();
		const lock = await take();
		const { length } = disk.bytes(PATH);
		sleep(480 * MINUTE);
		await lock.check();
		// A watcher sees at once that it lives.
		expect(disk.bytes(PATH).length).toBeGreaterThan(length);
		expect(disk.files()).toEqual([PATH]);
	});

	test('that was stopped does not go on if another has the right to take its lock over', async () => {
		const { disk, take, sleep } = await given(undefined, 'alive');
		const lock = await take();
		const { nonce } = JSON.parse(disk.text(PATH)) as { nonce: string };
		const { length } = disk.bytes(PATH);
		disk.put(`${PATH}.after-${nonce}`, lockText({ nonce: 'taker', pid: 55 }));
		sleep(MINUTE);
		const { what, exitCode } = await refusalOf(lock.check());
		expect(`${exitCode} ${what}`).toMatch(/^6 .*another run has taken over/);
		expect(disk.bytes(PATH).length).toBe(length);
	});

	test('that was stopped while it looked at its lock does not trust that look', async () => {
		const { disk, take, sleep } = await given();
		const lock = await take();
		let looks = 0;
		disk.before = ({ operation, path }) => {
			if (operation === 'read' && path === PATH && (looks += 1) === 1) sleep(MINUTE);
		};
		await lock.check();
		expect(looks).toBeGreaterThan(1);
	});

	test('that is stopped once more while it renews its lock, and loses it meanwhile, does not go on', async () => {
		const { disk, take, sleep } = await given();
		const lock = await take();
		sleep(MINUTE);
		let hasRight = false;
		disk.before = ({ operation, path }: DiskCall) => {
			if (operation === 'close') hasRight = true;
			if (!hasRight || path !== PATH) return;
			// Stopped while it reads that the lock is its own; by the time of its beat another has taken over.
			if (operation === 'read') sleep(MINUTE);
			if (operation !== 'write') return;
			disk.before = () => undefined;
			disk.put(PATH, lockText({ nonce: 'other', pid: 55 }));
		};
		expect((await refusalOf(lock.check())).what).toContain('process 55');
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
