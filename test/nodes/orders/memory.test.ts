import { toContentId } from '../../../core/input/content';
import { NOTHING, type Order } from '../../../core/orders/order';
import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import { OrderMemory } from '../../../nodes/CreatorBriefing/orders/order-memory';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { N8nProcess } from '../support/n8n-process';
import { makeRefusal } from '../../support/faults';

/** An n8n process runs for months. Its memory contains only data that the next executions need. */

test('a process forgets its briefs and orders when they are too old to be used again', async () => {
	// A page shows one brief. Briefs on pages that are not read are known only if the process remembers them.
	const n8n = new N8nProcess({ pageSize: 1 });
	for (let month = 0; month < 5; month += 1) {
		await n8n.run([`Product ${month}`]);
		for (let part = 0; part < 2; part += 1) await n8n.pass(15 * DAY);
	}
	await n8n.run([]);
	const { memory, workspace } = n8n.state;
	const known = n8n.created.map(({ id }) => [
		memory.findOwner(id) !== null,
		workspace.briefs.get(id)?.id,
	]);
	const kept = n8n.created.slice(2).map(({ id }) => [true, id]);
	expect(known).toEqual([[false, undefined], [false, undefined], ...kept]);
});

test('orders are forgotten by their last request, rejected orders too', () => {
	const memory = new OrderMemory();
	const save = (key: string, state: Order['state'], lastSentAt: number) => {
		const content = { input: { product_name: 'Mug' }, contentId: 'mug' };
		const order = { ...content, key, supersedes: NOTHING, shown: [], state } as Order;
		memory.saveOrder(order, { firstSentAt: DAY, lastSentAt });
	};
	const unconfirmed = { kind: 'unconfirmed', firstSentAt: DAY, isRefused: false } as const;
	save('rejected', { kind: 'rejected' }, DAY);
	save('unconfirmed', { ...unconfirmed, lastSentAt: DAY }, DAY);
	save('sent again', { ...unconfirmed, lastSentAt: 3 * DAY }, 3 * DAY);
	memory.forgetBefore(2 * DAY);
	expect(memory.listOrders('mug').map(({ key }) => key)).toEqual(['sent again']);
});

test('the memory of a process has no text of a brief', async () => {
	const n8n = new N8nProcess({ briefMs: 0 });
	const [result] = await n8n.run(['Mug']);
	expect(result).toMatchObject({ brief: { markdown: '# A brief' } });
	const orders = n8n.state.memory.listOrders(toContentId({ product_name: 'Mug' }));
	expect(orders).toMatchObject([{ state: { brief: { id: n8n.created[0]?.id } } }]);
	expect(JSON.stringify(orders)).not.toContain('# A brief');
});

test('each finished brief is fetched once per pass, and again in the next pass', async () => {
	const n8n = new N8nProcess();
	const audiences = ['Bakers', 'Cooks', 'Kids'];
	const items = audiences.map((audience) => ({ product_name: 'Mug', audience }));
	for (const item of items) n8n.service.create('colleague', item);
	await n8n.pass(HOUR);
	await n8n.run(items);
	expect(n8n.service.count('get_brief')).toBe(3);
	await n8n.run(items);
	expect(n8n.service.count('get_brief')).toBe(6);
});

test('a brief that the execution has ordered is fetched once it is finished', async () => {
	const n8n = new N8nProcess({ briefMs: 10 * MINUTE });
	const execution = new NodeExecution();
	await n8n.run(['Mug', 'Mug'], {}, execution);
	expect(n8n.service.count('get_brief')).toBe(0);
	await n8n.pass(15 * MINUTE);
	expect(await n8n.run(['Mug'], {}, execution)).toMatchObject([
		{ brief: { markdown: '# A brief' } },
	]);
	expect(n8n.service.count('get_brief')).toBe(1);
});

test('items with the same content are decided once', async () => {
	const n8n = new N8nProcess({ briefMs: HOUR });
	n8n.service.create('colleague', { product_name: 'Mug' });
	await n8n.run(Array.from({ length: 200 }, () => 'Mug'));
	expect(n8n.service.count('get_brief')).toBe(1);
});

test('passes that follow each other share a page of the list', async () => {
	const n8n = new N8nProcess();
	const execution = new NodeExecution();
	for (const product_name of ['A', 'B', 'C']) n8n.service.create('colleague', { product_name });
	for (const product of ['A', 'B', 'C']) await n8n.run([product], {}, execution);
	expect(n8n.service.count('list_briefs')).toBe(1);
});

test.each([
	['a list', 1, false],
	['an older page of the list', 2, true],
])('%s that cannot be read is tried once for all items', async (_title, requests, isOlder) => {
	const n8n = new N8nProcess({ pageSize: 1 });
	const { service } = n8n;
	for (const product_name of ['X', 'Y']) service.create('colleague', { product_name });
	service.intercept = ({ query }) => ('cursor' in query === isOlder ? makeRefusal(403) : null);
	await n8n.run(['A', 'B', 'C']);
	expect(service.requests).toHaveLength(requests);
});
