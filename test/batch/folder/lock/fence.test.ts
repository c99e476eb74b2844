import type { Disk } from '../../../../batch/folder/disk';
import { fencedDisk, fencedSend } from '../../../../batch/folder/lock/fence';
import { createBrief, listBriefs } from '../../../../service/api/operations';
import { MemoryDisk } from '../../../support/batch/memory-disk';
import { VirtualClock } from '../../../support/virtual-clock';

/** A fence that is open until a test closes it. */
function given() {
	let isOpen = true;
	const fence = {
		check: () => (isOpen ? Promise.resolve() : Promise.reject(new Error('lost'))),
	};
	const disk = new MemoryDisk();
	disk.put('a/x', 'old');
	return { disk, fence, own: fencedDisk(disk, fence), close: () => (isOpen = false) };
}

test('behind an open fence everything is done as on the disk itself', async () => {
	const { disk, own } = given();
	await own.makeFolder('b');
	const file = await own.open('b/y', 'create');
	await file.write(Buffer.from('new'));
	await file.truncate(2);
	await file.sync();
	await file.close();
	await own.rename('b/y', 'b/z');
	await own.syncFolder('b');
	disk.cutPower();
	expect(disk.text('b/z')).toBe('ne');
	expect([await own.list('b'), await own.size('b/z'), await own.isLink('b/z')]).toEqual([
		...[['z'], 2, false],
	]);
	for await (const bytes of own.chunks('b/z')) expect(String(bytes)).toBe('ne');
	expect([disk.count('close'), disk.count('read', 'b/z')]).toEqual([1, 1]);
	await own.remove('b/z');
	expect(disk.files()).toEqual(['a/x']);
});

test('what fails on the disk fails behind an open fence, and for the fence if that has closed meanwhile', async () => {
	const { own, close } = given();
	await expect(own.rename('a/none', 'a/y')).rejects.toMatchObject({ code: 'ENOENT' });
	const failing = own.rename('a/none', 'a/y');
	close();
	await expect(failing).rejects.toThrow('lost');
});

describe('behind a fence that has closed', () => {
	test.each<[string, (disk: Disk) => Promise<unknown>]>([
		['append', (disk) => disk.open('a/x', 'append')],
		['create', (disk) => disk.open('a/y', 'create')],
		['rename', (disk) => disk.rename('a/x', 'a/y')],
		['remove', (disk) => disk.remove('a/x')],
		['make a folder', (disk) => disk.makeFolder('b')],
	])('nobody can %s', async (_, work) => {
		const { disk, own, close } = given();
		close();
		await expect(work(own)).rejects.toThrow('lost');
		expect(disk.calls).toEqual([]);
	});

	test('nothing goes into a file that was opened before, which can be closed', async () => {
		const { disk, own, close } = given();
		const file = await own.open('a/x', 'append');
		await file.write(Buffer.from('er'));
		close();
		await expect(file.write(Buffer.from('!'))).rejects.toThrow('lost');
		await expect(file.truncate(0)).rejects.toThrow('lost');
		await file.close();
		expect(disk.text('a/x')).toBe('older');
		expect(String(await own.read('a/x'))).toBe('older');
	});

	test('no order is sent, and looks are', async () => {
		const { fence, close } = given();
		const clock = new VirtualClock();
		const sent: string[] = [];
		const send = fencedSend(
			(request) => {
				sent.push(request.operation);
				return Promise.resolve({ status: 200, headers: {}, body: '' });
			},
			fence,
			clock,
		);
		const order = createBrief({ product_name: 'A' }, 'key');
		await send(order);
		close();
		await expect(send(order)).rejects.toThrow('lost');
		await send(listBriefs());
		expect(sent).toEqual(['create_brief', 'list_briefs']);
	});

	test('no order is sent after a disk has hung: what was known when it was decided is old', async () => {
		const clock = new VirtualClock();
		const answer = { status: 200, headers: {}, body: '' };
		let hangs = 31_000;
		const fence = { check: () => clock.sleep(hangs) };
		const send = fencedSend(() => Promise.resolve(answer), fence, clock);
		const order = createBrief({ product_name: 'A' }, 'key');
		await expect(send(order)).rejects.toMatchObject({
			mayHaveArrived: false,
			message: expect.stringContaining('did not answer for 31 seconds') as string,
		});
		hangs = 30_000;
		expect(await send(order)).toBe(answer);
	});
});
