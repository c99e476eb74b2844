import { benches, DAY, HOUR, MINUTE, type Bench } from '../support/sandbox/bench';

const start = benches();

async function filled(bench: Bench, count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let number = 0; number < count; number += 1) {
		ids.unshift(
			bench.sandbox.addBrief({ status: 'ready', createdAt: bench.now - DAY + number }).id,
		);
	}
	await Promise.resolve();
	return ids;
}

async function everyPage(bench: Bench, query: string): Promise<string[]> {
	const ids: string[] = [];
	let cursor: string | null = null;
	do {
		const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		const { body } = await bench.get(`/briefs?${query}${next}`);
		ids.push(...body.data.map(({ id }) => String(id)));
		cursor = body.next_cursor;
	} while (cursor !== null);
	return ids;
}

describe('list_briefs', () => {
	it('gives 20 a page, newest first, and all of them over the pages', async () => {
		const bench = await start();
		expect((await bench.get('/briefs')).body).toEqual({ data: [], next_cursor: null });
		const ids = await filled(bench, 45);
		expect((await bench.get('/briefs')).body.data).toHaveLength(20);
		expect((await bench.get('/briefs?limit=45')).body.next_cursor).toBeNull();
		expect((await bench.get('/briefs?limit=44')).body.next_cursor).not.toBeNull();
		expect(await everyPage(bench, 'limit=20')).toEqual(ids);
		expect(await everyPage(bench, 'limit=45')).toEqual(ids);
		expect(await everyPage(bench, 'limit=1')).toEqual(ids);
	});

	it('keeps its place when new briefs come in between', async () => {
		const bench = await start();
		const ids = await filled(bench, 5);
		const first = (await bench.get('/briefs?limit=2')).body;
		bench.sandbox.addBrief();
		const rest = await bench.get(`/briefs?limit=100&cursor=${String(first.next_cursor)}`);
		expect(rest.body.data.map(({ id }) => id)).toEqual(ids.slice(2));
	});

	it('orders briefs of the same moment by their making', async () => {
		const bench = await start();
		const one = await bench.create('One');
		const two = await bench.create('Two');
		expect(await everyPage(bench, 'limit=1')).toEqual([two.body.id, one.body.id]);
	});

	it('filters by status, over the pages too', async () => {
		const bench = await start();
		const ids = await filled(bench, 7);
		bench.sandbox.addBrief({ status: 'failed' });
		const running = await bench.create('One');
		expect(await everyPage(bench, 'status=ready&limit=3')).toEqual(ids);
		expect(await everyPage(bench, 'status=failed')).toHaveLength(1);
		expect(await everyPage(bench, 'status=queued')).toEqual([running.body.id]);
	});

	it('gives summaries, without the text', async () => {
		const bench = await start();
		const { body } = await bench.create('One');
		bench.pass(6 * MINUTE);
		const [summary] = (await bench.get('/briefs')).body.data;
		expect(Object.keys(summary ?? {})).toEqual([
			'id',
			'status',
			'product_name',
			'title',
			'created_at',
			'updated_at',
			'finished_at',
			'url',
		]);
		expect(summary).toMatchObject({ id: body.id, status: 'ready' });
	});

	it.each([
		'limit=0',
		'limit=101',
		'limit=x',
		'limit=',
		'limit=1.5',
		'status=done',
		'status=ready&status=failed',
		`cursor=${'a'.repeat(201)}`,
		'page=2',
	])('refuses %s', async (query) => {
		const bench = await start();
		const { status, body } = await bench.get(`/briefs?${query}`);
		expect([status, body.error.code]).toEqual([400, 'invalid_request']);
		expect(body.error.details).toContainEqual(
			expect.objectContaining({ in: 'query', field: query.split('=')[0] }),
		);
	});

	it.each([
		[400, 400],
		['first-page', 3],
		['empty', 0],
	] as const)('meets a cursor that it did not give with %s', async (staleCursor, expected) => {
		const bench = await start({ staleCursor });
		await filled(bench, 3);
		const { status, body } = await bench.get('/briefs?cursor=mine');
		expect(status === 400 ? status : body.data.length).toBe(expected);
	});

	it('gives no cursor for another filter or workspace, nor for ever', async () => {
		const bench = await start({ cursorMemoryMs: HOUR });
		await filled(bench, 3);
		const cursor = String((await bench.get('/briefs?limit=1')).body.next_cursor);
		expect(cursor.length).toBeLessThanOrEqual(200);
		expect((await bench.get(`/briefs?cursor=${cursor}&status=ready`)).status).toBe(400);
		expect((await bench.get(`/briefs?cursor=${cursor}`, { key: 'otherWorkspace' })).status).toBe(
			400,
		);
		bench.pass(HOUR - 1);
		expect((await bench.get(`/briefs?cursor=${cursor}`)).status).toBe(200);
		bench.pass(1);
		expect((await bench.get(`/briefs?cursor=${cursor}`)).status).toBe(400);
	});

	it('shows a new brief later when it lags, while get_brief knows it at once', async () => {
		const bench = await start({ listLagMs: 5000 });
		const { body } = await bench.create('One');
		expect((await bench.get('/briefs')).body.data).toEqual([]);
		expect((await bench.get(`/briefs/${body.id}`)).status).toBe(200);
		bench.pass(5000);
		expect((await bench.get('/briefs')).body.data).toHaveLength(1);
	});
});
