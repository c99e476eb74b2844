import { VirtualBatch } from '../support/virtual-batch';

const BLOCKED = {
	status: 403,
	headers: { 'content-type': 'text/html' },
	body: '<html><title>Request blocked</title></html>',
};

/** A firewall answers every create request for the product with a page. */
function makeBlockedBatch(product: string): VirtualBatch {
	const batch = new VirtualBatch();
	batch.intercept = (body) => (body.includes(product) ? BLOCKED : null);
	return batch;
}

describe('a row that a firewall refuses each time', () => {
	test('takes no slot from the other rows, and the row and its answer are named', async () => {
		const batch = makeBlockedBatch('Drop Table');
		const { statuses, overview, exitCode } = await batch.run(['Drop Table', 'Mug', 'Pan', 'Cup']);
		expect(statuses).toEqual(['pending', 'ready', 'ready', 'ready']);
		expect(exitCode).toBe(3);
		const unconfirmed = overview.groups.find(({ name }) => name === 'unconfirmed');
		expect(unconfirmed?.rows).toHaveLength(1);
		expect(unconfirmed?.rows[0]?.message).toMatch(/403.*Request blocked/);
	});

	test('delays the others by a few minutes at most, and is sent once more at the end', async () => {
		const alone = await new VirtualBatch().run(['Mug', 'Pan', 'Cup']);
		const batch = makeBlockedBatch('Drop Table');
		const sent: string[] = [];
		const { intercept } = batch;
		batch.intercept = (body) => {
			sent.push(body.includes('Drop Table') ? 'blocked' : 'sent');
			return intercept(body);
		};
		const { tookMs } = await batch.run(['Drop Table', 'Mug', 'Pan', 'Cup']);
		expect(sent.lastIndexOf('sent')).toBeLessThan(sent.lastIndexOf('blocked'));
		expect(tookMs - alone.tookMs).toBeLessThan(5 * 60_000);
	});

	test('needs review after three runs, and is not sent again', async () => {
		const batch = makeBlockedBatch('Drop Table');
		const statuses: string[] = [];
		for (let run = 0; run < 4; run += 1) {
			const result = await batch.run(['Drop Table']);
			statuses.push(result.statuses.join());
			await batch.clock.pass(3_600_000);
		}
		expect(statuses).toEqual(['pending', 'pending', 'needs_review', 'needs_review']);
		expect(batch.sandbox.briefs).toHaveLength(0);
	});

	test('does not count as a failure, so that the others go on in every run', async () => {
		const batch = makeBlockedBatch('Drop Table');
		const { orders, end } = await batch.run(['Drop Table 1', 'Drop Table 2', 'Mug'], {
			maxFailures: ['1'],
		});
		expect(end).toBe('complete');
		expect(orders.live.map(({ state }) => state.kind).sort()).toEqual([
			'ready',
			'unconfirmed',
			'unconfirmed',
		]);
	});
});

test('five orders in a row without a usable answer stop the run with 5', async () => {
	const batch = makeBlockedBatch('Drop Table');
	const products = Array.from({ length: 8 }, (_, index) => `Drop Table ${index}`);
	const { end, exitCode, orders } = await batch.run(products);
	expect([end, exitCode]).toEqual(['no_answers', 5]);
	expect(orders.live.length).toBeLessThanOrEqual(6);
});
