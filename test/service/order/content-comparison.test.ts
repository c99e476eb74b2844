import type { Brief, BriefInput } from '../../../service/api/resources';
import {
	ContentComparison,
	fieldsOtherwise,
	otherProductOf,
} from '../../../service/order/content-comparison';
import { aBrief, aSummary } from '../../support/builders';

const WANTED: BriefInput = {
	product_name: 'Glow Serum',
	product_id: '12345',
	audience: 'Skin-care\nfans',
	approved_facts: 'SPF 50',
	reference_urls: ['https://a.example/crème', 'https://b.example/?f[size]=L'],
};
/** As it is sent. */
const SENT = {
	...WANTED,
	reference_urls: ['https://a.example/cr%C3%A8me', 'https://b.example/?f%5Bsize%5D=L'],
};

const brief = (input: object, facts: Partial<Brief> = {}) =>
	aBrief({ product_name: WANTED.product_name, input: { ...input }, ...facts });
const likeness = (shown: object, wanted = WANTED, facts: Partial<Brief> = {}) =>
	new ContentComparison().likenessOf(
		brief(shown, { product_name: wanted.product_name, ...facts }),
		wanted,
	);

describe('a listed brief is the same', () => {
	test.each<[string, object]>([
		['as it was sent', SENT],
		['wrapped', { campaign: { ...SENT }, version: 2, language: 'en' }],
		['deep down', { a: { b: { c: { d: [{ ...SENT }] } } } }],
		[
			'in another spelling',
			{ ...SENT, audience: ' skin-care\u00a0FANS ', approved_facts: 'spf  50' },
		],
		['with links in another order', { ...SENT, reference_urls: SENT.reference_urls.toReversed() }],
		['with links as one text', { ...SENT, reference_urls: SENT.reference_urls.join(' ') }],
		['with links as they were written', { ...SENT, reference_urls: WANTED.reference_urls }],
		['with a number', { ...SENT, product_id: 12345 }],
		['with a text as a list', { ...SENT, audience: ['Skin-care', 'fans'] }],
		['with a text in an object', { ...SENT, audience: { text: SENT.audience } }],
		['with empty fields', { ...SENT, objective: '', campaign_terms: null, creative_direction: [] }],
		['with another name of the product', { ...SENT, product_name: 'By Acme' }],
		['without the name of the product', { ...SENT, product_name: undefined }],
		['after defaults', { defaults: { audience: 'Everybody' }, campaign: { ...SENT } }],
		['before defaults', { campaign: { ...SENT }, defaults: { audience: 'Everybody' } }],
		['under other names', { ...SENT, audience: undefined, zielgruppe: SENT.audience }],
		[
			'with links under another name',
			{ ...SENT, reference_urls: undefined, links: SENT.reference_urls },
		],
	])('%s', (_, shown) => expect(likeness(shown)).toBe('same'));

	test('with its name alone, if no more was ordered', () => {
		const input = { product_name: 'Lamp' };
		expect(likeness({ product_name: 'lamp' }, input)).toBe('same');
		expect(likeness({ produktname: 'Lamp' }, input)).toBe('same');
	});
});

describe('a listed brief is another', () => {
	const { approved_facts, audience, ...less } = SENT;
	test.each<[string, object]>([
		['with words added to a text', { ...SENT, approved_facts: 'SPF 50. Water resistant.' }],
		['with a text within the ordered one', { ...SENT, audience: 'Skin-care' }],
		['with the words of a text in another order', { ...SENT, audience: 'fans Skin-care' }],
		['with another number', { ...SENT, approved_facts: 'SPF 5.0' }],
		[
			'with another link',
			{ ...SENT, reference_urls: [...SENT.reference_urls, 'https://c.example/'] },
		],
		['with its links run together', { ...SENT, reference_urls: SENT.reference_urls.join('') }],
		['with one link less', { ...SENT, reference_urls: SENT.reference_urls.slice(1) }],
		[
			'with a link in other capitals',
			{ ...SENT, reference_urls: ['https://a.example/CR%C3%A8me'] },
		],
		['with another product ID', { ...SENT, product_id: '54321' }],
		[
			'with the texts of two fields exchanged',
			{ ...SENT, approved_facts: audience, audience: approved_facts },
		],
		['without a text', less],
		['with an empty text', { ...SENT, audience: ' ' }],
		['with a text that was not ordered', { ...SENT, objective: 'Sales' }],
		['with one that was not ordered in an object', { ...SENT, objective: { text: 'Sales' } }],
		['with its name alone', { product_name: 'Glow Serum' }],
		['with nothing but a text that was not ordered', { objective: 'Sales' }],
	])('%s', (_, shown) => expect(likeness(shown)).toBe('other'));

	test.each(['Glow Serum PRO', 'Glow', 'Glow-Serum', ''])(
		'if it is called “%s”',
		(product_name) => {
			expect(likeness(SENT, WANTED, { product_name })).toBe('other');
		},
	);
});

test.each<[string, object]>([
	['nothing', {}],
	['no field of docs/api.md', { language: 'en', zielgruppe: 'Cooks', x: [1, true, null] }],
	['empty fields', { product_name: '', audience: null, approved_facts: { text: '' } }],
])('a listed brief may be it if it shows %s', (_, shown) => {
	expect(likeness(shown)).toBe('maybe');
	const { product_name, audience = '' } = WANTED;
	expect(likeness(shown, { product_name, audience })).toBe('maybe');
});

describe('after the answer to an own create', () => {
	/** A comparison that has seen how the service shows what was sent. */
	const taught = (shown: object, facts: Partial<Brief> = {}) => {
		const comparison = new ContentComparison();
		comparison.learn(brief(shown, facts), WANTED);
		return comparison;
	};
	const inOtherWords = { ...SENT, approved_facts: 'A sun filter' };

	test('that shows what was sent, nothing is learnt', () => {
		expect(taught(SENT).lessons).toBe(0);
	});

	test.each<[string, object]>([
		['rewrites', inOtherWords],
		['cuts', { ...SENT, approved_facts: 'SP…' }],
		['leaves out', { ...SENT, approved_facts: undefined }],
	])('a field that it %s decides nothing any more', (_, shown) => {
		const comparison = taught(shown);
		expect(comparison.lessons).toBe(1);
		expect(comparison.likenessOf(brief(shown), WANTED)).toBe('maybe');
		expect(comparison.likenessOf(brief(inOtherWords), WANTED)).toBe('maybe');
		expect(comparison.likenessOf(brief(SENT), WANTED)).toBe('same');
		expect(comparison.likenessOf(brief({ ...shown, audience: 'Cooks' }), WANTED)).toBe('other');
		comparison.learn(brief(shown), WANTED);
		expect(comparison.lessons).toBe(1);
	});

	test('a value that it adds is no difference, and another one in that field decides nothing', () => {
		const comparison = taught({ ...SENT, objective: 'Sales' });
		expect(comparison.lessons).toBe(1);
		const shownObjective = (objective: string) =>
			comparison.likenessOf(brief({ ...SENT, objective }), WANTED);
		expect([shownObjective('SALES'), shownObjective('Reach')]).toEqual(['same', 'maybe']);
		expect(comparison.likenessOf(brief({ ...SENT, campaign_terms: '5 %' }), WANTED)).toBe('other');
		const both = { ...SENT, objective: 'Sales', more: { objective: 'Reach' } };
		expect(comparison.likenessOf(brief(both), WANTED)).toBe('maybe');
		const ordered = { ...WANTED, objective: 'Reach' };
		expect(comparison.likenessOf(brief({ ...SENT, objective: 'Sales' }), ordered)).toBe('other');
	});

	test('that adds a value to a field which it has rewritten, this is learnt too', () => {
		const comparison = taught(inOtherWords);
		const { product_name } = WANTED;
		comparison.learn(brief({ product_name, approved_facts: 'No facts' }), { product_name });
		expect(comparison.lessons).toBe(2);
	});

	test('that shows another name, a brief may be of a content whose name it clearly has not', () => {
		const other = { product_name: 'GLOW SERUM™' };
		const comparison = taught(SENT, other);
		expect(comparison.areNamesAltered).toBe(true);
		expect(comparison.likenessOf(brief(SENT, other), WANTED)).toBe('maybe');
		expect(comparison.likenessOf(brief(SENT), WANTED)).toBe('same');
		expect(comparison.likenessOf(brief(SENT, { product_name: 'Lamp' }), WANTED)).toBe('other');
	});
});

test.each<[string, object, string[] | null]>([
	['nothing if it is as it was sent', SENT, []],
	[
		'a text in other words, and one that was not ordered',
		{ ...SENT, audience: 'Cooks', objective: 'Sales' },
		['audience', 'objective'],
	],
	[
		'the fields that are missing',
		{ audience: SENT.audience },
		['product_id', 'approved_facts', 'reference_urls'],
	],
	['nobody knows what if it shows nothing of its input', {}, null],
])('a brief shows otherwise than it was ordered: %s', (_, shown, fields) => {
	const otherwise = fieldsOtherwise(brief(shown), WANTED);
	expect(otherwise?.toSorted() ?? null).toEqual(fields?.toSorted() ?? null);
});

test('of a brief that is only listed nobody knows how it shows its input', () => {
	expect(fieldsOtherwise(aSummary(), WANTED)).toBeNull();
});

test('a brief is of another product by its name, or by another product ID', () => {
	const of = (facts: Partial<Brief>) => otherProductOf(aBrief({ input: {}, ...facts }), WANTED);
	expect(of({ product_name: 'glow  serum' })).toBeNull();
	expect(of({ product_name: 'Glow Serum PRO' })).toEqual({});
	const product_name = 'Glow Serum';
	expect(of({ product_name, input: { product_id: 12345 } })).toBeNull();
	expect(of({ product_name, input: { campaign: { productId: '54321' } } })).toEqual({
		product_id: '54321',
	});
	const withoutId = { product_name };
	expect(otherProductOf(brief({ product_id: '54321' }), withoutId)).toBeNull();
});
