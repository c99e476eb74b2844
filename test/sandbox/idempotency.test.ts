import { benches, HOUR, MINUTE, uuidOf, type Bench } from '../support/sandbox/bench';

const start = benches();
const key = uuidOf(1);
const inHeader = { headers: { 'Idempotency-Key': key } };

function used(bench: Bench): number {
	return bench.sandbox.createdCount();
}

describe('an idempotency key', () => {
	it.each([
		['header and header', inHeader, {}, inHeader, {}],
		['body and body', {}, { idempotency_key: key }, {}, { idempotency_key: key }],
		['header and body', inHeader, {}, {}, { idempotency_key: key }],
		[
			'capitals and small letters',
			inHeader,
			{},
			{ headers: { 'Idempotency-Key': key.toUpperCase() } },
			{},
		],
	])(
		'sent again gives the original brief and spends nothing: %s',
		async (_, ask1, more1, ask2, more2) => {
			const bench = await start();
			const first = await bench.create({ product_name: 'Lamp', ...more1 }, ask1);
			const again = await bench.create({ product_name: 'Lamp', ...more2 }, ask2);
			expect([first.status, again.status]).toEqual([202, 200]);
			expect(again.body).toEqual(first.body);
			expect(used(bench)).toBe(1);
			expect(bench.sandbox.briefs()[0]?.replays).toBe(1);
		},
	);

	it('replays even while both slots are busy and the allowance is used up', async () => {
		const bench = await start({ allowance: 2 });
		const first = await bench.create('Lamp', inHeader);
		await bench.create('Mop');
		expect((await bench.create('Lamp', inHeader)).body.id).toBe(first.body.id);
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

	it('belongs to its workspace', async () => {
		const bench = await start();
		await bench.create('Lamp', inHeader);
		const colleague = await bench.create('Lamp', { ...inHeader, key: 'colleague' });
		const elsewhere = await bench.create('Lamp', { ...inHeader, key: 'otherWorkspace' });
		expect([colleague.status, elsewhere.status]).toEqual([200, 202]);
	});

	it.each([
		['original', 200],
		['conflict', 409],
		['unprocessable', 422],
	] as const)('with another body gives the %s answer', async (replayOtherBody, status) => {
		const bench = await start({ replayOtherBody });
		const first = await bench.create('Lamp', inHeader);
		const other = await bench.create('Mop', inHeader);
		expect(other.status).toBe(status);
		if (status === 200) expect(other.body.id).toBe(first.body.id);
		else expect(other.body.error.code).toBe('idempotency_conflict');
		expect(used(bench)).toBe(1);
	});

	it('with the same body in another order is the same body', async () => {
		const bench = await start({ replayOtherBody: 'conflict' });
		await bench.create({ product_name: 'Lamp', audience: 'All' }, inHeader);
		const again = await bench.create({ audience: 'All', product_name: 'Lamp' }, inHeader);
		expect(again.status).toBe(200);
	});

	it('that differs between header and body is refused, or one of them counts', async () => {
		const bench = await start();
		const body = { product_name: 'Lamp', idempotency_key: uuidOf(2) };
		expect((await bench.create(body, inHeader)).status).toBe(400);
		bench.sandbox.options.keyMismatch = 'header';
		await bench.create(body, inHeader);
		expect(bench.sandbox.briefs()[0]?.idempotencyKeys).toEqual([key]);
		bench.sandbox.options.keyMismatch = 'body';
		await bench.create(body, inHeader);
		expect(bench.sandbox.briefs()[1]?.idempotencyKeys).toEqual([uuidOf(2)]);
	});

	it('that is no UUID is refused in the header too', async () => {
		const bench = await start();
		const reply = await bench.create('Lamp', { headers: { 'Idempotency-Key': 'row 1' } });
		expect(reply.status).toBe(400);
	});

	it('is forgotten after its time, and then costs a second brief', async () => {
		const bench = await start({ keyMemoryMs: HOUR });
		const first = await bench.create('Lamp', inHeader);
		bench.pass(HOUR - 1);
		expect((await bench.create('Lamp', inHeader)).status).toBe(200);
		bench.pass(1);
		const later = await bench.create('Lamp', inHeader);
		expect(later.status).toBe(202);
		expect(later.body.id).not.toBe(first.body.id);
	});

	it('forgets refusals, so that a retry can succeed', async () => {
		const bench = await start();
		await bench.create('Mop');
		await bench.create('Pan');
		expect((await bench.create('Lamp', inHeader)).status).toBe(429);
		bench.pass(6 * MINUTE);
		expect((await bench.create('Lamp', inHeader)).status).toBe(202);
	});

	it('keeps refusals when an option says so', async () => {
		const bench = await start({ keySaves: 'refusals' });
		await bench.create('Mop');
		await bench.create('Pan');
		const refused = await bench.create('Lamp', inHeader);
		bench.pass(6 * MINUTE);
		expect((await bench.create('Lamp', inHeader)).body).toEqual(refused.body);
		expect((await bench.create('Lamp', { headers: { 'Idempotency-Key': uuidOf(2) } })).status).toBe(
			202,
		);
	});

	it.each([
		['everything', 'before-work', 503, 0],
		['everything', 'after-work', 503, 1],
		['refusals', 'before-work', 202, 1],
		['refusals', 'after-work', 200, 1],
	] as const)(
		'saving %s, after a 5xx %s: a retry gives %i',
		async (keySaves, at, status, count) => {
			const bench = await start({ keySaves });
			bench.sandbox.faults.add({ operation: 'create_brief', kind: '5xx', at });
			expect((await bench.create('Lamp', inHeader)).status).toBe(503);
			expect((await bench.create('Lamp', inHeader)).status).toBe(status);
			expect(used(bench)).toBe(count);
		},
	);
});
