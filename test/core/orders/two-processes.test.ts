import type { SendResult } from '../../../core/orders/send-order';
import { answerCreates, MUG, order } from '../support/orders';
import { MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** Two processes share a workspace. They only have the brief list and the keys in common. */

/** Returns the ID of the brief that an order has; null if it has none. */
function getBriefId(result: SendResult): string | null {
	if (result.kind === 'created') return result.brief.id;
	if (result.kind !== 'decided' || result.decision.kind !== 'use') return null;
	return result.decision.brief.id;
}

test.each([
	...(['usual', 'lost', 'lost after the work'] as const),
	...([[500], [429, 'rate_limited']] as const),
])(
	'the same order of two processes whose requests get the answer %j creates one brief',
	async (answer) => {
		const service = new VirtualService();
		answerCreates(service, [answer, answer, answer]);
		const orders = [order(service, MUG), order(service, MUG)];
		const results = [...(await Promise.all(orders)), await order(service, MUG)];
		expect(service.created).toHaveLength(1);
		const id = service.created[0]?.id;
		expect(results.map(getBriefId)).toEqual([id, id, id]);
		expect(service.isKeyReused).toBe(false);
	},
);

test.each([
	['refuse', MINUTE],
	// A list that lags cannot show that such a refusal was about the slots.
	[400, 0],
	[403, 0],
] as const)(
	'orders of four processes are all created if the service refuses a third brief with %s',
	async (thirdBrief, listLagMs) => {
		const service = new VirtualService({ listLagMs, thirdBrief });
		const names = ['A', 'B', 'C', 'D'];
		const results = await Promise.all(
			names.map((product_name) => order(service, { product_name })),
		);
		expect(results.map(({ kind }) => kind)).toEqual(names.map(() => 'created'));
		expect(service.created).toHaveLength(4);
		expect(service.mostRunning).toBe(2);
	},
);
