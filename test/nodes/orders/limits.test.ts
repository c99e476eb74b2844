import type { WireResponse } from '../../../core/api/ports';
import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import { DAY, HOUR, MINUTE } from '../../core/support/virtual-service';
import { ANOTHER, getExisted, getKinds, N8nProcess } from '../support/n8n-process';

/** Max Briefs per Run, the timeout, the slots and the allowance: an item that is not ordered costs no other item. */

describe('Max Briefs per Run', () => {
	test('leaves the items beyond it without an order', async () => {
		const n8n = new N8nProcess();
		const results = await n8n.run(['Mug', 'Pan', 'Mug', 'Cup'], { maxBriefs: 1 });
		expect(getKinds(results)).toEqual(['brief', 'limit_reached', 'brief', 'limit_reached']);
		expect(n8n.created).toHaveLength(1);
	});

	test('holds for all passes of an execution', async () => {
		const n8n = new N8nProcess();
		const execution = new NodeExecution('1');
		await n8n.run(['Mug'], { maxBriefs: 1 }, execution);
		expect(getKinds(await n8n.run(['Pan'], { maxBriefs: 1 }, execution))).toEqual([
			'limit_reached',
		]);
		expect(getKinds(await n8n.run(['Pan'], { maxBriefs: 1 }, '2'))).toEqual(['brief']);
	});

	test('counts an order without an answer once, however often it is sent', async () => {
		const n8n = new N8nProcess();
		const execution = new NodeExecution('1');
		n8n.interceptCreates(() => 'lost');
		const first = await n8n.run(['Mug', 'Pan'], { maxBriefs: 1 }, execution);
		expect(getKinds(first)).toEqual(['error', 'limit_reached']);
		n8n.service.intercept = () => null;
		const second = await n8n.run(['Mug', 'Pan'], { maxBriefs: 1 }, execution);
		expect(getKinds(second)).toEqual(['brief', 'limit_reached']);
		expect(n8n.created).toHaveLength(1);
	});

	test('does not count an order that the service refuses', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates((request) =>
			request.body?.includes('Bad') ? n8n.service.refuse(400).answer : null,
		);
		const results = await n8n.run(['Bad', 'Mug'], { maxBriefs: 1 });
		expect(getKinds(results)).toEqual(['error', 'brief']);
	});

	test('does not count a brief that existed before', async () => {
		const n8n = new N8nProcess({ keyMemoryMs: Infinity });
		await n8n.run(['Mug'], {}, '1');
		for (let part = 0; part < 5; part += 1) await n8n.pass(20 * DAY);
		n8n.restart();
		const results = await n8n.run(['Mug', 'Pan'], { maxBriefs: 1 }, '2');
		expect(getExisted(results)).toEqual([true, false]);
		expect(n8n.created).toHaveLength(2);
	});
});

describe('the timeout', () => {
	test('does not cost the results of items that were ordered before', async () => {
		const n8n = new N8nProcess({ briefMs: 2 * HOUR });
		const run = n8n.run(['A', 'B', 'C', 'D'], { timeoutMs: 30 * MINUTE });
		expect(await n8n.measure(run)).toBeLessThan(31);
		expect(getKinds(await run)).toEqual(['brief', 'brief', 'timeout', 'timeout']);
		const runningIds = n8n.created.map(({ id }) => id).reverse();
		expect((await run)[2]).toEqual({ kind: 'timeout', runningIds });
	});

	test('begins with the node, also behind another execution', async () => {
		const n8n = new N8nProcess({ briefMs: 2 * HOUR });
		n8n.service.create('colleague', { product_name: 'X' });
		n8n.service.create('colleague', { product_name: 'Y' });
		const patient = n8n.run(['A'], { timeoutMs: HOUR }, '1');
		await n8n.pass(1000);
		const short = n8n.run(['B'], { timeoutMs: 10 * MINUTE }, '2');
		const minutes = await Promise.all([patient, short].map((run) => n8n.measure(run)));
		expect(minutes[0]).toBeLessThan(61);
		expect(minutes[1]).toBeLessThan(11);
	});

	test('ends the orders although a slot is free', async () => {
		const n8n = new N8nProcess();
		// The list that shows the first brief and a free slot takes 45 seconds.
		n8n.service.delayAnswer = () => (n8n.created.length > 0 ? 45_000 : 0);
		const results = await n8n.run(['A', 'B'], { timeoutMs: MINUTE / 2 });
		expect(getKinds(results)).toEqual(['brief', 'timeout']);
		expect(n8n.createRequests).toBe(1);
	});

	test('limits the waits after refusals because both slots are in use', async () => {
		const n8n = new N8nProcess({ refusesThird: 429, briefMs: 20 * HOUR });
		n8n.service.create('colleague', { product_name: 'Stuck A' });
		n8n.service.create('colleague', { product_name: 'Stuck B' });
		// We count them as stuck by now, but the service still counts them as running.
		await n8n.pass(2 * HOUR);
		const run = n8n.run(['Mug'], { timeoutMs: 2 * HOUR });
		expect(await n8n.measure(run)).toBeLessThan(121);
		expect(getKinds(await run)).toEqual(['timeout']);
		expect(n8n.createRequests).toBeLessThan(130);
	});

	test('limits the wait for a rate limit', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates(() => limitRate(n8n, 50 * MINUTE));
		const run = n8n.run(['A', 'B'], { timeoutMs: 15 * MINUTE });
		expect(await n8n.measure(run)).toBeLessThan(17);
		expect(await run).toMatchObject([
			{ kind: 'error', error: { kind: 'rate_limited' }, isUnconfirmed: false },
			{ kind: 'error', error: { kind: 'rate_limited' }, isUnconfirmed: false },
		]);
		expect(n8n.createRequests).toBe(1);
	});

	test('leaves a minute for the order that was sent at its end', async () => {
		const n8n = new N8nProcess({ briefMs: 10 * MINUTE });
		n8n.service.create('colleague', { product_name: 'X' });
		n8n.service.create('colleague', { product_name: 'Y' });
		let creates = 0;
		n8n.interceptCreates(() => ((creates += 1) < 6 ? 'lost' : null));
		// A slot becomes free half a minute before the end.
		const results = await n8n.run(['Mug'], { timeoutMs: 10.5 * MINUTE });
		expect(getKinds(results)).toEqual(['brief']);
	});
});

describe('the slots', () => {
	test.each([403, 429] as const)(
		'a %i while both are in use is waited out',
		async (refusesThird) => {
			const n8n = new N8nProcess({ refusesThird, briefMs: 5 * MINUTE });
			const { service } = n8n;
			await n8n.run(['Warm up']);
			await n8n.pass(10 * MINUTE);
			// A colleague's briefs use both slots between the poll and the create.
			let isFirst = true;
			n8n.interceptCreates(() => {
				if (isFirst)
					for (const product_name of ['A', 'B']) service.create('colleague', { product_name });
				isFirst = false;
				return null;
			});
			expect(getKinds(await n8n.run(['Mug']))).toEqual(['brief']);
			expect(service.mostRunning).toBe(2);
		},
	);

	test('with “stop”, the items without a free slot are left at once', async () => {
		const n8n = new N8nProcess({ briefMs: 2 * HOUR });
		const run = n8n.run(['A', 'B', 'C', 'D'], { whenSlotsBusy: 'stop' });
		expect(await n8n.measure(run)).toBeLessThan(2);
		expect(getKinds(await run)).toEqual(['brief', 'brief', 'timeout', 'timeout']);
	});

	test('with “stop”, an order waits no longer than the timeout', async () => {
		const n8n = new N8nProcess({ briefMs: HOUR });
		for (const product_name of ['A', 'B']) n8n.service.create('colleague', { product_name });
		const run = n8n.run(['Mug'], { whenSlotsBusy: 'stop', timeoutMs: 10_000 });
		expect(await n8n.measure(run)).toBeLessThan(0.2);
	});

	test('a check in the turn that fails does not delay the next order', async () => {
		const n8n = new N8nProcess({ briefMs: HOUR });
		const { service } = n8n;
		service.create('colleague', { product_name: 'Mug', audience: 'Cooks' });
		await n8n.pass(10 * MINUTE);
		let gets = 0;
		service.intercept = ({ operation }) => {
			if (operation !== 'get_brief' || (gets += 1) < 2) return null;
			return service.refuse(400).answer;
		};
		expect(getKinds(await n8n.run(['Mug']))).toEqual(['error']);
		expect(gets).toBe(2);
		expect(n8n.createRequests).toBe(0);
		service.intercept = () => null;
		expect(await n8n.measure(n8n.run(['Pan']))).toBeLessThan(0.1);
	});
});

describe('the allowance', () => {
	test('no create is sent beyond it, and the licence is read once for all passes', async () => {
		const n8n = new N8nProcess({ allowance: 2 });
		const execution = new NodeExecution('1');
		const results = await n8n.run(['A', 'B', 'C', 'D'], {}, execution);
		await n8n.run(['C', 'D'], {}, execution);
		expect(getKinds(results)).toEqual(['brief', 'brief', 'error', 'error']);
		expect(results[2]).toMatchObject({ error: { kind: 'allowance_used_up' } });
		expect(n8n.createRequests).toBe(2);
		expect(n8n.service.count('list_licences')).toBe(1);
	});

	test('is read again in another month', async () => {
		const n8n = new N8nProcess({ allowance: 3 });
		const execution = new NodeExecution('1');
		await n8n.run(['A'], {}, execution);
		await n8n.pass(24 * DAY);
		await n8n.run(['B', 'C'], {}, execution);
		expect(n8n.service.count('list_licences')).toBe(2);
	});

	test('is unknown if the licence cannot be read, and then the service decides', async () => {
		const n8n = new N8nProcess({ allowance: 1 });
		const { service } = n8n;
		service.intercept = ({ operation }) =>
			operation === 'list_licences' ? service.refuse(403, 'insufficient_scope').answer : null;
		const { orders, results } = n8n.start(['A', 'B']);
		expect(getKinds(await results)).toEqual(['brief', 'error']);
		expect(await orders.readAllowance()).toBeNull();
		expect(n8n.createRequests).toBe(2);
	});

	test('a refusal for it holds for all items, passes and tries', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates(() => n8n.service.refuse(429, 'allowance_reached').answer);
		const execution = new NodeExecution('1');
		for (let pass = 0; pass < 3; pass += 1) {
			await n8n.run(['A', 'B', 'C'], {}, execution);
			await n8n.pass(10 * MINUTE);
		}
		expect(n8n.createRequests).toBe(1);
	});
});

describe('a refusal', () => {
	test.each([
		[401, 'unauthorized'],
		[403, 'insufficient_scope'],
	])('with %i %s stops all items, passes and tries', async (status, code) => {
		const n8n = new N8nProcess();
		n8n.interceptCreates(() => n8n.service.refuse(status, code).answer);
		const execution = new NodeExecution('1');
		const results = await n8n.run(['A', 'B', 'C'], {}, execution);
		expect(getKinds(results)).toEqual(['error', 'error', 'error']);
		await n8n.run(['A', 'B', 'C'], {}, execution);
		expect(n8n.createRequests).toBe(1);
	});

	test('of an order is not repeated by later passes and tries, and costs no other item', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates((request) =>
			request.body?.includes('Bad') ? n8n.service.refuse(400).answer : null,
		);
		const execution = new NodeExecution('1');
		for (let pass = 0; pass < 3; pass += 1) {
			const results = await n8n.run(['Bad', 'Good'], {}, execution);
			expect(getKinds(results)).toEqual(['error', 'brief']);
			expect(results[0]).toMatchObject({ isUnconfirmed: false });
		}
		expect(n8n.createRequests).toBe(2);
	});

	test('because a colleague has just ordered the content gives that brief to all passes', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates(() => {
			n8n.service.create('colleague', { product_name: 'Mug' });
			return n8n.service.refuse(400).answer;
		});
		const execution = new NodeExecution('1');
		for (let pass = 0; pass < 2; pass += 1)
			expect(getExisted(await n8n.run(['Mug'], {}, execution))).toEqual([true]);
		expect(n8n.createRequests).toBe(1);
	});

	test('of an order is shared by the items with its content', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates(() => n8n.service.refuse(400).answer);
		expect(getKinds(await n8n.run(['Bad', 'BAD']))).toEqual(['error', 'error']);
		expect(n8n.createRequests).toBe(1);
	});

	test('of another brief is not repeated either', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates(() => n8n.service.refuse(400).answer);
		const execution = new NodeExecution('1');
		await n8n.run(['Bad'], ANOTHER, execution);
		expect(getKinds(await n8n.run(['Bad'], ANOTHER, execution))).toEqual(['error']);
		expect(n8n.createRequests).toBe(1);
	});
});

describe('a rate limit of three hours', () => {
	test('is not tested again by later passes and tries before its end', async () => {
		const n8n = new N8nProcess();
		n8n.interceptCreates(() => limitRate(n8n, 3 * HOUR));
		const execution = new NodeExecution('1');
		for (let pass = 0; pass < 3; pass += 1)
			expect(getKinds(await n8n.run(['A', 'B'], {}, execution))).toEqual(['error', 'error']);
		expect(n8n.createRequests).toBe(1);
		n8n.service.intercept = () => null;
		await n8n.pass(3 * HOUR);
		expect(getKinds(await n8n.run(['A', 'B'], {}, execution))).toEqual(['brief', 'brief']);
	});

	test.each(['list_briefs', 'get_brief'])(
		'that %s reaches holds for the creates of later passes and tries',
		async (operation) => {
			const n8n = new N8nProcess();
			n8n.service.create('colleague', { product_name: 'A', audience: 'Cooks' });
			await n8n.pass(HOUR);
			n8n.service.intercept = (request) =>
				request.operation === operation ? limitRate(n8n, 3 * HOUR) : null;
			const execution = new NodeExecution('1');
			await n8n.run(['A'], {}, execution);
			n8n.service.intercept = () => null;
			expect(getKinds(await n8n.run(['A', 'B'], {}, execution))).toEqual(['error', 'error']);
			expect(n8n.createRequests).toBe(0);
		},
	);
});

function limitRate({ service }: N8nProcess, ms: number): WireResponse {
	const { answer } = service.refuse(429, 'rate_limited');
	return { ...answer, headers: { ...answer.headers, 'retry-after': String(ms / 1000) } };
}
