import {
	NodeExecution,
	type NodeContext,
} from '../../../nodes/CreatorBriefing/orders/node-execution';
import { chooseRecord, type SentRecord } from '../../../nodes/CreatorBriefing/orders/sent-record';
import { DAY, HOUR, MINUTE } from '../../support/time';
import {
	getBriefIds,
	getExisted,
	getKinds,
	loadExecution,
	N8nProcess,
	ProcessState,
	UNLESS_FAILED,
} from '../support/n8n-process';
import { makeRefusal, refuse } from '../../support/faults';

/** What n8n saves with an execution: its orders, and a refusal for the allowance. */

describe('of two records of an order', () => {
	const nothing: SentRecord = {
		contentId: 'mug',
		firstSentAt: 5,
		lastSentAt: 20,
		result: { kind: 'nothing_created' },
	};
	const unconfirmed: SentRecord = {
		contentId: 'mug',
		firstSentAt: 10,
		lastSentAt: 30,
		result: { kind: 'unconfirmed' },
	};
	const hasBrief = { kind: 'has_brief', briefId: 'b', source: 'own' } as const;

	test('the later request counts, with the time of the first', () => {
		const chosen = { ...unconfirmed, firstSentAt: 5 };
		expect(chooseRecord(nothing, unconfirmed)).toEqual(chosen);
		expect(chooseRecord(unconfirmed, nothing)).toEqual(chosen);
	});

	test('a brief counts more than a later request', () => {
		const withBrief = { ...nothing, result: hasBrief };
		const chosen = { ...unconfirmed, firstSentAt: 5, result: hasBrief };
		expect(chooseRecord(withBrief, unconfirmed)).toEqual(chosen);
		expect(chooseRecord(unconfirmed, withBrief)).toEqual(chosen);
	});
});

test('a worker whose memory is older than the saved context does not send an old key', async () => {
	const n8n = new N8nProcess({ isKeyAgedFromFirstRequest: true, listLagMs: 9 * MINUTE });
	const [worker1, worker2] = [new ProcessState(), new ProcessState()];
	const saved: NodeContext = {};
	n8n.state = worker2;
	n8n.service.interceptCreates(() => makeRefusal(400));
	expect(getKinds(await n8n.run(['Mug'], {}, new NodeExecution(saved)))).toEqual(['error']);
	await n8n.pass(57 * MINUTE);
	n8n.state = worker1;
	await n8n.stopAtCreate(['Mug'], {}, new NodeExecution(saved));
	await n8n.pass(5 * MINUTE);
	n8n.state = worker2;
	expect(getKinds(await n8n.run(['Mug'], {}, loadExecution(saved)))).toEqual(['unconfirmed']);
	await n8n.pass(10 * MINUTE);
	expect(getExisted(await n8n.run(['Mug'], {}, loadExecution(saved)))).toEqual([false]);
	expect(n8n.created).toHaveLength(1);
});

test('an old order finds its brief after a restart, although no creation time can be read', async () => {
	const n8n = new N8nProcess();
	const { service } = n8n;
	const show = service.show.bind(service);
	service.show = (brief) => ({ ...show(brief), created_at: 'yesterday' });
	service.shouldFail = (_, index) => index === 0;
	// Without times, the IDs sort the briefs: the second looks older.
	service.makeId = (number) => `mug-${9 - number}`;
	await n8n.run(['Mug']);
	await n8n.pass(20 * MINUTE);
	n8n.restart();
	const saved: NodeContext = {};
	await n8n.stopAtCreate(['Mug'], UNLESS_FAILED, new NodeExecution(saved));
	await n8n.pass(2 * HOUR);
	n8n.restart();
	const results = await n8n.run(['Mug'], UNLESS_FAILED, loadExecution(saved));
	expect(getBriefIds(results)).toEqual([service.created[1]?.id]);
	expect(n8n.created).toHaveLength(2);
});

test('Max Briefs per Run applies after a Wait in another process, and orders that created nothing do not count', async () => {
	const n8n = new N8nProcess();
	const saved: NodeContext = {};
	n8n.service.interceptCreates(({ body = '' }) => (body.includes('Bad') ? makeRefusal(400) : null));
	const run = async (product: string, executionId = '') => {
		n8n.restart();
		return await n8n.run([product], { maxBriefs: 2 }, new NodeExecution(saved, executionId));
	};
	const results = [];
	for (const product of ['A', 'Bad', 'B', 'C', 'A']) results.push(...(await run(product)));
	expect(getKinds(results)).toEqual(['brief', 'error', 'brief', 'limit_reached', 'brief']);
	// A manual retry has the context of the first execution, but is an execution of its own.
	expect(getKinds(await run('C', 'retry'))).toEqual(['brief']);
});

describe('a refusal for the allowance', () => {
	/** Refuses an order, restarts n8n, and returns the context that was saved. */
	async function refuseOrder(n8n: N8nProcess, retryAfter?: number): Promise<NodeContext> {
		const saved: NodeContext = {};
		n8n.service.interceptCreates(() => refuse([429, 'allowance_reached', retryAfter]));
		await n8n.run(['Mug'], {}, new NodeExecution(saved));
		n8n.service.stopIntercepting();
		n8n.restart();
		return saved;
	}

	test('is kept over a restart, and ends with the month', async () => {
		const n8n = new N8nProcess();
		const saved = await refuseOrder(n8n);
		for (let week = 0; week < 3; week += 1) {
			const results = await n8n.run(['Mug'], {}, loadExecution(saved));
			expect(results).toEqual([{ kind: 'allowance_used_up' }]);
			await n8n.pass(week < 2 ? 9 * DAY : 5 * DAY);
		}
		expect(n8n.createRequests).toBe(1);
		expect(getKinds(await n8n.run(['Mug'], {}, loadExecution(saved)))).toEqual(['brief']);
	});

	test('ends with its Retry-After', async () => {
		const n8n = new N8nProcess();
		const saved = await refuseOrder(n8n, 180);
		await n8n.pass(2.9 * HOUR);
		expect(getKinds(await n8n.run(['Mug'], {}, loadExecution(saved)))).toEqual([
			'allowance_used_up',
		]);
		await n8n.pass(HOUR);
		expect(getKinds(await n8n.run(['Mug'], {}, loadExecution(saved)))).toEqual(['brief']);
	});

	test('does not keep another execution from an order', async () => {
		const n8n = new N8nProcess();
		const saved = await refuseOrder(n8n);
		expect(getKinds(await n8n.run(['Mug'], {}, loadExecution(saved, 'retry')))).toEqual(['brief']);
	});
});

test('a refusal of the key is not saved', async () => {
	const n8n = new N8nProcess();
	const saved: NodeContext = {};
	n8n.service.interceptCreates(() => makeRefusal(401, 'unauthorized'));
	await n8n.run(['Mug'], {}, new NodeExecution(saved));
	n8n.service.stopIntercepting();
	expect(getKinds(await n8n.run(['Mug'], {}, loadExecution(saved)))).toEqual(['brief']);
});
