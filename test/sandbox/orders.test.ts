import type { SandboxOptions } from '../../sandbox/sandbox';
import { write } from '../../sandbox/writing/write-brief';
import {
	type Ask,
	type Bench,
	codeOf,
	START,
	startBench as start,
	uuidOf,
} from '../support/sandbox/bench';
import { DAY, HOUR, MINUTE } from '../support/time';

const NEXT_MONTH = Date.UTC(2026, 1, 1);

/** What the service says to each of these creates. */
async function order(bench: Bench, names: string[], ask?: Ask): Promise<string[]> {
	const answers: string[] = [];
	for (const name of names) answers.push(codeOf(await bench.create(name, ask)));
	return answers;
}

const fields = (details: unknown) => (details as { field: string }[]).map(({ field }) => field);

describe('create_brief', () => {
	it('answers 202 at once with the whole brief, queued', async () => {
		const bench = await start();
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

	it('reports every problem of a body at once, and takes every field at its limit', async () => {
		const bench = await start();
		const longest = {
			audience: 1500,
			objective: 1500,
			approved_facts: 10_000,
			campaign_terms: 3000,
			creative_direction: 3000,
		};
		const texts = (more: number) =>
			Object.entries(longest).map(([field, length]) => [field, 'a'.repeat(length + more)]);
		const { status, body } = await bench.create({
			...(Object.fromEntries(texts(1)) as object),
			product_name: 'x',
			product_id: '12',
			reference_urls: ['https://ok.example', 'http://plain.example', 'no link'],
			idempotency_key: 'not a uuid',
			colour: 'red',
		});
		expect([status, body.error.code]).toEqual([400, 'invalid_request']);
		expect([...new Set(fields(body.error.details))].sort()).toEqual(
			[
				...[...Object.keys(longest), 'colour', 'idempotency_key', 'product_id', 'product_name'],
				...['reference_urls.1', 'reference_urls.2'],
			].sort(),
		);
		expect(bench.sandbox.createdCount()).toBe(0);
		const most = await bench.create({
			...(Object.fromEntries(texts(0)) as object),
			product_name: '😀'.repeat(180),
			product_id: '1'.repeat(40),
			reference_urls: Array.from({ length: 8 }, (_, index) => `https://ok.example/${index}`),
			idempotency_key: uuidOf(1),
		});
		expect(most.status).toBe(202);
	});

	const nineLinks = { product_name: 'Lamp', reference_urls: Array(9).fill('https://a.example') };

	it.each([
		['no body', undefined, 'content-type'],
		['a list', '[]', ''],
		['null', 'null', ''],
		['half a JSON text', '{"product_name": "Lam', ''],
		['a number as product name', '{"product_name": 12}', 'product_name'],
		['a number as product_id', '{"product_name": "Lamp", "product_id": 123456}', 'product_id'],
		['one link too many', JSON.stringify(nineLinks), 'reference_urls'],
		['no product name', '{}', 'product_name'],
	])('refuses %s', async (_, rawBody, field) => {
		const bench = await start();
		const reply = await bench.ask('POST', '/briefs', rawBody === undefined ? {} : { rawBody });
		expect(codeOf(reply)).toBe('400 invalid_request');
		expect(fields(reply.body.error.details)).toEqual([field]);
		expect(bench.sandbox.createdCount()).toBe(0);
	});
});

describe('a brief', () => {
	it('goes through its life in 3 to 6 minutes, and has its text at the end', async () => {
		const bench = await start({ unknownStatus: 'reviewing' });
		const { id } = (await bench.create()).body;
		const seen = new Map<string, number>();
		for (let seconds = 0; seconds <= 360; seconds += 10) {
			const now = (await bench.get(`/briefs/${id}`, { unchecked: true })).body;
			const isReady = now.status === 'ready';
			seen.set(now.status, seen.get(now.status) ?? seconds);
			expect([now.markdown === null, now.finished_at === null]).toEqual([!isReady, !isReady]);
			bench.pass(10_000);
		}
		const life = ['queued', 'researching', 'reviewing', 'writing', 'checking', 'ready'];
		expect([...seen.keys()]).toEqual(life);
		expect(seen.get('ready')).toBeGreaterThanOrEqual(180);
		const ready = (await bench.get(`/briefs/${id}`)).body;
		expect(ready.title).toContain('Travel Sneakers');
		expect(ready.markdown).toContain(`# ${ready.title}`);
		expect(Object.keys(ready.document ?? {})).toEqual(
			expect.arrayContaining(['mission', 'audience', 'talking_points', 'angles', 'shots']),
		);
		const [record] = bench.sandbox.briefs();
		expect(ready.finished_at).toBe(new Date(record!.readyAt!).toISOString());
		expect(ready.updated_at).toBe(ready.finished_at);
	});

	it('fails if the product is discontinued, with a reason', async () => {
		const bench = await start();
		const { body } = await bench.create('Old Lamp (Discontinued)');
		bench.pass(6 * MINUTE);
		expect((await bench.get(`/briefs/${body.id}`)).body).toMatchObject({
			status: 'failed',
			error_code: 'product_unavailable',
			finished_at: expect.any(String) as string,
			title: null,
			markdown: null,
			document: null,
		});
	});

	it.each([
		['wrapped', { campaign: { product_name: 'Lamp' }, market: 'US', language: 'en' }],
		['empty', {}],
		['facts-as-list', { approved_facts: [{ text: 'Warm.' }, { text: 'LED.' }] }],
		['cut-short', { product_name: 'Lamp…', approved_facts: 'Warm. LE…' }],
		['numbers', { product_name: 4, approved_facts: 10, product_id: 0 }],
		['rewritten', { approved_facts: 'In the words of the service' }],
		['resolved-name', { product_name: expect.not.stringContaining('Lamp') as string }],
		['translated', { produktname: 'Lamp' }],
		['filled-in', { product_name: 'Lamp', audience: 'Shoppers in the US' }],
		['lower-case', { product_name: 'lamp' }],
		['defaults-first', { campaign: { product_name: 'Lamp' } }],
	] as const)('shows the input %s', async (inputShape, expected) => {
		const bench = await start({ inputShape });
		const input = { product_name: 'Lamp', approved_facts: 'Warm. LED.' };
		expect((await bench.create(input)).body.input).toMatchObject(expected);
	});

	it('shows names and IDs in another form if options say so', async () => {
		const bench = await start({ productNames: 'tidied', briefIds: 'capitals' });
		const { body } = await bench.create('Lamp & Shade ✨, dimmable, for the night');
		expect(body.product_name).toBe('lamp &amp; shade , dimma');
		expect(body.id).toMatch(/^[0-9A-F-]{36}$/);
		expect((await bench.get(`/briefs/${body.id}`)).status).toBe(200);
		expect((await bench.get(`/briefs/${body.id.toLowerCase()}`)).status).toBe(404);
	});

	it('is found by its ID in capitals too; another ID gives 404, and no UUID 400', async () => {
		const bench = await start();
		const { id } = (await bench.create()).body;
		expect((await bench.get(`/briefs/${id.toUpperCase()}`)).status).toBe(200);
		expect(codeOf(await bench.get(`/briefs/${uuidOf(5)}`))).toBe('404 not_found');
		const bad = await bench.get('/briefs/5');
		expect([bad.status, fields(bad.body.error.details)]).toEqual([400, ['id']]);
	});
});

describe('the text of a brief', () => {
	it('uses the campaign: facts as facts, terms as they are written', () => {
		const terms = '  20 % commission\n* until *Friday*\n\n<b>two</b> videos  ';
		const { markdown, document, sources, warnings } = write(
			{
				product_name: 'https://shop.example/view/cozy-cloud-slippers-1729384756',
				approved_facts: '15 % vitamin C\nFragrance free; Made in Ohio.',
				audience: 'Nurses on night shift',
				objective: 'Sell the launch stock',
				creative_direction: 'No studio\nlight',
				reference_urls: ['https://a.example/1'],
				campaign_terms: terms,
			},
			'id',
			's',
		);
		expect(markdown).toMatch(/^# Cozy Cloud Slippers: /);
		expect(markdown.endsWith(`## Campaign terms\n\n${terms}\n`)).toBe(true);
		const facts = ['15 % vitamin C', 'Fragrance free', 'Made in Ohio.'];
		expect(document.talking_points.slice(0, 3)).toEqual(facts);
		expect(document.audience).toBe('Nurses on night shift');
		expect(document.mission).toContain('Sell the launch stock');
		expect(document.do).toContain('Follow the direction: No studio light');
		expect(sources.map(({ url }) => url)).toContain('https://a.example/1');
		expect(warnings.map(({ code }) => code)).toEqual(['name_from_link']);
	});
});

describe('an idempotency key', () => {
	const key = uuidOf(1);
	const inHeader = { headers: { 'Idempotency-Key': key } };
	const inBody = { idempotency_key: key };

	it.each<[string, Ask, object, Ask, object]>([
		['header and header', inHeader, {}, inHeader, {}],
		['body and body', {}, inBody, {}, inBody],
		['header and body', inHeader, {}, {}, inBody],
		['small letters and capitals', inHeader, {}, {}, { idempotency_key: key.toUpperCase() }],
	])('gives the original brief and spends nothing: %s', async (_, ask1, more1, ask2, more2) => {
		const bench = await start({ allowance: 2 });
		const first = await bench.create({ product_name: 'Lamp', ...more1 }, ask1);
		// Also while both slots are busy and the allowance is used up.
		await bench.create('Mop');
		const again = await bench.create({ product_name: 'Lamp', ...more2 }, ask2);
		expect([first.status, again.status]).toEqual([202, 200]);
		expect(again.body).toEqual(first.body);
		expect(bench.sandbox.createdCount()).toBe(2);
		expect(bench.sandbox.briefs()[0]?.replays).toBe(1);
	});

	it('shows the brief as it is now, or as it was, with the status that an option names', async () => {
		const bench = await start({ replayStatus: 202 });
		await bench.create('Lamp', inHeader);
		bench.pass(6 * MINUTE);
		const now = await bench.create('Lamp', inHeader);
		expect([now.status, now.body.status]).toEqual([202, 'ready']);
		bench.sandbox.options.replayState = 'original';
		expect((await bench.create('Lamp', inHeader)).body.status).toBe('queued');
	});

	it.each([
		['original', '200', (first: string) => first],
		['conflict', '409 idempotency_conflict', () => undefined],
		['unprocessable', '422 idempotency_conflict', () => undefined],
	] as const)('with another body gives the %s answer', async (replayOtherBody, answer, idOf) => {
		const bench = await start({ replayOtherBody });
		const first = await bench.create({ product_name: 'Lamp', audience: 'All' }, inHeader);
		const other = await bench.create('Mop', inHeader);
		expect(codeOf(other)).toBe(answer);
		expect(other.body.id).toBe(idOf(first.body.id));
		const same = await bench.create({ audience: 'All', product_name: 'Lamp' }, inHeader);
		expect(codeOf(same)).toBe('200');
		expect(bench.sandbox.createdCount()).toBe(1);
	});

	it('that is no UUID, or another one in header and body, is refused', async () => {
		const bench = await start();
		const body = { product_name: 'Lamp', idempotency_key: uuidOf(2) };
		expect((await bench.create(body, inHeader)).status).toBe(400);
		const reply = await bench.create('Lamp', { headers: { 'Idempotency-Key': 'row 1' } });
		expect(reply.status).toBe(400);
	});

	it('is forgotten after its time, and then costs a second brief', async () => {
		const bench = await start({ keyMemoryMs: HOUR });
		await bench.create('Lamp', inHeader);
		bench.pass(HOUR - 1);
		expect(await order(bench, ['Lamp'], inHeader)).toEqual(['200']);
		bench.pass(1);
		expect(await order(bench, ['Lamp'], inHeader)).toEqual(['202']);
		expect(bench.sandbox.createdCount()).toBe(2);
	});
});

describe('the two slots', () => {
	it('refuse a third brief with 429 until one is finished', async () => {
		const bench = await start();
		const full = '429 concurrency_limit';
		expect(await order(bench, ['One', 'Two', 'Three'])).toEqual(['202', '202', full]);
		const first = Math.min(...bench.sandbox.briefs().map(({ readyAt }) => readyAt!));
		bench.setTime(first - 1);
		expect(await order(bench, ['Three'])).toEqual([full]);
		bench.setTime(first);
		// A refusal spends nothing.
		expect((await bench.get('/licences')).body.data[0]).toMatchObject({ used_this_month: 2 });
		expect(await order(bench, ['Three'])).toEqual(['202']);
		expect(bench.sandbox.maxRunning()).toBe(2);
	});

	it('let a third brief wait, queued, if an option says so', async () => {
		const bench = await start({ thirdBrief: 'queue' });
		expect(await order(bench, ['One', 'Two', 'Three', 'Four'])).toEqual(Array(4).fill('202'));
		const [one, two] = bench.sandbox.briefs();
		const free = Math.min(one!.readyAt!, two!.readyAt!);
		bench.setTime(free - 1);
		const waiting = { status: 'queued', startedAt: null };
		expect(bench.sandbox.briefs().slice(2)).toMatchObject([waiting, waiting]);
		bench.pass(30 * MINUTE);
		const done = bench.sandbox.briefs();
		expect(done.map(({ status }) => status)).toEqual(Array(4).fill('ready'));
		expect(done[2]?.startedAt).toBe(free);
		expect(bench.sandbox.maxRunning()).toBe(2);
	});
});

describe('the monthly allowance', () => {
	it('gives 429 once it is used up, until the first of the next month in UTC', async () => {
		const bench = await start({ allowance: 1 });
		await bench.create('One');
		bench.pass(DAY);
		const refused = await bench.create('Two');
		expect(codeOf(refused)).toBe('429 allowance_exceeded');
		expect(refused.headers.get('retry-after')).toBe(String((NEXT_MONTH - bench.now) / 1000));
		bench.setTime(NEXT_MONTH - 1);
		expect(await order(bench, ['Two'])).toEqual(['429 allowance_exceeded']);
		bench.setTime(NEXT_MONTH);
		expect(await order(bench, ['Two'])).toEqual(['202']);
	});
});

it('a key that asks far too often is refused for the rest of the minute', async () => {
	const bench = await start({ requestsPerMinute: 3 });
	for (let count = 0; count < 3; count += 1) await bench.get('/briefs');
	bench.pass(20_000);
	const refused = await bench.get('/briefs');
	expect(codeOf(refused)).toBe('429 rate_limited');
	expect(refused.headers.get('retry-after')).toBe('40');
	expect((await bench.get('/briefs', { key: 'colleague' })).status).toBe(200);
	bench.pass(40_000);
	expect((await bench.get('/briefs')).status).toBe(200);
});

describe('a 429', () => {
	it.each<[SandboxOptions, Record<string, string>]>([
		[
			{},
			{
				'ratelimit-limit': '2',
				'ratelimit-remaining': '0',
				'ratelimit-reset': '30',
				'retry-after': '30',
			},
		],
		[{ rateLimitHeaders: 'none', retryAfter: 'none' }, {}],
		// It counts from the Date header, which is the sandbox's.
		[
			{ rateLimitHeaders: 'none', retryAfter: 'date' },
			{ 'retry-after': new Date(START + 30_000).toUTCString() },
		],
	])('has the headers of its options: %j', async (options, expected) => {
		const bench = await start(options);
		await order(bench, ['One', 'Two']);
		const { headers } = await bench.create('Three');
		const limits = [...headers].filter(([name]) => /ratelimit|retry/.test(name));
		expect(Object.fromEntries(limits)).toEqual(expected);
		expect(headers.get('date')).toBe(new Date(START).toUTCString());
	});
});
