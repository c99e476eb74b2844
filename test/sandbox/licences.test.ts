import { benches } from '../support/sandbox/bench';

const start = benches();

describe('list_licences', () => {
	it('lists the four tools, with channels and allowance', async () => {
		const bench = await start({ allowance: 40 });
		const { status, body } = await bench.get('/licences');
		expect(status).toBe(200);
		expect(body.data.map(({ product }) => product)).toEqual([
			'creator-briefs',
			'seller-advisor',
			'content-iq',
			'receipts',
		]);
		expect(body.data[0]).toMatchObject({
			channels: ['web', 'api', 'mcp'],
			monthly_allowance: 40,
			used_this_month: 0,
			renews_or_ends_at: '2027-01-01T00:00:00.000Z',
		});
		expect(body.data[3]?.['renews_or_ends_at']).toBeNull();
	});

	it.each([
		['true-count', 1],
		['zero', 0],
	] as const)('tells the month’s use as %s', async (usedThisMonth, used) => {
		const bench = await start({ usedThisMonth });
		await bench.create();
		expect((await bench.get('/licences')).body.data[0]?.['used_this_month']).toBe(used);
	});

	it.each([
		['no-api-channel', ['web']],
		['missing', undefined],
	] as const)('with the licence %s, briefs give 403 and hooks go on', async (licence, channels) => {
		const bench = await start({ licence });
		const { body } = await bench.get('/licences');
		const briefs = body.data.find(({ product }) => product === 'creator-briefs');
		expect(briefs?.['channels']).toEqual(channels);
		for (const reply of [await bench.create(), await bench.get('/briefs')]) {
			expect([reply.status, reply.body.error.code]).toEqual([403, 'licence_required']);
		}
		expect((await bench.get('/content-iq/hooks')).status).toBe(200);
	});

	it('counts the requests for hooks where they use ContentIQ’s allowance, up to a 429', async () => {
		const bench = await start({ contentIqAllowance: 2 });
		const hooks = () => bench.get('/content-iq/hooks');
		expect([(await hooks()).status, (await hooks()).status]).toEqual([200, 200]);
		const refused = await hooks();
		expect([refused.status, refused.body.error.code]).toEqual([429, 'allowance_exceeded']);
		const licences = async () => (await bench.get('/licences')).body.data;
		expect((await licences()).find(({ product }) => product === 'content-iq')).toMatchObject({
			monthly_allowance: 2,
			used_this_month: 2,
		});
		bench.setTime(Date.UTC(2026, 1, 1));
		expect((await hooks()).status).toBe(200);
	});

	it('takes no parameters', async () => {
		const bench = await start();
		expect((await bench.get('/licences?limit=1')).status).toBe(400);
	});
});
