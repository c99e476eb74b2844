import { SendFailure, type WireResponse } from '../../../core/api/ports';
import type { BriefInput } from '../../../core/api/types';
import type { Policy } from '../../../core/orders/decide-order';
import type { SendResult } from '../../../core/orders/send-order';
import { Workspace } from '../../../core/workspace/workspace';
import { makeOrder, makeSettled, makeUnconfirmed } from '../support/facts';
import {
	answerCreates,
	BUSY,
	getEnd,
	interceptCreates,
	MemoryLog,
	MUG,
	order,
	orderMug,
	refuse,
	takeBothSlots,
	type Answer,
	type Setup,
} from '../support/orders';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** A single order in its turn. Old keys are in old-keys.test.ts, and slot refusals in slot-refusals.test.ts. */

const CONFLICT: Answer = [409, 'conflict'];
const RATE_LIMIT: Answer = [429, 'rate_limited', 10];
const COOKS: BriefInput = { ...MUG, audience: 'Cooks' };
const REORDERS: Partial<Policy> = { wish: 'reorder' };

let service: VirtualService;
beforeEach(() => (service = new VirtualService()));

/** Returns an order whose key was first and last sent this long ago, in minutes. */
function makeSent(first: number, last: number, shown: readonly string[] = []) {
	const unconfirmed = makeUnconfirmed(0, 0, { input: MUG, shown });
	const now = service.clock.now();
	const times = { firstSentAt: now - first * MINUTE, lastSentAt: now - last * MINUTE };
	return { ...unconfirmed, state: { ...unconfirmed.state, ...times } };
}

describe('an order', () => {
	test.each<[Answer[], string]>([
		[['usual'], 'created'],
		[['lost', 'usual'], 'created'],
		[[CONFLICT, CONFLICT, 'usual'], 'created'],
		[['not sent', 'usual'], 'created'],
		[[RATE_LIMIT, 'usual'], 'created'],
		// The list shows the brief.
		[['lost after the work'], 'decided: use'],
		// Nothing was created.
		[[[400, 'validation_failed']], 'rejected'],
		[[[404, 'not_found']], 'rejected'],
		[['not sent', [400]], 'rejected'],
		[[RATE_LIMIT, [400]], 'rejected'],
		// Every other order would be refused.
		[[[401, 'unauthorized']], 'stopped: error'],
		[[[403, 'insufficient_scope']], 'stopped: error'],
		[[[403, 'licence_required']], 'stopped: error'],
		[[[429, 'allowance_reached']], 'stopped: error'],
		// An earlier request might have created the brief.
		[['lost', [400]], 'unconfirmed: refused'],
		[[CONFLICT, [400]], 'unconfirmed: refused'],
		[[[500], [400]], 'unconfirmed: refused'],
		[[[202], [400]], 'unconfirmed: refused'],
		[['lost', RATE_LIMIT, [400]], 'unconfirmed: refused'],
		[['lost', [401, 'unauthorized']], 'unconfirmed: error'],
		[['lost', [403, 'insufficient_scope']], 'unconfirmed: error'],
	])('whose requests get the answers %j ends as %s', async (answers, end) => {
		const sentAt = answerCreates(service, answers);
		expect((await orderMug(service)).end).toBe(end);
		expect(sentAt).toHaveLength(answers.length);
		const isCreated = end === 'created' || end === 'decided: use';
		expect(service.created).toHaveLength(isCreated ? 1 : 0);
	});

	test('sends the same key and body each time', async () => {
		answerCreates(service, ['lost', 'not sent', RATE_LIMIT, 'usual']);
		await orderMug(service);
		const creates = service.requests.filter(({ operation }) => operation === 'create_brief');
		expect(creates).toHaveLength(4);
		expect(new Set(creates.map(({ body }) => body)).size).toBe(1);
		expect(service.created).toMatchObject([{ key: makeOrder({ input: MUG }).key, input: MUG }]);
	});

	test('is not sent if the brief list cannot be read', async () => {
		service.intercept = ({ operation }) => (operation === 'list_briefs' ? 'lost' : null);
		expect((await orderMug(service)).end).toBe('stopped: error');
		expect(service.count('create_brief')).toBe(0);
	});

	test('is not sent if a brief of its product cannot be fetched', async () => {
		service.create('x', COOKS);
		service.intercept = ({ operation }) => (operation === 'get_brief' ? 'lost' : null);
		expect((await orderMug(service)).end).toBe('stopped: error');
		expect(service.count('create_brief')).toBe(0);
	});

	test('is not sent if a listed brief hides its input', async () => {
		service = new VirtualService({ isInputShown: false });
		const { id } = service.create('x', MUG);
		const { result } = await orderMug(service);
		expect(result).toMatchObject({ decision: { kind: 'ask', briefIds: [id] } });
		expect(service.count('create_brief')).toBe(0);
	});

	test('that an earlier command has sent is not sent again by a command that sends none', async () => {
		const sent = { order: makeSent(20, 20), policy: { canResend: false } };
		expect((await orderMug(service, sent)).end).toBe('decided: drop');
		expect(service.count('create_brief')).toBe(0);
	});

	test('is sent again by the command that has sent it, whatever the command', async () => {
		answerCreates(service, ['lost', 'usual']);
		expect((await orderMug(service, { policy: { canResend: false } })).end).toBe('created');
	});

	test('finds its brief however old it is', async () => {
		service = new VirtualService({ pageSize: 1 });
		const { key } = makeOrder({ input: MUG });
		service.create(key, MUG);
		for (let days = 0; days < 100; days += 20) {
			await service.clock.pass(20 * DAY);
			service.create('x', { product_name: `Pan ${days}` });
		}
		const { result } = await orderMug(service, { order: makeSent(144_000, 144_000) });
		expect(result).toMatchObject({ decision: { kind: 'use', source: 'own_unproven' } });
	});

	test('that is interrupted ends its wait for a slot', async () => {
		service = new VirtualService({ briefMs: HOUR });
		takeBothSlots(service);
		const { process, context } = service.startProcess();
		const waiting = order(service, MUG, { context });
		await service.clock.pass(MINUTE);
		process.interrupt();
		await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
		expect(service.count('create_brief')).toBe(0);
	});

	test('leaves its brief in the workspace, which needs no request to find it', async () => {
		const workspace = new Workspace();
		await orderMug(service, { workspace });
		expect(workspace.briefs.get(service.created[0]!.id)?.product_name).toBe('Mug');
	});

	test('teaches the workspace how the service shows inputs', async () => {
		const workspace = new Workspace();
		interceptCreates(service, (_count, request) => {
			const shown = service.show(service.createFromRequest(request));
			const body = JSON.stringify({ ...shown, input: { ...MUG, audience: 'People who cook' } });
			return { ...refuse(service, [202]), body };
		});
		await order(service, COOKS, { workspace });
		expect(workspace.display.isRewritten('audience')).toBe(true);
		expect(workspace.display.showsFields).toBe(true);
	});
});

describe('while an order waits after its request', () => {
	/** Answers the first create request. Meanwhile, another process acts. */
	function answerFirst(answer: Answer, act: () => void): void {
		interceptCreates(service, (count) => {
			if (count > 1) return null;
			act();
			if (answer === 'not sent') throw new SendFailure('connect ECONNREFUSED', false);
			return typeof answer === 'string' ? 'lost' : refuse(service, answer);
		});
	}
	const ANSWERS: Answer[] = [RATE_LIMIT, BUSY, 'not sent', 'lost', [500], CONFLICT];

	test.each(ANSWERS)(
		'a brief in another spelling appears after %j, and is used',
		async (answer) => {
			answerFirst(answer, () => service.create('x', { product_name: 'MUG' }));
			const { result } = await orderMug(service);
			expect(result).toMatchObject({ decision: { kind: 'use', brief: { product_name: 'MUG' } } });
			expect(service.created).toHaveLength(1);
		},
	);

	test.each(ANSWERS)('two other briefs begin after %j, and use the slots', async (answer) => {
		answerFirst(answer, () => takeBothSlots(service));
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
		answerFirst(answer, () => service.create('x', { product_name: 'Pan' }));
		// The service accepts the order, so that only our own check can stop it.
		const { intercept } = service;
		service.intercept = (request) => {
			const answered = intercept(request);
			if (answered !== null || request.operation !== 'create_brief') return answered;
			const body = JSON.stringify(service.show(service.createFromRequest(request)));
			return { ...refuse(service, [202]), body };
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
			operation === 'list_licences' ? refuse(service, [429, 'rate_limited', 50]) : null;
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

	test('for a slot ends after two hours, however late its deadline is', async () => {
		service = new VirtualService({ briefMs: 10 * HOUR });
		const both = takeBothSlots(service);
		// Briefs that are listed as new never look stuck.
		const show = service.show.bind(service);
		service.show = (brief) => ({ ...show(brief), created_at: 'soon' });
		const { end, minutes, result } = await orderMug(service, {
			deadline: service.clock.now() + DAY,
		});
		expect(end).toBe('stopped: deadline');
		expect(minutes).toBeLessThan(121);
		expect(result).toMatchObject({ cause: { runningIds: both.toReversed() } });
	});

	test('is limited over all of its requests', async () => {
		const sentAt = answerCreates(service, ['lost', BUSY, 'lost', RATE_LIMIT, 'lost', 'usual']);
		expect((await orderMug(service)).end).toBe('unconfirmed: no_answer');
		expect(sentAt).toHaveLength(5);
	});

	test('is longer if the first three answers come within a minute', async () => {
		const sentAt = answerCreates(service, [], 'lost');
		await orderMug(service);
		expect(sentAt.length).toBeGreaterThan(3);
		expect(sentAt.at(-1)! - sentAt[0]!).toBeGreaterThanOrEqual(MINUTE);
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
		interceptCreates(service, (count) => {
			if (count > 1) return refuse(service, BUSY);
			takeBothSlots(service);
			return 'lost';
		});
		const deadline = service.clock.now() + 10 * MINUTE;
		const { end, minutes } = await orderMug(service, { deadline });
		expect(end).toBe('unconfirmed: deadline');
		expect(minutes).toBeGreaterThanOrEqual(11);
		expect(minutes).toBeLessThan(12);
	});

	test('lasts for a minute after the deadline only if the order was sent', async () => {
		service = new VirtualService({ briefMs: 50 * MINUTE });
		takeBothSlots(service);
		const deadline = service.clock.now() + 10 * MINUTE;
		for (const sent of [makeOrder({ input: MUG }), makeSent(5, 5)]) {
			await orderMug(service, { deadline, order: sent });
			expect(service.clock.now()).toBeLessThan(deadline + MINUTE);
		}
	});
});

describe('the deadline of the retries', () => {
	/** Orders with a deadline in five minutes. The answers begin with the first create request. */
	async function orderWithDeadline(answer: () => WireResponse | 'lost') {
		service.intercept = () => (service.count('create_brief') > 0 ? answer() : null);
		const deadline = service.clock.now() + 5 * MINUTE;
		const limits = { failures: Infinity, rateLimits: Infinity, deadline };
		const { context } = service.startProcess();
		const limited = { ...context, readLimits: limits, createLimits: limits };
		return await orderMug(service, { context: limited });
	}

	test('ends an outage, after which the order is unconfirmed', async () => {
		const { end, minutes } = await orderWithDeadline(() => 'lost');
		expect(end).toBe('unconfirmed: error');
		expect(minutes).toBeGreaterThan(4);
		expect(minutes).toBeLessThan(5.1);
	});

	test('ends an order at once if the rate limit ends later', async () => {
		const limited = () => refuse(service, [429, 'rate_limited', 10]);
		const { end, minutes } = await orderWithDeadline(limited);
		expect(end).toBe('stopped: error');
		expect(minutes).toBeLessThan(0.1);
	});
});

describe('the log', () => {
	test('has each request before it is sent, with the time of the first', async () => {
		const log = new MemoryLog();
		const times: unknown[] = [];
		interceptCreates(service, (count) => {
			times.push(log.times.get(makeOrder({ input: MUG }).key));
			return count === 1 ? 'lost' : null;
		});
		await orderMug(service, { log });
		const [first, second] = times as Array<{ firstSentAt: number; lastSentAt: number }>;
		expect(first!.lastSentAt).toBe(first!.firstSentAt);
		expect(second!.firstSentAt).toBe(first!.firstSentAt);
		expect(second!.lastSentAt).toBeGreaterThan(first!.lastSentAt);
	});

	test.each<[Answer, string[]]>([
		[RATE_LIMIT, ['sent', 'not created']],
		['not sent', ['sent', 'not created']],
		[BUSY, ['sent', 'not created']],
		['lost', ['sent']],
		[[500], ['sent']],
		[CONFLICT, ['sent']],
	])('has what the answer %j means before the order waits', async (answer, expected) => {
		const log = new MemoryLog();
		answerCreates(service, [answer]);
		const { process, context } = service.startProcess();
		const waiting = orderMug(service, { log, context });
		await service.clock.pass(1500);
		expect(log.entries).toEqual(expected);
		expect(() => process.die()).toThrow();
		await expect(waiting).rejects.toThrow();
	});

	test.each<[Answer[], string[]]>([
		[[[401]], ['sent', 'not created']],
		[[[429, 'allowance_reached']], ['sent', 'not created']],
		[[[400]], ['sent']],
		[
			['lost', [401]],
			['sent', 'sent'],
		],
		[
			['lost', RATE_LIMIT, 'usual'],
			['sent', 'sent', 'sent'],
		],
		[
			['lost', BUSY, 'usual'],
			['sent', 'sent', 'sent'],
		],
		[
			[BUSY, 'lost', RATE_LIMIT, 'usual'],
			['sent', 'not created', 'sent', 'sent', 'sent'],
		],
	])('has no request after the answers %j: %j', async (answers, expected) => {
		const log = new MemoryLog();
		answerCreates(service, answers);
		await orderMug(service, { log });
		expect(log.entries).toEqual(expected);
	});

	test('has the result of an order before the next order begins', async () => {
		const events: string[] = [];
		class SlowLog extends MemoryLog {
			override async recordResult(result: SendResult): Promise<void> {
				await service.clock.pass(MINUTE);
				await super.recordResult(result);
				events.push(getEnd(result));
			}
		}
		const log = new SlowLog();
		const { context } = service.startProcess();
		const shared = { workspace: new Workspace(), log, context };
		const isStopped = () => {
			events.push('begins');
			return false;
		};
		await Promise.all([
			orderMug(service, { ...shared, isStopped }),
			orderMug(service, { ...shared, isStopped }),
		]);
		expect(events).toEqual(['begins', 'created', 'begins', 'decided: use']);
	});

	test.each<[string, Setup, string]>([
		['a decision', { order: makeOrder({ input: MUG }), policy: {} }, 'decided: use'],
		['an error', { order: makeOrder({ input: MUG }) }, 'stopped: error'],
		['a deadline', { order: makeOrder({ input: MUG }) }, 'stopped: deadline'],
	])('has %s as the result of an order', async (_title, setup, expected) => {
		const results: string[] = [];
		class ResultLog extends MemoryLog {
			override async recordResult(result: SendResult): Promise<void> {
				await Promise.resolve(results.push(getEnd(result)));
			}
		}
		const log = new ResultLog();
		const workspace = new Workspace();
		const { context } = service.startProcess();
		if (expected === 'decided: use') service.create('x', MUG);
		if (expected === 'stopped: error') service.intercept = () => 'lost';
		if (expected === 'stopped: deadline')
			void workspace.slots.runInTurn(() => service.clock.pass(HOUR), Infinity, context);
		const deadline = service.clock.now() + 10 * MINUTE;
		await orderMug(service, { ...setup, log, workspace, context, deadline });
		expect(results).toEqual([expected]);
	});
});

describe('the allowance', () => {
	async function orderTwo(allowance: number, answers: Answer[]): Promise<string[]> {
		service = new VirtualService({ allowance });
		answerCreates(service, answers);
		const { context } = service.startProcess();
		const setup = { workspace: new Workspace(), context };
		const first = await orderMug(service, setup);
		return [first.end, getEnd(await order(service, { product_name: 'Pan' }, setup))];
	}

	test.each<[string, number, Answer[], string[]]>([
		['is used by a brief', 1, [], ['created', 'stopped: allowance_used_up']],
		['is not used by a rejected order', 1, [[400]], ['rejected', 'created']],
		['is not used by a refused key', 1, [[401]], ['stopped: error', 'created']],
		[
			'is used once by a brief that the list shows after a lost answer',
			2,
			['lost after the work'],
			['decided: use', 'created'],
		],
		[
			'is used by a request without an answer',
			1,
			['lost', [400]],
			['unconfirmed: refused', 'stopped: allowance_used_up'],
		],
	])('%s', async (_title, allowance, answers, expected) => {
		expect(await orderTwo(allowance, answers)).toEqual(expected);
	});

	test('is used by a request without an answer while the list can be behind', async () => {
		service = new VirtualService({ allowance: 1 });
		answerCreates(service, ['lost']);
		const { context } = service.startProcess();
		const setup = { workspace: new Workspace(), context };
		const first = await orderMug(service, { ...setup, order: makeSent(180, 120) });
		expect(first.end).toBe('decided: wait');
		const next = await order(service, { product_name: 'Pan' }, setup);
		expect(getEnd(next)).toBe('stopped: allowance_used_up');
	});

	test('is not needed for an order that might have its brief', async () => {
		service = new VirtualService({ allowance: 0, listLagMs: 10 * MINUTE });
		service.create(makeOrder({ input: MUG }).key, MUG);
		await service.clock.pass(5 * MINUTE);
		expect((await orderMug(service, { order: makeSent(5, 5) })).end).toBe('created');
	});

	test('is needed for an order once the list has proved that nothing was created', async () => {
		service = new VirtualService({ allowance: 0 });
		const { end } = await orderMug(service, { order: makeSent(70, 70) });
		expect(end).toBe('unconfirmed: allowance_used_up');
		expect(service.count('create_brief')).toBe(0);
	});

	test('is no limit if the licence cannot be read', async () => {
		service = new VirtualService();
		service.intercept = ({ operation }) =>
			operation === 'list_licences' ? refuse(service, [403, 'insufficient_scope']) : null;
		expect((await orderMug(service)).end).toBe('created');
	});
});

describe('a brief that the service returns for the key of an order', () => {
	/** Answers with a brief of this input. Returns its ID. */
	async function answerWithOldBrief(shown: BriefInput, days: number): Promise<string> {
		const brief = service.create('x', shown);
		for (let day = 0; day < days; day += 20) await service.clock.pass(20 * DAY);
		const body = JSON.stringify(service.show(brief));
		interceptCreates(service, () => ({ ...refuse(service, [202]), body }));
		return brief.id;
	}
	const OTHER: BriefInput = { product_name: 'Garden Hose', audience: 'Cooks' };

	test.each<[string, BriefInput, BriefInput | null, string]>([
		['no order has it, although it shows another input', OTHER, null, 'created'],
		['another order has it, but it shows the input of this order', MUG, COOKS, 'created'],
		['an order with other content has it', OTHER, COOKS, 'unconfirmed: other_brief'],
	])('if %s', async (_title, shown, input, expected) => {
		const id = await answerWithOldBrief(shown, 100);
		const orders = input === null ? [] : [makeSettled({ id }, { input })];
		const log = new MemoryLog();
		const { end, result } = await orderMug(service, { orders, log });
		expect(end).toBe(expected);
		// The order’s own brief might exist.
		expect(log.entries).toEqual(['sent']);
		const cause = { brief: { product_name: 'Garden Hose' } };
		expect(result).toMatchObject(expected === 'created' ? { source: 'own' } : { cause });
	});

	test.each<[string, BriefInput | null]>([
		['no order has it', null],
		['another order with the same content has it', MUG],
	])('if it was listed when the order was decided, and %s', async (_title, input) => {
		const id = await answerWithOldBrief(MUG, 40);
		const orders = input === null ? [] : [makeSettled({ id }, { input })];
		const draft = makeOrder({ input: MUG, shown: [id] });
		const { result } = await orderMug(service, { order: draft, orders });
		expect(result).toMatchObject({ kind: 'created', source: 'own_of_another' });
	});

	test('if the order supersedes it, because the service has confused two keys', async () => {
		const id = await answerWithOldBrief(MUG, 40);
		const draft = makeOrder({ input: MUG, supersedes: { kind: 'brief', id } });
		const log = new MemoryLog();
		const { end } = await orderMug(service, { order: draft, policy: REORDERS, log });
		expect(end).toBe('unconfirmed: other_brief');
		expect(log.entries).toEqual(['sent']);
	});

	test('is superseded by the next key if the order was to replace it', async () => {
		service = new VirtualService({ keyMemoryMs: Infinity });
		const first = makeOrder({ input: MUG });
		const { id } = service.create(first.key, MUG);
		for (let days = 0; days < 2; days += 1) await service.clock.pass(DAY);
		const log = new MemoryLog();
		const draft = { ...first, shown: [id] };
		const { result } = await orderMug(service, { order: draft, policy: REORDERS, log });
		expect(result).toMatchObject({
			kind: 'created',
			source: 'own',
			order: { supersedes: { kind: 'brief', id }, shown: [id] },
		});
		expect(service.created).toHaveLength(2);
		expect(log.entries).toEqual(['sent', 'not created', 'sent']);
	});
});

test('a process that was killed leaves an order that the next process sends with the same key', async () => {
	service = new VirtualService({ listLagMs: 5 * MINUTE });
	const log = new MemoryLog();
	const { process, context } = service.startProcess();
	interceptCreates(service, (count, request) => {
		if (count > 1) return null;
		service.createFromRequest(request);
		return process.die();
	});
	await expect(orderMug(service, { log, context })).rejects.toThrow();
	const sent = log.findLatest(makeOrder({ input: MUG }));
	expect(sent.state.kind).toBe('unconfirmed');
	expect((await orderMug(service, { order: sent, log })).end).toBe('created');
	expect(service.created).toHaveLength(1);
});
