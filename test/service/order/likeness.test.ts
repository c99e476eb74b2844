import { CLOCK_DIFFERENCE_MS } from '../../../service/assumptions';
import { candidatesFor, fits, fitting, likenessOf } from '../../../service/order/likeness';
import type { BriefInput, BriefSummary } from '../../../service/resources';
import { aBrief } from '../../support/batch/result-fixtures';

const NOW = Date.UTC(2026, 10, 20, 9);

describe('looking for the brief of a lost answer', () => {
	const input: BriefInput = {
		product_name: 'Glow Serum',
		audience: 'Skin-care\nfans',
		product_id: '12345',
		reference_urls: ['https://a.example/1', 'https://a.example/2'],
	};
	const likeness = (theirs: Record<string, unknown>, ours = input) =>
		likenessOf(aBrief({ input: theirs }), ours);

	test('a brief is the same where every field is', () => {
		expect(likeness({ ...input })).toBe('same');
		expect(likeness({ ...input, audience: ' Skin-care\r\nfans ', objective: '' })).toBe('same');
		expect(likeness({ campaign: { ...input }, version: 2 })).toBe('same');
		expect(likeness({ product_name: 'A' }, { product_name: 'A' })).toBe('same');
		expect(likeness({ order: { campaign: { ...input } } })).toBe('same');
		expect(likeness({ ...input, audience: { audience: input.audience } })).toBe('same');
	});

	test('of two texts under one name the outer one counts', () => {
		expect(likeness({ ...input, variant: { product_name: 'Glow Cream' } })).toBe('same');
	});

	test('what is wrapped too deep, or stands in a list of objects, says nothing', () => {
		expect(likeness({ a: { b: { c: { ...input } } } })).toBe('maybe');
		const others = [{ ...input, product_name: 'Glow Cream' }];
		expect(likeness({ related: others })).toBe('maybe');
	});

	test('a brief is another where one text is', () => {
		expect(likeness({ ...input, audience: 'Runners' })).toBe('other');
		expect(likeness({ campaign: { ...input, product_name: 'Glow Cream' } })).toBe('other');
		expect(likeness({ ...input, audience: 'Skin-carefans' })).toBe('other');
	});

	test('it is open where fields are missing, or were filled in, or links differ', () => {
		expect(likeness({})).toBe('maybe');
		expect(likeness({ input: null, x: [1, { y: 2 }] })).toBe('maybe');
		expect(likeness({ ...input, objective: 'Sales' })).toBe('maybe');
		expect(likeness({ ...input, reference_urls: ['https://a.example/1?x'] })).toBe('maybe');
		expect(likeness({ ...input, reference_urls: [input.reference_urls?.join('')] })).toBe('maybe');
		expect(likeness({ ...input, audience: undefined })).toBe('maybe');
		for (const none of [5, null, ['Runners', 5]])
			expect(likeness({ ...input, audience: none })).toBe('maybe');
	});

	test('only unclaimed briefs of the product that are not older than the order come into question', () => {
		const brief = (id: string, created_at: string | number, product_name = 'Glow Serum') =>
			aBrief({ id, created_at, product_name }) as BriefSummary;
		const briefs = [
			brief('after', NOW + 5000),
			brief('just before', new Date(NOW - 60_000).toISOString()),
			brief('as long before as clocks differ', NOW - CLOCK_DIFFERENCE_MS),
			brief('before that', NOW - CLOCK_DIFFERENCE_MS - 1),
			brief('at no time that can be read', 'yesterday'),
			brief('of another', NOW + 5000, 'Glow Cream'),
			brief('claimed', NOW + 5000),
			brief('with blanks', NOW + 5000, ' Glow Serum '),
		];
		const found = candidatesFor(input, NOW, briefs, (id) => id === 'claimed').map(({ id }) => id);
		expect(found).toEqual([
			...['after', 'just before', 'as long before as clocks differ'],
			...['at no time that can be read', 'with blanks'],
		]);
	});
});

describe('an answer fits an order', () => {
	const ordered: BriefInput = { product_name: 'Glow Serum', audience: 'Runners' };
	const summary = (product_name: string): BriefSummary => {
		const times = { created_at: NOW, updated_at: NOW, finished_at: null };
		return { id: 'a', status: 'queued', product_name, title: null, url: '', ...times };
	};
	const whole = (product_name: string, input: Record<string, unknown>) =>
		aBrief({ product_name, input });

	test('where it is of the same product and shows nothing else', () => {
		expect(fits(summary('Glow Serum'), ordered)).toBe(true);
		expect(fits(summary(' Glow\u00a0 Serum\n'), ordered)).toBe(true);
		expect(fits(summary(''), ordered)).toBe(true);
		expect(fits(whole('Glow Serum', {}), ordered)).toBe(true);
		expect(fits(whole('Glow Serum', { campaign: { ...ordered } }), ordered)).toBe(true);
		expect(fits(whole('Glow Serum', { ...ordered, market: 'US' }), ordered)).toBe(true);
	});

	test('but not where the product or what it was made from is another', () => {
		expect(fits(summary('Night Cream'), ordered)).toBe(false);
		expect(fits(whole('Night Cream', {}), ordered)).toBe(false);
		expect(fits(whole('Glow Serum', { ...ordered, audience: 'Cooks' }), ordered)).toBe(false);
		expect(fits(whole('', { ...ordered, product_name: 'Night Cream' }), ordered)).toBe(false);
		const link = { product_name: 'https://shop.example/p/1' };
		expect(fits(summary('https://shop.example/p/2'), link)).toBe(false);
	});

	test('else it is an answer that cannot be read', () => {
		expect(fitting(whole('Glow Serum', {}), ordered)).toMatchObject({ product_name: 'Glow Serum' });
		expect(() => fitting(whole('Night Cream', {}), ordered)).toThrow(/brief of “Night Cream”/);
	});
});
