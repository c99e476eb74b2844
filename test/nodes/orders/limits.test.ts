import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import { HOUR, MINUTE } from '../../support/time';
import { getExisted, getKinds, N8nProcess } from '../support/n8n-process';
import { makeRefusal, refuse } from '../../support/faults';

/** Max Briefs per Run, the timeout, the slots and the allowance: an item that is not ordered costs no other item. */

describe('Max Briefs per Run', () => {
	test('counts an order without an answer once, however often it is sent', async () => {
		const n8n = new N8nProcess();
		const execution = new NodeExecution();
		n8n.service.interceptCreates(() => 'lost');
		const first = await n8n.run(['Mug', 'Pan'], { maxBriefs: 1 }, execution);
		expect(getKinds(first)).toEqual(['unconfirmed', 'limit_reached']);
		n8n.service.stopIntercepting();
		const second = await n8n.run(['Mug', 'Pan'], { maxBriefs: 1 }, execution);
		expect(getKinds(second)).toEqual(['brief', 'limit_reached']);
		expect(n8n.created).toHaveLength(1);
	});

	test('does not count an order that another execution sent first', async () => {
		const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
		await n8n.stopAtCreate(['Mug']);
		const results = await n8n.run(['Mug', 'Pan'], { maxBriefs: 1 });
		expect(getExisted(results)).toEqual([true, false]);
		expect(n8n.createRequests).toBe(3);
	});
});

describe('the timeout', () => {
	test('ends the orders although a slot is free', async () => {
		const n8n = new N8nProcess();
		// The list that shows the first brief and a free slot takes 45 seconds.
		n8n.service.delayAnswer = () => (n8n.created.length > 0 ? 45_000 : 0);
		const results = await n8n.run(['A', 'B'], { timeoutMs: MINUTE / 2 });
		expect(getKinds(results)).toEqual(['brief', 'timeout']);
		expect(n8n.createRequests).toBe(1);
	});

	test('makes no item unconfirmed that was not sent', async () => {
		const n8n = new N8nProcess();
		n8n.service.interceptCreates(() => 'lost');
		const results = await n8n.run(['A', 'B'], { timeoutMs: 20_000 });
		expect(results).toMatchObject([{ kind: 'unconfirmed' }, { kind: 'timeout', runningIds: [] }]);
	});

	test('is the result of an item for which only another execution has sent an order', async () => {
		const n8n = new N8nProcess();
		n8n.service.interceptCreates(() => 'lost');
		expect(getKinds(await n8n.run(['Mug']))).toEqual(['unconfirmed']);
		expect(getKinds(await n8n.run(['Mug'], { timeoutMs: 0 }))).toEqual(['timeout']);
	});

	test('leaves a minute for the order that was sent at its end', async () => {
		const n8n = new N8nProcess({ briefMs: 10 * MINUTE });
		n8n.service.create('colleague', { product_name: 'X' });
		n8n.service.create('colleague', { product_name: 'Y' });
		n8n.service.interceptCreates((_, count) => (count < 6 ? 'lost' : null));
		// A slot becomes free half a minute before the end.
		const results = await n8n.run(['Mug'], { timeoutMs: 10.5 * MINUTE });
		expect(getKinds(results)).toEqual(['brief']);
	});
});

test('an allowance that was raised counts from the next execution on', async () => {
	const n8n = new N8nProcess({ allowance: 1 });
	expect(getKinds(await n8n.run(['A', 'B']))).toEqual(['brief', 'allowance_used_up']);
	n8n.service.options.allowance = 2;
	expect(getKinds(await n8n.run(['B']))).toEqual(['brief']);
});

test('an allowance that is used up keeps no order without an answer from its brief', async () => {
	const n8n = new N8nProcess({ listLagMs: 10 * MINUTE });
	const execution = new NodeExecution();
	n8n.service.interceptCreates((request) => {
		if (request.body?.includes('"B"')) return makeRefusal(429, 'allowance_reached');
		n8n.service.createFromRequest(request);
		return 'lost';
	});
	const results = await n8n.run(['A', 'B'], {}, execution);
	expect(getKinds(results)).toEqual(['unconfirmed', 'error']);
	n8n.service.stopIntercepting();
	const again = await n8n.run(['A', 'B'], {}, execution);
	expect(getKinds(again)).toEqual(['brief', 'allowance_used_up']);
	expect(n8n.created).toHaveLength(1);
});

describe('a refusal', () => {
	test.each([
		[401, 'unauthorized'],
		[403, 'insufficient_scope'],
		[429, 'allowance_reached'],
	])('with %i %s stops all items, passes and tries', async (status, code) => {
		const n8n = new N8nProcess();
		n8n.service.interceptCreates(() => makeRefusal(status, code));
		const execution = new NodeExecution();
		const results = await n8n.run(['A', 'B', 'C'], {}, execution);
		expect(getKinds(results)).toEqual(['error', 'error', 'error']);
		await n8n.run(['A', 'B', 'C'], {}, execution);
		expect(n8n.createRequests).toBe(1);
	});

	test('of an order is not repeated by later passes and tries, and costs no other item', async () => {
		const n8n = new N8nProcess();
		n8n.service.interceptCreates((request) =>
			request.body?.includes('Good') ? null : makeRefusal(400),
		);
		const execution = new NodeExecution();
		for (let pass = 0; pass < 3; pass += 1) {
			const results = await n8n.run(['Bad', 'BAD', 'Good'], {}, execution);
			expect(getKinds(results)).toEqual(['error', 'error', 'brief']);
		}
		// A key is refused, not a content.
		expect(n8n.createRequests).toBe(3);
	});

	test('because a colleague has just ordered the content gives that brief to all passes', async () => {
		const n8n = new N8nProcess();
		n8n.service.interceptCreates(() => {
			n8n.service.create('colleague', { product_name: 'Mug' });
			return makeRefusal(400);
		});
		const execution = new NodeExecution();
		for (let pass = 0; pass < 2; pass += 1) {
			const { orders, results } = n8n.start(['Mug'], {}, execution);
			expect(getExisted(await results)).toEqual([true]);
			expect(orders.listOrderedBriefs()).toEqual([]);
		}
		expect(n8n.createRequests).toBe(1);
	});
});

describe('a rate limit of three hours', () => {
	const LIMITED = refuse([429, 'rate_limited', 180]);

	test('is not tested again by later passes and tries before its end', async () => {
		const n8n = new N8nProcess();
		n8n.service.interceptCreates(() => LIMITED);
		const execution = new NodeExecution();
		expect(getKinds(await n8n.run(['A', 'B'], {}, execution))).toEqual(['error', 'error']);
		for (let pass = 0; pass < 2; pass += 1) {
			const results = await n8n.run(['A', 'B'], {}, execution);
			expect(getKinds(results)).toEqual(['allowance_used_up', 'allowance_used_up']);
		}
		expect(n8n.createRequests).toBe(1);
		n8n.service.stopIntercepting();
		await n8n.pass(3 * HOUR);
		expect(getKinds(await n8n.run(['A', 'B'], {}, execution))).toEqual(['brief', 'brief']);
	});

	test('that the list reaches applies to create requests of later passes and tries', async () => {
		const n8n = new N8nProcess();
		n8n.service.intercept = ({ operation }) => (operation === 'list_briefs' ? LIMITED : null);
		const execution = new NodeExecution();
		await n8n.run(['A'], {}, execution);
		n8n.service.stopIntercepting();
		expect(getKinds(await n8n.run(['A', 'B'], {}, execution))).toEqual(['error', 'error']);
		expect(n8n.createRequests).toBe(0);
	});
});
