import { DAY, HOUR, MINUTE } from '../../support/time';
import {
	ANOTHER,
	getBriefIds,
	getExisted,
	N8nProcess,
	SavedExecution,
} from '../support/n8n-process';
import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';

/** “Order Another” pays for one brief per content and Order Key, or per content and execution without a key. */

test('each execution orders its own brief, although the workspace has briefs of this content', async () => {
	const n8n = new N8nProcess();
	await n8n.run(['Mug'], {}, '1');
	await n8n.run(['Mug'], ANOTHER, '2');
	await n8n.run(['Mug'], ANOTHER, '3');
	expect(n8n.countBriefs('Mug')).toBe(3);
});

test('an Order Key is one brief in all executions of a process, with any spelling of the product', async () => {
	const n8n = new N8nProcess();
	await n8n.run([{ product_name: 'Night Cream', orderKey: 'december' }], ANOTHER, '1');
	await n8n.pass(DAY);
	const later = [{ product_name: 'NIGHT CREAM', orderKey: 'december' }];
	expect(getExisted(await n8n.run(later, ANOTHER, '2'))).toEqual([true]);
	expect(n8n.created).toHaveLength(1);
	expect(n8n.service.isKeyReused).toBe(false);
});

test('a second pass with another spelling sends the order without an answer again, as it was', async () => {
	const n8n = new N8nProcess({ listLagMs: 9 * MINUTE });
	const execution = new NodeExecution('1');
	await n8n.stopAtCreate(['Night Cream'], ANOTHER, execution);
	expect(getExisted(await n8n.run(['NIGHT CREAM'], ANOTHER, execution))).toEqual([false]);
	expect(n8n.created).toHaveLength(1);
	expect(n8n.service.isKeyReused).toBe(false);
});

test('an execution that died after its create finds its brief when it is retried hours later', async () => {
	const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
	const saved = new SavedExecution('7');
	await n8n.stopAtCreate(['Mug'], ANOTHER, saved.load());
	n8n.restart();
	await n8n.pass(2 * HOUR);
	const results = await n8n.run(['Mug'], ANOTHER, saved.load());
	expect(getBriefIds(results)).toEqual([n8n.created[0]?.id]);
	expect(n8n.created).toHaveLength(1);
});

test('an execution that is retried two days later has its brief, although the service hides the input', async () => {
	const n8n = new N8nProcess({ isInputShown: false });
	const saved = new SavedExecution('7');
	await n8n.run(['Mug'], ANOTHER, saved.load());
	await n8n.pass(2 * DAY);
	n8n.restart();
	const results = await n8n.run(['Mug'], ANOTHER, saved.load());
	expect(getBriefIds(results)).toEqual([n8n.created[0]?.id]);
	expect(n8n.countBriefs('Mug')).toBe(1);
});

test('an order whose answers are all lost has the brief that the list shows', async () => {
	const n8n = new N8nProcess({ briefMs: 5 * MINUTE });
	await n8n.run(['Mug']);
	await n8n.pass(10 * MINUTE);
	n8n.loseAnswers();
	const results = await n8n.run(['Mug'], ANOTHER, '2');
	expect(getBriefIds(results)).toEqual([n8n.created[1]?.id]);
	expect(getExisted(results)).toEqual([false]);
	expect(n8n.countBriefs('Mug')).toBe(2);
});

test('two stopped executions each have their own brief when they are retried', async () => {
	const n8n = new N8nProcess();
	const executions = [new SavedExecution('1'), new SavedExecution('2')];
	for (const saved of executions) {
		await n8n.stopAtCreate(['Mug'], ANOTHER, saved.load());
		n8n.restart();
	}
	const ids: string[] = [];
	for (const saved of executions)
		ids.push(...getBriefIds(await n8n.run(['Mug'], ANOTHER, saved.load())));
	expect(ids).toEqual(n8n.created.map(({ id }) => id));
	expect(n8n.created).toHaveLength(2);
});

test('a stopped execution does not have the brief of another execution of the process', async () => {
	const n8n = new N8nProcess();
	const execution = new NodeExecution('1');
	await n8n.stopAtCreate(['Mug'], ANOTHER, execution, true);
	await n8n.run(['Mug'], ANOTHER, '2');
	const results = await n8n.run(['Mug'], ANOTHER, execution);
	expect(getBriefIds(results)).toEqual([n8n.created[1]?.id]);
	expect(n8n.created).toHaveLength(2);
});

test('a stopped order has its brief although the service’s clocks date it before the request', async () => {
	const n8n = new N8nProcess();
	const saved = new SavedExecution('7');
	await n8n.stopAtCreate(['Mug'], ANOTHER, saved.load());
	const [brief] = n8n.created;
	Object.assign(brief ?? {}, { createdAt: Number(brief?.createdAt) - MINUTE / 2 });
	n8n.restart();
	await n8n.pass(2 * HOUR);
	expect(getBriefIds(await n8n.run(['Mug'], ANOTHER, saved.load()))).toEqual([brief?.id]);
});

test('a stopped order is undecided if its key is old and a brief of the product hides its input', async () => {
	const n8n = new N8nProcess({ isInputShown: false });
	const saved = new SavedExecution('7');
	await n8n.stopAtCreate(['Mug'], ANOTHER, saved.load(), true);
	n8n.service.create('colleague', { product_name: 'Mug', audience: 'Cooks' });
	n8n.restart();
	await n8n.pass(2 * HOUR);
	expect(await n8n.run(['Mug'], ANOTHER, saved.load())).toEqual([
		{ kind: 'undecided', briefIds: [n8n.created[0]?.id] },
	]);
	expect(n8n.created).toHaveLength(1);
});

test('a stopped order whose input is hidden is sent again while its key is remembered', async () => {
	const n8n = new N8nProcess({ isInputShown: false });
	const saved = new SavedExecution('7');
	await n8n.stopAtCreate(['Mug'], ANOTHER, saved.load());
	n8n.restart();
	await n8n.pass(10 * MINUTE);
	expect(getBriefIds(await n8n.run(['Mug'], ANOTHER, saved.load()))).toEqual([n8n.created[0]?.id]);
	expect(n8n.created).toHaveLength(1);
});

test('an order that the service has refused does not use the brief of a colleague', async () => {
	const n8n = new N8nProcess();
	const item = { product_name: 'Mug', orderKey: 'A' };
	n8n.interceptCreates(() => n8n.service.refuse(400).answer);
	await n8n.run([item], ANOTHER, '1');
	n8n.service.intercept = () => null;
	n8n.service.create('colleague', { product_name: 'Mug' });
	await n8n.pass(10 * MINUTE);
	expect(getBriefIds(await n8n.run([item], ANOTHER, '2'))).toEqual([n8n.created[1]?.id]);
});

test('only orders of another brief are saved with the execution', async () => {
	const n8n = new N8nProcess();
	const saved: Record<string, never> = {};
	await n8n.run(['Mug'], {}, new NodeExecution('1', saved));
	expect(Object.keys(saved)).toHaveLength(0);
	await n8n.run(['Mug'], ANOTHER, new NodeExecution('2', saved));
	expect(JSON.parse(JSON.stringify(Object.values(saved)))).toMatchObject([
		{ input: { product_name: 'Mug' }, briefId: n8n.created[1]?.id },
	]);
});
