import { makeItemOrder } from '../../../nodes/CreatorBriefing/orders/item-order';
import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import {
	ANOTHER,
	getBriefIds,
	getExisted,
	getKinds,
	getReasons,
	N8nProcess,
	UNLESS_FAILED,
} from '../support/n8n-process';
import { DAY, HOUR, MINUTE } from '../../core/support/virtual-service';

/** Which briefs of the workspace an item uses, and why another item needs an order. */

const MONTH = { reuseWindowMs: 30 * DAY };

test('a product without a brief is ordered once, and later executions use its brief', async () => {
	const n8n = new N8nProcess();
	const first = await n8n.run(['Mug'], {}, '1');
	await n8n.pass(DAY);
	n8n.restart();
	const second = await n8n.run(['Mug'], {}, '2');
	expect(getExisted([...first, ...second])).toEqual([false, true]);
	expect(n8n.created).toHaveLength(1);
});

test('items with the same content share one brief, which exists for the second item', async () => {
	const n8n = new N8nProcess();
	const results = await n8n.run(['Night Cream', 'NIGHT  CREAM']);
	expect(getExisted(results)).toEqual([false, true]);
	expect(n8n.created).toHaveLength(1);
});

test('a decision names why an item needs an order, and sends nothing but GETs', async () => {
	const n8n = new N8nProcess();
	n8n.service.isFailed = ({ product_name }) => product_name === 'Pan';
	for (const input of [
		{ product_name: 'Cup' },
		{ product_name: 'Mug', audience: 'Cooks' },
		{ product_name: 'Pan' },
	])
		n8n.service.create('colleague', input);
	await n8n.pass(20 * DAY);
	const decisions = await n8n.decide(
		['Vase', { product_name: 'Mug', audience: 'Bakers' }, 'Pan', 'Cup'],
		{ ...UNLESS_FAILED, reuseWindowMs: 30 * DAY },
	);
	expect(getReasons(decisions)).toEqual(['new', 'other_values', 'failed', 'brief']);
	expect(getReasons(await n8n.decide(['Cup'], { reuseWindowMs: 10 * DAY }))).toEqual(['outdated']);
	expect(getReasons(await n8n.decide(['Cup'], ANOTHER))).toEqual(['another']);
	expect(n8n.createRequests).toBe(0);
});

test('an order that was stopped is decided as an order that is sent again', async () => {
	const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
	await n8n.stopAtCreate(['Mug']);
	expect(getReasons(await n8n.decide(['Mug']))).toEqual(['resend']);
});

test('a failed brief is used with “use”, at no cost', async () => {
	const n8n = new N8nProcess();
	n8n.service.isFailed = () => true;
	await n8n.run(['Mug'], {}, '1');
	await n8n.pass(HOUR);
	const [result] = await n8n.run(['Mug'], {}, '2');
	expect(result).toMatchObject({ kind: 'brief', brief: { status: 'failed' } });
	expect(n8n.created).toHaveLength(1);
});

test('useUnlessFailed orders at most three briefs of a content that always fails', async () => {
	const n8n = new N8nProcess();
	n8n.service.isFailed = () => true;
	for (let hour = 0; hour < 24; hour += 1) {
		await n8n.run(['Mug'], UNLESS_FAILED, `${hour}`);
		await n8n.pass(HOUR);
	}
	expect(n8n.countBriefs('Mug')).toBe(3);
	const ids = n8n.created.map(({ id }) => id).reverse();
	expect(await n8n.run(['Mug'], UNLESS_FAILED)).toEqual([
		{ kind: 'failed_repeatedly', briefIds: ids },
	]);
});

test('useUnlessFailed supersedes a brief that fails while the order waits for a slot', async () => {
	const n8n = new N8nProcess({ briefMs: 5 * MINUTE });
	n8n.service.isFailed = ({ product_name }) => product_name === 'Mug';
	for (const product_name of ['A', 'B']) n8n.service.create('colleague', { product_name });
	const run = n8n.run(['Mug'], UNLESS_FAILED);
	await n8n.pass(MINUTE);
	const failed = n8n.service.create('colleague', { product_name: 'Mug' });
	n8n.service.create('colleague', { product_name: 'C' });
	await run;
	const { key } = makeItemOrder({ product_name: 'Mug' }, failed.id);
	expect(n8n.created.at(-1)?.key).toBe(key);
});

test('useUnlessFailed orders once per execution, also if the brief fails before the next try', async () => {
	const n8n = new N8nProcess();
	n8n.service.isFailed = () => true;
	const execution = new NodeExecution('1');
	const first = await n8n.run(['Mug'], UNLESS_FAILED, execution);
	await n8n.pass(HOUR);
	expect(getBriefIds(await n8n.run(['Mug'], UNLESS_FAILED, execution))).toEqual(getBriefIds(first));
	expect(n8n.created).toHaveLength(1);
});

test('useUnlessFailed uses a good brief although a newer brief has failed', async () => {
	const n8n = new N8nProcess();
	n8n.service.isFailed = (_, index) => index > 0;
	n8n.service.create('colleague', { product_name: 'Mug' });
	await n8n.pass(HOUR);
	n8n.service.create('colleague', { product_name: 'Mug' });
	await n8n.pass(HOUR);
	expect(getBriefIds(await n8n.run(['Mug'], UNLESS_FAILED))).toEqual([n8n.created[0]?.id]);
});

test('a brief older than reuseWithinDays is superseded once', async () => {
	const n8n = new N8nProcess({ keyMemoryMs: Infinity });
	await n8n.run(['Mug'], MONTH, '1');
	await n8n.pass(20 * DAY);
	await n8n.pass(20 * DAY);
	n8n.restart();
	await n8n.run(['Mug'], MONTH, '2');
	await n8n.run(['Mug'], MONTH, '3');
	expect(n8n.countBriefs('Mug')).toBe(2);
});

test('the newest of several outdated briefs is superseded', async () => {
	const n8n = new N8nProcess({ keyMemoryMs: Infinity });
	for (let month = 0; month < 2; month += 1) {
		n8n.service.create('colleague', { product_name: 'Mug' });
		await n8n.pass(20 * DAY);
	}
	const [decision] = await n8n.decide(['Mug'], { reuseWindowMs: 10 * DAY });
	expect(decision).toMatchObject({
		reason: 'outdated',
		order: { supersedes: n8n.created[1]?.id },
	});
});

test('a brief from a hundred days ago that the service returns for the key is used', async () => {
	const n8n = new N8nProcess({ keyMemoryMs: Infinity });
	await n8n.run(['Mug'], {}, '1');
	for (let part = 0; part < 5; part += 1) await n8n.pass(20 * DAY);
	n8n.restart();
	expect(getExisted(await n8n.run(['Mug'], {}, '2'))).toEqual([true]);
	await n8n.run(['Mug'], {}, '3');
	expect(n8n.countBriefs('Mug')).toBe(1);
});

test('a brief that shows some of the ordered fields, but not all, is another brief', async () => {
	const n8n = new N8nProcess();
	n8n.service.create('colleague', { product_name: 'Mug', audience: 'Bakers' });
	await n8n.pass(HOUR);
	const input = { product_name: 'Mug', audience: 'Bakers', objective: 'Sales' };
	expect(getExisted(await n8n.run([input]))).toEqual([false]);
	expect(n8n.created).toHaveLength(2);
});

test('a brief that shows only its name is undecided, and nothing is paid again', async () => {
	const n8n = new N8nProcess();
	const { service } = n8n;
	const kinds: string[] = [];
	service.intercept = ({ operation, path }) => {
		const brief = n8n.created.find(({ id }) => path.endsWith(id));
		if (operation !== 'get_brief' || brief === undefined) return null;
		const shown = { ...service.show(brief), input: { product_name: 'Mug' } };
		return { ...service.refuse(200).answer, body: JSON.stringify(shown) };
	};
	for (let day = 0; day < 3; day += 1) {
		const input = { product_name: 'Mug', audience: 'Bakers' };
		kinds.push(...getKinds(await n8n.run([input], {}, `${day}`)));
		await n8n.pass(2 * DAY);
		n8n.restart();
	}
	expect(kinds).toEqual(['brief', 'undecided', 'undecided']);
	expect(n8n.created).toHaveLength(1);
});

test('a brief that this process has ordered is known, even if its input is hidden or a GET lags', async () => {
	const n8n = new N8nProcess({ showsInput: false, listLagMs: 5 * MINUTE });
	const { service } = n8n;
	await n8n.run(['Mug'], {}, '1');
	service.intercept = ({ operation }) =>
		operation === 'get_brief' ? service.refuse(404).answer : null;
	expect(getKinds(await n8n.run(['Mug'], {}, '2'))).toEqual(['brief']);
	service.intercept = () => null;
	await n8n.pass(2 * HOUR);
	expect(getKinds(await n8n.run(['Mug'], {}, '3'))).toEqual(['brief']);
	expect(n8n.createRequests).toBe(1);
});

test('a brief is refreshed to the newest status that the list has shown', async () => {
	const n8n = new N8nProcess({ briefMs: 10 * MINUTE });
	const { orders, results } = n8n.start(['Mug']);
	const [result] = await results;
	if (result?.kind !== 'brief') throw new Error('The item has no brief');
	expect(result.brief).toMatchObject({ status: 'writing', markdown: null });
	await n8n.pass(8 * MINUTE);
	await n8n.run(['Pan'], {}, '2');
	expect(await orders.refreshBrief(result.brief)).toMatchObject({ status: 'checking' });
	await n8n.pass(5 * MINUTE);
	await n8n.run(['Cup'], {}, '3');
	const refreshed = await orders.refreshBrief(result.brief);
	expect(refreshed).toMatchObject({ status: 'ready', markdown: '# T' });
	expect(await orders.refreshBrief(refreshed)).toBe(refreshed);
});

test.each([404, 403])(
	'a brief whose GET is answered with %i keeps the status that it had',
	async (status) => {
		const n8n = new N8nProcess({ briefMs: 10 * MINUTE });
		const { service } = n8n;
		service.create('colleague', { product_name: 'Mug' });
		const { orders, results } = n8n.start(['Mug']);
		const [result] = await results;
		if (result?.kind !== 'brief') throw new Error('The item has no brief');
		await n8n.pass(20 * MINUTE);
		await n8n.run(['Pan'], {}, '2');
		service.intercept = ({ operation }) =>
			operation === 'get_brief' ? service.refuse(status).answer : null;
		expect(await orders.refreshBrief(result.brief)).toMatchObject({ status: 'writing' });
	},
);

test('a listing that fails after its first page leaves no gap', async () => {
	const n8n = new N8nProcess({ pageSize: 3 });
	const { service } = n8n;
	await n8n.run(['First']);
	await n8n.pass(2 * HOUR);
	for (const product_name of ['Mug', 'Pan', 'Cup', 'Vase']) {
		service.create('colleague', { product_name });
		await n8n.pass(2 * MINUTE);
	}
	await n8n.pass(2 * HOUR);
	service.intercept = ({ query }) => (query['cursor'] ? service.refuse(500).answer : null);
	expect(getKinds(await n8n.run(['Mug']))).toEqual(['error']);
	service.intercept = () => null;
	expect(getKinds(await n8n.run(['Mug']))).toEqual(['brief']);
	expect(n8n.countBriefs('Mug')).toBe(1);
});

test('nothing is ordered while the list repeats its pages', async () => {
	const n8n = new N8nProcess({ pageSize: 2 });
	const { service } = n8n;
	for (const product_name of ['Mug', 'Pan', 'Cup']) {
		service.create('colleague', { product_name });
		await n8n.pass(30 * MINUTE);
	}
	service.intercept = ({ operation }) => {
		if (operation !== 'list_briefs') return null;
		const data = n8n.created.slice(1).map((brief) => service.show(brief));
		return { ...service.refuse(200).answer, body: JSON.stringify({ data, next_cursor: '2' }) };
	};
	const [result] = await n8n.run(['Mug']);
	expect(result).toMatchObject({ kind: 'error', error: { kind: 'list_unreadable' } });
	expect(n8n.createRequests).toBe(0);
});
