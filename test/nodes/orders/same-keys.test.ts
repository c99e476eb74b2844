import { World } from '../../batch/support/world';
import { makeRows } from '../../batch/support/order-builder';
import { HOUR } from '../../support/time';
import { N8nProcess, UNLESS_FAILED } from '../support/n8n-process';

/**
 * n8n and brief-batch send the same key for the same order, so the service itself removes the duplicate if both order the
 * same product.
 */

test('n8n and brief-batch send the same keys for new orders and for an order that supersedes a failed brief', async () => {
	const n8n = new N8nProcess();
	n8n.service.shouldFail = (_, index) => index === 0;
	await n8n.run(['Mug'], UNLESS_FAILED);
	await n8n.pass(HOUR);
	await n8n.run(['Mug'], UNLESS_FAILED);
	const world = new World();
	world.shouldFail = (_, index) => index === 0;
	const rows = makeRows({ product_name: 'Mug' });
	await world.runBatch({ rows });
	await world.runBatch({ rows, command: 'retry' });
	expect(world.created).toHaveLength(2);
	expect(n8n.created.map(({ key }) => key)).toEqual(world.created.map(({ key }) => key));
});
