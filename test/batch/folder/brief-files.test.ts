import type { Brief } from '../../../core/api/types';
import { BriefFiles } from '../../../batch/folder/brief-files';
import { renderResults } from '../../../batch/folder/results-csv';
import { MemoryDisk } from '../support/memory-disk';
import {
	makeBrief,
	makeOrders,
	makeRows,
	mug,
	mugForCooks,
	STATES,
} from '../support/order-builder';
import { makeTable, Oracle, World } from '../support/world';

const FIRST = 'd031a274-0000-7000-8000-000000000001';
const SECOND = 'd031a274-0000-7000-8000-000000000002';

const makeFullBrief = (id: string, change: Partial<Brief> = {}): Brief => ({
	...makeBrief(id),
	input: {},
	markdown: `# Brief ${id}`,
	document: {},
	sources: [],
	warnings: [],
	error_code: null,
	revision: 1,
	...change,
});

let disk: MemoryDisk;
beforeEach(() => {
	disk = new MemoryDisk();
});

/** The files of a folder whose orders have these briefs. */
function openFiles(...briefIds: string[]): BriefFiles {
	const orders = makeOrders(...briefIds.map((id) => ({ input: mug, state: STATES.ready(id) })));
	return new BriefFiles(disk, 'out', orders.shortenId);
}

describe('two briefs whose IDs share their first eight digits', () => {
	test('have files of their own with the whole IDs when both are saved at once', async () => {
		const files = openFiles(FIRST, SECOND);
		const saved = await Promise.all([FIRST, SECOND].map((id) => files.save(makeFullBrief(id))));
		expect(saved).toEqual([`mug-${FIRST}`, `mug-${SECOND}`]);
		for (const id of [FIRST, SECOND])
			expect(disk.files.get(`out/results/mug-${id}.md`)?.toString()).toBe(`# Brief ${id}\n`);
	});

	test('have files of their own when the journal knew only the first at first', async () => {
		expect(await openFiles(FIRST).save(makeFullBrief(FIRST))).toBe('mug-d031a274');
		expect(await openFiles(FIRST, SECOND).save(makeFullBrief(SECOND))).toBe(`mug-${SECOND}`);
		expect(disk.files.get('out/results/mug-d031a274.md')?.toString()).toContain(FIRST);
	});

	test('have files of their own after the journal was lost', async () => {
		await openFiles(FIRST).save(makeFullBrief(FIRST));
		expect(await openFiles(SECOND).save(makeFullBrief(SECOND))).toBe(`mug-${SECOND}`);
		expect(disk.files.get('out/results/mug-d031a274.md')?.toString()).toContain(FIRST);
	});

	test('are in results.csv and in messages with the whole ID, each in its own row', async () => {
		// All briefs of this service begin with 00000000.
		const inputs = [mug, mugForCooks];
		const nature = { inputs, keyMemoryMs: 3_600_000, listLagMs: 0, showsInput: true };
		const world = new World(nature, new Oracle());
		const result = await world.runBatch();
		const table = makeTable(makeRows(...inputs));
		const overview = result?.finished?.overview;
		const lines = overview && renderResults(table, overview).toString().split('\n');
		const [firstId = '', secondId = ''] = world.created.map(({ id }) => id);
		expect(lines?.[1]).toContain(`results/mug-${firstId}.md`);
		expect(lines?.[2]).toContain(`results/mug-${secondId}.md`);
		expect(world.files.has(`out/results/mug-${firstId}.md`)).toBe(true);
		expect(world.files.has(`out/results/mug-${secondId}.md`)).toBe(true);
		const { orders } = await world.readStore();
		expect(orders.shortenId(secondId)).toBe(secondId);
	});
});

test('a brief that is saved again replaces its own files', async () => {
	const files = openFiles(FIRST);
	await files.save(makeFullBrief(FIRST));
	expect(await files.save(makeFullBrief(FIRST, { markdown: 'New' }))).toBe('mug-d031a274');
	expect(disk.files.get('out/results/mug-d031a274.md')?.toString()).toBe('New\n');
});

test('a damaged file of another brief is not replaced', async () => {
	disk.files.set('out/results/mug-d031a274.json', Buffer.from('{"id":"d03'));
	expect(await openFiles(FIRST).save(makeFullBrief(FIRST))).toBe(`mug-${FIRST}`);
});

test.each([
	['the product', {}, 'mug-d031a274'],
	[
		'the title of a brief for a link',
		{ product_name: 'https://shop.example/p/1', title: 'Why Mugs?' },
		'why-mugs-d031a274',
	],
	['brief without letters', { product_name: '…' }, 'brief-d031a274'],
])('a file is named after %s', async (_, change, name) => {
	expect(await openFiles(FIRST).save(makeFullBrief(FIRST, change))).toBe(name);
});

test('a brief misses its files if one of them is missing', async () => {
	const files = openFiles(FIRST);
	const name = await files.save(makeFullBrief(FIRST));
	expect((await files.findMissing())(name)).toBe(false);
	disk.files.delete(`out/results/${name}.json`);
	expect((await files.findMissing())(name)).toBe(true);
});
