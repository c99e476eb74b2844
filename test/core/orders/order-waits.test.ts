import { Workspace } from '../../../core/workspace/workspace';
import { COOKS } from '../support/decisions';
import { makeOrder } from '../support/facts';
import {
	answerCreates,
	BUSY,
	CONFLICT,
	makeSent,
	MemoryLog,
	MUG,
	orderMug,
	RATE_LIMIT,
	takeBothSlots,
	type Answer,
} from '../support/orders';
import { refuse } from '../../support/faults';
import { DAY, MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/**
 * The waits of an order in its turn: how long they last, and what is checked again after them. Old keys are in
 * old-keys.test.ts, and slot refusals in slot-refusals.test.ts.
 */

let service: VirtualService;
beforeEach(() => (service = new VirtualService()));

describe('while an order waits after its request', () => {
	const ANSWERS: Answer[] = [RATE_LIMIT, BUSY, 'not sent', 'lost', [500], CONFLICT];

	test.each(ANSWERS)(
		'a brief in another spelling appears after %j, and is used',
		async (answer) => {
			answerCreates(service, [answer]);
			service.callBeforeFirstCreate(() => service.create('x', { product_name: 'MUG' }));
			const { result } = await orderMug(service);
			expect(result).toMatchObject({ decision: { kind: 'use', brief: { product_name: 'MUG' } } });
			expect(service.created).toHaveLength(1);
		},
	);

	test.each(ANSWERS)('two other briefs begin after %j, and use the slots', async (answer) => {
		answerCreates(service, [answer]);
		service.callBeforeFirstCreate(() => takeBothSlots(service));
		expect((await orderMug(service)).end).toBe('created');
		expect(service.created).toHaveLength(3);
		expect(service.mostRunning).toBe(2);
	});

	test.each<[Answer, string]>([
		[RATE_LIMIT, 'stopped: allowance_used_up'],
		[BUSY, 'stopped: allowance_used_up'],
		// The brief might have been created.
		['lost', 'created'],
	])('the last brief of the month is ordered after %j: %s', async (answer, end) => {
		service = new VirtualService({ allowance: 1 });
		answerCreates(service, [answer]);
		service.callBeforeFirstCreate(() => service.create('x', { product_name: 'Pan' }));
		// The service accepts the order, so that only our own check can stop it.
		const { intercept } = service;
		service.intercept = (request) => {
			const answered = intercept(request);
			if (answered !== null || request.operation !== 'create_brief') return answered;
			const body = JSON.stringify(service.show(service.createFromRequest(request)));
			return { status: 202, body };
		};
		expect((await orderMug(service)).end).toBe(end);
	});

	test.each<[Answer, string]>([
		[RATE_LIMIT, 'stopped: stopped_by_caller'],
		['lost', 'unconfirmed: stopped_by_caller'],
	])('the caller stops it after %j: %s', async (answer, end) => {
		const sentAt = answerCreates(service, [answer]);
		expect((await orderMug(service, { isStopped: () => sentAt.length > 0 })).end).toBe(end);
		expect(sentAt).toHaveLength(1);
	});

	test('another execution sends its key, which then counts as sent', async () => {
		const log = new MemoryLog();
		const sentAt = answerCreates(service, [RATE_LIMIT, [400]]);
		const waiting = orderMug(service, { log });
		await service.clock.pass(MINUTE);
		await log.recordSent(makeOrder({ input: MUG }), service.clock.now());
		expect((await waiting).end).toBe('unconfirmed: refused');
		expect(sentAt).toHaveLength(2);
	});
});

describe('an order that waits for a slot', () => {
	beforeEach(() => {
		service = new VirtualService({ briefMs: 20 * MINUTE });
		takeBothSlots(service);
	});

	test('is not sent if the caller stops it meanwhile', async () => {
		const start = service.clock.now();
		const isStopped = () => service.clock.now() > start + MINUTE;
		const { end, minutes } = await orderMug(service, { isStopped });
		expect(end).toBe('stopped: stopped_by_caller');
		expect(minutes).toBeGreaterThanOrEqual(20);
		expect(service.count('create_brief')).toBe(0);
	});

	test('is compared with the page that shows the free slot', async () => {
		const waiting = orderMug(service);
		await service.clock.pass(19.9 * MINUTE);
		service.create('x', { product_name: 'MUG' });
		expect((await waiting).end).toBe('decided: use');
	});
});

describe('the page that permits a request', () => {
	/** Returns how long before each create request the list was last requested, in seconds. */
	function watchPages(): number[] {
		const ages: number[] = [];
		const { intercept } = service;
		let listedAt = -Infinity;
		service.intercept = (request) => {
			if (request.operation === 'list_briefs') listedAt = service.clock.now();
			if (request.operation === 'create_brief') ages.push((service.clock.now() - listedAt) / 1000);
			return intercept(request);
		};
		return ages;
	}

	test('is read again if inputs took more than a minute to read', async () => {
		service.create('x', COOKS);
		service.delayAnswer = () => (service.requests.at(-1)?.operation === 'get_brief' ? 61_000 : 0);
		const ages = watchPages();
		const waiting = orderMug(service);
		await service.clock.pass(30_000);
		service.create('x', { product_name: 'MUG' });
		expect((await waiting).end).toBe('decided: use');
		expect(ages).toEqual([]);
	});

	test('is read again after a rate limit that another request has reached', async () => {
		service.create('x', COOKS);
		const { context } = service.startProcess();
		const workspace = new Workspace();
		await workspace.allowance.read(context);
		service.intercept = ({ operation }) =>
			operation === 'list_licences' ? refuse([429, 'rate_limited', 50]) : null;
		const ages = watchPages();
		// The rate limit is reached while the input of the listed brief is fetched.
		const isStopped = () => {
			void context.client.listLicences().catch(() => null);
			return false;
		};
		const { end, minutes } = await orderMug(service, { workspace, context, isStopped });
		expect(end).toBe('created');
		expect(minutes).toBeGreaterThanOrEqual(50);
		expect(ages).toHaveLength(1);
		expect(ages[0]).toBeLessThan(60);
	});

	test('is read until the deadline if each page is too old when it arrives', async () => {
		service.delayAnswer = () => (service.requests.at(-1)?.operation === 'list_briefs' ? 61_000 : 0);
		const deadline = service.clock.now() + 10 * MINUTE;
		const { end, minutes } = await orderMug(service, { deadline });
		expect(end).toBe('stopped: deadline');
		expect(minutes).toBeLessThan(12);
		expect(service.count('create_brief')).toBe(0);
	});
});

describe('the wait of an order', () => {
	test.each<[string, Answer, string, number, number]>([
		['three requests without an answer', 'lost', 'unconfirmed: no_answer', 1, 2],
		['three requests in conflict', CONFLICT, 'unconfirmed: refused', 1, 2],
		['half an hour without a connection', 'not sent', 'stopped: error', 30, 31],
		['an hour of rate limits', RATE_LIMIT, 'stopped: error', 50, 61],
		['two hours of slot refusals', BUSY, 'stopped: deadline', 120, 121],
	])('ends after %s', async (_title, answer, expected, min, max) => {
		const sentAt = answerCreates(service, [], answer);
		const deadline = service.clock.now() + DAY;
		const { end, minutes } = await orderMug(service, { deadline });
		expect(end).toBe(expected);
		expect(sentAt.length).toBeGreaterThanOrEqual(3);
		expect(minutes).toBeGreaterThanOrEqual(min);
		expect(minutes).toBeLessThan(max);
	});

	test('is limited over all of its requests', async () => {
		const sentAt = answerCreates(service, ['lost', BUSY, 'lost', RATE_LIMIT, 'lost', 'usual']);
		expect((await orderMug(service)).end).toBe('unconfirmed: no_answer');
		expect(sentAt).toHaveLength(5);
	});

	test('is not ended by a rate limit after three requests without an answer', async () => {
		const answers: Answer[] = ['lost', 'lost', 'lost', RATE_LIMIT, RATE_LIMIT, 'usual'];
		const sentAt = answerCreates(service, answers);
		expect((await orderMug(service)).end).toBe('created');
		expect(sentAt).toHaveLength(6);
	});

	test('has three requests, even if every answer is slow', async () => {
		const sentAt = answerCreates(service, [], 'lost');
		service.delayAnswer = () =>
			service.requests.at(-1)?.operation === 'create_brief' ? 70_000 : 0;
		expect((await orderMug(service)).end).toBe('unconfirmed: no_answer');
		expect(sentAt).toHaveLength(3);
	});

	test('ends a minute after a rate limit', async () => {
		answerCreates(service, [[429, 'rate_limited', 5]], 'lost');
		const { end, minutes } = await orderMug(service);
		expect(end).toBe('unconfirmed: no_answer');
		expect(minutes).toBeGreaterThanOrEqual(6);
	});

	test.each([
		[25, 'created'],
		[40, 'unconfirmed: error'],
	])('in an outage of %i minutes ends as %s', async (outage, end) => {
		let downSince = Infinity;
		service.intercept = ({ operation }) => {
			if (operation === 'create_brief') downSince = Math.min(downSince, service.clock.now());
			const age = service.clock.now() - downSince;
			return age >= 0 && age < outage * MINUTE ? 'lost' : null;
		};
		const { context } = service.startProcess();
		// brief-batch waits for the list as long as for an answer.
		const patient = { ...context, readLimits: context.createLimits };
		expect((await orderMug(service, { context: patient })).end).toBe(end);
	});

	test('ends unconfirmed if no slot becomes free until a minute after the deadline', async () => {
		service = new VirtualService({ briefMs: 50 * MINUTE });
		service.interceptCreates((_, count) => {
			if (count > 1) return refuse(BUSY);
			takeBothSlots(service);
			return 'lost';
		});
		const deadline = service.clock.now() + 10 * MINUTE;
		const { end, minutes } = await orderMug(service, { deadline });
		expect(end).toBe('unconfirmed: deadline');
		expect(minutes).toBeGreaterThanOrEqual(11);
		expect(minutes).toBeLessThan(12);
	});

	test('ends at the deadline if this command has not sent the order', async () => {
		service = new VirtualService({ briefMs: 50 * MINUTE });
		takeBothSlots(service);
		for (const order of [makeOrder({ input: MUG }), makeSent(service, 5, 5)]) {
			const deadline = service.clock.now() + 10 * MINUTE;
			await orderMug(service, { deadline, order });
			expect(service.clock.now()).toBeLessThan(deadline + MINUTE);
		}
	});

	test('in an outage ends at the deadline of the retries', async () => {
		service.intercept = () => (service.count('create_brief') > 0 ? 'lost' : null);
		const deadline = service.clock.now() + 5 * MINUTE;
		const limits = { failures: Infinity, rateLimits: Infinity, deadline };
		const { context } = service.startProcess();
		const limited = { ...context, readLimits: limits, createLimits: limits };
		const { end, minutes } = await orderMug(service, { context: limited });
		expect(end).toBe('unconfirmed: error');
		expect(minutes).toBeGreaterThan(4);
		expect(minutes).toBeLessThan(5.1);
	});
});
