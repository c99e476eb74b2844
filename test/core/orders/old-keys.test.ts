import { KEY_RESEND_WINDOW_MS, LIST_LAG_MS } from '../../../core/assumptions';
import { correctFutureTimes, getKeySafety, isListBehind } from '../../../core/orders/order';
import type { RequestContext } from '../../../core/workspace/request-context';
import { makeOrder } from '../support/facts';
import {
	answerCreates,
	BUSY,
	makeSent,
	MemoryLog,
	MUG,
	orderMug,
	takeBothSlots,
	type Setup,
} from '../support/orders';
import { refuse } from '../../support/faults';
import { HOUR, MINUTE } from '../../support/time';
import { VirtualService, type ServiceBehavior } from '../../support/virtual-service';

/**
 * If the service counts the age of a key from its first request, it can forget a key that was sent again a moment ago. So the
 * age of a key never restarts, and an old key is sent only if the list proves that no request has created a brief.
 */

test('a brief is listed before its key can be forgotten', () => {
	expect(LIST_LAG_MS).toBeLessThan(KEY_RESEND_WINDOW_MS);
});

test.each([
	[0, 0, 'remembered'],
	[1, 1, 'remembered'],
	[57.9, 13, 'remembered'],
	[57.9, 0, 'remembered'],
	[58, 12, 'search_list'],
	[58, 11.9, 'wait'],
	// The clocks of the service's servers differ by less than a minute.
	[-0.9, -0.9, 'remembered'],
	// In the future, because a clock was set.
	[-1, 12, 'search_list'],
	[-1, 11, 'wait'],
	[-1, -1, 'wait'],
])(
	'a key first sent %d and last sent %d minutes before the list was read is classified as %s',
	(first, last, expected) => {
		const readAt = Date.UTC(2026, 10, 10);
		const [firstSentAt, lastSentAt] = [readAt - first * MINUTE, readAt - last * MINUTE];
		expect(getKeySafety({ firstSentAt, lastSentAt }, readAt)).toBe(expected);
		expect(isListBehind(lastSentAt, readAt)).toBe(last < 12);
	},
);

test('a last request in the future counts as sent now', () => {
	expect(correctFutureTimes({ firstSentAt: 9, lastSentAt: 11 }, 10)).toEqual({
		firstSentAt: 9,
		lastSentAt: 10,
	});
	expect(correctFutureTimes({ firstSentAt: 8, lastSentAt: 9 }, 10).lastSentAt).toBe(9);
});

let service: VirtualService;
let context: RequestContext;
async function start(behavior: Partial<ServiceBehavior> = {}): Promise<void> {
	service = new VirtualService({ isKeyAgedFromFirstRequest: true, ...behavior });
	({ context } = service.startProcess());
	await context.client.listBriefs();
}
beforeEach(() => start());

/** Orders a mug whose key was first and last sent this long ago, in minutes. */
async function orderWithOldKey(first: number, last: number, setup: Setup = {}) {
	const order = makeSent(service, first, last);
	const log = new MemoryLog();
	const ended = await orderMug(service, { context, order, log, ...setup });
	return { ...ended, firstSentAt: order.state.firstSentAt, sent: log.times.get(order.key) };
}

test('an old key is sent if the list shows no brief', async () => {
	expect((await orderWithOldKey(180, 120)).end).toBe('created');
});

test('an old key keeps the time of its first request and is not repeated after a lost answer', async () => {
	const sentAt = answerCreates(service, [], 'lost');
	const { end, firstSentAt, sent } = await orderWithOldKey(180, 120);
	expect(end).toBe('decided: wait');
	expect(sent?.firstSentAt).toBe(firstSentAt);
	expect(sentAt).toHaveLength(1);
});

test('an old key that is refused is like a new key, because the list has proved that nothing was created', async () => {
	answerCreates(service, [[400]]);
	expect((await orderWithOldKey(180, 120)).end).toBe('rejected');
});

test('an old key waits outside its turn while the list can be eleven minutes behind, and then finds its brief', async () => {
	await start({ listLagMs: 11 * MINUTE });
	service.create(makeOrder({ input: MUG }).key, MUG);
	await service.clock.pass(5 * MINUTE);
	const { end, minutes } = await orderWithOldKey(70, 5);
	expect(end).toBe('decided: wait');
	expect(minutes).toBeLessThan(1);
	await service.clock.pass(7 * MINUTE);
	expect((await orderWithOldKey(77, 12)).end).toBe('decided: use');
	expect(service.created).toHaveLength(1);
});

test('an old key is not sent if another brief of the product has appeared', async () => {
	const { id } = service.create('x', { ...MUG, audience: 'Cooks' });
	await service.clock.pass(HOUR);
	const { result } = await orderWithOldKey(180, 120);
	expect(result).toMatchObject({ decision: { kind: 'ask', briefIds: [id] } });
	expect(service.count('create_brief')).toBe(0);
});

test('a single answer with a wrong date does not make an old key young', async () => {
	service.intercept = ({ operation }) => {
		if (operation !== 'list_briefs') return null;
		const headers = { date: new Date(service.clock.now() - 30 * MINUTE).toUTCString() };
		return { status: 200, headers, body: '{"data":[],"next_cursor":null}' };
	};
	expect((await orderWithOldKey(70, 5)).end).toBe('decided: wait');
	expect(service.count('create_brief')).toBe(0);
});

test('no request is sent after the key’s hour if every answer and the list are lost', async () => {
	let lastSentAt = 0;
	service.intercept = ({ operation }) => {
		if (operation === 'create_brief') lastSentAt = service.clock.now();
		return lastSentAt > 0 ? 'lost' : null;
	};
	const patient = { ...context, readLimits: context.createLimits };
	const { end, firstSentAt } = await orderWithOldKey(50, 50, { context: patient });
	expect(end).toBe('unconfirmed: error');
	expect(lastSentAt - firstSentAt).toBeLessThan(HOUR);
});

test('a key that was refused because both slots are in use keeps the time of its first request', async () => {
	await start({ briefMs: 51 * MINUTE });
	const sentAt = answerCreates(service, [BUSY], 'lost');
	service.callBeforeFirstCreate(() => takeBothSlots(service));
	const log = new MemoryLog();
	const { end } = await orderMug(service, { context, log });
	const { firstSentAt, lastSentAt } = log.times.get(makeOrder({ input: MUG }).key)!;
	expect(end).toBe('unconfirmed: no_answer');
	expect(lastSentAt - firstSentAt).toBeGreaterThan(51 * MINUTE);
	expect(sentAt.at(-1)! - sentAt[0]!).toBeLessThan(58 * MINUTE);
});

test('a rate limit that outlasts the key ends with another request only if the list shows no brief', async () => {
	const sentAt = answerCreates(service, [[429, 'rate_limited', 50]]);
	const waiting = orderWithOldKey(30, 30);
	await service.clock.pass(MINUTE);
	service.create(makeOrder({ input: MUG }).key, MUG);
	expect((await waiting).end).toBe('decided: use');
	expect(sentAt).toHaveLength(1);
});

test('a rate limit of another request does not delay a request that is already recorded', async () => {
	service.intercept = ({ operation }) =>
		operation === 'list_licences' ? refuse([429, 'rate_limited', 50]) : null;
	class LimitedLog extends MemoryLog {
		override async recordSent(...sent: Parameters<MemoryLog['recordSent']>) {
			await context.client.listLicences().catch(() => null);
			return await super.recordSent(...sent);
		}
	}
	const { end, minutes } = await orderWithOldKey(30, 30, { log: new LimitedLog() });
	expect(end).toBe('created');
	expect(minutes).toBeLessThan(1);
});
