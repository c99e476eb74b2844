import type { BriefInput } from '../../../core/api/types';
import { makeRows, mugForCooks as cooks, pan, cup } from '../support/order-builder';
import { DAY, reorder, Story } from '../support/story';

/* What a user does by accident must not pay for anything (P10). */

const mug: BriefInput = { product_name: "Fay's Mug", audience: 'Bakers' };
const mugForCooks: BriefInput = { ...mug, audience: cooks.audience };
const three = makeRows(mug, pan, cup);

async function startStory(...inputs: readonly BriefInput[]): Promise<Story> {
	const story = new Story();
	const rows = makeRows(...inputs);
	const ready = inputs.map(() => 'ready').join(' ');
	expect(await story.run(rows)).toBe(`${ready}, ${inputs.length} briefs`);
	return story;
}

describe('rows that were ordered', () => {
	test('cost nothing when they move', async () => {
		const story = await startStory(mug, pan);
		expect(await story.run(makeRows(pan, mug))).toBe('ready ready, 2 briefs');
	});

	test.each([
		['typographic quotes, case and spaces', { product_name: ' FAY’S  Mug', audience: 'bakers' }],
		['dashes', { ...mug, product_name: 'Fay‘s Mug' }],
	])('cost nothing when a program changes %s', async (_, input) => {
		const story = await startStory(mug);
		expect(await story.run(makeRows(input))).toBe('ready, 1 briefs');
	});

	test('cost nothing when their product link gets other tracking parameters', async () => {
		const story = await startStory({ product_name: 'https://shop.example/p/1/?utm_source=a#top' });
		const link = { product_name: 'http://SHOP.example/p/1?utm_source=b&fbclid=c' };
		expect(await story.run(makeRows(link))).toBe('ready, 1 briefs');
	});

	test('are changed when a cell is edited, and ready when the edit is undone', async () => {
		const story = await startStory(mug, pan);
		expect(await story.run(makeRows(mugForCooks, pan))).toBe('changed ready, 2 briefs');
		expect(await story.run(makeRows(mug, pan))).toBe('ready ready, 2 briefs');
	});

	test('cost nothing when they are edited back and forth after --reorder', async () => {
		const story = await startStory(mug);
		const edited = makeRows(mugForCooks);
		expect(await story.run(edited, reorder(2))).toBe('ready, 2 briefs');
		expect(await story.run(makeRows(mug))).toBe('ready, 2 briefs');
		expect(await story.run(edited)).toBe('ready, 2 briefs');
	});

	test('are changed when --set gives all of them a value', async () => {
		const story = await startStory(mug, pan);
		const withSet = [mug, pan].map((input) => ({ ...input, objective: 'Sell' }));
		expect(await story.run(makeRows(...withSet))).toBe('changed changed, 2 briefs');
	});

	test('cost nothing when --reorder is repeated within a day', async () => {
		const story = await startStory(pan);
		expect(await story.run(makeRows(pan), reorder(2))).toBe('ready, 1 briefs');
		await story.world.clock.pass(DAY);
		expect(await story.run(makeRows(pan), reorder(2))).toBe('ready, 2 briefs');
	});

	test('cost nothing when they are removed and put back', async () => {
		const story = await startStory(mug, mugForCooks);
		expect(await story.run(makeRows(mug))).toBe('ready, 2 briefs');
		expect(await story.run(makeRows(mugForCooks, mug))).toBe('ready ready, 2 briefs');
	});

	test('share a brief with their duplicates', async () => {
		const story = await startStory(mug);
		expect(await story.run(makeRows(mug, mugForCooks, mug))).toBe('ready ready ready, 2 briefs');
	});

	test('do not count as edited after their edited duplicate was reordered, so that a new row is ordered', async () => {
		const story = await startStory(mug);
		expect(await story.run(makeRows(mug, mug))).toBe('ready ready, 1 briefs');
		const edited = makeRows(mug, mugForCooks);
		expect(await story.run(edited, reorder(3))).toBe('ready ready, 2 briefs');
		const mugForKids = { ...mug, audience: 'Kids' };
		const withNew = makeRows(mug, mugForCooks, mugForKids);
		expect(await story.run(withNew)).toBe('ready ready ready, 3 briefs');
	});
});

describe('an edited name without any ID', () => {
	test.each([
		['gets “ 2026” at its end', 'Pine Candle', 'Pine Candle 2026'],
		['loses a letter that a program cannot show', 'Pine Candle 松', 'Pine Candle ?'],
	])('is the same product when it %s', async (_, ordered, product_name) => {
		const story = await startStory(mug, { product_name: ordered });
		expect(await story.run(makeRows(mug, { product_name }))).toBe('ready changed, 2 briefs');
	});

	test('is the same product when another cell is edited a run later', async () => {
		const story = await startStory(mug, pan);
		const pan2026 = { product_name: 'Pan 2026' };
		expect(await story.run(makeRows(mug, pan2026))).toBe('ready changed, 2 briefs');
		const forKids = { ...pan2026, audience: 'Kids' };
		expect(await story.run(makeRows(mug, forKids))).toBe('ready changed, 2 briefs');
		expect(await story.run(makeRows(mug, pan))).toBe('ready ready, 2 briefs');
	});
});

describe('row IDs', () => {
	const bigMug = { ...mug, product_name: 'Big mug' };

	test('keep the brief of a renamed product', async () => {
		const story = new Story();
		expect(await story.run(makeRows([mug, 'A1'], [pan, '0071']))).toBe('ready ready, 2 briefs');
		expect(await story.run(makeRows([bigMug, 'A1'], [pan, '71']))).toBe('changed ready, 2 briefs');
	});

	test('can be left out of a later run', async () => {
		const story = new Story();
		expect(await story.run(makeRows([mug, 'A1'], [pan, '0071']))).toBe('ready ready, 2 briefs');
		expect(await story.run(three)).toBe('ready ready ready, 3 briefs');
	});

	test('can be swapped while one of the rows is missing, and the row that returns edited is changed', async () => {
		const story = new Story();
		expect(await story.run(makeRows([mug, 'A1'], [pan, 'B2']))).toBe('ready ready, 2 briefs');
		expect(await story.run(makeRows([mug, 'B2']))).toBe('ready, 2 briefs');
		const returned = { ...pan, audience: 'Cooks' };
		expect(await story.run(makeRows([mug, 'B2'], [returned, 'A1']))).toBe(
			'ready changed, 2 briefs',
		);
	});
});

describe('a journal', () => {
	test('that was lost costs nothing for rows that did not change', async () => {
		const story = await startStory(mug, pan, cup);
		story.loseJournal();
		expect(await story.run(three)).toBe('ready ready ready, 3 briefs');
	});

	test('that was lost asks for new-folder before edited rows are ordered', async () => {
		const story = await startStory(mug, pan);
		story.loseJournal();
		expect(await story.run(makeRows(mugForCooks, pan))).toBe(
			'pending pending [new-folder], 2 briefs',
		);
	});

	test('from a backup costs nothing for rows that were ordered since', async () => {
		const story = await startStory(mug);
		const backup = new Map(story.world.files);
		expect(await story.run(makeRows(mug, pan))).toBe('ready ready, 2 briefs');
		for (const [path, bytes] of backup) story.world.files.set(path, bytes);
		expect(await story.run(makeRows(mug, pan))).toBe('ready ready, 2 briefs');
	});
});

describe('another folder', () => {
	const other = { folder: 'other' };

	test('reuses the briefs of the first folder', async () => {
		const story = await startStory(mug, pan, cup);
		expect(await story.run(three, other)).toBe('ready ready ready, 3 briefs');
	});

	test('reuses a brief that the list does not show yet', async () => {
		const story = new Story([], { listLagMs: 300_000 });
		await story.world.runBatch({ rows: makeRows(mug) });
		expect(await story.run(makeRows(mug), other)).toBe('ready, 1 briefs');
	});

	test('that starts at the same time with another CSV pays for no row twice', async () => {
		const story = new Story();
		const both = await Promise.all([
			story.run(three, { folder: 'first', file: 'spring.csv' }),
			story.run(three, { folder: 'second', file: 'summer.csv' }),
		]);
		expect(both).toEqual(['ready ready ready, 3 briefs', 'ready ready ready, 3 briefs']);
		expect(story.world.mostRunning).toBeLessThanOrEqual(2);
	});
});
