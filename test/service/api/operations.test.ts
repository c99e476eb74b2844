import {
	createBrief,
	getBrief,
	listBriefs,
	listHooks,
	listLicences,
} from '../../../service/api/operations';

const accept = { accept: 'application/json' };

test.each([
	[listLicences(), 'list_licences', '/licences', {}],
	[listBriefs(), 'list_briefs', '/briefs', { limit: '100' }],
	[listBriefs({ cursor: '' }), 'list_briefs', '/briefs', { limit: '100' }],
	[
		listBriefs({ status: 'ready', limit: 5, cursor: 'c=1&d' }),
		'list_briefs',
		'/briefs',
		{ status: 'ready', limit: '5', cursor: 'c=1&d' },
	],
	[getBrief('b1'), 'get_brief', '/briefs/b1', {}],
	// An ID cannot leave its place in the path.
	[getBrief('../licences?x#y'), 'get_brief', '/briefs/..%2Flicences%3Fx%23y', {}],
	[listHooks({ q: '' }), 'list_hooks', '/content-iq/hooks', {}],
	[
		listHooks({ category: 'Fashion', sort: 'newest', q: 'so good', limit: 80 }),
		'list_hooks',
		'/content-iq/hooks',
		{ category: 'Fashion', sort: 'newest', q: 'so good', limit: '80' },
	],
])('a request that reads: %j', (request, operation, path, query) => {
	expect(request).toEqual({ operation, method: 'GET', path, query, headers: accept });
});

test('an order has the key in the header and in the body, and links as URIs', () => {
	const input = { product_name: 'Lamp', reference_urls: ['https://a.example/größe?x[]=1'] };
	const { body = '', ...request } = createBrief(input, 'k');
	expect(request).toEqual({
		operation: 'create_brief',
		method: 'POST',
		path: '/briefs',
		query: {},
		headers: { ...accept, 'content-type': 'application/json', 'idempotency-key': 'k' },
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
