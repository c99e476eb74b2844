import { createBrief, MUG, USUAL } from '../support/orders';
import { MINUTE, VirtualService } from '../support/virtual-service';

/** Two processes share a workspace, and know nothing of each other but the brief list and the keys. */

test('the same order of two processes at the same moment makes one brief', async () => {
	const service = new VirtualService(USUAL);
	const results = await Promise.all([createBrief(service, MUG), createBrief(service, MUG)]);
	const ids = results.map((result) => (result.kind === 'created' ? result.brief.id : result.kind));
	expect(service.created).toHaveLength(1);
	expect(ids).toEqual([service.created[0]?.id, service.created[0]?.id]);
	expect(service.isKeyReused).toBe(false);
});

test.each([
	[429, MINUTE],
	// A list that lags cannot show that such a refusal was for want of a slot.
	[400, 0],
	[403, 0],
] as const)(
	'orders of four processes are all created if the service refuses a third brief with %i',
	async (refusesThird, listLagMs) => {
		const service = new VirtualService({ ...USUAL, listLagMs, refusesThird });
		const names = ['A', 'B', 'C', 'D'];
		const results = await Promise.all(
			names.map((product_name) => createBrief(service, { product_name })),
		);
		expect(results.map(({ kind }) => kind)).toEqual(names.map(() => 'created'));
		expect(service.created).toHaveLength(4);
		expect(service.mostRunning).toBe(2);
	},
);

test.each(['lost before the work', 'lost after the work', '500 before', '500 after'])(
	'an order whose request is %s makes one brief, also if it is sent by another process',
	async (fault) => {
		const faults = [fault, fault, fault];
		const service = new VirtualService(USUAL);
		service.oracle.choose = (...possible) => {
			const [next = ''] = faults;
			return possible.includes(next) ? (faults.shift() ?? '') : '';
		};
		await Promise.all([createBrief(service, MUG), createBrief(service, MUG)]);
		await createBrief(service, MUG);
		expect(service.created).toHaveLength(1);
	},
);
