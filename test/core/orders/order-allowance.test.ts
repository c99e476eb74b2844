import { Workspace } from '../../../core/workspace/workspace';
import { makeOrder } from '../support/facts';
import {
	answerCreates,
	getEnd,
	makeSent,
	MUG,
	order,
	orderMug,
	type Answer,
} from '../support/orders';
import { refuse } from '../../support/faults';
import { MINUTE } from '../../support/time';
import { VirtualService } from '../../support/virtual-service';

/** The allowance before and after the requests of an order. Its use is counted in test/core/workspace. */

let service: VirtualService;

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
		const first = await orderMug(service, { ...setup, order: makeSent(service, 180, 120) });
		expect(first.end).toBe('decided: wait');
		const next = await order(service, { product_name: 'Pan' }, setup);
		expect(getEnd(next)).toBe('stopped: allowance_used_up');
	});

	test('is not needed for an order that might have its brief', async () => {
		service = new VirtualService({ allowance: 0, listLagMs: 10 * MINUTE });
		service.create(makeOrder({ input: MUG }).key, MUG);
		await service.clock.pass(5 * MINUTE);
		expect((await orderMug(service, { order: makeSent(service, 5, 5) })).end).toBe('created');
	});

	test('is needed for an order once the list has proved that nothing was created', async () => {
		service = new VirtualService({ allowance: 0 });
		const { end } = await orderMug(service, { order: makeSent(service, 70, 70) });
		expect(end).toBe('stopped: allowance_used_up');
		expect(service.count('create_brief')).toBe(0);
	});

	test('is no limit if the licence cannot be read', async () => {
		service = new VirtualService();
		service.intercept = ({ operation }) =>
			operation === 'list_licences' ? refuse([403, 'insufficient_scope']) : null;
		expect((await orderMug(service)).end).toBe('created');
	});
});
