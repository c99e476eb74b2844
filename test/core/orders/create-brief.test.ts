import { SendFailure, type WireResponse } from '../../../core/api/ports';
import { toContentId } from '../../../core/input/content';
import type { CreateResult, SentTimes } from '../../../core/orders/create-brief';
import { Workspace } from '../../../core/workspace/workspace';
import {
	createBrief,
	getEnd,
	interceptCreates,
	MUG,
	USUAL,
	withRetryAfter,
} from '../support/orders';
import { DAY, HOUR, MINUTE, VirtualService } from '../support/virtual-service';

/** How one create request ends. Old keys are in old-keys.test.ts, refusals for want of a slot in slot-refusals.test.ts. */

let service: VirtualService;
beforeEach(() => (service = new VirtualService(USUAL)));

describe('a create request without an answer', () => {
	test('is repeated with the same key and makes one brief', async () => {
		interceptCreates(service, (count, request) => {
			if (count > 1) return null;
			service.createFor(request);
			return 'lost';
		});
		const sent: SentTimes[] = [];
		const recordRequest = async (times: SentTimes) => void sent.push(times);
		const result = await createBrief(service, MUG, { options: { recordRequest } });
		expect(result.kind).toBe('created');
		expect(service.created).toHaveLength(1);
		const [first, second] = sent;
		expect(second?.firstSentAt).toBe(first?.firstSentAt);
		expect(second?.lastSentAt).toBeGreaterThan(first?.lastSentAt ?? Infinity);
		expect(sent).toHaveLength(2);
	});

	test.each([
		[25, 'created'],
		[40, 'outage'],
	])('ends an outage of %i minutes as %s', async (minutes, end) => {
		let downSince = Infinity;
		service.intercept = ({ operation }) => {
			if (operation === 'create_brief') downSince = Math.min(downSince, service.clock.now());
			const age = service.clock.now() - downSince;
			return age >= 0 && age < minutes * MINUTE ? 'lost' : null;
		};
		expect(getEnd(await createBrief(service, MUG))).toBe(end);
	});

	test('leaves its turn after three requests and a minute if the list can be read', async () => {
		let requests = 0;
		interceptCreates(service, (count) => ((requests = count), 'lost'));
		const start = service.clock.now();
		expect(getEnd(await createBrief(service, MUG))).toBe('no_answer');
		const elapsed = service.clock.now() - start;
		expect(requests).toBeGreaterThanOrEqual(3);
		expect(elapsed).toBeGreaterThanOrEqual(MINUTE);
		expect(elapsed).toBeLessThan(3 * MINUTE);
	});

	test('is sent three times before it leaves its turn, however long an answer takes', async () => {
		let requests = 0;
		interceptCreates(service, (count) => ((requests = count), 'lost'));
		service.delayAnswer = () =>
			service.requests.at(-1)?.operation === 'create_brief' ? 70_000 : 0;
		expect(getEnd(await createBrief(service, MUG))).toBe('no_answer');
		expect(requests).toBe(3);
	});

	test('gets a minute after the end of a rate limit before it leaves its turn', async () => {
		const sentAt: number[] = [];
		interceptCreates(service, (count) => {
			sentAt.push(service.clock.now());
			return count === 1 ? withRetryAfter(service.refuse(429, 'rate_limited').answer, 5) : 'lost';
		});
		expect(getEnd(await createBrief(service, MUG))).toBe('no_answer');
		const [, first = NaN] = sentAt;
		expect(service.clock.now() - first).toBeGreaterThanOrEqual(MINUTE);
	});

	test('is rejected if the request did not arrive and the next request is refused', async () => {
		interceptCreates(service, (count) => {
			if (count === 1) throw new SendFailure('connect ECONNREFUSED', false);
			return service.refuse(400).answer;
		});
		expect(getEnd(await createBrief(service, MUG))).toBe('rejected');
	});

	test.each([
		['a lost answer', () => 'lost' as const],
		['a conflict', () => service.refuse(409, 'conflict').answer],
		['a server error', () => service.refuse(500).answer],
		['an answer that is not a brief', () => ({ ...service.refuse(202).answer, body: '{}' })],
	])('stays unconfirmed if the next request after %s is refused', async (_title, first) => {
		interceptCreates(service, (count) => (count === 1 ? first() : service.refuse(400).answer));
		expect(getEnd(await createBrief(service, MUG))).toBe('refused');
	});

	test('is recorded before it is sent', async () => {
		const log: string[] = [];
		interceptCreates(service, () => (log.push('sent'), null));
		const recordRequest = async () => void log.push('recorded');
		await createBrief(service, MUG, { options: { recordRequest } });
		expect(log).toEqual(['recorded', 'sent']);
	});

	test('stays unconfirmed when no slot becomes free before the deadline of its repetition', async () => {
		service = new VirtualService({ ...USUAL, briefMs: 50 * MINUTE });
		interceptCreates(service, (count) => {
			if (count > 1) return service.refuse(429, 'too_many_briefs').answer;
			service.create('x', { product_name: 'Pan' });
			service.create('x', { product_name: 'Pot' });
			return 'lost';
		});
		const options = { deadline: service.clock.now() + 10 * MINUTE };
		expect(getEnd(await createBrief(service, MUG, { options }))).toBe('outage');
	});
});

describe('a conflict (409)', () => {
	test.each([
		['is repeated until the service answers', 2, 'created', 0],
		['that lasts a minute is a refusal', Infinity, 'refused', 1],
	])('%s', async (_title, conflicts, end, minMinutes) => {
		interceptCreates(service, (count) =>
			count <= conflicts ? service.refuse(409, 'conflict').answer : null,
		);
		const start = service.clock.now();
		expect(getEnd(await createBrief(service, MUG))).toBe(end);
		const minutes = (service.clock.now() - start) / MINUTE;
		expect(minutes).toBeGreaterThanOrEqual(minMinutes);
		expect(minutes).toBeLessThan(2);
	});
});

describe('a refusal', () => {
	test.each([
		['400, a body that is not valid', 400, 'validation_failed', 'rejected'],
		['404', 404, 'not_found', 'rejected'],
		['401, because every order would be refused', 401, 'unauthorized', 'stopped'],
		['403 for a missing scope', 403, 'insufficient_scope', 'stopped'],
		['403 for a missing licence', 403, 'licence_required', 'stopped'],
		['429 for the allowance', 429, 'allowance_reached', 'stopped'],
	])('%s ends the order as it should', async (_title, status, code, end) => {
		interceptCreates(service, () => service.refuse(status, code).answer);
		expect(getEnd(await createBrief(service, MUG))).toBe(end);
		expect(service.count('create_brief')).toBe(1);
		expect(service.created).toHaveLength(0);
	});

	test('with a lost answer before it stops ordering and leaves the order unconfirmed', async () => {
		interceptCreates(service, (count) =>
			count === 1 ? 'lost' : service.refuse(401, 'unauthorized').answer,
		);
		expect(getEnd(await createBrief(service, MUG))).toBe('outage');
	});
});

describe('the brief that comes back under the key of an order', () => {
	const mugId = toContentId(MUG);
	const cooksId = toContentId({ ...MUG, audience: 'Cooks' });
	const other = { product_name: 'Garden Hose', audience: 'Cooks' };

	/** Answers with an old brief, which shows `shown` as its input and belongs to the order with the content `owner`. */
	async function answerWith(shown: object, owner: string | null): Promise<CreateResult> {
		const brief = service.create('x', { ...MUG, ...shown });
		for (let part = 0; part < 5; part += 1) await service.clock.pass(20 * DAY);
		const body = JSON.stringify(service.show(brief));
		interceptCreates(service, () => ({ ...service.refuse(202).answer, body }));
		return await createBrief(service, MUG, { options: { findOwnerContentId: () => owner } });
	}

	test.each([
		['no order has it, although it shows another input', other, null, 'created'],
		['another order with the same content has it', other, mugId, 'created'],
		['another order has it, but it shows the input of this order', {}, cooksId, 'created'],
	])('is the order’s if %s', async (_title, shown, owner, end) => {
		expect(getEnd(await answerWith(shown, owner))).toBe(end);
	});

	test('is not the order’s if an order with other content has it', async () => {
		const result = await answerWith(other, cooksId);
		expect(getEnd(result)).toBe('other_brief');
		const error = result.kind === 'unconfirmed' ? result.error : null;
		expect(error?.brief?.product_name).toBe('Garden Hose');
	});
});

describe('before a create request is sent', () => {
	test('nothing is sent if the caller skips the order', async () => {
		const result = await createBrief(service, MUG, { options: { beforeSend: async () => 'skip' } });
		expect(result.kind).toBe('skipped');
		expect(service.count('create_brief')).toBe(0);
	});

	test('the order stops if the brief list cannot be read', async () => {
		service.intercept = ({ operation }) => (operation === 'list_briefs' ? 'lost' : null);
		expect(getEnd(await createBrief(service, MUG))).toBe('stopped');
		expect(service.count('create_brief')).toBe(0);
	});

	test('an interruption ends the wait for a slot', async () => {
		service = new VirtualService({ ...USUAL, briefMs: HOUR });
		service.create('x', { product_name: 'Pan' });
		service.create('x', { product_name: 'Pot' });
		const { process, context } = service.startProcess();
		const waiting = createBrief(service, MUG, { context });
		await service.clock.pass(MINUTE);
		process.interrupt();
		await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
		expect(service.count('create_brief')).toBe(0);
	});

	test('a brief that was just created is known to the workspace without a request', async () => {
		const workspace = new Workspace();
		const result = await createBrief(service, MUG, { workspace });
		const id = result.kind === 'created' ? result.brief.id : '';
		expect(workspace.briefs.get(id)?.product_name).toBe('Mug');
	});
});

describe('the deadline of its retries', () => {
	/** Orders with a deadline in five minutes. The answers begin with the first create request. */
	async function orderWithDeadline(answer: () => WireResponse | 'lost') {
		let hasBegun = false;
		service.intercept = ({ operation }) => {
			hasBegun ||= operation === 'create_brief';
			return hasBegun ? answer() : null;
		};
		const start = service.clock.now();
		const limits = { failures: Infinity, rateLimits: Infinity, deadline: start + 5 * MINUTE };
		const { context } = service.startProcess();
		const limited = { ...context, readLimits: limits, createLimits: limits };
		const result = await createBrief(service, MUG, { context: limited });
		return { end: getEnd(result), elapsed: service.clock.now() - start };
	}

	test('ends an outage, after which the order is unconfirmed', async () => {
		const { end, elapsed } = await orderWithDeadline(() => 'lost');
		expect(end).toBe('outage');
		expect(elapsed).toBeGreaterThan(4 * MINUTE);
		expect(elapsed).toBeLessThanOrEqual(5 * MINUTE + 1000);
	});

	test('ends an order at once if the rate limit ends later', async () => {
		const { end, elapsed } = await orderWithDeadline(() =>
			withRetryAfter(service.refuse(429, 'rate_limited').answer, 10),
		);
		expect(end).toBe('stopped');
		expect(elapsed).toBeLessThan(1000);
	});
});
