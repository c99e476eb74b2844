import type { BriefSummary } from '../../../core/api/types';
import { toSummary } from '../../../core/api/types';
import type { RequestContext } from '../../../core/workspace/request-context';
import { Workspace } from '../../../core/workspace/workspace';
import { MUG, USUAL } from '../support/orders';
import { HOUR, MINUTE, VirtualService, type CreatedBrief } from '../support/virtual-service';

function toListed(service: VirtualService, brief: CreatedBrief): BriefSummary {
	return toSummary(service.show(brief) as BriefSummary);
}

test('polls every 30 seconds, and every 7.5 seconds while two briefs are nearly finished', async () => {
	const service = new VirtualService({ ...USUAL, briefMs: 4 * MINUTE });
	const { context } = service.startProcess();
	const { briefs, poller } = new Workspace();
	service.create('x', { product_name: 'A' });
	service.create('x', { product_name: 'B' });
	const listed = await briefs.readSince(0, context);
	const deadline = service.clock.now() + HOUR;
	const results = await Promise.all(
		listed.map((brief) => poller.waitUntilFinished(brief, deadline, context)),
	);
	expect(results.map(({ kind }) => kind)).toEqual(['finished', 'finished']);
	// Three minutes with a poll every 30 s, and a minute with a poll every 7.5 s.
	const lists = service.count('list_briefs');
	expect(lists).toBeGreaterThanOrEqual(14);
	expect(lists).toBeLessThanOrEqual(17);
	expect(service.count('get_brief')).toBe(2);
});

test('polls as often as the caller with the shortest interval, and every caller shares these polls', async () => {
	const service = new VirtualService({ ...USUAL, briefMs: 12 * MINUTE });
	const { context } = service.startProcess();
	const slow = { ...context, pollInterval: { shortest: MINUTE, longest: 2 * MINUTE } };
	const { poller } = new Workspace();
	const wait = (product_name: string, minutes: number, caller: RequestContext) => {
		const brief = service.create('x', { product_name });
		const deadline = brief.createdAt + minutes * MINUTE;
		return poller.waitUntilFinished(toListed(service, brief), deadline, caller);
	};
	const listsOf = async (waiting: Promise<unknown>) => {
		const before = service.count('list_briefs');
		await waiting;
		return service.count('list_briefs') - before;
	};
	const together = Promise.all([wait('A', 8, slow), wait('B', 4, context)]);
	const shared = await listsOf(wait('C', 4, context));
	// A poll every 30 s.
	expect(shared).toBeGreaterThanOrEqual(8);
	expect(shared).toBeLessThanOrEqual(9);
	// The caller that is left polls every two minutes.
	expect(await listsOf(together)).toBeLessThanOrEqual(3);
});

test('waits for a new brief that neither the list nor a GET knows yet', async () => {
	const service = new VirtualService({ ...USUAL, listLagMs: 8 * MINUTE });
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	const lagEnd = brief.createdAt + 8 * MINUTE;
	service.intercept = ({ operation }) =>
		operation === 'get_brief' && service.clock.now() < lagEnd ? service.refuse(404).answer : null;
	const deadline = brief.createdAt + HOUR;
	const { poller } = new Workspace();
	const result = await poller.waitUntilFinished(toListed(service, brief), deadline, context);
	expect(result).toMatchObject({ kind: 'finished', brief: { id: brief.id } });
});

test('does not find a brief that is still unknown twelve minutes after its creation', async () => {
	const service = new VirtualService(USUAL);
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	const missing = { ...toListed(service, brief), id: 'missing' };
	const deadline = brief.createdAt + HOUR;
	const result = await new Workspace().poller.waitUntilFinished(missing, deadline, context);
	expect(result.kind).toBe('not_found');
	expect(service.clock.now() - brief.createdAt).toBeGreaterThan(12 * MINUTE);
	expect(service.clock.now() - brief.createdAt).toBeLessThanOrEqual(13 * MINUTE);
});

test('fetches a brief that the newest page does not show', async () => {
	const service = new VirtualService({ ...USUAL, pageSize: 1 });
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	service.create('x', { product_name: 'Pan' });
	const deadline = brief.createdAt + HOUR;
	const { poller } = new Workspace();
	const result = await poller.waitUntilFinished(toListed(service, brief), deadline, context);
	expect(result).toMatchObject({ kind: 'finished', brief: { id: brief.id } });
	expect(service.clock.now() - brief.createdAt).toBeLessThan(5 * MINUTE);
});

test('fetches a finished brief that the list does not show once', async () => {
	const service = new VirtualService({ ...USUAL, listLagMs: HOUR });
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	await service.clock.pass(10 * MINUTE);
	const deadline = service.clock.now() + HOUR;
	const { poller } = new Workspace();
	const result = await poller.waitUntilFinished(toListed(service, brief), deadline, context);
	expect(result).toMatchObject({ kind: 'finished', brief: { id: brief.id } });
	expect(service.count('get_brief')).toBe(1);
});

test('does not poll more often for a brief in `checking` whose caller was stopped', async () => {
	const service = new VirtualService({ ...USUAL, briefMs: 2 * HOUR });
	const { process, context } = service.startProcess();
	const { poller } = new Workspace();
	const wait = (product_name: string, caller: RequestContext) => {
		const brief = toListed(service, service.create('x', { product_name }));
		return poller.waitUntilFinished(brief, service.clock.now() + 20 * MINUTE, caller);
	};
	const stopped = wait('A', context);
	await service.clock.pass(10 * MINUTE);
	process.interrupt();
	await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
	await service.clock.pass(85 * MINUTE);
	const before = service.count('list_briefs');
	await wait('B', service.startProcess().context);
	// A poll every 30 s.
	expect(service.count('list_briefs') - before).toBeLessThanOrEqual(42);
});

test('is late if the brief is still running at the deadline', async () => {
	const service = new VirtualService({ ...USUAL, briefMs: 2 * HOUR });
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	const deadline = brief.createdAt + 30 * MINUTE;
	const { poller } = new Workspace();
	const result = await poller.waitUntilFinished(toListed(service, brief), deadline, context);
	expect(result).toEqual({ kind: 'late', status: 'writing' });
	expect(service.clock.now()).toBeLessThan(deadline + MINUTE);
});

test('is incomplete if the brief is ready without markdown at the deadline', async () => {
	const service = new VirtualService(USUAL);
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	service.intercept = ({ operation }) => {
		if (operation !== 'get_brief') return null;
		const body = JSON.stringify({ ...service.show(brief), status: 'ready', markdown: null });
		return { ...service.refuse(200).answer, body };
	};
	const deadline = brief.createdAt + 30 * MINUTE;
	const { poller } = new Workspace();
	const result = await poller.waitUntilFinished(toListed(service, brief), deadline, context);
	expect(result.kind).toBe('incomplete');
});

test('returns a failed brief, which never has markdown', async () => {
	const service = new VirtualService(USUAL);
	service.isFailed = () => true;
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	const deadline = brief.createdAt + HOUR;
	const { poller } = new Workspace();
	const result = await poller.waitUntilFinished(toListed(service, brief), deadline, context);
	expect(result).toMatchObject({ kind: 'finished', brief: { status: 'failed' } });
});

test('waits for a brief with an unknown status until it has an end time', async () => {
	const service = new VirtualService(USUAL);
	const { context } = service.startProcess();
	const brief = service.create('x', MUG);
	const endsAt = brief.createdAt + 10 * MINUTE;
	service.intercept = ({ operation }) => {
		const hasEnded = service.clock.now() >= endsAt;
		const finished_at = hasEnded ? new Date(endsAt).toISOString() : null;
		const shown = {
			...service.show(brief),
			status: hasEnded ? 'archived' : 'polishing',
			finished_at,
		};
		const body = operation === 'get_brief' ? shown : { data: [shown], next_cursor: null };
		return { ...service.refuse(200).answer, body: JSON.stringify(body) };
	};
	const { poller } = new Workspace();
	const deadline = brief.createdAt + HOUR;
	const result = await poller.waitUntilFinished(toListed(service, brief), deadline, context);
	expect(result).toMatchObject({ kind: 'finished', brief: { status: 'archived' } });
	expect(service.clock.now()).toBeGreaterThanOrEqual(endsAt);
});

test('polls often while an order waits for a slot, although no caller waits for the running briefs', async () => {
	const briefMs = 4 * MINUTE + 14_000;
	const service = new VirtualService({ ...USUAL, briefMs });
	const { context } = service.startProcess();
	const { slots } = new Workspace();
	for (const product_name of ['A', 'B']) service.create('x', { product_name });
	await slots.waitForSlot('C', service.clock.now() + HOUR, context);
	const freeAt = service.created[0]!.createdAt + briefMs;
	expect(service.clock.now() - freeAt).toBeLessThan(10_000);
});
