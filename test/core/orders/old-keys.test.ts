import { KEY_RESEND_WINDOW_MS, LIST_LAG_MS } from '../../../core/assumptions';
import {
	getKeySafety,
	isKeyRemembered,
	type CreateOptions,
} from '../../../core/orders/create-brief';
import {
	createBrief,
	getEnd,
	interceptCreates,
	MUG,
	USUAL,
	withRetryAfter,
} from '../support/orders';
import { HOUR, MINUTE, VirtualService } from '../support/virtual-service';

/**
 * A service that counts the age of a key from the first request with it can forget the key soon, although it was sent
 * again a moment ago. So an old key never becomes young, whichever order sent it, and no request outlives its key.
 */

test('a brief is listed before its key can be forgotten', () => {
	expect(LIST_LAG_MS).toBeLessThan(KEY_RESEND_WINDOW_MS);
});

test.each([
	['a minute ago', 1, 'safe'],
	['57 minutes ago', 57, 'safe'],
	['an hour ago', 60, 'search_list'],
	['in the future by eleven minutes, because a clock was wrong', -11, 'safe'],
	['in the future by thirteen minutes', -13, 'search_list'],
])('a key that was first sent %s is judged by its age', (_title, minutes, expected) => {
	const now = Date.UTC(2026, 10, 10);
	const lastSentAt = now - 13 * MINUTE;
	expect(getKeySafety({ firstSentAt: now - minutes * MINUTE, lastSentAt }, now)).toBe(expected);
	expect(isKeyRemembered(now - minutes * MINUTE, now)).toBe(expected === 'safe');
});

test.each([
	[11, 'wait'],
	[13, 'search_list'],
])('an old key waits until %i minutes after the last request: %s', (minutes, expected) => {
	const now = Date.UTC(2026, 10, 10);
	const sent = { firstSentAt: now - 2 * HOUR, lastSentAt: now - minutes * MINUTE };
	expect(getKeySafety(sent, now)).toBe(expected);
});

describe('an unconfirmed order whose key is three hours old', () => {
	const service = () => {
		const virtual = new VirtualService(USUAL);
		const now = virtual.clock.now();
		const request = { firstSentAt: now - 3 * HOUR, unansweredAt: now - 2 * HOUR };
		return { virtual, request };
	};

	test('is sent if the list shows no brief', async () => {
		const { virtual, request } = service();
		expect(getEnd(await createBrief(virtual, MUG, { request }))).toBe('created');
	});

	test('keeps the time of its first request and is not repeated after a lost answer', async () => {
		const { virtual, request } = service();
		interceptCreates(virtual, () => 'lost');
		const recorded: number[] = [];
		const recordRequest = async (sent: { firstSentAt: number }) =>
			void recorded.push(sent.firstSentAt);
		const result = await createBrief(virtual, MUG, { request, options: { recordRequest } });
		expect(getEnd(result)).toBe('key_expired');
		expect(recorded).toEqual([request.firstSentAt]);
	});

	test('waits outside its turn if the last request was a moment ago', async () => {
		const { virtual, request } = service();
		const recent = { ...request, unansweredAt: virtual.clock.now() - MINUTE };
		const beforeSend = jest.fn();
		const result = await createBrief(virtual, MUG, { request: recent, options: { beforeSend } });
		expect(getEnd(result)).toBe('key_expired');
		expect(beforeSend).not.toHaveBeenCalled();
		expect(virtual.count('create_brief')).toBe(0);
	});
});

test('a single answer with a wrong date does not make an old key young', async () => {
	const service = new VirtualService(USUAL);
	const { context } = service.startProcess();
	await context.client.listBriefs();
	const now = service.clock.now();
	service.intercept = ({ operation }) => {
		if (operation !== 'list_briefs') return null;
		const headers = { date: new Date(service.clock.now() - 30 * MINUTE).toUTCString() };
		return { status: 200, headers, body: '{"data":[],"next_cursor":null}' };
	};
	const request = { firstSentAt: now - 70 * MINUTE, unansweredAt: now - 5 * MINUTE };
	expect(getEnd(await createBrief(service, MUG, { request, context }))).toBe('key_expired');
	expect(service.count('create_brief')).toBe(0);
});

test('no request is sent after the key’s hour if every answer and the list are lost', async () => {
	const service = new VirtualService({ ...USUAL, keysCountFromFirstRequest: true });
	const { context } = service.startProcess();
	await context.client.listBriefs();
	const firstSentAt = context.client.now() - 50 * MINUTE;
	let lastSentAt = 0;
	service.intercept = ({ operation }) => {
		if (operation === 'create_brief') lastSentAt = service.clock.now();
		return lastSentAt > 0 ? 'lost' : null;
	};
	const result = await createBrief(service, MUG, { request: { firstSentAt }, context });
	expect(getEnd(result)).toBe('outage');
	expect(lastSentAt - firstSentAt).toBeLessThan(HOUR);
});

test('a key that was refused for want of a slot keeps the time of its first request', async () => {
	const service = new VirtualService(USUAL);
	const start = service.clock.now();
	let creates = 0;
	service.intercept = ({ operation }) => {
		const isDown = service.clock.now() > start + 50 * MINUTE;
		if (operation === 'list_briefs') return isDown && creates > 1 ? 'lost' : null;
		if (operation !== 'create_brief') return null;
		creates += 1;
		return isDown ? 'lost' : service.refuse(429, 'too_many_briefs').answer;
	};
	const recorded = new Set<number>();
	const options = {
		// The order waits for 51 minutes after the refusal.
		recordSlotRefusal: () => service.clock.pass(51 * MINUTE),
		recordRequest: async (sent: { firstSentAt: number }) => void recorded.add(sent.firstSentAt),
	};
	expect(getEnd(await createBrief(service, MUG, { options }))).toBe('outage');
	expect(recorded.size).toBe(1);
	expect(service.clock.now() - start).toBeLessThan(70 * MINUTE);
});

test('a rate limit that outlasts the key ends the order without another request', async () => {
	const service = new VirtualService({ ...USUAL, keysCountFromFirstRequest: true });
	const { context } = service.startProcess();
	await context.client.listBriefs();
	const sentAt = context.client.now() - 30 * MINUTE;
	interceptCreates(service, (count) =>
		count === 1 ? withRetryAfter(service.refuse(429, 'rate_limited').answer, 50) : null,
	);
	const request = { firstSentAt: sentAt, unansweredAt: sentAt };
	expect(getEnd(await createBrief(service, MUG, { request, context }))).toBe('key_expired');
	expect(service.count('create_brief')).toBe(1);
});

describe('a rate limit of another request that outlasts the key', () => {
	const MINUTES = 50;

	/** Orders a brief whose key is 30 minutes old. `reachLimit` lets another request reach the rate limit. */
	async function orderWith(
		makeOptions: (reachLimit: () => Promise<void>) => Partial<CreateOptions>,
	) {
		const service = new VirtualService({ ...USUAL, keysCountFromFirstRequest: true });
		const { context } = service.startProcess();
		await context.client.listBriefs();
		const firstSentAt = context.client.now() - 30 * MINUTE;
		let sentAt = firstSentAt;
		service.intercept = ({ operation }) => {
			if (operation === 'create_brief') sentAt = service.clock.now();
			return operation === 'list_licences'
				? withRetryAfter(service.refuse(429, 'rate_limited').answer, MINUTES)
				: null;
		};
		const options = makeOptions(async () => {
			await context.client.listLicences().catch(() => null);
		});
		const request = { firstSentAt, unansweredAt: firstSentAt };
		const result = await createBrief(service, MUG, { request, options, context });
		return { end: getEnd(result), keyAge: sentAt - firstSentAt };
	}

	test('ends the order if it was reached before the request was recorded', async () => {
		const { end, keyAge } = await orderWith((reachLimit) => ({
			beforeSend: async () => (await reachLimit(), 'send'),
		}));
		expect(end).toBe('key_expired');
		expect(keyAge).toBe(0);
	});

	test('does not delay a request that is already recorded', async () => {
		const { end, keyAge } = await orderWith((reachLimit) => ({ recordRequest: reachLimit }));
		expect(end).toBe('created');
		expect(keyAge).toBeLessThan(KEY_RESEND_WINDOW_MS);
	});
});
