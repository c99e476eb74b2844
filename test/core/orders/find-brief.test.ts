import type { BriefInput } from '../../../core/api/types';
import { readShownInput } from '../../../core/input/shown-input';
import { readFacts, type Facts } from '../../../core/orders/facts';
import {
	compareBrief,
	compareInput,
	countFailedBriefs,
	findContentBriefs,
	findOwnBrief,
	findProductBriefs,
	findUndecidedBriefs,
	isFoundByName,
	type Comparison,
} from '../../../core/orders/find-brief';
import { BriefDetails } from '../../../core/workspace/brief-details';
import { InputDisplay } from '../../../core/workspace/input-display';
import {
	BAKERS,
	makeBrief,
	makeFacts,
	makeList,
	makeOrder,
	makeOwners,
	makeSettled,
	makeUnconfirmed,
	NOW,
	type BriefFacts,
	type Situation,
} from '../support/facts';
import { DAY } from '../../support/time';

const NAME_ALONE: BriefInput = { product_name: 'Mug' };
const WITH_OBJECTIVE: BriefInput = { ...BAKERS, objective: 'Sales' };
const COOKS: BriefInput = { ...NAME_ALONE, audience: 'Cooks' };
const LINKS = ['https://a.example/größe', 'https://b.example/2'];
const ENCODED_LINKS = ['https://b.example/2', 'https://a.example/gr%C3%B6%C3%9Fe'];

function compare(shown: object, ordered: BriefInput, display = new InputDisplay()): Comparison {
	return compareInput(readShownInput(shown), ordered, display);
}

describe('a brief that shows its input', () => {
	test.each<[string, object, BriefInput, Comparison]>([
		// Another value under the field's own name, or a known field that was not ordered.
		['with another audience', COOKS, BAKERS, 'other'],
		['with another name', { ...BAKERS, product_name: 'Mugs' }, BAKERS, 'other'],
		['with a field that was not ordered', WITH_OBJECTIVE, BAKERS, 'other'],
		['with another field alone', { ...NAME_ALONE, objective: 'Sales' }, BAKERS, 'other'],
		['with a value under another field', BAKERS, { ...BAKERS, objective: 'Bakers' }, 'other'],
		['with another audience on a deeper level', { campaign: { briefing: COOKS } }, BAKERS, 'other'],
		// Every value under its own name.
		['as ordered', WITH_OBJECTIVE, WITH_OBJECTIVE, 'same'],
		['in other case', { product_name: 'MUG', audience: 'bakers' }, BAKERS, 'same'],
		[
			'with other field names and levels',
			{ productName: 'Mug', x: { Audience: 'Bakers' } },
			BAKERS,
			'same',
		],
		['with more under an unknown name', { ...BAKERS, locale: 'en' }, BAKERS, 'same'],
		['with its key', { ...NAME_ALONE, idempotency_key: 'a' }, NAME_ALONE, 'same'],
		['with only a name, as ordered', { product_name: 'mug' }, NAME_ALONE, 'same'],
		['without the name, which the brief has anyway', { audience: 'Bakers' }, BAKERS, 'same'],
		[
			'with the links encoded and in another sequence',
			{ ...NAME_ALONE, reference_urls: ENCODED_LINKS },
			{ ...NAME_ALONE, reference_urls: LINKS },
			'same',
		],
		// A value under an unknown name counts as shown.
		[
			'with a value under an unknown name',
			{ ...NAME_ALONE, people: 'Bakers', goal: '' },
			BAKERS,
			'same',
		],
		[
			'with another value under an unknown name',
			{ ...BAKERS, goal: 'Sales' },
			WITH_OBJECTIVE,
			'same',
		],
		['with all values under unknown names', { title: 'Mug', people: 'Bakers' }, BAKERS, 'same'],
		// A value that is missing.
		['without an ordered field', BAKERS, WITH_OBJECTIVE, 'other'],
		[
			'without an ordered field and with an unknown text',
			{ ...BAKERS, locale: 'en' },
			WITH_OBJECTIVE,
			'hidden',
		],
		['with only the name', NAME_ALONE, BAKERS, 'hidden'],
		['with the name and empty fields', { ...NAME_ALONE, audience: '', x: null }, BAKERS, 'hidden'],
		['with the name and an unknown text', { ...NAME_ALONE, people: 'All' }, BAKERS, 'hidden'],
		['with nothing', {}, BAKERS, 'hidden'],
		['with nothing, for a row with only a name', {}, NAME_ALONE, 'hidden'],
		// An unknown text could be a field that a row with only a name lacks.
		[
			'with an unknown text, for a row with only a name',
			{ ...NAME_ALONE, people: 'Bakers' },
			NAME_ALONE,
			'hidden',
		],
		[
			'with an unknown text, for a row with a name and an empty field',
			{ ...NAME_ALONE, people: 'Bakers' },
			{ ...NAME_ALONE, audience: ' ' },
			'hidden',
		],
	])('%s', (_title, shown, ordered, expected) => {
		expect(compare(shown, ordered)).toBe(expected);
	});
});

describe('if a brief of the workspace shows a field besides its name', () => {
	const display = new InputDisplay();
	display.addBrief(makeBrief({ id: 'A', shows: { objective: 'Sales' } }));

	test.each<[string, object, BriefInput, Comparison]>([
		['its name alone was ordered with the name alone', NAME_ALONE, BAKERS, 'other'],
		['its name alone has the content of a row with only a name', NAME_ALONE, NAME_ALONE, 'same'],
		['an unknown text might be the missing field', { ...NAME_ALONE, x: 'y' }, BAKERS, 'hidden'],
		['nothing hides its input', {}, BAKERS, 'hidden'],
	])('a brief that shows %s', (_title, shown, ordered, expected) => {
		expect(compare(shown, ordered, display)).toBe(expected);
	});

	test('the name alone is no field besides the name', () => {
		const names = new InputDisplay();
		names.addBrief(makeBrief({ id: 'A', shows: NAME_ALONE }));
		expect(compare(NAME_ALONE, BAKERS, names)).toBe('hidden');
	});
});

describe('if an own brief shows another value of a field than was sent', () => {
	/** Learns how the service shows a brief that was ordered with this input. */
	function learn(sent: BriefInput, shows: object): InputDisplay {
		const display = new InputDisplay();
		display.addOwnBrief(makeBrief({ id: 'A', shows }), sent);
		return display;
	}
	const rewritten = learn(BAKERS, { ...NAME_ALONE, audience: 'People who bake' });

	test.each<[string, object, BriefInput, Comparison]>([
		['that differs in this field only', COOKS, BAKERS, 'hidden'],
		['that lacks this field', { ...NAME_ALONE, objective: 'Sales' }, WITH_OBJECTIVE, 'hidden'],
		['that has this field, which was not ordered', COOKS, NAME_ALONE, 'hidden'],
		['that differs in another field, too', { ...COOKS, objective: 'x' }, WITH_OBJECTIVE, 'other'],
		['that has the same value', BAKERS, BAKERS, 'same'],
	])('a brief %s is compared by the others', (_title, shown, ordered, expected) => {
		expect(compare(shown, ordered, rewritten)).toBe(expected);
	});

	test.each<[string, BriefInput, object, boolean]>([
		['a value in other case', BAKERS, { ...NAME_ALONE, audience: 'BAKERS' }, false],
		['a value that is not shown', BAKERS, NAME_ALONE, false],
		['a field that was not sent', NAME_ALONE, COOKS, true],
		['a text as a list of others', BAKERS, { ...NAME_ALONE, audience: ['Bak', 'ers'] }, true],
	])('%s counts as rewritten: %#', (_title, sent, shown, expected) => {
		expect(learn(sent, shown).isRewritten('audience')).toBe(expected);
	});

	test('all briefs of a product are compared field by field', () => {
		const facts = makeFacts({ listed: [{ id: 'A', shows: COOKS }], display: rewritten });
		expect(findUndecidedBriefs(makeOrder(), facts)).toMatchObject([{ id: 'A' }]);
	});
});

/** Returns how each listed brief compares with the content of an order, by ID. */
function compareAll(facts: Facts, ids: string, content = makeOrder()): string {
	return Array.from(ids, (id) => compareBrief(makeBrief({ id }), content, facts)).join(' ');
}

describe('a listed brief', () => {
	test('that cannot be fetched is hidden', () => {
		expect(compareAll(makeFacts({ listed: [{ id: 'A', shows: null }] }), 'A')).toBe('hidden');
	});

	test('of another product is other, whatever it shows', () => {
		const pan = { id: 'A', product_name: 'Pan' };
		const facts = makeFacts({ listed: [pan] });
		expect(compareBrief(makeBrief(pan), makeOrder(), facts)).toBe('other');
	});

	test('of the same product in another spelling is compared', () => {
		const facts = makeFacts({ listed: [{ id: 'A', product_name: ' MUG ' }] });
		const brief = makeBrief({ id: 'A', product_name: ' MUG ' });
		expect(compareBrief(brief, makeOrder(), facts)).toBe('same');
	});

	test('that an order has paid for has the content of the order, whatever it shows', () => {
		const listed: BriefFacts[] = [
			{ id: 'A', shows: COOKS },
			{ id: 'B', shows: {} },
			{ id: 'C', product_name: 'Pan' },
		];
		const own = makeFacts({ listed, orders: listed.map((brief) => makeSettled(brief)) });
		expect(compareAll(own, 'ABC')).toBe('same same same');
		expect(compareAll(own, 'ABC', makeOrder({ input: COOKS }))).toBe('other other other');
	});

	test.each([
		['own', 'same'],
		['own_of_another', 'same'],
		['own_unproven', 'other'],
		['reused', 'other'],
		['given', 'other'],
	] as const)(
		'that an order has as %s is %s for its content if it shows another',
		(source, expected) => {
			const orders = [makeSettled({ id: 'A' }, { source })];
			expect(compareAll(makeFacts({ listed: [{ id: 'A', shows: COOKS }], orders }), 'A')).toBe(
				expected,
			);
		},
	);
});

describe('the briefs of a content', () => {
	/** Returns the IDs in their sequence. */
	function find(situation: Situation, input: BriefInput = BAKERS): string {
		const briefs = findContentBriefs(makeOrder({ input }), makeFacts(situation));
		return briefs.map(({ id }) => id).join('');
	}

	test('are those that show it, newest first', () => {
		const listed: BriefFacts[] = [
			{ id: 'A', age: 3 * DAY },
			{ id: 'B', age: DAY, shows: COOKS },
			{ id: 'C', age: DAY },
			{ id: 'D', age: DAY, shows: {} },
			{ id: 'E', product_name: 'Pan' },
			{ id: 'F', age: DAY },
			{ id: 'G', created_at: 'soon' },
		];
		// Equal times are sorted by ID, and a time that cannot be read is the newest.
		expect(find({ listed })).toBe('GFCA');
		expect(find({ listed }, COOKS)).toBe('B');
	});

	test('include own briefs that are not listed, each once', () => {
		const orders = [makeSettled({ id: 'B', age: DAY }), makeSettled({ id: 'A', age: 2 * DAY })];
		expect(find({ listed: [{ id: 'B', age: DAY }], orders })).toBe('BA');
		expect(find({ orders }, COOKS)).toBe('');
	});

	test('have the newest status that the list shows', () => {
		const orders = [makeSettled({ id: 'A', status: 'writing' })];
		const facts = makeFacts({ listed: [{ id: 'A', status: 'failed' }], orders });
		expect(findContentBriefs(makeOrder(), facts)).toMatchObject([{ status: 'failed' }]);
	});

	test.each<[string, object]>([
		['a field in two spellings', { ...BAKERS, x: { audience: 'Cooks' } }],
		['a value under an unknown name', { ...NAME_ALONE, people: 'bakers' }],
		['no name', { audience: 'bakers' }],
	])('include a brief that shows %s', (_title, shows) => {
		expect(find({ listed: [{ id: 'A', shows }] })).toBe('A');
	});

	test('with fewer fields do not include a brief with more', () => {
		const listed = [{ id: 'A' }, { id: 'B', shows: NAME_ALONE }];
		expect(find({ listed }, NAME_ALONE)).toBe('B');
	});
});

test('failed briefs of the last 90 days count as attempts, also if a time cannot be read', () => {
	const listed: BriefFacts[] = [
		{ id: 'A', status: 'failed', age: 89 * DAY },
		{ id: 'B', status: 'failed', created_at: 'soon' },
		{ id: 'C', status: 'failed', age: 91 * DAY },
		{ id: 'D', status: 'ready' },
		{ id: 'E', status: 'failed', shows: COOKS },
	];
	const orders = [makeSettled({ id: 'F', status: 'failed', age: DAY })];
	expect(countFailedBriefs(makeOrder(), makeFacts({ listed, orders }))).toBe(3);
});

describe('the own brief of an order', () => {
	const SPELLED: BriefInput = { product_name: 'MUG', audience: 'bakers' };

	test.each<[string, BriefFacts[], readonly string[], string | undefined]>([
		['is a brief of its content', [{ id: 'A', shows: COOKS }, { id: 'B' }], [], 'B'],
		['is no brief that was listed before', [{ id: 'A' }, { id: 'B' }], ['A'], 'B'],
		['can be missing', [{ id: 'A' }], ['A'], undefined],
		[
			'did not fail, if possible',
			[
				{ id: 'A', status: 'failed' },
				{ id: 'B', age: 1 },
			],
			[],
			'B',
		],
		['can have failed', [{ id: 'A', status: 'failed' }], [], 'A'],
		['can be running', [{ id: 'A', status: 'writing' }], [], 'A'],
		[
			'has the exact body, if possible',
			[
				{ id: 'A', shows: SPELLED },
				{ id: 'B', age: 1 },
			],
			[],
			'B',
		],
		['can have another spelling', [{ id: 'A', shows: SPELLED }], [], 'A'],
		[
			'is rather a good brief than a failed one with the exact body',
			[
				{ id: 'A', shows: SPELLED },
				{ id: 'B', status: 'failed', age: 11 * DAY },
			],
			[],
			'A',
		],
		[
			'is the oldest of equal briefs',
			[
				{ id: 'A', age: 1 },
				{ id: 'B', age: DAY },
				{ id: 'C', created_at: 'soon' },
			],
			[],
			'B',
		],
		['can have any age', [{ id: 'A', age: -DAY }], [], 'A'],
		['is no brief that hides its input', [{ id: 'A', shows: {} }], [], undefined],
		['can be in no list', [], [], undefined],
	])('%s', (_title, listed, shown, expected) => {
		const found = findOwnBrief(makeOrder({ shown }), makeFacts({ listed }));
		expect(found?.id).toBe(expected);
		const sent = makeUnconfirmed(5, 5, { shown });
		expect(findOwnBrief(sent, makeFacts({ listed }))?.id).toBe(expected);
	});

	test('is compared with links as they were sent', () => {
		const input = { ...NAME_ALONE, reference_urls: LINKS };
		const listed: BriefFacts[] = [
			{ id: 'A', shows: { ...input, reference_urls: ENCODED_LINKS } },
			{ id: 'B', age: 1, shows: { ...input, reference_urls: [...LINKS] } },
		];
		expect(findOwnBrief(makeOrder({ input }), makeFacts({ listed }))?.id).toBe('B');
	});

	test('can be a brief of another order that the list does not show', () => {
		const orders = [makeSettled({ id: 'A' }), makeSettled({ id: 'B', age: 11 * DAY })];
		expect(findOwnBrief(makeOrder(), makeFacts({ orders }))?.id).toBe('B');
		const listed = [{ id: 'C', age: 1 }];
		expect(findOwnBrief(makeOrder(), makeFacts({ listed, orders }))?.id).toBe('C');
	});

	test.each([
		['own', COOKS, undefined],
		['own_of_another', COOKS, undefined],
		['own_unproven', COOKS, 'A'],
		['reused', COOKS, 'A'],
		['given', COOKS, 'A'],
		['own', BAKERS, 'A'],
	] as const)(
		'can be a brief that another order has as %s for the input %j: %s',
		(source, input, expected) => {
			const orders = [makeSettled({ id: 'A' }, { source, input })];
			const facts = makeFacts({ listed: [{ id: 'A' }], orders });
			expect(findOwnBrief(makeOrder(), facts)?.id).toBe(expected);
		},
	);
});

describe('briefs that might be an order’s own', () => {
	const listed: BriefFacts[] = [
		{ id: 'A', shows: {} },
		{ id: 'B', shows: COOKS },
		{ id: 'C', shows: null },
		{ id: 'D', product_name: 'Pan', shows: {} },
		{ id: 'E', shows: {} },
		{ id: 'F', shows: { ...COOKS, locale: 'en' } },
	];
	const orders = [makeSettled({ id: 'E' }, { input: COOKS })];
	const find = (order: Parameters<typeof findUndecidedBriefs>[0], situation: Situation) =>
		findUndecidedBriefs(order, makeFacts(situation))
			.map(({ id }) => id)
			.join('');

	test('hide their input, if the order was not sent', () => {
		expect(find(makeOrder(), { listed, orders })).toBe('CA');
		expect(find(makeOrder({ shown: ['A'] }), { listed, orders })).toBe('C');
	});

	test('are all briefs of the product that no other order owns, if the order was sent', () => {
		expect(find(makeUnconfirmed(5, 5), { listed, orders })).toBe('FCBA');
		expect(find(makeUnconfirmed(5, 5, { shown: ['B'] }), { listed, orders })).toBe('FCA');
	});

	test('include a brief that an order with this key owns', () => {
		const own = [makeSettled({ id: 'E' })];
		expect(find(makeUnconfirmed(5, 5), { listed: [{ id: 'E' }], orders: own })).toBe('E');
	});
});

test('the briefs of a product are listed without those of other content that orders have paid for', () => {
	const listed: BriefFacts[] = [
		{ id: 'A', shows: COOKS },
		{ id: 'B', shows: {} },
		{ id: 'C' },
		{ id: 'D' },
		{ id: 'E', product_name: 'Pan' },
	];
	const orders = [makeSettled({ id: 'C' }), makeSettled({ id: 'D' }, { input: COOKS })];
	const shown = findProductBriefs(makeOrder(), makeFacts({ listed, orders }));
	expect([...shown].sort()).toEqual(['A', 'B', 'C']);
});

test.each([
	['only a name, and no brief shows more', NAME_ALONE, NAME_ALONE, true],
	['only a name, but a brief shows more', NAME_ALONE, BAKERS, false],
	['more than a name', BAKERS, NAME_ALONE, false],
])('a brief is found by its name for an order with %s', (_title, input, shows, expected) => {
	const facts = makeFacts({ listed: [{ id: 'A', shows }] });
	expect(isFoundByName(makeOrder({ input }), facts)).toBe(expected);
});

test('facts are read with one GET for each brief of the product that has to be compared', async () => {
	const listed: BriefFacts[] = [
		{ id: 'A' },
		{ id: 'B', product_name: 'mug' },
		{ id: 'C', product_name: 'Pan' },
		{ id: 'D' },
		{ id: 'E' },
	];
	const briefs = listed.map(makeBrief);
	const fetched: string[] = [];
	const details = new BriefDetails(async (id) => {
		fetched.push(id);
		return await Promise.resolve(briefs.find((brief) => brief.id === id) ?? null);
	});
	const sources = {
		list: makeList(briefs, NOW),
		owners: makeOwners([makeSettled({ id: 'D' })]),
		details,
		display: new InputDisplay(),
		now: NOW,
	};
	const order = makeOrder({ shown: ['E'] });
	const facts = await readFacts([order], sources);
	await readFacts([order], sources);
	expect(fetched.sort()).toEqual(['A', 'B']);
	expect(compareAll(facts, 'AB')).toBe('same same');
});
