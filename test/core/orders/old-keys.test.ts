import { KEY_RESEND_WINDOW_MS, LIST_LAG_MS } from '../../../core/assumptions';
import {
	getKeySafety,
	isKeyRemembered,
	type CreateOptions,
	type SentTimes,
} from '../../../core/orders/create-brief';
import type { RequestContext } from '../../../core/workspace/request-context';
import { answerCreates, BUSY, orderMug, refuse } from '../support/orders';
import { HOUR, MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/**
 * If the service counts the age of a key from its first request, it can forget a key that was sent again a moment ago. So the
 * age of a key never restarts, and no request is sent after its key has expired.
 */

test('a brief is listed before its key can be forgotten', () => {
	expect(LIST_LAG_MS).toBeLessThan(KEY_RESEND_WINDOW_MS);
});

test.each([
	[1, 13, 'safe'],
	[57, 13, 'safe'],
	[60, 13, 'search_list'],
	[60, 11, 'wait'],
	// In the future, because a clock was wrong.
	[-11, 13, 'safe'],
	[-13, 13, 'search_list'],
])(
	'a key first sent %i and last sent %i minutes ago is classified as %s',
	(first, last, expected) => {
		const now = Date.UTC(2026, 10, 10);
		const [firstSentAt, lastSentAt] = [now - first * MINUTE, now - last * MINUTE];
		expect(getKeySafety({ firstSentAt, lastSentAt }, now)).toBe(expected);
		expect(isKeyRemembered(firstSentAt, now)).toBe(expected === 'safe');
	},
);

let service: VirtualService;
let context: RequestContext;
beforeEach(async () => {
	service = new VirtualService({ isKeyAgedFromFirstRequest: true });
	({ context } = service.startProcess());
	await context.client.listBriefs();
});

/** Orders a mug whose key was first sent `firstSent` minutes ago. */
async function orderWithOldKey(
	firstSent: number,
	unanswered: number | null,
	options: Partial<CreateOptions> = {},
): Promise<{ end: string; firstSentAt: number; recorded: number[] }> {
	const now = context.client.now();
	const firstSentAt = now - firstSent * MINUTE;
	const unansweredAt = unanswered === null ? null : now - unanswered * MINUTE;
	const recorded: number[] = [];
	const recordRequest = async (sent: SentTimes) => void recorded.push(sent.firstSentAt);
	const { end } = await orderMug(service, {
		request: { firstSentAt, unansweredAt },
		options: { recordRequest, ...options },
		context,
	});
	return { end, firstSentAt, recorded };
}

test('an unconfirmed order whose key is old is sent if the list shows no brief', async () => {
	expect((await orderWithOldKey(180, 120)).end).toBe('created');
});

test('an old key keeps the time of its first request and is not repeated after a lost answer', async () => {
	answerCreates(service, [], 'lost');
	const { end, firstSentAt, recorded } = await orderWithOldKey(180, 120);
	expect(end).toBe('key_expired');
	expect(recorded).toEqual([firstSentAt]);
});

test('an old key waits outside its turn if the last request was a moment ago', async () => {
	const beforeSend = jest.fn();
	expect((await orderWithOldKey(180, 1, { beforeSend })).end).toBe('key_expired');
	expect(beforeSend).not.toHaveBeenCalled();
	expect(service.count('create_brief')).toBe(0);
});

test('a single answer with a wrong date does not make an old key young', async () => {
	service.intercept = ({ operation }) => {
		if (operation !== 'list_briefs') return null;
		const headers = { date: new Date(service.clock.now() - 30 * MINUTE).toUTCString() };
		return { status: 200, headers, body: '{"data":[],"next_cursor":null}' };
	};
	expect((await orderWithOldKey(70, 5)).end).toBe('key_expired');
	expect(service.count('create_brief')).toBe(0);
});

test('no request is sent after the key’s hour if every answer and the list are lost', async () => {
	let lastSentAt = 0;
	service.intercept = ({ operation }) => {
		if (operation === 'create_brief') lastSentAt = service.clock.now();
		return lastSentAt > 0 ? 'lost' : null;
	};
	const { end, firstSentAt } = await orderWithOldKey(50, null);
	expect(end).toBe('outage');
	expect(lastSentAt - firstSentAt).toBeLessThan(HOUR);
});

test('a key that was refused because both slots are in use keeps the time of its first request', async () => {
	answerCreates(service, [BUSY], 'lost');
	const { intercept } = service;
	service.intercept = (request) => {
		const isDown = request.operation === 'list_briefs' && service.count('create_brief') > 1;
		return isDown ? 'lost' : intercept(request);
	};
	const recorded = new Set<number>();
	const { end, minutes } = await orderMug(service, {
		options: {
			recordSlotRefusal: () => service.clock.pass(51 * MINUTE),
			recordRequest: async (sent) => void recorded.add(sent.firstSentAt),
		},
	});
	expect(end).toBe('outage');
	expect(recorded.size).toBe(1);
	expect(minutes).toBeLessThan(70);
});

test('a rate limit that outlasts the key ends the order without another request', async () => {
	const sentAt = answerCreates(service, [[429, 'rate_limited', 50]]);
	expect((await orderWithOldKey(30, 30)).end).toBe('key_expired');
	expect(sentAt).toHaveLength(1);
});

describe('a rate limit of another request that outlasts the key', () => {
	async function reachLimit(): Promise<void> {
		await context.client.listLicences().catch(() => null);
	}
	beforeEach(() => {
		service.intercept = ({ operation }) =>
			operation === 'list_licences' ? refuse(service, [429, 'rate_limited', 50]) : null;
	});

	test('ends the order if it was reached before the request was recorded', async () => {
		const beforeSend = async () => (await reachLimit(), 'send' as const);
		expect((await orderWithOldKey(30, 30, { beforeSend })).end).toBe('key_expired');
		expect(service.count('create_brief')).toBe(0);
	});

	test('does not delay a request that is already recorded', async () => {
		const { end, firstSentAt } = await orderWithOldKey(30, 30, { recordRequest: reachLimit });
		expect(end).toBe('created');
		expect(service.created[0]!.createdAt - firstSentAt).toBeLessThan(KEY_RESEND_WINDOW_MS);
	});
});
