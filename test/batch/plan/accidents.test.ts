import { formatCount } from '../../../core/text';
import { makeRows } from '../support/order-builder';
import { reorder, World } from '../support/world';

/* Accidents of a user must not cost anything (P10). */

const mug = 'Mug, Bakers';
const mugForCooks = 'Mug, Cooks';
const three = makeRows(mug, 'Pan', 'Cup');

async function startWorld(...products: readonly string[]): Promise<World> {
	const world = new World();
	const ready = products.map(() => 'ready').join(' ');
	expect(await world.run(makeRows(...products))).toBe(
		`${ready}, ${formatCount(products.length, 'brief')}`,
	);
	return world;
}

describe('rows that were ordered', () => {
	test.each([
		['move', 'Mug | Pan', 'Pan | Mug', 'ready ready, 2 briefs'],
		['get other quotes, case and spaces', "Fay's Mug", ' FAY’S  mug', 'ready, 1 brief'],
		['get another apostrophe', "Fay's Mug", 'Fay‘s Mug', 'ready, 1 brief'],
		[
			'get other tracking parameters',
			'https://shop.example/p/1/?utm_source=a#top',
			'http://SHOP.example/p/1?utm_source=b&fbclid=c',
			'ready, 1 brief',
		],
		['are edited', 'Mug, Bakers | Pan', 'Mug, Cooks | Pan', 'changed ready, 2 briefs'],
		['get a value', 'Mug, Bakers', 'Mug, Bakers, Sell', 'changed, 1 brief'],
		['are removed', 'Mug, Bakers | Mug, Cooks', 'Mug, Cooks', 'ready, 2 briefs'],
		['are duplicated', 'Mug | Pan', 'Mug | Pan | Mug', 'ready ready ready, 2 briefs'],
		['get another name', 'Mug | Candle', 'Mug | Candle 2026', 'ready changed, 2 briefs'],
		['keep their row IDs', 'A1: Mug | 0071: Pan', 'A1: Vase | 71: Pan', 'changed ready, 2 briefs'],
		['lose their row IDs', 'A1: Mug | 0071: Pan', 'Mug | Pan', 'ready ready, 2 briefs'],
	])('cost nothing when they %s, and when that is undone', async (_, before, after, expected) => {
		const products = before.split(' | ');
		const world = await startWorld(...products);
		const { length } = world.created;
		expect(await world.run(makeRows(...after.split(' | ')))).toBe(expected);
		const ready = products.map(() => 'ready').join(' ');
		expect(await world.run(makeRows(...products))).toBe(
			`${ready}, ${formatCount(length, 'brief')}`,
		);
	});

	test('cost nothing when their names and then another cell are edited', async () => {
		const world = await startWorld(mug, 'Pan');
		expect(await world.run(makeRows(mug, 'Pan 2026'))).toBe('ready changed, 2 briefs');
		expect(await world.run(makeRows(mug, 'Pan 2026, Kids'))).toBe('ready changed, 2 briefs');
		expect(await world.run(makeRows(mug, 'Pan'))).toBe('ready ready, 2 briefs');
	});

	test('cost nothing when their row IDs are swapped while one of them is missing', async () => {
		const world = await startWorld('A1: Mug', 'B2: Pan');
		expect(await world.run(makeRows('B2: Mug'))).toBe('ready, 2 briefs');
		expect(await world.run(makeRows('B2: Mug', 'A1: Pan, Cooks'))).toBe('ready changed, 2 briefs');
	});
});

test('a new row is ordered after an edited duplicate was reordered', async () => {
	const world = await startWorld(mug);
	expect(await world.run(makeRows(mug, mug))).toBe('ready ready, 1 brief');
	expect(await world.run(makeRows(mug, mugForCooks), reorder(3))).toBe('ready ready, 2 briefs');
	const withNew = makeRows(mug, mugForCooks, 'Mug, Kids');
	expect(await world.run(withNew)).toBe('ready ready ready, 3 briefs');
});

describe('a journal', () => {
	test('that was lost costs nothing for rows that did not change', async () => {
		const world = await startWorld(mug, 'Pan', 'Cup');
		world.loseJournal();
		expect(await world.run(three)).toBe('ready ready ready, 3 briefs');
	});

	test('from a backup costs nothing for rows that were ordered since', async () => {
		const world = await startWorld(mug);
		const backup = new Map(world.files);
		expect(await world.run(makeRows(mug, 'Pan'))).toBe('ready ready, 2 briefs');
		for (const [path, bytes] of backup) world.files.set(path, bytes);
		expect(await world.run(makeRows(mug, 'Pan'))).toBe('ready ready, 2 briefs');
	});
});
