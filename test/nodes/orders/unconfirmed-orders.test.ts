import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import { HOUR, MINUTE } from '../../support/time';
import { getExisted, getKinds, N8nProcess, UNLESS_FAILED } from '../support/n8n-process';
import { makeRefusal, refuse, type Fault } from '../../support/faults';

/** Orders that were sent and got no usable answer: their briefs might have been created. */

test('an order has the brief that its last request created, although the list was just polled', async () => {
	const n8n = new N8nProcess();
	const { clock } = n8n.service;
	const start = clock.now();
	n8n.service.interceptCreates((request) => {
		if (clock.now() - start >= MINUTE) n8n.service.createFromRequest(request);
		return 'lost';
	});
	const { context } = n8n.service.startProcess();
	const poll = clock
		.sleep(MINUTE - 5_000)
		.then(() => n8n.state.workspace.briefs.readNewestPage(context, 0));
	expect(getExisted(await n8n.run(['Mug']))).toEqual([false]);
	await poll;
	expect(n8n.created).toHaveLength(1);
});

test.each<[string, Fault]>([
	['sends no answer', 'lost'],
	['refuses requests for two hours', refuse([503, 'refused', 120])],
])(
	'only the item that was sent is unconfirmed if the service %s from its request on',
	async (_, fault) => {
		const n8n = new N8nProcess();
		let isDown = false;
		n8n.service.intercept = ({ operation }) => {
			isDown ||= operation === 'create_brief';
			return isDown ? fault : null;
		};
		const start = n8n.service.clock.now();
		expect(await n8n.run(['A', 'B', 'C'], { timeoutMs: 30 * MINUTE })).toMatchObject([
			{ kind: 'unconfirmed' },
			{ kind: 'error', error: { kind: 'service_unavailable' } },
			{ kind: 'error', error: { kind: 'service_unavailable' } },
		]);
		expect((n8n.service.clock.now() - start) / MINUTE).toBeLessThan(32);
	},
);

test('an order without an answer stays unconfirmed if the next try cannot read the list', async () => {
	const n8n = new N8nProcess();
	const execution = new NodeExecution();
	n8n.service.interceptCreates(() => 'lost');
	await n8n.run(['Mug'], {}, execution);
	n8n.service.intercept = () => makeRefusal(403);
	await n8n.pass(MINUTE);
	expect(await n8n.run(['Mug', 'Pan'], {}, execution)).toMatchObject([
		{ kind: 'unconfirmed', cause: { error: { status: 403 } } },
		{ kind: 'error', error: { status: 403 } },
	]);
});

test('a stopped create is sent again with the same body by the next execution', async () => {
	const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
	await n8n.stopAtCreate(['Night Cream']);
	expect(getKinds(await n8n.run(['NIGHT CREAM']))).toEqual(['brief']);
	expect(n8n.created).toHaveLength(1);
	expect(n8n.service.isKeyReused).toBe(false);
});

test('a key that the service refused 50 minutes ago is not sent again after an hour', async () => {
	const n8n = new N8nProcess({ isKeyAgedFromFirstRequest: true });
	const { service } = n8n;
	let isDown = false;
	let lastCreateAt = 0;
	service.intercept = ({ operation }) => {
		if (operation !== 'create_brief') return isDown ? 'lost' : null;
		const isFirst = lastCreateAt === 0;
		lastCreateAt = service.clock.now();
		isDown = !isFirst;
		return isFirst ? makeRefusal(400) : 'lost';
	};
	const firstSentAt = service.clock.now();
	expect(getKinds(await n8n.run(['Mug']))).toEqual(['error']);
	await n8n.pass(50 * MINUTE);
	expect(getKinds(await n8n.run(['Mug'], { timeoutMs: 2 * HOUR }))).toEqual(['unconfirmed']);
	const minutes = (lastCreateAt - firstSentAt) / MINUTE;
	expect(minutes).toBeGreaterThan(50);
	expect(minutes).toBeLessThan(60);
});

test('an order that supersedes a failed brief is sent again as it was', async () => {
	const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
	n8n.service.shouldFail = () => true;
	await n8n.run(['Night Cream'], UNLESS_FAILED);
	await n8n.pass(10 * MINUTE);
	await n8n.stopAtCreate(['Night Cream'], UNLESS_FAILED);
	await n8n.run(['NIGHT CREAM'], UNLESS_FAILED);
	expect(n8n.created).toHaveLength(2);
});

test('an order that supersedes a failed brief has the age of its own key', async () => {
	const n8n = new N8nProcess();
	n8n.service.shouldFail = (_, index) => index === 0;
	await n8n.run(['Mug'], UNLESS_FAILED);
	await n8n.pass(2 * HOUR);
	n8n.service.interceptCreates((_, count) => (count === 1 ? 'lost' : null));
	expect(getKinds(await n8n.run(['Mug'], UNLESS_FAILED))).toEqual(['brief']);
});

test('a refusal of an order that a stopped execution has sent is unconfirmed', async () => {
	const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
	n8n.service.interceptCreates((_, count) => {
		if (count > 1) return makeRefusal(400);
		stopped.process.interrupt();
		return 'lost';
	});
	const stopped = n8n.start(['Mug']);
	const waiting = n8n.run(['Mug']);
	await expect(stopped.results).rejects.toMatchObject({ name: 'AbortError' });
	expect(await waiting).toMatchObject([{ kind: 'unconfirmed', cause: { kind: 'refused' } }]);
});

test('an answer with the brief of another order is an error that names the brief', async () => {
	const n8n = new N8nProcess();
	const { service } = n8n;
	await n8n.run(['Garden Hose']);
	const [other] = n8n.created;
	await n8n.pass(HOUR);
	n8n.service.interceptCreates(() => ({
		...makeRefusal(202),
		body: JSON.stringify(other && service.show(other)),
	}));
	expect(await n8n.run(['Mug'])).toMatchObject([
		{ kind: 'unconfirmed', cause: { kind: 'other_brief', brief: { id: other?.id } } },
	]);
});
