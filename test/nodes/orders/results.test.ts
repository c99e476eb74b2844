import {
	NodeExecution,
	type NodeContext,
} from '../../../nodes/CreatorBriefing/orders/node-execution';
import { HOUR, MINUTE } from '../../support/time';
import {
	getBriefIds,
	getExisted,
	getKinds,
	loadExecution,
	N8nProcess,
	UNLESS_FAILED,
} from '../support/n8n-process';
import { makeRefusal } from '../../support/faults';

/**
 * The brief of an order that an execution has sent is the result of all items with its content, as long as the execution
 * lasts: failed or not, in any spelling, after a Wait, and in another process.
 */

describe('an execution that has ordered a brief which failed', () => {
	/** Orders a brief for Mug that fails, and returns what n8n saves. */
	async function orderFailing(n8n: N8nProcess): Promise<NodeContext> {
		n8n.service.shouldFail = () => true;
		const saved: NodeContext = {};
		await n8n.run(['Mug'], UNLESS_FAILED, new NodeExecution(saved));
		await n8n.pass(20 * MINUTE);
		return saved;
	}

	test.each([
		['in the same process', 'Mug', false],
		['in another process', 'Mug', true],
		['in another process, in another spelling', 'MUG', true],
	])('returns it after a Wait, %s', async (_title, product, isRestarted) => {
		const n8n = new N8nProcess();
		const saved = await orderFailing(n8n);
		if (isRestarted) n8n.restart();
		const results = await n8n.run([product], UNLESS_FAILED, loadExecution(saved));
		expect(results).toMatchObject([
			{ brief: { id: n8n.created[0]?.id, status: 'failed' }, alreadyExisted: true },
		]);
		expect(n8n.created).toHaveLength(1);
		// Another execution orders another brief.
		expect(getExisted(await n8n.run([product], UNLESS_FAILED))).toEqual([false]);
	});

	test('returns it although the list does not show it yet', async () => {
		const n8n = new N8nProcess({ listLagMs: HOUR });
		const saved = await orderFailing(n8n);
		n8n.restart();
		expect(getBriefIds(await n8n.run(['Mug'], UNLESS_FAILED, loadExecution(saved)))).toEqual([
			n8n.created[0]?.id,
		]);
	});

	test.each([404, 403])('orders no other if it cannot be read (%i)', async (status) => {
		const n8n = new N8nProcess({ listLagMs: HOUR });
		const saved = await orderFailing(n8n);
		n8n.restart();
		n8n.service.intercept = ({ operation }) =>
			operation === 'get_brief' ? makeRefusal(status) : null;
		expect(await n8n.run(['Mug'], UNLESS_FAILED, loadExecution(saved))).toMatchObject([
			{ kind: 'unreadable_result', briefId: n8n.created[0]?.id },
		]);
		expect(n8n.createRequests).toBe(1);
	});
});

test('an execution has the failed brief of its own order, although another execution has found or superseded it', async () => {
	const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
	n8n.service.shouldFail = () => true;
	const saved: NodeContext = {};
	n8n.loseAnswers();
	const lost = await n8n.run(['Mug'], UNLESS_FAILED, new NodeExecution(saved));
	expect(getKinds(lost)).toEqual(['unconfirmed']);
	n8n.service.stopIntercepting();
	await n8n.run(['Mug'], UNLESS_FAILED);
	expect(n8n.created).toHaveLength(1);
	await n8n.pass(15 * MINUTE);
	const first = await n8n.run(['Mug'], UNLESS_FAILED, loadExecution(saved));
	expect(first).toMatchObject([{ brief: { status: 'failed' }, alreadyExisted: false }]);
	await n8n.run(['Mug'], UNLESS_FAILED);
	await n8n.pass(15 * MINUTE);
	await n8n.stopAtCreate(['Mug'], UNLESS_FAILED, new NodeExecution(), true);
	const before = n8n.createRequests;
	const second = await n8n.run(['Mug'], UNLESS_FAILED, loadExecution(saved));
	expect(getBriefIds(second)).toEqual([n8n.created[0]?.id]);
	expect(n8n.createRequests).toBe(before);
});

test('an execution knows in another process with which values its brief was ordered', async () => {
	const n8n = new N8nProcess({ isInputShown: false });
	const saved: NodeContext = {};
	await n8n.run([{ product_name: 'Mug', audience: 'Bakers' }], {}, new NodeExecution(saved));
	await n8n.pass(20 * MINUTE);
	n8n.restart();
	const cooks = [{ product_name: 'Mug', audience: 'Cooks' }];
	expect(getKinds(await n8n.run(cooks))).toEqual(['undecided']);
	expect(getExisted(await n8n.run(cooks, {}, loadExecution(saved)))).toEqual([false]);
});

test('useUnlessFailed pays for one brief per execution if its order was refused for want of a slot', async () => {
	const n8n = new N8nProcess({ briefMs: 8_000 });
	const { service } = n8n;
	service.shouldFail = () => true;
	await n8n.run(['Mug']);
	await n8n.pass(10 * MINUTE);
	n8n.service.interceptCreates((request, creates) => {
		// The order's own brief uses one of the slots.
		if (creates === 2) return makeRefusal(429, 'too_many_briefs');
		if (creates > 2) return null;
		service.createFromRequest(request);
		return 'lost';
	});
	await n8n.run(['Mug'], UNLESS_FAILED);
	expect(n8n.created).toHaveLength(2);
});

test('an item that can use a failed brief has it, and the item that cannot orders another', async () => {
	const n8n = new N8nProcess();
	n8n.service.shouldFail = (_, index) => index === 0;
	await n8n.run(['Mug']);
	await n8n.pass(10 * MINUTE);
	const [failed, ordered] = await n8n.startItems([
		{ input: { product_name: 'Mug' }, whenBriefExists: 'use' },
		{ input: { product_name: 'MUG' }, whenBriefExists: 'useUnlessFailed' },
	]).results;
	expect(failed).toMatchObject({ brief: { id: n8n.created[0]?.id }, alreadyExisted: true });
	expect(ordered).toMatchObject({ brief: { id: n8n.created[1]?.id }, alreadyExisted: false });
	expect(n8n.created).toHaveLength(2);
});

test('an item that can use a failed brief does not send an order that supersedes it', async () => {
	const n8n = new N8nProcess();
	n8n.service.shouldFail = () => true;
	await n8n.run(['Mug']);
	await n8n.pass(10 * MINUTE);
	await n8n.stopAtCreate(['Mug'], UNLESS_FAILED, new NodeExecution(), true);
	expect(getBriefIds(await n8n.run(['Mug']))).toEqual([n8n.created[0]?.id]);
	expect(n8n.createRequests).toBe(2);
});

describe('an order without an answer, after a Wait in another process', () => {
	async function loseOrder(n8n: N8nProcess): Promise<NodeExecution> {
		const saved: NodeContext = {};
		n8n.loseAnswers();
		const results = await n8n.run(['Night Cream'], {}, new NodeExecution(saved));
		expect(getKinds(results)).toEqual(['unconfirmed']);
		n8n.service.stopIntercepting();
		n8n.restart();
		return loadExecution(saved);
	}

	test('is sent again for an item with the same body, which is the first that gets the brief', async () => {
		const n8n = new N8nProcess({ listLagMs: 10 * MINUTE });
		const execution = await loseOrder(n8n);
		const results = await n8n.run(['Night Cream', 'Night Cream'], {}, execution);
		expect(getExisted(results)).toEqual([false, true]);
		expect(n8n.created).toHaveLength(1);
	});

	test('keeps items in another spelling from an order', async () => {
		const n8n = new N8nProcess({ listLagMs: 10 * MINUTE });
		const execution = await loseOrder(n8n);
		const before = n8n.createRequests;
		expect(await n8n.run(['NIGHT CREAM'], {}, execution)).toEqual([
			{ kind: 'unconfirmed', cause: null },
		]);
		expect(n8n.createRequests).toBe(before);
		await n8n.pass(10 * MINUTE);
		expect(getKinds(await n8n.run(['NIGHT CREAM'], {}, execution))).toEqual(['brief']);
		expect(n8n.created).toHaveLength(1);
	});

	test('that supersedes a failed brief is found by its key', async () => {
		const n8n = new N8nProcess();
		n8n.service.shouldFail = () => true;
		for (let execution = 0; execution < 2; execution += 1) {
			await n8n.run(['Mug'], UNLESS_FAILED);
			await n8n.pass(20 * MINUTE);
		}
		const saved: NodeContext = {};
		n8n.service.interceptCreates(() => 'lost');
		await n8n.run(['Mug'], UNLESS_FAILED, new NodeExecution(saved));
		const key = n8n.lastKey;
		n8n.service.stopIntercepting();
		n8n.restart();
		await n8n.pass(15 * MINUTE);
		const results = await n8n.run(['Mug'], UNLESS_FAILED, loadExecution(saved));
		expect(getExisted(results)).toEqual([false]);
		expect(n8n.lastKey).toBe(key);
		expect(n8n.created).toHaveLength(3);
	});
});
