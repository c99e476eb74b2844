import type { BriefInput } from '../../../core/api/types';
import { decideAnswer, type Policy } from '../../../core/orders/decide-order';
import { COOKS, FAILED, GOOD, makeRequest, REORDER, RETRY } from '../support/decisions';
import {
	makeBrief,
	makeFacts,
	makeOrder,
	makeSettled,
	makeUnconfirmed,
	type BriefFacts,
} from '../support/facts';
import { MemoryLog, MUG, orderMug, USE } from '../support/orders';
import { DAY, HOUR } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** The brief that the service returns for the key of an order: the order's own, unless the key is another's. */

const OTHER: BriefInput = { product_name: 'Garden Hose', audience: 'Cooks' };

let service: VirtualService;
let log: MemoryLog;
beforeEach(() => {
	service = new VirtualService();
	log = new MemoryLog();
});

/** Answers with an old brief of this input. Returns its ID. */
async function answerWithOldBrief(shown: BriefInput, age = 40): Promise<string> {
	const brief = service.create('x', shown);
	for (let days = 0; days < age; days += 20) await service.clock.pass(20 * DAY);
	const body = JSON.stringify(service.show(brief));
	service.interceptCreates(() => ({ status: 202, body }));
	return brief.id;
}

test.each<[string, BriefInput, BriefInput | null, string]>([
	['is the order’s if no order has it, although it shows another input', OTHER, null, 'created'],
	['is the order’s if it shows the input, although another has it', MUG, COOKS, 'created'],
	[
		'is not the order’s if an order with other content has it',
		OTHER,
		COOKS,
		'unconfirmed: other_brief',
	],
])('a returned brief %s', async (_title, shown, input, expected) => {
	const id = await answerWithOldBrief(shown, 100);
	const orders = input === null ? [] : [makeSettled({ id }, { input })];
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
])(
	'a returned brief that was listed before was paid for by another if %s',
	async (_title, input) => {
		const id = await answerWithOldBrief(OTHER);
		const orders = input === null ? [] : [makeSettled({ id }, { input })];
		const order = makeOrder({ input: MUG, shown: [id] });
		const { result } = await orderMug(service, { order, orders });
		expect(result).toMatchObject({ kind: 'created', source: 'own_of_another' });
	},
);

test('a returned brief that the order supersedes is not the order’s', async () => {
	const id = await answerWithOldBrief(MUG);
	const order = makeOrder({ input: MUG, supersedes: { kind: 'brief', id } });
	const { end } = await orderMug(service, { order, policy: REORDER, log });
	expect(end).toBe('unconfirmed: other_brief');
	expect(log.entries).toEqual(['sent']);
});

test('a returned brief is superseded by the next key if the order was to replace it', async () => {
	service = new VirtualService({ keyMemoryMs: Infinity });
	const first = makeOrder({ input: MUG });
	const { id } = service.create(first.key, MUG);
	for (let days = 0; days < 2; days += 1) await service.clock.pass(DAY);
	const order = makeOrder({ input: MUG, shown: ['B', id] });
	const { result } = await orderMug(service, { order, policy: REORDER, log });
	expect(result).toMatchObject({
		kind: 'created',
		source: 'own',
		order: { supersedes: { kind: 'brief', id }, shown: ['B', id] },
	});
	expect(service.created).toHaveLength(2);
	expect(log.entries).toEqual(['sent', 'not created', 'sent']);
});

test.each<[string, 'used' | 'superseded', BriefFacts, Policy]>([
	['and is wanted', 'used', GOOD, USE],
	['and failed, and is wanted', 'used', FAILED, USE],
	['and did not fail, by retry,', 'used', GOOD, RETRY],
	['and failed, by retry,', 'superseded', FAILED, RETRY],
	['and is recent, by reorder,', 'used', { ...GOOD, age: HOUR }, REORDER],
	['and is old, by reorder,', 'superseded', GOOD, REORDER],
	['and is outside Reuse Within', 'superseded', GOOD, { ...USE, reuseWithinMs: 5 * DAY }],
	[
		'and that this execution has ordered',
		'used',
		FAILED,
		{ ...RETRY, resultsOfExecution: new Set('A') },
	],
])('a returned brief that was listed before %s is %s', (_title, expected, brief, policy) => {
	const next = (shown: string) => {
		const request = makeRequest(makeUnconfirmed(0, 0, { shown: [shown] }), policy);
		return decideAnswer(request, makeBrief(brief), makeFacts({}));
	};
	expect(next('A')).toEqual(expected === 'used' ? null : { kind: 'brief', id: 'A' });
	expect(next('B')).toBeNull();
});
