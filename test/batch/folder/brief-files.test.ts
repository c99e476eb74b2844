import type { Brief } from '../../../core/api/types';
import { BriefFiles } from '../../../batch/folder/brief-files';
import { MemoryDisk } from '../support/memory-disk';
import { makeFullBrief, makeOrders, mug, STATES } from '../support/order-builder';

const FIRST = 'd031a274-0000-7000-8000-000000000001';
const SECOND = 'd031a274-0000-7000-8000-000000000002';

let disk: MemoryDisk;
beforeEach(() => {
	disk = new MemoryDisk();
});

/** The files of a folder whose orders have these briefs. */
function openFiles(...briefIds: string[]): BriefFiles {
	const orders = makeOrders(...briefIds.map((id) => ({ input: mug, state: STATES.ready(id) })));
	return new BriefFiles(disk, 'out', orders.shortenId);
}

const readMarkdown = (name: string) => String(disk.files.get(`out/results/${name}.md`));

describe('two briefs whose IDs share their first eight digits', () => {
	test('have files with the whole IDs when both are saved at once', async () => {
		const files = openFiles(FIRST, SECOND);
		const saved = await Promise.all([FIRST, SECOND].map((id) => files.save(makeFullBrief(id))));
		expect(saved).toEqual([`mug-${FIRST}`, `mug-${SECOND}`]);
		expect(saved.map(readMarkdown)).toEqual([`# Brief ${FIRST}\n`, `# Brief ${SECOND}\n`]);
	});

	test('have separate files after the journal was lost', async () => {
		await openFiles(FIRST).save(makeFullBrief(FIRST));
		expect(await openFiles(SECOND).save(makeFullBrief(SECOND))).toBe(`mug-${SECOND}`);
		expect(readMarkdown('mug-d031a274')).toContain(FIRST);
	});
});

test('a brief that is saved again replaces its own files', async () => {
	const files = openFiles(FIRST);
	await files.save(makeFullBrief(FIRST));
	expect(await files.save(makeFullBrief(FIRST, { markdown: 'New' }))).toBe('mug-d031a274');
	expect(readMarkdown('mug-d031a274')).toBe('New\n');
});

test('a damaged file of another brief is not replaced', async () => {
	disk.files.set('out/results/mug-d031a274.json', Buffer.from('{"id":"d03'));
	expect(await openFiles(FIRST).save(makeFullBrief(FIRST))).toBe(`mug-${FIRST}`);
});

const link = 'https://shop.example/p/1';
test.each<[string, Partial<Brief>, string]>([
	['the product', {}, 'mug-d031a274'],
	['its title', { product_name: link, title: 'Why Mugs?' }, 'why-mugs-d031a274'],
	['nothing, without letters', { product_name: '…' }, 'brief-d031a274'],
])('the file of a brief is named after %s', async (_, change, name) => {
	expect(await openFiles(FIRST).save(makeFullBrief(FIRST, change))).toBe(name);
});

test.each(['json', 'md'])(
	'the files of a brief are missing if its .%s is missing',
	async (type) => {
		const files = openFiles(FIRST);
		const name = await files.save(makeFullBrief(FIRST));
		expect((await files.findMissing())(name)).toBe(false);
		disk.files.delete(`out/results/${name}.${type}`);
		expect((await files.findMissing())(name)).toBe(true);
	},
);
