import { makeIdempotencyKey } from '../../../core/input/idempotency-key';
import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import {
	getBriefIds,
	getExisted,
	getKinds,
	getReasons,
	N8nProcess,
	UNLESS_FAILED,
} from '../support/n8n-process';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { makeRefusal } from '../../support/faults';

/** Which briefs of the workspace an item uses, and why another item needs an order. */

test('a decision names why an item needs an order, and sends nothing but GETs', async () => {
	const n8n = new N8nProcess();
	n8n.service.shouldFail = ({ product_name }) => product_name === 'Pan';
	for (const input of [
		{ product_name: 'Cup' },
		{ product_name: 'Mug', audience: 'Cooks' },
		{ product_name: 'Pan' },
	])
		n8n.service.create('colleague', input);
	await n8n.pass(20 * DAY);
	const decisions = await n8n.decide(
		['Vase', { product_name: 'Mug', audience: 'Bakers' }, 'Pan', 'Cup'],
		{ ...UNLESS_FAILED, reuseWithinMs: 30 * DAY },
	);
	expect(getReasons(decisions)).toEqual(['new', 'other_values', 'failed', 'brief']);
	expect(getReasons(await n8n.decide(['Cup'], { reuseWithinMs: 10 * DAY }))).toEqual(['outdated']);
	// A brief that has failed is used with “use”.
	expect(getReasons(await n8n.decide(['Pan']))).toEqual(['brief']);
	expect(n8n.createRequests).toBe(0);
	await n8n.stopAtCreate(['Bowl'], {}, new NodeExecution(), true);
	expect(getReasons(await n8n.decide(['Bowl']))).toEqual(['resend']);
});

test('useUnlessFailed supersedes a brief that fails while the order waits for a slot', async () => {
	const n8n = new N8nProcess({ briefMs: 5 * MINUTE });
	n8n.service.shouldFail = ({ product_name }) => product_name === 'Mug';
	for (const product_name of ['A', 'B']) n8n.service.create('colleague', { product_name });
	const run = n8n.run(['Mug'], UNLESS_FAILED);
	await n8n.pass(MINUTE);
	const failed = n8n.service.create('colleague', { product_name: 'Mug' });
	n8n.service.create('colleague', { product_name: 'C' });
	await run;
	const key = makeIdempotencyKey({ product_name: 'Mug' }, failed.id);
	expect(n8n.created.at(-1)?.key).toBe(key);
});

test('useUnlessFailed orders again if the brief of a stopped order has failed', async () => {
	const n8n = new N8nProcess();
	n8n.service.shouldFail = () => true;
	await n8n.stopAtCreate(['Mug'], UNLESS_FAILED);
	await n8n.pass(15 * MINUTE);
	expect(getExisted(await n8n.run(['Mug'], UNLESS_FAILED))).toEqual([false]);
	expect(n8n.created).toHaveLength(2);
});

test('Reuse Within supersedes the newest outdated brief, even if that brief failed', async () => {
	const n8n = new N8nProcess({ keyMemoryMs: Infinity });
	n8n.service.shouldFail = (_, index) => index === 1;
	for (let day = 0; day < 4; day += 2) {
		await n8n.run(['Mug'], { reuseWithinMs: DAY });
		await n8n.pass(2 * DAY);
	}
	const ids = getBriefIds(await n8n.run(['Mug'], { reuseWithinMs: DAY }));
	expect(ids).toEqual([n8n.created[2]?.id]);
});

test('a brief that this process has ordered is known, even if its input is hidden or a GET lags', async () => {
	const n8n = new N8nProcess({ isInputShown: false, listLagMs: 5 * MINUTE });
	const { service } = n8n;
	await n8n.run(['Mug']);
	service.intercept = ({ operation }) => (operation === 'get_brief' ? makeRefusal(404) : null);
	expect(getKinds(await n8n.run(['Mug']))).toEqual(['brief']);
	service.stopIntercepting();
	await n8n.pass(2 * HOUR);
	expect(getKinds(await n8n.run(['Mug']))).toEqual(['brief']);
	expect(n8n.createRequests).toBe(1);
});

test('a brief is refreshed to the newest status that the list has shown', async () => {
	const n8n = new N8nProcess({ briefMs: 10 * MINUTE });
	const { orders, results } = n8n.start(['Mug']);
	const [result] = await results;
	if (result?.kind !== 'brief') throw new Error('The item has no brief');
	expect(result.brief).toMatchObject({ status: 'queued', markdown: null });
	await n8n.pass(8 * MINUTE);
	await n8n.run(['Pan']);
	expect(await orders.refreshBrief(result.brief)).toMatchObject({ status: 'checking' });
	expect(n8n.service.count('get_brief')).toBe(0);
	await n8n.pass(5 * MINUTE);
	await n8n.run(['Cup']);
	const refreshed = await orders.refreshBrief(result.brief);
	expect(refreshed).toMatchObject({ status: 'ready', markdown: '# A brief' });
	expect(await orders.refreshBrief(refreshed)).toBe(refreshed);
});

test('a brief whose GET is answered with 404 keeps the status that it had', async () => {
	const n8n = new N8nProcess({ briefMs: 10 * MINUTE });
	const { service } = n8n;
	service.create('colleague', { product_name: 'Mug' });
	const { orders, results } = n8n.start(['Mug']);
	const [result] = await results;
	if (result?.kind !== 'brief') throw new Error('The item has no brief');
	await n8n.pass(20 * MINUTE);
	await n8n.run(['Pan']);
	service.intercept = ({ operation }) => (operation === 'get_brief' ? makeRefusal(404) : null);
	expect(await orders.refreshBrief(result.brief)).toMatchObject({ status: 'researching' });
});
