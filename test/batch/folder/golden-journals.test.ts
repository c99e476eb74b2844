import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeIdempotencyKey } from '../../../core/input/idempotency-key';
import { OrderStore } from '../../../batch/folder/order-store';
import type { Order } from '../../../batch/orders/order';
import { MemoryDisk } from '../support/memory-disk';

/* Journals of format 4 as the program wrote them. A later version must read them, or change the number of the format. */

const FOLDER = join(__dirname, '../../golden/journal-format-4');

async function readGolden(name: string): Promise<OrderStore> {
	const disk = new MemoryDisk(new Map([['journal', readFileSync(join(FOLDER, `${name}.jsonl`))]]));
	return await OrderStore.read(disk, 'journal', () => 0);
}

const describeOrder = ({ input, state }: Order) => `${input.product_name}: ${state.kind}`;

test('an order in each of the six states, and a killed run, can be read', async () => {
	const { orders, runs } = await readGolden('six-states');
	const all = [1, 2, 3, 4, 5, 6, 7].map((id) => orders.get(id));
	expect(all.map(describeOrder)).toEqual([
		'Vase: undecided',
		'Cup: failed',
		'Mug: ready',
		'Pan: failed',
		'Lamp: dropped',
		'Bowl: accepted',
		'Jar: unconfirmed',
	]);
	expect(runs.count).toBe(5);
	expect(runs.last).toMatchObject({ csv: '/home/ada/products.csv', end: null });
});

test('retries, accepted edits and replaced orders of rows with IDs can be read', async () => {
	const { orders } = await readGolden('edits-and-retries');
	const shown = orders.live.map((order) => {
		const { rowId, attempt, previousOrderId, acceptedContentIds } = order;
		return [describeOrder(order), rowId, attempt, previousOrderId, acceptedContentIds.length];
	});
	expect(shown).toEqual([
		['Mug: ready', 'A1', 1, null, 1],
		['Pan: failed', 'A2', 1, null, 0],
		['Cup: ready', 'A3', 1, null, 0],
		['Pan: ready', 'A2', 2, 2, 0],
		['Cup: ready', 'A3', 1, 3, 0],
	]);
	expect(orders.get(4).editedInput).toEqual({ product_name: 'Pan', audience: 'Kids' });
});

test('a refused run and a torn last line can be read', async () => {
	const { orders, runs } = await readGolden('failures-and-a-torn-line');
	expect(orders.live.map(describeOrder)).toContain('Bowl: unconfirmed');
	expect(runs.last?.end?.exitCode).toBe(3);
});

test.each(['six-states', 'edits-and-retries', 'failures-and-a-torn-line'])(
	'the body and the superseded brief of each order still make its key: %s',
	async (name) => {
		const { orders } = await readGolden(name);
		for (const { key, input, supersedes } of orders.live)
			expect(makeIdempotencyKey(input, supersedes)).toBe(key);
	},
);
