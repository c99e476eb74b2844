import type { WireResponse } from '../../../core/api/ports';
import { MINUTE } from '../../support/time';
import type { ServiceBehavior } from '../../support/virtual-service';
import { makeRows } from '../support/order-builder';
import { World } from '../support/world';
import { makeRefusal } from '../../support/faults';

/* After a wait between two requests, everything is checked again: others can have ordered meanwhile. */

const rows = makeRows({ product_name: "Fay's Mug" });

/** A service that answers the first create request with a rate limit of fifty minutes. */
function openLimited(behavior: Partial<ServiceBehavior> = {}): World {
	const world = new World(behavior);
	let isLimited = false;
	world.intercept = ({ operation }): WireResponse | null => {
		if (operation !== 'create_brief' || isLimited) return null;
		isLimited = true;
		const answer = makeRefusal(429, 'rate_limited');
		return { ...answer, headers: { ...answer.headers, 'retry-after': '3000' } };
	};
	return world;
}

/** Runs the row. A colleague orders products ten minutes after the rate limit has begun. */
async function runWithColleague(world: World, ...products: readonly string[]) {
	const run = world.runBatch({ rows });
	await world.clock.pass(10 * MINUTE);
	for (const product_name of products) world.create('colleague', { product_name });
	return await run;
}

test('an order is not sent if others have used the last briefs during a rate limit', async () => {
	const world = openLimited({ allowance: 2 });
	const result = await runWithColleague(world, 'Pan', 'Cup');
	expect(world.count('create_brief')).toBe(1);
	expect(result?.finished?.stop?.code).toBe('allowance_used_up');
	expect(result?.finished?.allowance.left).toBe(0);
	expect(result?.finished?.report.counts).toMatchObject({ deferred: 1 });
});

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
