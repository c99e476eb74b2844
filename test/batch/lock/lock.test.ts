import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { Failure } from '../../../batch/failure';
import { lockFolder } from '../../../batch/lock';
import { MemoryDisk } from '../../support/batch/memory-disk';
import { VirtualClock } from '../../support/virtual-clock';

const PATH = 'out/.lock';

const holder = (facts: object = {}) =>
	JSON.stringify({
		...{ pid: process.pid, host: hostname(), since: '2026-11-20T09:00:00.000Z', nonce: 'n-1' },
		...facts,
	});

/** The number of a process that has ended. */
const deadPid = spawnSync(process.execPath, ['-e', '']).pid;

async function given(lock?: string): Promise<MemoryDisk> {
	const disk = new MemoryDisk();
	await disk.makeFolder('out');
	if (lock !== undefined) disk.put(PATH, lock);
	return disk;
}

const take = (disk: MemoryDisk) => lockFolder(disk, 'out', new VirtualClock());

async function refusal(disk: MemoryDisk): Promise<Failure> {
	const error: unknown = await take(disk).catch((reason: unknown) => reason);
	if (error instanceof Failure) return error;
	throw new Error('It was not refused.');
}

describe('the lock of a folder', () => {
	test('names its holder, and is gone when it is released', async () => {
		const disk = await given();
		const lock = await take(disk);
		expect(JSON.parse(disk.text(PATH))).toMatchObject({
			...{ pid: process.pid, host: hostname(), since: '2026-11-10T12:00:00.000Z' },
		});
		await lock.release();
		expect(disk.files()).toEqual([]);
	});

	test('is refused while a living process holds it, and says who and what to do', async () => {
		const disk = await given(holder({ pid: process.ppid }));
		const { what, cure, exitCode } = await refusal(disk);
		expect(what).toBe(
			`The folder out is in use by process ${process.ppid} on ${hostname()}, since 2026-11-20T09:00:00.000Z.`,
		);
		expect(cure).toContain(`delete ${PATH}`);
		expect(exitCode).toBe(2);
		expect(disk.files()).toEqual([PATH]);
	});

	test('is refused where another machine holds it: whether that lives is not known here', async () => {
		const disk = await given(holder({ host: 'elsewhere', pid: deadPid }));
		expect((await refusal(disk)).what).toContain(`process ${deadPid} on elsewhere`);
	});

	test.each([
		['a dead process', holder({ pid: deadPid })],
		['this process number, from before a restart', holder()],
		['nobody: the file is empty', ''],
		['nobody: the file is torn', '{"pid":12,"ho'],
		['nobody: the file is something else', '"locked"'],
		['nobody: the file is null', 'null'],
		['nobody: the process number is none', holder({ pid: 0 })],
		['nobody: the name of the file would lead elsewhere', holder({ nonce: '../../x' })],
	])('is taken over from %s, and nothing else is left behind', async (_, text) => {
		const disk = await given(text);
		const lock = await take(disk);
		expect(disk.text(PATH)).toContain(`"pid":${process.pid},`);
		expect(disk.files()).toEqual([PATH]);
		await lock.release();
		expect(disk.files()).toEqual([]);
	});

	test('is taken over although an earlier taker died in the middle of it', async () => {
		for (const claim of [holder({ pid: deadPid, nonce: 'n-2' }), '']) {
			const disk = await given(holder({ pid: deadPid }));
			disk.put(`${PATH}.after-n-1`, claim);
			await take(disk);
			expect(disk.files()).toEqual([PATH]);
		}
	});

	test('is refused while another is taking it over', async () => {
		const disk = await given(holder({ pid: deadPid }));
		disk.put(`${PATH}.after-n-1`, holder({ pid: process.ppid, nonce: 'n-2' }));
		expect((await refusal(disk)).what).toContain(`process ${process.ppid}`);
	});

	test('waits for a holder that has made the file and not written it yet', async () => {
		const disk = await given('');
		const clock = new VirtualClock();
		const taking = lockFolder(disk, 'out', clock);
		void clock.sleep(50).then(() => disk.put(PATH, holder({ pid: process.ppid })));
		await expect(taking).rejects.toThrow(`process ${process.ppid}`);
	});

	test('is released by its holder only', async () => {
		const disk = await given();
		const lock = await take(disk);
		disk.put(PATH, holder({ pid: process.ppid, nonce: 'other' }));
		await lock.release();
		expect(disk.text(PATH)).toContain('other');
		await disk.remove(PATH);
		await lock.release();
	});

	test('leaves no empty file where the disk is full', async () => {
		for (const operation of ['write', 'sync', 'close']) {
			const disk = await given();
			disk.fail({ at: 1, on: (call) => call.operation === operation });
			await expect(take(disk)).rejects.toMatchObject({ code: 'ENOSPC' });
			expect(disk.files()).toEqual([]);
		}
	});
});
