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
});
