import { TEXT_MAX_LENGTH } from '../../core/api/limits';
import {
	describeReply,
	makeUuid,
	START,
	startTestApi,
	type RequestOptions,
} from '../support/sandbox/test-api';
import { DAY, HOUR, MINUTE } from '../support/time';

const NEXT_MONTH = Date.UTC(2026, 1, 1);

const getFields = (details: unknown) => (details as { field: string }[]).map(({ field }) => field);

describe('create_brief', () => {
	test('answers 202 at once with the whole brief, queued', async () => {
		const api = await startTestApi();
		const input = { product_name: 'Glow Serum', campaign_terms: '20 %' };
		const { status, body } = await api.create(input);
		expect(status).toBe(202);
		expect(body).toMatchObject({
			status: 'queued',
			product_name: 'Glow Serum',
			input,
			revision: 1,
			title: null,
			finished_at: null,
			markdown: null,
			document: null,
			error_code: null,
			sources: [],
			warnings: [],
			created_at: new Date(START).toISOString(),
		});
	});

	const limits = Object.entries(TEXT_MAX_LENGTH);
	const makeTexts = (more: number) =>
		Object.fromEntries(limits.map(([field, limit]) => [field, 'a'.repeat(limit + more)]));

	test('reports every problem of a body at once', async () => {
		const api = await startTestApi();
		const { status, body } = await api.create({
			...makeTexts(1),
			product_name: 'x',
			product_id: '1234',
			reference_urls: [
				'https://ok.example',
				'http://plain.example',
				'no link',
				'https://a.example/ b',
			],
			idempotency_key: 'not a uuid',
			colour: 'red',
		});
		expect([status, body.error.code]).toEqual([400, 'invalid_request']);
		expect([...new Set(getFields(body.error.details))].sort()).toEqual(
			[
				...limits.map(([field]) => field),
				...['colour', 'idempotency_key', 'product_id', 'product_name'],
				...['reference_urls.1', 'reference_urls.2', 'reference_urls.3'],
			].sort(),
		);
		expect(api.sandbox.createdCount()).toBe(0);
	});

	test.each([
		['shortest', { product_name: 'ab', product_id: '12345' }],
		[
			'longest',
			{
				...makeTexts(0),
				product_name: '😀'.repeat(180),
				product_id: '1'.repeat(40),
				reference_urls: Array.from({ length: 8 }, (_, index) => `https://ok.example/${index}`),
				idempotency_key: makeUuid(1),
			},
		],
	])('accepts every field at its %s', async (_name, input) => {
		const api = await startTestApi();
		expect((await api.create(input)).status).toBe(202);
	});

	const nineLinks = { product_name: 'Lamp', reference_urls: Array(9).fill('https://a.example') };

	test.each([
		['without a body', undefined, 'content-type'],
		['with a list', '[]', ''],
		['with null', 'null', ''],
		['with half of a JSON text', '{"product_name": "Lam', ''],
		['with more than a megabyte', JSON.stringify({ a: 'a'.repeat(1_000_000) }), ''],
		['without a product name', '{}', 'product_name'],
		['with a number as product name', '{"product_name": 12}', 'product_name'],
		[
			'with a product name of 181 characters',
			`{"product_name": "${'a'.repeat(181)}"}`,
			'product_name',
		],
		['with a number as product ID', '{"product_name": "Lamp", "product_id": 123456}', 'product_id'],
		['with nine links', JSON.stringify(nineLinks), 'reference_urls'],
	])('refuses a request %s', async (_name, body, field) => {
		const api = await startTestApi();
		const reply = await api.send('POST', '/briefs', body === undefined ? {} : { body });
		expect(describeReply(reply)).toBe('400 invalid_request');
		expect(getFields(reply.body.error.details)).toEqual([field]);
		expect(api.sandbox.createdCount()).toBe(0);
	});
});

describe('an idempotency key', () => {
	const key = '0a1b2c3d-0000-4000-8000-00000000000e';
	const inHeader = { headers: { 'Idempotency-Key': key } };
	const inBody = { idempotency_key: key };

	test.each<[string, RequestOptions, object, RequestOptions, object]>([
		['header and header', inHeader, {}, inHeader, {}],
		['body and body', {}, inBody, {}, inBody],
		['header and body', inHeader, {}, {}, inBody],
		['header and body in capitals', inHeader, {}, {}, { idempotency_key: key.toUpperCase() }],
	])(
		'returns the original brief at no cost: %s',
		async (_, firstOptions, firstFields, nextOptions, nextFields) => {
			const api = await startTestApi({ allowance: 2 });
			const first = await api.create(
				{ product_name: 'Lamp', audience: 'All', ...firstFields },
				firstOptions,
			);
			// A replay works although both slots are taken and the allowance is used up.
			await api.create('Mop');
			const again = await api.create(
				{ audience: 'All', product_name: 'Lamp', ...nextFields },
				nextOptions,
			);
			expect([first.status, again.status]).toEqual([202, 200]);
			expect(again.body).toEqual(first.body);
			expect(api.sandbox.briefs()).toMatchObject([{ replays: 1, idempotencyKeys: [key] }, {}]);
			expect(api.sandbox.createdCount()).toBe(2);
			api.pass(6 * MINUTE);
			const later = await api.create(
				{ audience: 'All', product_name: 'Lamp', ...nextFields },
				nextOptions,
			);
			expect(later.body.status).toBe('ready');
		},
	);

	test('is refused with another body, and in another workspace it is another key', async () => {
		const api = await startTestApi();
		await api.create('Lamp', inHeader);
		expect(await api.order(['Mop'], inHeader)).toEqual(['409 idempotency_conflict']);
		const other = { ...inHeader, key: 'otherWorkspace' } as const;
		expect(await api.order(['Mop'], other)).toEqual(['202']);
	});

	test('is refused if it is not a UUID, or if header and body have different keys', async () => {
		const api = await startTestApi();
		const body = { product_name: 'Lamp', idempotency_key: makeUuid(2) };
		expect(describeReply(await api.create(body, inHeader))).toBe('400 invalid_request');
		const noUuid = { headers: { 'Idempotency-Key': 'row 1' } };
		expect(await api.order(['Lamp'], noUuid)).toEqual(['400 invalid_request']);
	});

	test('is forgotten after keyMemoryMs, and then costs a second brief', async () => {
		const api = await startTestApi({ keyMemoryMs: HOUR });
		await api.create('Lamp', inHeader);
		api.pass(HOUR - 1);
		expect(await api.order(['Lamp'], inHeader)).toEqual(['200']);
		api.pass(1);
		expect(await api.order(['Lamp'], inHeader)).toEqual(['202']);
		expect(api.sandbox.createdCount()).toBe(2);
	});

	test('is not used up by a refused order', async () => {
		const api = await startTestApi({ allowance: 0 });
		expect(await api.order(['Lamp'], inHeader)).toEqual(['429 allowance_exceeded']);
		api.sandbox.options.allowance = 1;
		expect(await api.order(['Mop'], inHeader)).toEqual(['202']);
	});
});

describe('the two slots', () => {
	const full = '429 concurrency_limit';

	test('refuse a third brief at no cost until one of the two is finished', async () => {
		const api = await startTestApi();
		expect(await api.order(['One', 'Two', 'Three'])).toEqual(['202', '202', full]);
		expect(await api.order(['Three'], { key: 'otherWorkspace' })).toEqual(['202']);
		const firstEnd = Math.min(
			...api.sandbox
				.briefs()
				.slice(0, 2)
				.map(({ readyAt }) => readyAt!),
		);
		api.setTime(firstEnd - 1);
		expect(await api.order(['Three'])).toEqual([full]);
		api.setTime(firstEnd);
		expect((await api.get('/licences')).body.data[0]).toMatchObject({ used_this_month: 2 });
		expect(await api.order(['Three'])).toEqual(['202']);
		expect(api.sandbox.maxRunning()).toBe(2);
	});

	test('let a third brief wait with thirdBrief: queue, and the oldest gets the next slot', async () => {
		const api = await startTestApi({ thirdBrief: 'queue' });
		expect(await api.order(['1st', '2nd', '3rd', '4th'])).toEqual(Array(4).fill('202'));
		const [one, two] = api.sandbox.briefs();
		const ends = [one!.readyAt!, two!.readyAt!].sort((a, b) => a - b);
		api.setTime(ends[0]! - 1);
		const waiting = { status: 'queued', startedAt: null };
		expect(api.sandbox.briefs().slice(2)).toMatchObject([waiting, waiting]);
		api.pass(30 * MINUTE);
		expect(api.sandbox.briefs().map(({ status }) => status)).toEqual(Array(4).fill('ready'));
		expect(
			api.sandbox
				.briefs()
				.slice(2)
				.map(({ startedAt }) => startedAt),
		).toEqual(ends);
		expect(api.sandbox.maxRunning()).toBe(2);
	});

	test('refuse a third brief without a reason if thirdBrief is a status', async () => {
		const api = await startTestApi({ thirdBrief: 409 });
		expect(await api.order(['One', 'Two', 'Three'])).toEqual(['202', '202', '409 refused']);
	});
});

describe('a limit', () => {
	test('of the allowance refuses orders until the first of the next month in UTC', async () => {
		const api = await startTestApi({ allowance: 1 });
		await api.create('One');
		api.pass(DAY);
		const refused = await api.create('Two');
		expect(describeReply(refused)).toBe('429 allowance_exceeded');
		expect(refused.headers.get('retry-after')).toBe(String((NEXT_MONTH - START - DAY) / 1000));
		api.setTime(NEXT_MONTH - 1);
		expect(await api.order(['Two'])).toEqual(['429 allowance_exceeded']);
		api.setTime(NEXT_MONTH);
		expect(await api.order(['Two'])).toEqual(['202']);
	});

	test('of requests refuses a key for the rest of the minute', async () => {
		const api = await startTestApi({ requestsPerMinute: 3 });
		for (let count = 0; count < 3; count += 1) {
			expect((await api.get('/briefs')).status).toBe(200);
		}
		api.pass(20_000);
		const refused = await api.get('/briefs');
		expect(describeReply(refused)).toBe('429 rate_limited');
		expect(refused.headers.get('retry-after')).toBe('40');
		expect((await api.get('/briefs', { key: 'readOnly' })).status).toBe(200);
		api.pass(40_000);
		expect((await api.get('/briefs')).status).toBe(200);
	});

	test('sends the quota and the wait in the headers', async () => {
		const api = await startTestApi();
		await api.order(['One', 'Two']);
		const { headers } = await api.create('Three');
		expect(Object.fromEntries(headers)).toMatchObject({
			'ratelimit-limit': '2',
			'ratelimit-remaining': '0',
			'ratelimit-reset': '30',
			'retry-after': '30',
			date: new Date(START).toUTCString(),
		});
	});
});
