import { OrderStore } from '../../../batch/folder/order-store';
import { makeDraft, makeFirstLine } from '../../../batch/orders/order';
import { MemoryDisk } from '../support/memory-disk';
import { makeRow, STATES } from '../support/order-builder';
import { makeDiskFullError } from '../support/world-disk';

const PATH = 'journal';
const read = (disk: MemoryDisk) => OrderStore.read(disk, PATH, () => 0);

async function beginOrder(store: OrderStore, name: string): Promise<void> {
	const draft = makeDraft({ row: makeRow(2, { product_name: name }), rowCount: 1 });
	await store.save([makeFirstLine(store.reserveOrderId(), draft, STATES.rejected())]);
}

/** Returns a disk with the journal of three orders. */
async function writeJournal(): Promise<MemoryDisk> {
	const disk = new MemoryDisk();
	const store = await read(disk);
	for (const name of ['Product 1', 'Product 2', 'Product 3']) await beginOrder(store, name);
	return disk;
}

/** Reads a changed journal, begins an order, and returns how many orders a second reader finds. */
async function countOrdersAfter(change: (intact: Buffer) => Buffer | string): Promise<number> {
	const disk = await writeJournal();
	disk.files.set(PATH, Buffer.from(change(disk.files.get(PATH) ?? Buffer.alloc(0))));
	await beginOrder(await read(disk), 'Next');
	return (await read(disk)).orders.live.length;
}

const changeLines = (change: (lines: string[]) => string[]) => (intact: Buffer) =>
	change(intact.toString().split('\n')).join('\n');
const replaceName = (name: string) => (intact: Buffer) =>
	intact.toString().replace(name, 'Product 9');

test.each([
	['an intact journal keeps its orders', (intact: Buffer) => intact, 4],
	['a torn last line is cut off', (intact: Buffer) => intact.subarray(0, -9), 3],
	['a last line without its line feed is cut off', (intact: Buffer) => intact.subarray(0, -1), 3],
	[
		'a last line of NUL bytes after a power failure is cut off',
		(intact: Buffer) => Buffer.concat([intact, Buffer.from('\0\0\0\n')]),
		4,
	],
])('%s, and the journal goes on', async (_, change, orders) => {
	expect(await countOrdersAfter(change)).toBe(orders);
});

test.each([
	['a changed character', 3, replaceName('Product 2')],
	['a changed last line', 4, replaceName('Product 3')],
	['a missing line', 2, changeLines(([first = '', , ...rest]) => [first, ...rest])],
	['a repeated line', 3, changeLines((lines) => [...lines.slice(0, 2), ...lines.slice(1)])],
	[
		'swapped lines',
		2,
		changeLines(([first = '', a = '', b = '', ...rest]) => [first, b, a, ...rest]),
	],
])('%s is refused with its line number', async (_, line, change) => {
	await expect(countOrdersAfter(change)).rejects.toMatchObject({
		exitCode: 2,
		message: `The journal ${PATH} is damaged at line ${line}.`,
	});
});

test('the message about damage names the backup, and what happens without a backup', async () => {
	await expect(countOrdersAfter(replaceName('Product 2'))).rejects.toMatchObject({
		nextSteps: [{ text: expect.stringMatching(/backup.*reuses the briefs/) as string }],
	});
});

test('a torn line is cut off before the next line is written, not when the journal is read', async () => {
	const disk = await writeJournal();
	const torn = (disk.files.get(PATH) ?? Buffer.alloc(0)).subarray(0, -9);
	disk.files.set(PATH, torn);
	await read(disk);
	expect(disk.files.get(PATH)).toBe(torn);
});

test('nothing is appended after a failed append, because the end of the file is unknown', async () => {
	const disk = await writeJournal();
	const store = await read(disk);
	const append = disk.append.bind(disk);
	disk.append = async (path) => {
		await append(path, Buffer.from('{"line":5,'));
		throw makeDiskFullError(path);
	};
	await expect(beginOrder(store, 'Next')).rejects.toThrow('ENOSPC');
	disk.append = append;
	await expect(beginOrder(store, 'Next')).rejects.toThrow('ENOSPC');
	expect((await read(disk)).orders.live).toHaveLength(3);
});

test('changes are applied only when they are on the disk', async () => {
	const disk = await writeJournal();
	const store = await read(disk);
	disk.append = (path) => Promise.reject(makeDiskFullError(path));
	await expect(beginOrder(store, 'Next')).rejects.toThrow('ENOSPC');
	expect(store.orders.live).toHaveLength(3);
});

test('lines that are appended at the same time get numbers in sequence', async () => {
	const disk = new MemoryDisk();
	const store = await read(disk);
	await Promise.all(['Product 1', 'Product 2', 'Product 3'].map((name) => beginOrder(store, name)));
	expect((await read(disk)).orders.live).toHaveLength(3);
});
