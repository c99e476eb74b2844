import { MINUTE } from '../../support/time';
import { makeRows } from '../support/order-builder';
import { World } from '../support/world';

/* After a wait between two requests, everything is checked again: others can have ordered meanwhile. */

test('an order is not sent if the page with a free slot shows the last failure that the run permits', async () => {
	const world = new World({ briefMs: MINUTE });
	world.shouldFail = ({ product_name }) => product_name !== 'Lamp';
	// The run fetches the failed brief, and saves the failure, after the next order could be sent.
	world.oracle.choose = (...faults) => (faults.includes('slow GET') ? 'slow GET' : '');
	// A colleague's brief uses the other slot until the same moment.
	world.intercept = ({ operation }) => {
		if (operation === 'create_brief' && world.created.length === 0)
			world.create('colleague', { product_name: 'Lamp' });
		return null;
	};
	const names = ['Bowl', 'Vase', 'Tray', 'Jar'];
	await world.runBatch({ rows: makeRows(...names.map((product_name) => ({ product_name }))) });
	for (const brief of [...world.created]) world.remove(brief);
	const all = [...names, 'Pan', 'Cup'].map((product_name) => ({ product_name }));
	const result = await world.runBatch({ rows: makeRows(...all) });
	expect(result?.finished?.stop?.code).toBe('failures_in_row');
	expect(world.created).toHaveLength(2);
});
