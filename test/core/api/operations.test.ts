import { createBrief, getBrief, listBriefs } from '../../../core/api/operations';

test('escapes an ID in the path', () => {
	expect(getBrief('../licences?x#y').path).toBe('/briefs/..%2Flicences%3Fx%23y');
});

test('sends the key in header and body', () => {
	const input = { product_name: 'Lamp', reference_urls: ['https://a.example/1'] };
	const { body = '', ...request } = createBrief(input, 'k');
	expect(request).toEqual({
		operation: 'create_brief',
		method: 'POST',
		path: '/briefs',
		query: {},
		headers: {
			accept: 'application/json',
			'content-type': 'application/json',
			'idempotency-key': 'k',
		},
	});
	expect(JSON.parse(body)).toEqual({
		product_name: 'Lamp',
		reference_urls: ['https://a.example/1'],
		idempotency_key: 'k',
	});
});

test('sends the same bytes, whatever the sequence of the fields', () => {
	const one = createBrief({ product_name: 'Lamp', audience: 'All', product_id: '12345' }, 'k');
	const other = createBrief({ product_id: '12345', audience: 'All', product_name: 'Lamp' }, 'k');
	expect(other.body).toBe(one.body);
});

test.each([
	[{}, { limit: '100' }],
	[
		{ cursor: '', status: 'ready', limit: 5 },
		{ limit: '5', status: 'ready' },
	],
])('asks for the list %j with the query %j', (options, query) => {
	expect(listBriefs(options).query).toEqual(query);
});
