import { MemoryDisk } from '../../support/batch/memory-disk';

const bytes = (text: string) => Buffer.from(text);

async function written(disk: MemoryDisk, path: string, text: string): Promise<void> {
	const file = await disk.open(path, 'append');
	await file.write(bytes(text));
	await file.close();
}

describe('the disk of the tests', () => {
	test('loses bytes that were not synced when the power is cut', async () => {
		const disk = new MemoryDisk();
		disk.put('a/log', 'one');
		const file = await disk.open('a/log', 'append');
		await file.write(bytes('two'));
		await file.sync();
		await file.write(bytes('three'));
		expect(disk.text('a/log')).toBe('onetwothree');
		disk.cutPower();
		expect(disk.text('a/log')).toBe('onetwo');
		await expect(file.write(bytes('four'))).rejects.toMatchObject({ code: 'EBADF' });
	});

	test('loses new names, removals and renames unless the folder was synced', async () => {
		const disk = new MemoryDisk();
		disk.put('a/old', 'old');
		await written(disk, 'a/new', 'new');
		await disk.rename('a/new', 'a/old');
		disk.cutPower();
		expect(disk.files()).toEqual(['a/old']);
		expect(disk.text('a/old')).toBe('old');

		await disk.remove('a/old');
		await disk.syncFolder('a');
		disk.cutPower();
		expect(disk.files()).toEqual([]);
	});

	test('keeps the name of a file whose folder was synced, but not its unsynced bytes', async () => {
		const disk = new MemoryDisk();
		await disk.makeFolder('a');
		await written(disk, 'a/new', 'new');
		await disk.syncFolder('a');
		disk.cutPower();
		expect(disk.text('a/new')).toBe('');
	});

	test('fails the chosen call, once or from then on, after taking some bytes', async () => {
		const disk = new MemoryDisk();
		await disk.makeFolder('a');
		const file = await disk.open('a/log', 'append');
		const onWrites = ({ operation }: { operation: string }) => operation === 'write';
		disk.fail({ at: 2, on: onWrites, taken: 2 });
		await file.write(bytes('one'));
		await expect(file.write(bytes('two'))).rejects.toMatchObject({
			code: 'ENOSPC',
			path: 'a/log',
		});
		await file.write(bytes('three'));
		expect(disk.text('a/log')).toBe('onetwthree');

		disk.fail({ at: 1, code: 'EIO', forever: true });
		await expect(file.write(bytes('x'))).rejects.toMatchObject({ code: 'EIO' });
		await expect(disk.read('a/log')).rejects.toMatchObject({ code: 'EIO' });
		disk.mend();
		expect(await disk.read('a/log')).not.toBeNull();
		expect(disk.count('write', 'a/log')).toBe(4);
	});
});
