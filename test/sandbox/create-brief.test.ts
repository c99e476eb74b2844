import { TEXT_MAX_LENGTH } from '../../core/api/limits';
import { codeOf, makeUuid, START, startBench, type RequestOptions } from '../support/sandbox/bench';
import { DAY, HOUR, MINUTE } from '../support/time';

const NEXT_MONTH = Date.UTC(2026, 1, 1);

const getFields = (details: unknown) => (details as { field: string }[]).map(({ field }) => field);

describe('create_brief', () => {
	it('answers 202 at once with the whole brief, queued', async () => {
		const bench = await startBench();
		const input = { product_name: 'Glow Serum', campaign_terms: '20 %' };
		const { status, body } = await bench.create(input);
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

	it('reports every problem of a body at once', async () => {
		const bench = await startBench();
		const { status, body } = await bench.create({
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
		expect(bench.sandbox.createdCount()).toBe(0);
	});

	it.each([
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
		const bench = await startBench();
		expect((await bench.create(input)).status).toBe(202);
	});

	const nineLinks = { product_name: 'Lamp', reference_urls: Array(9).fill('https://a.example') };

	it.each([
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
		const bench = await startBench();
		const reply = await bench.send('POST', '/briefs', body === undefined ? {} : { body });
		expect(codeOf(reply)).toBe('400 invalid_request');
		expect(getFields(reply.body.error.details)).toEqual([field]);
		expect(bench.sandbox.createdCount()).toBe(0);
	});
});

describe('an idempotency key', () => {
	const key = '0a1b2c3d-0000-4000-8000-00000000000e';
	const inHeader = { headers: { 'Idempotency-Key': key } };
	const inBody = { idempotency_key: key };

	it.each<[string, RequestOptions, object, RequestOptions, object]>([
		['header and header', inHeader, {}, inHeader, {}],
		['body and body', {}, inBody, {}, inBody],
		['header and body', inHeader, {}, {}, inBody],
		['header and body in capitals', inHeader, {}, {}, { idempotency_key: key.toUpperCase() }],
	])('returns the original brief at no cost: %s', async (_, options1, more1, options2, more2) => {
		const bench = await startBench({ allowance: 2 });
		const first = await bench.create({ product_name: 'Lamp', audience: 'All', ...more1 }, options1);
		// A replay works although both slots are taken and the allowance is used up.
		await bench.create('Mop');
		const again = await bench.create({ audience: 'All', product_name: 'Lamp', ...more2 }, options2);
		expect([first.status, again.status]).toEqual([202, 200]);
		expect(again.body).toEqual(first.body);
		expect(bench.sandbox.briefs()).toMatchObject([{ replays: 1, idempotencyKeys: [key] }, {}]);
		expect(bench.sandbox.createdCount()).toBe(2);
		bench.pass(6 * MINUTE);
		const later = await bench.create({ audience: 'All', product_name: 'Lamp', ...more2 }, options2);
		expect(later.body.status).toBe('ready');
	});

	it('is refused with another body, and in another workspace it is another key', async () => {
		const bench = await startBench();
		await bench.create('Lamp', inHeader);
		expect(await bench.order(['Mop'], inHeader)).toEqual(['409 idempotency_conflict']);
		const other = { ...inHeader, key: 'otherWorkspace' } as const;
		expect(await bench.order(['Mop'], other)).toEqual(['202']);
	});

	it('is refused if it is not a UUID, or if header and body have different keys', async () => {
		const bench = await startBench();
		const body = { product_name: 'Lamp', idempotency_key: makeUuid(2) };
		expect(codeOf(await bench.create(body, inHeader))).toBe('400 invalid_request');
		const noUuid = { headers: { 'Idempotency-Key': 'row 1' } };
		expect(await bench.order(['Lamp'], noUuid)).toEqual(['400 invalid_request']);
	});

	it('is forgotten after keyMemoryMs, and then costs a second brief', async () => {
		const bench = await startBench({ keyMemoryMs: HOUR });
		await bench.create('Lamp', inHeader);
		bench.pass(HOUR - 1);
		expect(await bench.order(['Lamp'], inHeader)).toEqual(['200']);
		bench.pass(1);
		expect(await bench.order(['Lamp'], inHeader)).toEqual(['202']);
		expect(bench.sandbox.createdCount()).toBe(2);
	});

	it('is not used up by a refused order', async () => {
		const bench = await startBench({ allowance: 0 });
		expect(await bench.order(['Lamp'], inHeader)).toEqual(['429 allowance_exceeded']);
		bench.sandbox.options.allowance = 1;
		expect(await bench.order(['Mop'], inHeader)).toEqual(['202']);
	});
});

describe('the two slots', () => {
	const full = '429 concurrency_limit';

	it('refuse a third brief at no cost until one of the two is finished', async () => {
		const bench = await startBench();
		expect(await bench.order(['One', 'Two', 'Three'])).toEqual(['202', '202', full]);
		expect(await bench.order(['Three'], { key: 'otherWorkspace' })).toEqual(['202']);
		const firstEnd = Math.min(
			...bench.sandbox
				.briefs()
				.slice(0, 2)
				.map(({ readyAt }) => readyAt!),
		);
		bench.setTime(firstEnd - 1);
		expect(await bench.order(['Three'])).toEqual([full]);
		bench.setTime(firstEnd);
		expect((await bench.get('/licences')).body.data[0]).toMatchObject({ used_this_month: 2 });
		expect(await bench.order(['Three'])).toEqual(['202']);
		expect(bench.sandbox.maxRunning()).toBe(2);
	});

	it('let a third brief wait with thirdBrief: queue, and the oldest gets the next slot', async () => {
		const bench = await startBench({ thirdBrief: 'queue' });
		expect(await bench.order(['1st', '2nd', '3rd', '4th'])).toEqual(Array(4).fill('202'));
		const [one, two] = bench.sandbox.briefs();
		const ends = [one!.readyAt!, two!.readyAt!].sort((a, b) => a - b);
		bench.setTime(ends[0]! - 1);
		const waiting = { status: 'queued', startedAt: null };
		expect(bench.sandbox.briefs().slice(2)).toMatchObject([waiting, waiting]);
		bench.pass(30 * MINUTE);
		expect(bench.sandbox.briefs().map(({ status }) => status)).toEqual(Array(4).fill('ready'));
		expect(
			bench.sandbox
				.briefs()
				.slice(2)
				.map(({ startedAt }) => startedAt),
		).toEqual(ends);
		expect(bench.sandbox.maxRunning()).toBe(2);
	});

	it('refuse a third brief without a reason if thirdBrief is a status', async () => {
		const bench = await startBench({ thirdBrief: 409 });
		expect(await bench.order(['One', 'Two', 'Three'])).toEqual(['202', '202', '409 refused']);
	});
});

describe('a limit', () => {
	it('of the allowance refuses orders until the first of the next month in UTC', async () => {
		const bench = await startBench({ allowance: 1 });
		await bench.create('One');
		bench.pass(DAY);
		const refused = await bench.create('Two');
		expect(codeOf(refused)).toBe('429 allowance_exceeded');
		expect(refused.headers.get('retry-after')).toBe(String((NEXT_MONTH - START - DAY) / 1000));
		bench.setTime(NEXT_MONTH - 1);
		expect(await bench.order(['Two'])).toEqual(['429 allowance_exceeded']);
		bench.setTime(NEXT_MONTH);
		expect(await bench.order(['Two'])).toEqual(['202']);
	});

	it('of requests refuses a key for the rest of the minute', async () => {
		const bench = await startBench({ requestsPerMinute: 3 });
		for (let count = 0; count < 3; count += 1) {
			expect((await bench.get('/briefs')).status).toBe(200);
		}
		bench.pass(20_000);
		const refused = await bench.get('/briefs');
		expect(codeOf(refused)).toBe('429 rate_limited');
		expect(refused.headers.get('retry-after')).toBe('40');
		expect((await bench.get('/briefs', { key: 'readOnly' })).status).toBe(200);
		bench.pass(40_000);
		expect((await bench.get('/briefs')).status).toBe(200);
	});

	it('shows its size and the wait in the headers', async () => {
		const bench = await startBench();
		await bench.order(['One', 'Two']);
		const { headers } = await bench.create('Three');
		expect(Object.fromEntries(headers)).toMatchObject({
			'ratelimit-limit': '2',
			'ratelimit-remaining': '0',
			'ratelimit-reset': '30',
			'retry-after': '30',
			date: new Date(START).toUTCString(),
		});
	});
});
