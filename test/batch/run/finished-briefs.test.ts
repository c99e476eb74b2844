import { PARALLEL_READS } from '../../../core/parallel';
import { HOUR } from '../../support/time';
import { listProducts, VirtualBatch } from '../support/virtual-batch';

const COUNT = 200;

/** A workspace in which another folder has ordered the briefs of all products. */
async function orderElsewhere(): Promise<{ batch: VirtualBatch; products: string[] }> {
	const products = listProducts(COUNT);
	const batch = new VirtualBatch({ latencyMs: 1000, slots: COUNT });
	for (const product_name of products) batch.sandbox.addBrief({ product_name }, 0);
	await batch.clock.pass(HOUR);
	return { batch, products };
}

test('gets each brief once that another folder has ordered, many at a time', async () => {
	const { batch, products } = await orderElsewhere();
	const start = batch.clock.now();
	const { saved, ordered } = await batch.run(products);
	expect({ saved, ordered }).toEqual({ saved: COUNT, ordered: 0 });
	expect(batch.sandbox.count('get_brief')).toBe(COUNT);
	expect(batch.clock.now() - start).toBeLessThan(20_000);
});

test('fetches many briefs at a time whose files are missing', async () => {
	const { batch, products } = await orderElsewhere();
	await batch.run(products);
	for (const path of batch.disk.files.keys())
		if (path.includes('/results/')) batch.disk.files.delete(path);
	const [start, before] = [batch.clock.now(), batch.sandbox.count('get_brief')];
	const { saved } = await batch.run(products);
	expect(saved).toBe(COUNT);
	expect(batch.sandbox.count('get_brief') - before).toBe(COUNT);
	expect(batch.clock.now() - start).toBeLessThan(20_000);
});

test('saves no more briefs after Ctrl-C, although the plan has fetched them', async () => {
	const { batch, products } = await orderElsewhere();
	const interruption = new AbortController();
	batch.onSession = ({ folder }) => {
		folder.store.subscribe((change) => {
			if ('state' in change && change.state?.kind === 'ready') interruption.abort();
		});
	};
	const { end, saved } = await batch.run(products, {}, interruption.signal);
	expect(end).toBe('interrupted');
	expect(saved).toBeLessThanOrEqual(PARALLEL_READS);
});
