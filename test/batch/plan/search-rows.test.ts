import { toSummary, type Brief } from '../../../core/api/types';
import { searchRows } from '../../../batch/plan/search-rows';
import { DAY, HOUR } from '../../support/time';
import {
	makeBrief,
	makeFullBrief,
	makeOrders,
	makeRows,
	mug,
	mugForCooks,
	START,
	STATES,
} from '../support/order-builder';
import { plan } from '../support/show-plan';

const makeShownBrief = (id: string, input: object) => makeFullBrief(id, { input: { ...input } });

/** Returns the search result of each new row. */
async function search(
	inputs: ReadonlyArray<typeof mug>,
	briefs: readonly Brief[],
	orders = makeOrders(),
) {
	const rows = makeRows(...inputs);
	const byId = new Map(briefs.map((brief) => [brief.id, brief]));
	const listed = {
		now: START,
		briefs: briefs.map(toSummary),
		getBrief: async (id: string) => byId.get(id) ?? null,
	};
	const searches = await searchRows(plan(rows, { orders }), orders, listed);
	return rows.map(({ contentId }) => searches.get(contentId));
}

const makeInput = (index: number) => ({ ...mug, audience: `Audience ${index}` });
const numbers = Array.from({ length: 4000 }, (_, index) => index);

test('4,000 new rows of a product find their brief among 4,000 briefs of the product', async () => {
	// Comparing each row with each brief would exceed the timeout of the test.
	const briefs = numbers.map((index) => makeShownBrief(`L${index}`, makeInput(index + 2000)));
	const searches = await search(numbers.map(makeInput), briefs);
	const found = searches.flatMap((each) => (each?.kind === 'found' ? [each.brief.id] : []));
	expect(found).toHaveLength(2000);
	expect(found[0]).toBe('L0');
	const [first] = searches;
	expect(first?.kind === 'none' && first.sameProductIds).toHaveLength(2000);
});

test.each<[string, object]>([
	['in another spelling', { product_name: ' MUG', audience: 'bakers' }],
	['without its name', { audience: 'Bakers' }],
	['in a nested object', { campaign: { productName: 'Mug', Audience: 'Bakers' } }],
	['under a name that is no field', { product_name: 'Mug', target: 'Bakers' }],
	['twice', { audience: ['Bakers'], fields: { audience: 'Cooks' } }],
])('a brief that shows the content %s is found', async (_, input) => {
	const [found] = await search([mug], [makeShownBrief('L1', input)]);
	expect(found).toMatchObject({ kind: 'found', brief: { id: 'L1' } });
});

test('the newest of several briefs with the content is found', async () => {
	const briefs = [
		makeShownBrief('L3', { product_name: 'Mug', target: 'Bakers' }),
		makeShownBrief('L2', mug),
		makeShownBrief('L1', mug),
	];
	expect(await search([mug], briefs)).toMatchObject([{ kind: 'found', brief: { id: 'L3' } }]);
	expect(await search([mug], briefs.slice(1))).toMatchObject([{ brief: { id: 'L2' } }]);
});

test('a brief that shows only its name makes a row with more fields undecided', async () => {
	const briefs = [makeShownBrief('H1', { product_name: 'Mug' })];
	const searches = await search([mug, { product_name: 'Mug' }], briefs);
	expect(searches).toMatchObject([
		{ kind: 'undecided', briefIds: ['H1'] },
		{ kind: 'found', brief: { id: 'H1' } },
	]);
});

test('a brief from before 90 days is not found, although the list was read back further', async () => {
	const old = makeFullBrief('L1', makeBrief('L1', 'ready', START - 91 * DAY));
	expect(await search([mug], [old])).toEqual([{ kind: 'none', sameProductIds: [] }]);
});

test.each([
	['could belong to an order that was sent before it', HOUR, 'possibly_own'],
	['belongs to no order that was sent after it', -HOUR, 'undecided'],
])('a hidden brief %s', async (_, age, kind) => {
	const orders = makeOrders({ input: mug, state: STATES.unconfirmed() });
	const hidden = { ...makeFullBrief('H1', makeBrief('H1', 'ready', START + age)), input: {} };
	const [, second] = await search([mug, mugForCooks], [hidden], orders);
	expect(second?.kind).toBe(kind);
});

test('a brief that one row reuses is not another brief of the product for the next row', async () => {
	const briefs = [makeShownBrief('L1', mug), makeShownBrief('L2', makeInput(1))];
	expect(await search([mug, makeInput(2)], briefs)).toMatchObject([
		{ kind: 'found' },
		{ kind: 'none', sameProductIds: ['L2'] },
	]);
});
