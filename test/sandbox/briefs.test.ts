import { writeBrief } from '../../sandbox/writing/write-brief';
import {
	describeReply,
	makeUuid,
	START,
	startTestApi,
	type TestApi,
} from '../support/sandbox/test-api';
import { DAY, MINUTE } from '../support/time';

describe('a brief', () => {
	test('passes through its states in 3 to 6 minutes, and has a text when it is ready', async () => {
		const api = await startTestApi();
		const { id } = (await api.create()).body;
		const firstSeen = new Map<string, number>();
		for (let seconds = 0; seconds <= 360; seconds += 10) {
			const now = (await api.get(`/briefs/${id}`)).body;
			const isReady = now.status === 'ready';
			firstSeen.set(now.status, firstSeen.get(now.status) ?? seconds);
			expect([now.markdown === null, now.finished_at === null]).toEqual([!isReady, !isReady]);
			api.pass(10_000);
		}
		const states = ['queued', 'researching', 'writing', 'checking', 'ready'];
		expect([...firstSeen.keys()]).toEqual(states);
		expect(firstSeen.get('ready')).toBeGreaterThanOrEqual(180);
		const ready = (await api.get(`/briefs/${id}`)).body;
		expect(ready.title).toContain('Travel Sneakers');
		expect(ready.markdown).toContain(`# ${ready.title}`);
		expect(Object.keys(ready.document ?? {})).toEqual(
			expect.arrayContaining(['mission', 'audience', 'talking_points', 'angles', 'shots']),
		);
		const readyAt = api.sandbox.briefs()[0]!.readyAt!;
		const end = new Date(readyAt).toISOString();
		expect([ready.finished_at, ready.updated_at]).toEqual([end, end]);
		api.setTime(readyAt);
		expect((await api.get(`/briefs/${id}`)).body.status).toBe('ready');
	});

	test('fails with a reason if the product is discontinued', async () => {
		const api = await startTestApi();
		const { id } = (await api.create('Old Lamp (Discontinued)')).body;
		api.pass(6 * MINUTE);
		expect((await api.get(`/briefs/${id}`)).body).toMatchObject({
			status: 'failed',
			error_code: 'product_unavailable',
			finished_at: expect.any(String) as string,
			title: null,
			markdown: null,
			document: null,
		});
	});

	test('takes 3 to 6 minutes, and fails with the probability of failureShare', async () => {
		const api = await startTestApi({ failureShare: 0.5, slots: 40 });
		await api.order(Array.from({ length: 40 }, (_, index) => `Lamp ${index}`));
		api.pass(6 * MINUTE);
		const briefs = api.sandbox.briefs();
		const durations = briefs.map(({ durationMs }) => durationMs);
		expect(Math.min(...durations)).toBeGreaterThanOrEqual(3 * MINUTE);
		expect(Math.max(...durations)).toBeLessThanOrEqual(6 * MINUTE);
		const failed = briefs.filter(({ status }) => status === 'failed');
		expect(failed.length).toBeGreaterThan(10);
		expect(failed.length).toBeLessThan(30);
	});

	test('has the same ID, duration and text for the same seed, and different values for another seed', async () => {
		const finish = async (seed: string) => {
			const api = await startTestApi({ seed });
			const { id } = (await api.create()).body;
			api.pass(6 * MINUTE);
			return (await api.get(`/briefs/${id}`)).body;
		};
		const brief = await finish('a');
		expect(await finish('a')).toEqual(brief);
		const other = await finish('b');
		expect([other.id, other.finished_at]).not.toEqual([brief.id, brief.finished_at]);
		expect(other.markdown).not.toBe(brief.markdown);
	});

	test('is found by its ID in capitals, an unknown ID returns 404, and an ID that is no UUID returns 400', async () => {
		const api = await startTestApi();
		const { id } = (await api.create()).body;
		expect((await api.get(`/briefs/${id.toUpperCase()}`)).status).toBe(200);
		expect(describeReply(await api.get(`/briefs/${makeUuid(5)}`))).toBe('404 not_found');
		for (const badId of ['5', '%zz']) {
			const { status, body } = await api.get(`/briefs/${badId}`);
			expect([status, body.error.details]).toEqual([
				400,
				[expect.objectContaining({ in: 'path', field: 'id' })],
			]);
		}
	});

	test('exists only in its workspace', async () => {
		const api = await startTestApi();
		const { id } = (await api.create()).body;
		expect((await api.get(`/briefs/${id}`, { key: 'readOnly' })).status).toBe(200);
		const key = 'otherWorkspace';
		expect(describeReply(await api.get(`/briefs/${id}`, { key }))).toBe('404 not_found');
		expect((await api.get('/briefs', { key })).body.data).toEqual([]);
	});
});

test('the text of a brief states only approved facts and repeats the campaign terms word for word', () => {
	const terms = '  20 % commission\n* until *Friday*\n\n<b>two</b> videos  ';
	const input = {
		product_name: 'https://shop.example/view/cozy-cloud-slippers-1729384756',
		approved_facts: '15 % vitamin C\nFragrance free; Made in Ohio.',
		audience: 'Nurses on night shift',
		objective: 'Sell the launch stock',
		creative_direction: 'No studio\nlight',
		reference_urls: ['https://a.example/1'],
		campaign_terms: terms,
	};
	const { markdown, document, sources, warnings } = writeBrief(input, 'id', 's');
	expect(markdown).toMatch(/^# Cozy Cloud Slippers: /);
	expect(markdown).not.toMatch(/\{\w+\}/);
	expect(markdown.endsWith(`## Campaign terms\n\n${terms}\n`)).toBe(true);
	const facts = ['15 % vitamin C', 'Fragrance free', 'Made in Ohio.'];
	expect(document.talking_points.slice(0, 3)).toEqual(facts);
	expect(document.audience).toBe('Nurses on night shift');
	expect(document.mission).toContain('Sell the launch stock');
	expect(document.do).toContain('Follow the direction: No studio light');
	expect(sources.map(({ url }) => url)).toContain('https://a.example/1');
	expect(warnings.map(({ code }) => code)).toEqual(['name_from_link']);
});

describe('list_briefs', () => {
	/** Adds ready briefs and returns their IDs, newest first. */
	function addBriefs(api: TestApi, count: number): string[] {
		const ids = Array.from({ length: count }, (_, number) => {
			// Two briefs have the same creation time, because the list must also sort those.
			const createdAt = START - DAY + Math.floor(number / 2);
			return api.sandbox.addBrief({ status: 'ready', createdAt }).id;
		});
		return ids.reverse();
	}

	async function readPages(api: TestApi, query: string): Promise<string[]> {
		const ids: unknown[] = [];
		let cursor: string | null = '';
		while (cursor !== null) {
			const { body } = await api.get(`/briefs?${query}${cursor && `&cursor=${cursor}`}`);
			ids.push(...body.data.map(({ id }) => id));
			cursor = body.next_cursor;
		}
		return ids.map(String);
	}

	test('returns 20 briefs a page, newest first, and every brief over the pages', async () => {
		const api = await startTestApi();
		expect((await api.get('/briefs')).body).toEqual({ data: [], next_cursor: null });
		const ids = addBriefs(api, 25);
		expect((await api.get('/briefs')).body.data).toHaveLength(20);
		for (const limit of [1, 20, 24, 25]) {
			expect(await readPages(api, `limit=${limit}`)).toEqual(ids);
		}
		expect((await api.get('/briefs?limit=25')).body.next_cursor).toBeNull();
	});

	test('has briefs out of sequence with listDisorderMs, and every brief over the pages', async () => {
		const api = await startTestApi({ listDisorderMs: 2 });
		const [e, d, c, b, a] = addBriefs(api, 5);
		for (const limit of [1, 2, 5])
			expect(await readPages(api, `limit=${limit}`)).toEqual([e, c, d, b, a]);
	});

	test('filters by status', async () => {
		const api = await startTestApi();
		const { id } = api.sandbox.addBrief({ status: 'failed' });
		addBriefs(api, 2);
		expect(await readPages(api, 'status=failed')).toEqual([id]);
		expect(await readPages(api, 'status=queued')).toEqual([]);
	});

	test('refuses a cursor of another filter or workspace', async () => {
		const api = await startTestApi();
		addBriefs(api, 3);
		const { next_cursor: cursor } = (await api.get('/briefs?limit=1')).body;
		expect((await api.get(`/briefs?cursor=${cursor}`)).status).toBe(200);
		const key = 'otherWorkspace';
		const otherFilter = await api.get(`/briefs?cursor=${cursor}&status=ready`);
		const otherWorkspace = await api.get(`/briefs?cursor=${cursor}`, { key });
		expect([otherFilter.status, otherWorkspace.status]).toEqual([400, 400]);
	});

	test('shows a new brief after listLagMs, while get_brief shows it at once', async () => {
		const api = await startTestApi({ listLagMs: 5000 });
		const { id } = (await api.create()).body;
		api.pass(4999);
		expect((await api.get('/briefs')).body.data).toEqual([]);
		expect((await api.get(`/briefs/${id}`)).status).toBe(200);
		api.pass(1);
		expect((await api.get('/briefs')).body.data).toHaveLength(1);
	});
});
