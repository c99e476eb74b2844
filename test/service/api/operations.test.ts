import { createBrief, getBrief } from '../../../service/api/operations';

test('an ID cannot leave its place in the path', () => {
	expect(getBrief('../licences?x#y').path).toBe('/briefs/..%2Flicences%3Fx%23y');
});

test('an order has the key in the header and in the body, and links as URIs', () => {
	const input = { product_name: 'Lamp', reference_urls: ['https://a.example/größe?x[]=1'] };
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
		reference_urls: ['https://a.example/gr%C3%B6%C3%9Fe?x%5B%5D=1'],
		idempotency_key: 'k',
	});
});

test('the same fields in another order are the same bytes', () => {
	const one = createBrief({ product_name: 'Lamp', audience: 'All', product_id: '12345' }, 'k');
	const other = createBrief({ product_id: '12345', audience: 'All', product_name: 'Lamp' }, 'k');
	expect(other.body).toBe(one.body);
});
