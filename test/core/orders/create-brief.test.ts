import type { WireResponse } from '../../../core/api/ports';
import { toContentId } from '../../../core/input/content';
import type { SentTimes } from '../../../core/orders/create-brief';
import { Workspace } from '../../../core/workspace/workspace';
import {
	answerCreates,
	BUSY,
	createBrief,
	interceptCreates,
	MUG,
	orderMug,
	refuse,
	takeBothSlots,
	type Answer,
} from '../support/orders';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** The end of a single order. Old keys are in old-keys.test.ts, and slot refusals in slot-refusals.test.ts. */

let service: VirtualService;
beforeEach(() => (service = new VirtualService()));

describe('an order', () => {
	const CONFLICT: Answer = [409, 'conflict'];
	test.each<[Answer[], string]>([
		[['usual'], 'created'],
		[['lost after the work', 'usual'], 'created'],
		[[CONFLICT, CONFLICT, 'usual'], 'created'],
		// Nothing was created.
		[[[400, 'validation_failed']], 'rejected'],
		[[[404, 'not_found']], 'rejected'],
		[['not sent', [400]], 'rejected'],
		// Every other order would be refused.
		[[[401, 'unauthorized']], 'stopped'],
		[[[403, 'insufficient_scope']], 'stopped'],
		[[[403, 'licence_required']], 'stopped'],
		[[[429, 'allowance_reached']], 'stopped'],
		// An earlier request might have created the brief.
		[['lost', [400]], 'refused'],
		[[CONFLICT, [400]], 'refused'],
		[[[500], [400]], 'refused'],
		[[[202], [400]], 'refused'],
		[['lost', [401, 'unauthorized']], 'outage'],
	])('whose requests get the answers %j ends as %s', async (answers, end) => {
		const sentAt = answerCreates(service, answers);
		expect((await orderMug(service)).end).toBe(end);
		expect(sentAt).toHaveLength(answers.length);
		expect(service.created).toHaveLength(end === 'created' ? 1 : 0);
	});

	test.each<[Answer, string]>([
		['lost', 'no_answer'],
		[CONFLICT, 'refused'],
	])('that gets the answer %j for a minute leaves its turn: %s', async (answer, end) => {
		const sentAt = answerCreates(service, [], answer);
		const { minutes, ...ended } = await orderMug(service);
		expect(ended.end).toBe(end);
		expect(sentAt.length).toBeGreaterThanOrEqual(3);
		expect(minutes).toBeGreaterThanOrEqual(1);
		expect(minutes).toBeLessThan(2);
	});

	test('is sent three times before it leaves its turn, even if every answer is slow', async () => {
		const sentAt = answerCreates(service, [], 'lost');
		service.delayAnswer = () =>
			service.requests.at(-1)?.operation === 'create_brief' ? 70_000 : 0;
		expect((await orderMug(service)).end).toBe('no_answer');
		expect(sentAt).toHaveLength(3);
	});

	test('leaves its turn a minute after the end of a rate limit', async () => {
		answerCreates(service, [[429, 'rate_limited', 5]], 'lost');
		const { end, minutes } = await orderMug(service);
		expect(end).toBe('no_answer');
		expect(minutes).toBeGreaterThanOrEqual(6);
	});

	test.each([
		[25, 'created'],
		[40, 'outage'],
	])('in an outage of %i minutes ends as %s', async (outage, end) => {
		let downSince = Infinity;
		service.intercept = ({ operation }) => {
			if (operation === 'create_brief') downSince = Math.min(downSince, service.clock.now());
			const age = service.clock.now() - downSince;
			return age >= 0 && age < outage * MINUTE ? 'lost' : null;
		};
		expect((await orderMug(service)).end).toBe(end);
	});

	test('stays unconfirmed when no slot becomes free before the deadline of its retry', async () => {
		service = new VirtualService({ briefMs: 50 * MINUTE });
		interceptCreates(service, (count) => {
			if (count > 1) return refuse(service, BUSY);
			takeBothSlots(service);
			return 'lost';
		});
		const options = { deadline: service.clock.now() + 10 * MINUTE };
		expect((await orderMug(service, { options })).end).toBe('outage');
	});

	test('is recorded before each request, with the time of its first', async () => {
		const log: Array<string | SentTimes> = [];
		interceptCreates(service, (count) => {
			log.push('sent');
			return count === 1 ? 'lost' : null;
		});
		const recordRequest = async (times: SentTimes) => void log.push(times);
		await orderMug(service, { options: { recordRequest } });
		const [first, , second] = log as SentTimes[];
		const firstSentAt = first!.lastSentAt;
		expect(log).toEqual([first, 'sent', { ...second, firstSentAt }, 'sent']);
		expect(second!.lastSentAt).toBeGreaterThan(firstSentAt);
	});

	test('is not sent if the caller skips it', async () => {
		const options = { beforeSend: async () => 'skip' as const };
		expect((await orderMug(service, { options })).end).toBe('skipped');
		expect(service.count('create_brief')).toBe(0);
	});

	test('is not sent if the brief list cannot be read', async () => {
		service.intercept = ({ operation }) => (operation === 'list_briefs' ? 'lost' : null);
		expect((await orderMug(service)).end).toBe('stopped');
		expect(service.count('create_brief')).toBe(0);
	});

	test('that is interrupted ends its wait for a slot', async () => {
		service = new VirtualService({ briefMs: HOUR });
		takeBothSlots(service);
		const { process, context } = service.startProcess();
		const waiting = createBrief(service, MUG, { context });
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
});

describe('an old brief that the service returns for the key of an order', () => {
	const mugId = toContentId(MUG);
	const cooksId = toContentId({ ...MUG, audience: 'Cooks' });
	const other = { product_name: 'Garden Hose', audience: 'Cooks' };

	test.each([
		['no order has it, although it shows another input', other, null, 'created'],
		['another order with the same content has it', other, mugId, 'created'],
		['another order has it, but it shows the input of this order', {}, cooksId, 'created'],
		['an order with other content has it', other, cooksId, 'other_brief'],
	])('if %s', async (_title, shown, owner, expected) => {
		const brief = service.create('x', { ...MUG, ...shown });
		for (let days = 0; days < 100; days += 20) await service.clock.pass(20 * DAY);
		const body = JSON.stringify(service.show(brief));
		interceptCreates(service, () => ({ ...refuse(service, [202]), body }));
		const options = { findOwnerContentId: () => owner };
		const { end, result } = await orderMug(service, { options });
		expect(end).toBe(expected);
		const { brief: named = null } = 'error' in result ? result.error : {};
		expect(named?.product_name).toBe(expected === 'created' ? undefined : 'Garden Hose');
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
		expect(end).toBe('outage');
		expect(minutes).toBeGreaterThan(4);
		expect(minutes).toBeLessThan(5.1);
	});

	test('ends an order at once if the rate limit ends later', async () => {
		const limited = () => refuse(service, [429, 'rate_limited', 10]);
		const { end, minutes } = await orderWithDeadline(limited);
		expect(end).toBe('stopped');
		expect(minutes).toBeLessThan(0.1);
	});
});
