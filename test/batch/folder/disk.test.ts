import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realDisk, writeAll, type DiskFile } from '../../../batch/folder/disk';
import { removeLeftovers, writeWhole } from '../../../batch/folder/put-in-place';
import { MemoryDisk, type DiskCall } from '../../support/batch/memory-disk';
import { temporaryFolder } from '../../support/temporary-folder';

const bytes = (text: string) => Buffer.from(text);

test('a write that took only a part goes on, and one that takes nothing fails', async () => {
	const disk = new MemoryDisk();
	await disk.makeFolder('a');
	disk.bytesPerWrite = 3;
	await writeAll(await disk.open('a/x', 'append'), bytes('0123456789'));
	expect([disk.text('a/x'), disk.count('write')]).toEqual(['0123456789', 4]);
	const file = { write: () => Promise.resolve(0) } as unknown as DiskFile;
	await expect(writeAll(file, bytes('x'))).rejects.toThrow('The disk took no more bytes');
});

const OLD = 'old';
const NEW = 'a new content that is longer';

function given(): MemoryDisk {
	const disk = new MemoryDisk();
	disk.put('a/x', OLD);
	return disk;
}

describe('writeWhole', () => {
	test('puts the new content in the place of the old one, and syncs both', async () => {
		const disk = given();
		await writeWhole(disk, 'a/x', bytes(NEW));
		const order = disk.calls.map(({ operation }) => operation);
		expect(order).toEqual(['open', 'write', 'sync', 'close', 'size', 'rename', 'syncFolder']);
		disk.cutPower();
		expect([disk.text('a/x'), disk.files()]).toEqual([NEW, ['a/x']]);
	});

	test('is whole or absent whichever call fails, and whether the power is cut then or not', async () => {
		for (const isCut of [false, true]) {
			for (const bytesPerWrite of [Infinity, 5]) {
				let ended = false;
				for (let at = 1; !ended; at += 1) {
					const disk = given();
					disk.bytesPerWrite = bytesPerWrite;
					disk.fail({ at, forever: true, bytesTaken: 3 });
					ended = await writeWhole(disk, 'a/x', bytes(NEW)).then(
						() => true,
						() => false,
					);
					if (isCut) disk.cutPower();
					expect(ended ? [NEW] : [OLD, NEW]).toContain(disk.text('a/x'));
				}
			}
		}
	});

	test.each(['EBUSY', 'EPERM', 'EACCES'])(
		'tries again if a virus scanner holds the old file for a moment: %s',
		async (code) => {
			const disk = given();
			let held = 3;
			disk.before = ({ operation, path }) => {
				if (operation !== 'rename' || held === 0) return;
				held -= 1;
				throw Object.assign(new Error(code), { code, syscall: 'rename', path });
			};
			await writeWhole(disk, 'a/x', bytes(NEW));
			expect([disk.text('a/x'), disk.files()]).toEqual([NEW, ['a/x']]);
		},
	);

	test('does not trust a disk that kept fewer bytes than it took', async () => {
		const disk = given();
		disk.size = () => Promise.resolve(3);
		await expect(writeWhole(disk, 'a/x', bytes(NEW))).rejects.toThrow('kept fewer bytes');
		expect(disk.text('a/x')).toBe(OLD);
	});
});

test('what a killed run left beside a file has names that nobody knew before, and is removed later', async () => {
	const disk = given();
	disk.put('a/x.part', 'of a person');
	const isHalfway = ({ operation }: DiskCall) => /rename|remove/.test(operation);
	disk.fail({ at: 1, forever: true, on: isHalfway });
	for (let n = 0; n < 2; n += 1)
		await expect(writeWhole(disk, 'a/x', bytes(NEW))).rejects.toThrow();
	disk.mend();
	const parts = disk.files().filter((name) => /^a\/x\.[0-9a-f]{16}\.part$/.test(name));
	expect(parts.map((name) => disk.text(name))).toEqual([NEW, NEW]);
	await removeLeftovers(disk, 'a');
	expect(disk.files()).toEqual(['a/x', 'a/x.part']);
	expect([disk.text('a/x'), disk.count('open')]).toEqual([OLD, disk.count('close')]);
});

const folder = temporaryFolder();

describe.each([
	['real', realDisk],
	['memory', new MemoryDisk()],
])('the disk that is %s', (_, disk) => {
	test('appends, creates once, cuts off, measures, renames and removes', async () => {
		await disk.makeFolder(folder);
		const path = join(folder, 'x');
		expect(await disk.read(path)).toBeNull();
		const file = await disk.open(path, 'create');
		await writeAll(file, bytes('one two'));
		await file.sync();
		await file.close();
		await expect(disk.open(path, 'create')).rejects.toMatchObject({ code: 'EEXIST' });

		const more = await disk.open(path, 'append');
		await more.truncate(4);
		await writeAll(more, bytes('three'));
		await more.close();
		expect(String(await disk.read(path))).toBe('one three');
		expect(await disk.size(path)).toBe(9);

		await disk.rename(path, `${path}2`);
		await disk.remove(`${path}2`);
		await disk.remove(`${path}2`);
		expect(await disk.list(folder)).toEqual([]);
	});

	test('refuses a file in no folder, and to rename or measure what is not there', async () => {
		const none = { code: 'ENOENT' };
		const nowhere = join(folder, 'none', 'x');
		await expect(disk.open(nowhere, 'append')).rejects.toMatchObject(none);
		await expect(disk.rename(join(folder, 'y'), join(folder, 'z'))).rejects.toMatchObject(none);
		await expect(disk.size(join(folder, 'y'))).rejects.toMatchObject(none);
		await expect(disk.syncFolder(join(folder, 'none'))).rejects.toMatchObject(none);
	});
});

describe('the real disk', () => {
	test('creates nothing through a link, and knows one', async () => {
		const [victim, link] = [join(folder, 'victim'), join(folder, 'link')];
		symlinkSync(victim, link);
		expect([await realDisk.isLink(link), await realDisk.isLink(folder)]).toEqual([true, false]);
		expect(await realDisk.isLink(victim)).toBe(false);
		await expect(realDisk.open(link, 'create')).rejects.toMatchObject({ code: 'EEXIST' });
		expect(await realDisk.read(victim)).toBeNull();
		await realDisk.remove(link);
	});

	test('makes folders with those above them, and again', async () => {
		const path = join(folder, 'a', 'b', 'c');
		await realDisk.makeFolder(path);
		await realDisk.makeFolder(path);
		await realDisk.syncFolder(path);
		writeFileSync(join(path, 'x'), '');
		expect(readdirSync(path)).toEqual(['x']);
	});
});
