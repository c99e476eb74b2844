import { Journal } from '../../../batch/folder/journal';
import { OrderStore } from '../../../batch/folder/order-store';
import { makeDraft, NOTHING } from '../../../core/orders/order';
import { makeFirstLine, type OrderChange } from '../../../batch/orders/order';
import { NEW_RUN } from '../support/order-builder';
import { MemoryDisk } from '../support/memory-disk';
import { makeRow, ONE_ROW, STATES } from '../support/order-builder';
import { makeDiskFullError } from '../support/world-disk';

const PATH = 'journal';
const NOW = Date.UTC(2026, 10, 10, 6);
const read = (disk: MemoryDisk) => OrderStore.read(disk, PATH, () => NOW);

function makeLine(id: number, product_name: string): OrderChange {
	const draft = makeDraft(makeRow(2, { product_name }), NOTHING, []);
	return makeFirstLine(id, draft, ONE_ROW, STATES.rejected());
}

async function beginOrder(store: OrderStore, name: string): Promise<void> {
	await store.save([makeLine(store.reserveOrderId(), name)]);
}

/** Returns a disk with the journal of three orders. */
async function writeJournal(): Promise<MemoryDisk> {
	const disk = new MemoryDisk();
	const store = await read(disk);
	for (const name of ['Product 1', 'Product 2', 'Product 3']) await beginOrder(store, name);
	return disk;
}

/** Reads a changed journal, begins an order, and returns how many orders a second reader finds. */
async function changeAndCountOrders(change: (intact: Buffer) => Buffer | string): Promise<number> {
	const disk = await writeJournal();
	disk.files.set(PATH, Buffer.from(change(disk.files.get(PATH) ?? Buffer.alloc(0))));
	await beginOrder(await read(disk), 'Next');
	return (await read(disk)).orders.live.length;
}

test.each([
	['an intact journal keeps its orders', (intact: Buffer) => intact, 4],
	['a torn last line is cut off', (intact: Buffer) => intact.subarray(0, -9), 3],
	['a last line without its line feed is cut off', (intact: Buffer) => intact.subarray(0, -1), 3],
	[
		'a last line of NUL bytes after a power failure is cut off',
		(intact: Buffer) => Buffer.concat([intact, Buffer.from('\0\0\0\n')]),
		4,
	],
])('%s, and later lines can be read', async (_, change, orders) => {
	expect(await changeAndCountOrders(change)).toBe(orders);
});

const changeLines = (change: (lines: string[]) => string[]) => (intact: Buffer) =>
	change(intact.toString().split('\n')).join('\n');
const replaceName = (name: string) => (intact: Buffer) =>
	intact.toString().replace(name, 'Product 9');

test.each([
	['a changed character', 3, replaceName('Product 2')],
	['a changed last line', 4, replaceName('Product 3')],
	['a missing line', 2, changeLines((lines) => lines.toSpliced(1, 1))],
	['a repeated line', 3, changeLines((lines) => lines.toSpliced(2, 0, lines[1] ?? ''))],
	['a line at another position', 2, changeLines(([first = '', a = '', b = '']) => [first, b, a])],
])('%s is refused with its line number and the use of a backup', async (_, line, change) => {
	await expect(changeAndCountOrders(change)).rejects.toMatchObject({
		kind: 'journal_unusable',
		message: `The journal ${PATH} is damaged at line ${line}.`,
		nextSteps: [{ text: expect.stringMatching(/backup.*reuses the briefs/) as string }],
	});
});

test('a journal of an older format is refused, with the version that can finish it', async () => {
	const disk = new MemoryDisk();
	const journal = await Journal.read<object>(disk, PATH, () => undefined);
	await journal.append([{ format: 4 }]);
	await expect(read(disk)).rejects.toMatchObject({
		kind: 'journal_unusable',
		message: 'The journal has format 4; this version reads format 6.',
		nextSteps: [{ text: 'Finish this CSV with the version of brief-batch that started it.' }],
	});
});

test('the first line has the format, every line has its time, and a reader finds the same', async () => {
	const disk = new MemoryDisk();
	const store = await read(disk);
	await store.save([]);
	expect(disk.files.size).toBe(0);
	await store.save([makeLine(1, 'Mug')]);
	await store.startRun(NEW_RUN);
	const lines = String(disk.files.get(PATH)).trimEnd().split('\n');
	const changes = lines.map((line) => (JSON.parse(line) as { change: object }).change);
	const at = '2026-11-10T06:00:00.000Z';
	expect(changes.slice(0, 2)).toEqual([
		{ format: 6, at },
		{ ...makeLine(1, 'Mug'), at },
	]);
	const again = await read(disk);
	expect(again.orders.get(1)).toEqual(store.orders.get(1));
	expect(again.runs.last).toEqual(store.runs.last);
});

test('a torn line is cut off before the next line is written, not when the journal is read', async () => {
	const disk = await writeJournal();
	const torn = (disk.files.get(PATH) ?? Buffer.alloc(0)).subarray(0, -9);
	disk.files.set(PATH, torn);
	await read(disk);
	expect(disk.files.get(PATH)).toBe(torn);
});

test('nothing is applied or appended after a failed append, because the end of the file is unknown', async () => {
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
	expect(store.orders.live).toHaveLength(3);
	expect((await read(disk)).orders.live).toHaveLength(3);
});

test('two lanes that begin orders at the same time get different IDs and lines in sequence', async () => {
	const disk = new MemoryDisk();
	const store = await read(disk);
	const ids = [store.reserveOrderId(), store.reserveOrderId()];
	await Promise.all(ids.toReversed().map((id) => store.save([makeLine(id, `Product ${id}`)])));
	expect([...ids, store.reserveOrderId()]).toEqual([1, 2, 3]);
	expect((await read(disk)).orders.live).toHaveLength(2);
});

test('listeners are called after the change is on the disk', async () => {
	const disk = new MemoryDisk();
	const store = await read(disk);
	const heard: Array<number | undefined> = [];
	store.subscribe(() => heard.push(disk.files.get(PATH)?.length));
	await beginOrder(store, 'Mug');
	expect(heard).toEqual([disk.files.get(PATH)?.length]);
});
