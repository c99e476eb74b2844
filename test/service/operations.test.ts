import {
	createBrief,
	getBrief,
	listBriefs,
	listHooks,
	listLicences,
} from '../../service/operations';

const accept = { accept: 'application/json' };

describe('the requests of docs/api.md section 4', () => {
	test('list_licences', () => {
		expect(listLicences()).toEqual({
			operation: 'list_licences',
			method: 'GET',
			path: '/licences',
			query: {},
			headers: accept,
		});
	});

	test('list_briefs, with the largest page if none is asked for', () => {
		expect(listBriefs().query).toEqual({ limit: '100' });
		expect(listBriefs({ status: 'ready', limit: 5, cursor: 'c=1&d' })).toEqual({
			operation: 'list_briefs',
			method: 'GET',
			path: '/briefs',
			query: { status: 'ready', limit: '5', cursor: 'c=1&d' },
			headers: accept,
		});
		expect(listBriefs({ cursor: '' }).query).toEqual({ limit: '100' });
	});

	test('get_brief, with an ID that cannot leave its place in the path', () => {
		expect(getBrief('b1')).toMatchObject({
			operation: 'get_brief',
			method: 'GET',
			path: '/briefs/b1',
		});
		expect(getBrief('../licences?x#y').path).toBe('/briefs/..%2Flicences%3Fx%23y');
	});

	test('list_hooks', () => {
		expect(listHooks()).toMatchObject({
			operation: 'list_hooks',
			path: '/content-iq/hooks',
			query: {},
		});
		expect(
			listHooks({ category: 'Fashion', sort: 'newest', q: 'so good', limit: 80 }).query,
		).toEqual({ category: 'Fashion', sort: 'newest', q: 'so good', limit: '80' });
		expect(listHooks({ q: '' }).query).toEqual({});
	});

	test('create_brief, with the key in the header and in the body', () => {
		const request = createBrief(
			{ product_name: 'Lamp', reference_urls: ['https://a.example'] },
			'k',
		);
		expect(request).toMatchObject({ operation: 'create_brief', method: 'POST', path: '/briefs' });
		expect(request.query).toEqual({});
		expect(request.headers).toEqual({
			...accept,
			'content-type': 'application/json',
			'idempotency-key': 'k',
		});
		expect(JSON.parse(request.body ?? '')).toEqual({
			product_name: 'Lamp',
			reference_urls: ['https://a.example'],
			idempotency_key: 'k',
		});
	});

	test('create_brief, with links as URIs', () => {
		const input = { product_name: 'Lamp', reference_urls: ['https://a.example/größe?x[]=1'] };
		expect(JSON.parse(createBrief(input, 'k').body ?? '')).toMatchObject({
			reference_urls: ['https://a.example/gr%C3%B6%C3%9Fe?x%5B%5D=1'],
		});
	});

	test('the same fields in another order are the same bytes', () => {
		const one = createBrief({ product_name: 'Lamp', audience: 'All', product_id: '12345' }, 'k');
		const other = createBrief({ product_id: '12345', audience: 'All', product_name: 'Lamp' }, 'k');
		expect(other).toEqual(one);
		expect(other.body).toBe(one.body);
	});
});
