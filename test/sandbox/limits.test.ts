import { benches, DAY, MINUTE, START, type Reply } from '../support/sandbox/bench';

const start = benches();
const NEXT_MONTH = Date.UTC(2026, 1, 1);

describe('the two slots', () => {
	it('refuse a third brief with 429 until one is finished', async () => {
		const bench = await start();
		await bench.create('One');
		await bench.create('Two');
		const third = await bench.create('Three');
		expect([third.status, third.body.error.code]).toEqual([429, 'concurrency_limit']);
		const first = Math.min(...bench.sandbox.briefs().map(({ readyAt }) => readyAt ?? 0));
		bench.setTime(first - 1);
		expect((await bench.create('Three')).status).toBe(429);
		bench.setTime(first);
		// A refusal spends nothing.
		const { body } = await bench.get('/licences');
		expect(body.data[0]).toMatchObject({ product: 'creator-briefs', used_this_month: 2 });
		expect((await bench.create('Three')).status).toBe(202);
		expect(bench.sandbox.maxRunning()).toBe(2);
	});

	it('are shared with others in the workspace, and not with other workspaces', async () => {
		const bench = await start();
		bench.sandbox.addBrief();
		await bench.create('One', { key: 'colleague' });
		expect((await bench.create('Two')).status).toBe(429);
		expect((await bench.create('Two', { key: 'otherWorkspace' })).status).toBe(202);
		expect(bench.sandbox.maxRunning('ws_studio')).toBe(2);
		expect(bench.sandbox.maxRunning('ws_agency')).toBe(1);
	});

	it('conflict with 409 when an option says so', async () => {
		const bench = await start({ thirdBrief: 'conflict' });
		await bench.create('One');
		await bench.create('Two');
		expect((await bench.create('Three')).status).toBe(409);
	});

	it('let a third brief wait, queued, when an option says so', async () => {
		const bench = await start({ thirdBrief: 'queue' });
		for (const name of ['One', 'Two', 'Three', 'Four']) {
			expect((await bench.create(name)).status).toBe(202);
		}
		const ends = bench.sandbox
			.briefs()
			.slice(0, 2)
			.map(({ readyAt }) => readyAt ?? 0);
		bench.setTime(Math.min(...ends) - 1);
		const waiting = bench.sandbox.briefs();
		expect(waiting.slice(2).map(({ status, startedAt }) => [status, startedAt])).toEqual([
			['queued', null],
			['queued', null],
		]);
		bench.pass(30 * MINUTE);
		const done = bench.sandbox.briefs();
		expect(done.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'ready']);
		expect(done[2]?.startedAt).toBe(Math.min(...ends));
		expect(bench.sandbox.maxRunning()).toBe(2);
	});

	it('may be skipped by finish', async () => {
		const bench = await start({ thirdBrief: 'queue' });
		await bench.create('One');
		await bench.create('Two');
		const waiting = await bench.create('Three');
		bench.pass(1000);
		expect(bench.sandbox.finish(waiting.body.id)).toMatchObject({
			status: 'ready',
			startedAt: bench.now,
			readyAt: bench.now,
		});
	});

	it('are freed by finish', async () => {
		const bench = await start();
		const { body } = await bench.create('One');
		await bench.create('Two');
		bench.pass(1000);
		expect(bench.sandbox.finish(body.id)).toMatchObject({ status: 'ready', durationMs: 1000 });
		const third = await bench.create('Three');
		expect(third.status).toBe(202);
		expect(bench.sandbox.finish(third.body.id, 'failed').status).toBe('failed');
	});
});

describe('the monthly allowance', () => {
	it('gives 429 once it is used up, until the first of the next month in UTC', async () => {
		const bench = await start({ allowance: 1 });
		await bench.create('One');
		bench.pass(DAY);
		const refused = await bench.create('Two');
		expect([refused.status, refused.body.error.code]).toEqual([429, 'allowance_exceeded']);
		expect(refused.headers.get('retry-after')).toBe(String((NEXT_MONTH - bench.now) / 1000));
		bench.setTime(NEXT_MONTH - 1);
		expect((await bench.create('Two')).status).toBe(429);
		bench.setTime(NEXT_MONTH);
		expect((await bench.create('Two')).status).toBe(202);
	});

	it('counts failed briefs and those of colleagues, and no brief of last month', async () => {
		const bench = await start({ allowance: 2 });
		bench.sandbox.addBrief({ status: 'ready', createdAt: START - 20 * DAY });
		bench.sandbox.addBrief({ status: 'failed' });
		expect((await bench.create('One')).status).toBe(202);
		expect((await bench.create('Two')).body.error.code).toBe('allowance_exceeded');
	});
});

describe('the request rate', () => {
	it('refuses a key that asks far too often, for the rest of the minute', async () => {
		const bench = await start({ requestsPerMinute: 3 });
		for (let count = 0; count < 3; count += 1) {
			expect((await bench.get('/briefs')).status).toBe(200);
		}
		bench.pass(20_000);
		const refused = await bench.get('/briefs');
		expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
		expect(refused.headers.get('retry-after')).toBe('40');
		expect((await bench.get('/briefs', { key: 'colleague' })).status).toBe(200);
		bench.pass(40_000);
		expect((await bench.get('/briefs')).status).toBe(200);
	});

	it('can be switched off', async () => {
		const bench = await start({ requestsPerMinute: 0 });
		for (let count = 0; count < 700; count += 1) {
			if ((await bench.get('/licences', { unchecked: true })).status !== 200)
				throw new Error('refused');
		}
	});
});

describe('a 429', () => {
	async function refused(options: object): Promise<Reply> {
		const bench = await start(options);
		await bench.create('One');
		await bench.create('Two');
		return bench.create('Three');
	}

	it('has the code rate_limited for every reason when an option says so, and another message', async () => {
		const bench = await start({ errorCodes: 'generic', allowance: 3, requestsPerMinute: 5 });
		await bench.create('One');
		await bench.create('Two');
		const slots = await bench.create('Three');
		bench.sandbox.options.allowance = 2;
		const allowance = await bench.create('Three');
		await bench.get('/briefs');
		const rate = await bench.get('/briefs');
		const errors = [slots, allowance, rate].map(({ body }) => body.error);
		expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('rate_limited'));
		expect(new Set(errors.map(({ message }) => message)).size).toBe(3);
	});

	it('has three RateLimit headers and Retry-After', async () => {
		const { headers } = await refused({});
		const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
		expect(names.map((name) => headers.get(name))).toEqual(['2', '0', '30', '30']);
	});

	it('has the list form of the RateLimit headers', async () => {
		const { headers } = await refused({ rateLimitHeaders: 'draft-10' });
		expect(headers.get('ratelimit')).toBe('"requests";r=599;t=60, "concurrent-briefs";r=0;t=30');
		expect(headers.get('ratelimit-policy')).toBe('"requests";q=600;w=60, "concurrent-briefs";q=2');
		expect(headers.get('ratelimit-limit')).toBeNull();
	});

	it('has none of these headers when an option says so', async () => {
		const { headers } = await refused({ rateLimitHeaders: 'none', retryAfter: 'none' });
		expect([...headers.keys()].filter((name) => /ratelimit|retry/.test(name))).toEqual([]);
	});

	it('can give Retry-After as a date, which counts from the Date header', async () => {
		const { headers } = await refused({ retryAfter: 'date' });
		const distance =
			Date.parse(headers.get('retry-after') ?? '') - Date.parse(headers.get('date') ?? '');
		expect(distance).toBe(30_000);
	});
});
