import { Workspace } from '../../../core/workspace/workspace';
import { answerCreates, BUSY, MUG, order, orderMug, takeBothSlots } from '../support/orders';
import { refuse } from '../../support/faults';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** docs/api.md 8 leaves open how a third brief is refused, so any refusal while both slots are in use can be about the slots. */

let service: VirtualService;
beforeEach(() => (service = new VirtualService({ briefMs: 20 * MINUTE })));

test.each([
	[400, 'validation_failed', 'created', 20],
	[403, 'insufficient_scope', 'created', 20],
	[403, 'licence_required', 'created', 20],
	[404, 'not_found', 'created', 20],
	[401, 'unauthorized', 'stopped: error', 0],
] as const)(
	'an order refused with %i %s while both slots are in use ends as %s after %i minutes',
	async (status, code, end, atLeast) => {
		answerCreates(service, [[status, code]]);
		service.callBeforeFirstCreate(() => takeBothSlots(service));
		const { minutes, ...ended } = await orderMug(service);
		expect(ended.end).toBe(end);
		expect(minutes).toBeGreaterThanOrEqual(atLeast);
		expect(minutes).toBeLessThan(atLeast + 2);
		expect(service.mostRunning).toBe(2);
	},
);

test('a refusal can be about the slots of briefs that have been running for more than an hour', async () => {
	service = new VirtualService({ briefMs: 90 * MINUTE });
	takeBothSlots(service);
	await service.clock.pass(61 * MINUTE);
	const freeAt = service.clock.now() + 29 * MINUTE;
	service.interceptCreates(() =>
		service.clock.now() < freeAt ? refuse([400, 'validation_failed']) : null,
	);
	const { end, minutes } = await orderMug(service);
	expect(end).toBe('created');
	expect(minutes).toBeGreaterThanOrEqual(29);
});

test('a refusal of an order that might have its brief makes it wait, and sends it again', async () => {
	service.interceptCreates((_, count) => {
		if (count === 1) return 'lost';
		if (count > 2) return null;
		takeBothSlots(service);
		return refuse([400]);
	});
	const { end, minutes } = await orderMug(service);
	expect(end).toBe('created');
	expect(minutes).toBeGreaterThanOrEqual(20);
});

test('a refusal of a second request does not free the slot of the first', async () => {
	service = new VirtualService({ listLagMs: 10 * MINUTE, briefMs: DAY });
	const { context } = service.startProcess();
	const workspace = new Workspace();
	service.create('x', { product_name: 'Pan' });
	await service.clock.pass(10 * MINUTE);
	const refused = answerCreates(service, ['lost after the work', [400]]);
	expect((await orderMug(service, { workspace, context })).end).toBe('unconfirmed: refused');
	const next = answerCreates(service, []);
	const cup = { product_name: 'Cup' };
	const deadline = service.clock.now() + 20 * MINUTE;
	await order(service, cup, { workspace, context, deadline });
	// The list has to show the brief of the first request, or two minutes have to pass.
	expect(next).toHaveLength(1);
	expect(next[0]! - refused.at(-1)!).toBeGreaterThanOrEqual(2 * MINUTE);
});

test('an order that is refused until its deadline stops there', async () => {
	const sentAt = answerCreates(service, [], BUSY);
	const deadline = service.clock.now() + 30 * MINUTE;
	const { end, minutes } = await orderMug(service, { deadline });
	expect(end).toBe('stopped: deadline');
	expect(minutes).toBeGreaterThanOrEqual(30);
	expect(minutes).toBeLessThan(32);
	// The waits grow from 15 seconds to a minute.
	expect(sentAt.length).toBeLessThan(35);
});

test('the waits after refusals grow, and are short again after an order was created', async () => {
	const workspace = new Workspace();
	const sentAt = answerCreates(service, [BUSY, BUSY, 'usual', BUSY, 'usual']);
	for (const product_name of ['A', 'B']) await order(service, { product_name }, { workspace });
	const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = sentAt;
	expect(second - first).toBeLessThan(30_000);
	expect(third - second).toBeGreaterThanOrEqual(30_000);
	expect(fifth - fourth).toBeLessThan(30_000);
});

test.each([
	[10, 10],
	// A wait is at most an hour and at least 15 seconds.
	[90, 60],
	[0, 0.25],
	[undefined, 0.25],
])(
	'a refusal with a Retry-After of %p minutes causes a wait of %d minutes',
	async (asked, expected) => {
		const { context } = service.startProcess();
		const workspace = new Workspace();
		const { id } = service.create('x', { product_name: 'Pan' });
		const sentAt = answerCreates(service, [[...BUSY, asked]]);
		// Another caller waits for a running brief, and polls.
		const brief = await context.client.getBrief(id);
		const deadline = service.clock.now() + HOUR;
		const waiting = workspace.poller.waitUntilFinished(brief, deadline, context);
		await Promise.all(
			[MUG, { product_name: 'Cup' }].map((input) => order(service, input, { workspace, context })),
		);
		await waiting;
		const [refused = 0, repeated = 0] = sentAt;
		const minutes = (repeated - refused) / MINUTE;
		expect(minutes).toBeGreaterThanOrEqual(expected);
		// The next poll can be up to a minute later.
		expect(minutes).toBeLessThan(expected + 1);
		// The refusal delays create requests alone: the other caller's brief was ready after 20 minutes.
		expect(service.count('list_briefs')).toBeGreaterThanOrEqual(40);
	},
);
