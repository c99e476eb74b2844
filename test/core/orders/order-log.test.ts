import type { SendResult } from '../../../core/orders/send-order';
import { Workspace } from '../../../core/workspace/workspace';
import { makeOrder } from '../support/facts';
import {
	answerCreates,
	BUSY,
	CONFLICT,
	getEnd,
	MemoryLog,
	MUG,
	orderMug,
	RATE_LIMIT,
	type Answer,
} from '../support/orders';
import { HOUR, MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** What the log has when: a process can be killed between any two of its entries. */

let service: VirtualService;
beforeEach(() => (service = new VirtualService()));

describe('the log', () => {
	test('has each request before it is sent, with the time of the first', async () => {
		const log = new MemoryLog();
		const times: unknown[] = [];
		service.interceptCreates((_, count) => {
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
		[[[400]], ['sent']],
		[
			['lost', [401]],
			['sent', 'sent'],
		],
		[
			['lost', BUSY, 'usual'],
			['sent', 'sent', 'sent'],
		],
		[
			[BUSY, 'lost', RATE_LIMIT, 'usual'],
			['sent', 'not created', 'sent', 'sent', 'sent'],
		],
	])('after the answers %j has the entries %j', async (answers, expected) => {
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

	test.each(['decided: use', 'stopped: error', 'stopped: deadline'])(
		'has %s as the result of an order',
		async (expected) => {
			const results: string[] = [];
			class ResultLog extends MemoryLog {
				override async recordResult(result: SendResult): Promise<void> {
					await Promise.resolve(results.push(getEnd(result)));
				}
			}
			const workspace = new Workspace();
			const { context } = service.startProcess();
			if (expected === 'decided: use') service.create('x', MUG);
			if (expected === 'stopped: error') service.intercept = () => 'lost';
			if (expected === 'stopped: deadline')
				void workspace.slots.runInTurn(() => service.clock.pass(HOUR), Infinity, context);
			const deadline = service.clock.now() + 10 * MINUTE;
			await orderMug(service, { log: new ResultLog(), workspace, context, deadline });
			expect(results).toEqual([expected]);
		},
	);
});
