import { CliError } from '../../../batch/cli-error';
import { Journal } from '../../../batch/folder/journal';
import { OrderStore } from '../../../batch/folder/order-store';
import { makeDraft, makeFirstLine } from '../../../batch/orders/order';
import { MemoryDisk } from '../support/memory-disk';
import { makeRow, mug, pan, STATES } from '../support/order-builder';

const PATH = 'briefs/journal.jsonl';
const NOW = Date.UTC(2026, 10, 10, 6);

let disk: MemoryDisk;
const read = () => OrderStore.read(disk, PATH, () => NOW);
const makeLine = (id: number, input = mug) =>
	makeFirstLine(id, makeDraft({ row: makeRow(2, input), rowCount: 1 }), STATES.unconfirmed());

beforeEach(() => {
	disk = new MemoryDisk();
});

test('a journal of an older format is refused, with the version that can finish it', async () => {
	const journal = await Journal.read<object>(disk, PATH, () => undefined);
	await journal.append([{ format: 3 }]);
	await expect(read()).rejects.toMatchObject({
		exitCode: 2,
		message: 'The journal has format 3; this version reads format 4.',
		nextSteps: [{ text: 'Finish this CSV with the version of brief-batch that started it.' }],
	});
});

test('the first line has the format, and every line has its time', async () => {
	const store = await read();
	await store.save([makeLine(1)]);
	const lines = (disk.files.get(PATH)?.toString() ?? '').trimEnd().split('\n');
	const changes = lines.map((line) => (JSON.parse(line) as { change: object }).change);
	const at = '2026-11-10T06:00:00.000Z';
	expect(changes).toEqual([
		{ format: 4, at },
		{ ...makeLine(1), at },
	]);
});

test('a reader finds what was saved', async () => {
	const store = await read();
	await store.startRun({ csv: '/home/ada/products.csv', startedAt: '2026-11-10T06:00:00Z' });
	await store.save([makeLine(1), { order: 1, state: STATES.ready('B1') }]);
	const again = await read();
	expect(again.orders.get(1)).toEqual(store.orders.get(1));
	expect(again.runs.last).toEqual(store.runs.last);
});

test('an empty journal is not written', async () => {
	const store = await read();
	await store.save([]);
	expect(store.isEmpty).toBe(true);
	expect(disk.files.size).toBe(0);
});

test('two lanes that begin orders at the same time reserve different IDs', async () => {
	const store = await read();
	const ids = [store.reserveOrderId(), store.reserveOrderId()];
	await store.save(ids.toReversed().map((id) => makeLine(id, id === 1 ? mug : pan)));
	expect([...ids, store.reserveOrderId()]).toEqual([1, 2, 3]);
});

test('listeners hear of a change when it is on the disk', async () => {
	const store = await read();
	const heard: number[] = [];
	store.subscribe(() => heard.push(disk.files.get(PATH)?.length ?? 0));
	await store.save([makeLine(1)]);
	expect(heard).toEqual([disk.files.get(PATH)?.length]);
});

test('after a run that was refused, the folder keeps the CSV, options and count of failures of the run before', async () => {
	const store = await read();
	const csv = '/home/ada/products.csv';
	await store.startRun({ csv, startedAt: '2026-11-10T06:00:00Z', failuresInRow: 4 });
	await store.saveAbortedStart(new CliError('None of the orders is for a row.', 'Check the CSV.'));
	const { runs } = await read();
	expect(runs.lastStarted?.csv).toBe(csv);
	expect(runs.failuresInRow).toBe(4);
	expect(runs.last?.end).toMatchObject({
		exitCode: 2,
		message: 'None of the orders is for a row.',
	});
});
