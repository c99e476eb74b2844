import fc from 'fast-check';
import { contentIdOf } from '../../../batch/csv/row';
import type { Row } from '../../../batch/csv/table';
import { orderedContent } from '../../../batch/folder/journal/content';
import { changesIn, differingFields } from '../../../batch/plan/changes';
import type { BriefInput } from '../../../service/api/resources';
import { entry, order, recordsOf, type Lasting } from '../../support/batch/journal-events';

/** What a row says, and its own number if it has one. */
type Given = BriefInput & { sku?: string };

function rowOf({ sku, ...input }: Given, index: number): Row {
	const own = sku === undefined ? {} : { ownNumber: sku };
	return {
		number: index + 2,
		cells: [],
		problems: [],
		input,
		contentId: contentIdOf(input),
		...own,
	};
}

/** The events of orders, each accepted if nothing else is said of it. */
function ordered(orders: readonly Given[], then: Lasting[] = [entry.accepted('k0')]): Lasting[] {
	return orders.flatMap(({ sku, ...input }, place) => {
		const facts = { ...order(`k${place}`, contentIdOf(input)), product_name: input.product_name };
		const own = sku === undefined ? {} : { own_number: sku };
		const content = orderedContent(input);
		const lines = [{ ...entry.ordered({ ...facts, ...own }), content }, entry.intended(facts.key)];
		return [...lines, ...(place === 0 ? then : [entry.accepted(`k${place}`)])];
	});
}

/** The key of the order that holds each row back; null for a row that is no changed one. */
function heldBack(given: readonly Given[], events: Lasting[], leftOut: readonly Given[] = []) {
	const rows = given.map(rowOf);
	const csv = [...rows, ...leftOut.map(rowOf)];
	const changes = changesIn(rows, csv, recordsOf(...events));
	return rows.map(({ contentId }) => changes.get(contentId) ?? null);
}

const BRUSH: BriefInput = { product_name: 'Brush' };
const brush = (audience: string): BriefInput => ({ ...BRUSH, audience });

describe('an edited row is held back by an order', () => {
	const other = { ...entry.ordered(order('k9', 'bbbb')), instead_of: 'k0' };
	const REPLACED = [entry.accepted('k0'), other, entry.intended('k9')];
	test.each<[string, Lasting[], boolean]>([
		['is in doubt', [], true],
		['was accepted', [entry.accepted('k0')], true],
		['is done', [entry.accepted('k0'), entry.ended('ready', 'k0'), entry.filed('k0')], true],
		['is parked', [entry.parked('k0')], true],
		['was withdrawn', [entry.withdrawn('k0')], false],
		['was refused', [entry.refused('k0')], true],
		['has failed', [entry.accepted('k0'), entry.ended('failed', 'k0')], true],
		['was replaced because a person asked for it', REPLACED, false],
	])('that %s: %#', (_, events, expected) => {
		const held = heldBack([brush('chefs')], ordered([BRUSH], events));
		expect(held).toEqual([expected ? 'k0' : null]);
	});
});

describe('a row is', () => {
	const NUMBERED = { ...BRUSH, sku: 'B-1' };
	const WITH_ID = { ...BRUSH, product_id: '1729000001' };
	const RENAMED = { ...WITH_ID, product_name: 'Bristle' };
	const [OTHER, ODD] = [{ ...WITH_ID, product_id: '1729000002' }, { product_name: ' BRUSH' }];
	const CHEFS = brush('chefs');
	test.each<[string, Given, Given, boolean]>([
		['its product ID, whatever its name', WITH_ID, RENAMED, true],
		['its name if an ID was added', BRUSH, WITH_ID, true],
		['its name if the ID was taken out', WITH_ID, CHEFS, true],
		['its name in other case and with other blanks', BRUSH, { ...CHEFS, ...ODD }, true],
		['no row of another ID', WITH_ID, OTHER, false],
		['no row of another name, if nothing else says so', BRUSH, { product_name: 'Pan' }, false],
		['its number, whatever else was edited', NUMBERED, { product_name: 'Pan', sku: 'b-1 ' }, true],
		['no row of another number', NUMBERED, { ...CHEFS, sku: 'B-2' }, false],
		['its product if the order has no number', BRUSH, { ...CHEFS, sku: 'B-1' }, true],
		['its product if it has no number itself', NUMBERED, CHEFS, true],
	])('%s', (_, before, now, expected) => {
		expect(heldBack([now], ordered([before]))).toEqual([expected ? 'k0' : null]);
	});
});

describe('of several rows of one product', () => {
	const TWO = [brush('parents'), brush('students')];

	test('each of the others is changed as long as an order has no row any more', () => {
		const rows = [brush('chefs'), TWO[0]!, brush('cooks')];
		expect(heldBack(rows, ordered(TWO))).toEqual(['k1', null, 'k1']);
	});

	test('each shows an order of its own, as far as there are orders', () => {
		const rows = ['a', 'b', 'c'].map(brush);
		expect(heldBack(rows, ordered(TWO))).toEqual(['k0', 'k1', 'k0']);
	});

	test('one that is left out of the run is not gone', () => {
		expect(heldBack([brush('chefs')], ordered(TWO), TWO)).toEqual([null]);
	});

	test('one whose content has another number now is changed: it is its number', () => {
		const rows = [
			{ ...brush('chefs'), sku: 'B-1' },
			{ ...BRUSH, sku: 'B-2' },
		];
		expect(heldBack(rows, ordered([{ ...BRUSH, sku: 'B-1' }]))).toEqual(['k0', null]);
	});
});

test('a long text differs although it starts alike', () => {
	const text = (end: string) => ({ ...BRUSH, approved_facts: 'x'.repeat(300) + end });
	const row = rowOf(text('b'), 0);
	const heldBy = recordsOf(...ordered([text('a')])).of(contentIdOf(text('a')))!;
	expect(differingFields(row, heldBy)).toEqual(['approved_facts']);
});

test('whatever is edited: a row without an order is new only if each order of its product has a row', () => {
	const input: fc.Arbitrary<BriefInput> = fc.record(
		{
			product_name: fc.constantFrom('Brush', 'Mug'),
			audience: fc.constantFrom('parents', 'students', 'chefs', 'cooks'),
			campaign_terms: fc.constantFrom('10 %', '20 %'),
		},
		{ requiredKeys: ['product_name'] },
	);
	const inputs = fc.uniqueArray(input, { maxLength: 8, selector: contentIdOf });
	fc.assert(
		fc.property(inputs, inputs, (now, before) => {
			const held = heldBack(now, ordered(before));
			const here = new Set(now.map(contentIdOf));
			for (const [place, row] of now.entries()) {
				const isOrdered = before.some((one) => contentIdOf(one) === contentIdOf(row));
				const gone = before.filter(
					(one) => one.product_name === row.product_name && !here.has(contentIdOf(one)),
				);
				expect(held[place] !== null).toBe(!isOrdered && gone.length > 0);
			}
		}),
		{ numRuns: 2000 },
	);
});
