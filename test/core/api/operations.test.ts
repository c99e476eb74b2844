import { createBrief, getBrief, listBriefs } from '../../../core/api/operations';

test('escapes an ID in the path', () => {
	expect(getBrief('../licences?x#y').path).toBe('/briefs/..%2Flicences%3Fx%23y');
});

test('sends the key in header and body, and the fields always in the same sequence', () => {
	const input = { reference_urls: ['https://a.example/1'], audience: 'All', product_name: 'Lamp' };
	expect(createBrief(input, 'k')).toEqual({
		operation: 'create_brief',
		method: 'POST',
		path: '/briefs',
		query: {},
		headers: {
			accept: 'application/json',
			'content-type': 'application/json',
			'idempotency-key': 'k',
		},
		body: '{"product_name":"Lamp","audience":"All","reference_urls":["https://a.example/1"],"idempotency_key":"k"}',
	});
});

test('requests a hundred briefs by default, and sends no empty parameter', () => {
	expect(listBriefs().query).toEqual({ limit: '100' });
	const query = { cursor: '', status: 'ready', limit: 5 };
	expect(listBriefs(query).query).toEqual({ limit: '5', status: 'ready' });
});
