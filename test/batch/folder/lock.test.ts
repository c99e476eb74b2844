import { spawnSync } from 'node:child_process';
import {
	mkdirSync,
	mkdtempSync,
	promises,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isFolderInUse, lockFolder } from '../../../batch/folder/lock';
import type { Clock } from '../../../core/api/ports';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { DAY, MINUTE } from '../../support/time';

/** A clock on which time passes only in `sleep`. The lock file itself is on the real disk. */
class SleepClock implements Clock {
	private time = 0;
	private events: Array<{ at: number; run: () => void }> = [];

	now(): number {
		return this.time;
	}

	/** Calls `run` after this time. */
	schedule(ms: number, run: () => void): void {
		this.events.push({ at: this.time + ms, run });
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		this.time += ms;
		const due = this.events.filter(({ at }) => at <= this.time);
		this.events = this.events.filter(({ at }) => at > this.time);
		for (const { run } of due) run();
		signal?.throwIfAborted();
	}
}

const root = makeTemporaryFolder();
let folder: string;
let clock: SleepClock;

beforeEach(() => {
	folder = mkdtempSync(join(root, 'folder-'));
	clock = new SleepClock();
});

const take = (signal = new AbortController().signal) => lockFolder(folder, { clock, signal });
const isInUse = () => isFolderInUse(folder, { clock, signal: new AbortController().signal });
const getLockPath = () => join(folder, '.lock');
const readToken = () => readFileSync(getLockPath(), 'utf8');

function holdLock(holder: { pid?: number; host?: string } = {}): void {
	const since = new Date().toISOString();
	const own = { pid: process.pid, host: hostname(), since, token: 'other', ...holder };
	writeFileSync(getLockPath(), JSON.stringify(own));
}

/** Touches the lock, as its holder does every ten seconds. */
function touchLock(): void {
	utimesSync(getLockPath(), new Date(), new Date(Date.now() + 10_000));
}

function findDeadProcess(): number {
	return spawnSync(process.execPath, ['--version']).pid;
}

test('takes a free lock, and removes it on release', async () => {
	const lock = await take();
	expect(await isInUse()).toBe(false);
	await lock.verify();
	await lock.release();
	expect(readdirSync(folder)).toEqual([]);
});

test('takes over the lock of a dead process on this host at once', async () => {
	holdLock({ pid: findDeadProcess() });
	const began = clock.now();
	expect(await isInUse()).toBe(false);
	await (await take()).verify();
	expect(clock.now() - began).toBeLessThan(2000);
});

test('takes over a lock that was not touched for a minute, on any host and with any clock', async () => {
	holdLock({ host: 'mac-mini' });
	const tomorrow = new Date(Date.now() + DAY);
	utimesSync(getLockPath(), tomorrow, tomorrow);
	const began = clock.now();
	expect(await isInUse()).toBe(false);
	expect(clock.now() - began).toBe(MINUTE);
	await (await take()).verify();
});

test('refuses a lock that was touched within the last minute, and names its holder', async () => {
	holdLock({ host: 'mac-mini', pid: 4711 });
	clock.schedule(40_000, touchLock);
	const began = clock.now();
	await expect(take()).rejects.toMatchObject({
		kind: 'folder_in_use',
		message: expect.stringMatching(/process 4711 on mac-mini, since \d+ \w+, \d\d:\d\d/) as string,
	});
	expect(clock.now() - began).toBeLessThan(MINUTE);
});

test('status sees a lock in use by the same rule, although the clock of its host is a day behind', async () => {
	holdLock({ host: 'mac-mini' });
	const yesterday = new Date(Date.now() - DAY);
	utimesSync(getLockPath(), yesterday, yesterday);
	clock.schedule(40_000, touchLock);
	expect(await isInUse()).toBe(true);
});

test('takes a lock that is released while it waits', async () => {
	holdLock();
	clock.schedule(5000, () => rmSync(getLockPath()));
	await (await take()).verify();
	expect(clock.now()).toBe(5000);
});

test('a lock that another run takes just after its release stays with that run', async () => {
	holdLock();
	jest.spyOn(promises, 'readFile').mockImplementationOnce(async () => {
		holdLock({ pid: 4711, host: 'mac-mini' });
		throw Object.assign(new Error('released'), { code: 'ENOENT' });
	});
	clock.schedule(10_000, touchLock);
	await expect(take()).rejects.toMatchObject({ kind: 'folder_in_use' });
	expect(readToken()).toContain('4711');
});

test('a lock file that was cut off is stale only after a minute', async () => {
	writeFileSync(getLockPath(), '{"pid":47');
	const began = clock.now();
	await take();
	expect(clock.now() - began).toBeGreaterThanOrEqual(MINUTE);
});

test('Ctrl-C ends the wait for a lock', async () => {
	holdLock({ host: 'mac-mini' });
	const interruption = new AbortController();
	clock.schedule(3000, () => interruption.abort(new Error('interrupted')));
	await expect(take(interruption.signal)).rejects.toThrow('interrupted');
});

test('when two runs take over a stale lock at once, the last to write gets it', async () => {
	holdLock({ pid: findDeadProcess() });
	clock.schedule(1, () => holdLock({ pid: 4711, host: 'mac-mini' }));
	await expect(take()).rejects.toMatchObject({ kind: 'folder_in_use' });
	expect(readToken()).toContain('4711');
});

test('a run that lost its lock notices it, and does not remove the lock of the other run', async () => {
	const lock = await take();
	holdLock({ pid: 4711, host: 'mac-mini' });
	await expect(lock.verify()).rejects.toMatchObject({ kind: 'folder_in_use' });
	await lock.release();
	expect(readToken()).toContain('4711');
});

test('a lock whose file was removed is lost', async () => {
	const lock = await take();
	rmSync(getLockPath());
	await expect(lock.verify()).rejects.toMatchObject({ kind: 'folder_in_use' });
});

test('a lock that cannot be read is an error, neither free nor lost', async () => {
	const lock = await take();
	rmSync(getLockPath());
	mkdirSync(getLockPath());
	const error = { kind: 'folder_unusable', message: `${getLockPath()} is not a file.` };
	await expect(lock.verify()).rejects.toMatchObject(error);
	await expect(take()).rejects.toMatchObject(error);
	await expect(isInUse()).rejects.toMatchObject(error);
});
