import { PARALLEL_READS } from '../../../core/parallel';
import { HOUR } from '../../support/time';
import { listProducts, World } from '../support/world';
import { COLLEAGUE } from '../../support/virtual-service';

const COUNT = 200;

/** A workspace in which another folder has ordered the briefs of all products. */
async function orderElsewhere(): Promise<{ world: World; products: string[] }> {
	const products = listProducts(COUNT);
	const world = new World();
	world.delayAnswer = () => 700;
	for (const product_name of products) world.create(COLLEAGUE, { product_name }, 0);
	await world.clock.pass(HOUR);
	return { world, products };
}

test('gets each brief once that another folder has ordered, many at a time', async () => {
	const { world, products } = await orderElsewhere();
	const start = world.clock.now();
	const { saved, ordered } = await world.runProducts(products);
	expect({ saved, ordered }).toEqual({ saved: COUNT, ordered: 0 });
	expect(world.count('get_brief')).toBe(COUNT);
	expect(world.clock.now() - start).toBeLessThan(20_000);
});

test('fetches many briefs at a time whose files are missing', async () => {
	const { world, products } = await orderElsewhere();
	await world.runProducts(products);
	for (const path of world.disk.files.keys())
		if (path.includes('/results/')) world.disk.files.delete(path);
	const [start, before] = [world.clock.now(), world.count('get_brief')];
	const { saved } = await world.runProducts(products);
	expect(saved).toBe(COUNT);
	expect(world.count('get_brief') - before).toBe(COUNT);
	expect(world.clock.now() - start).toBeLessThan(20_000);
});

test('saves no more briefs after Ctrl-C, although the plan has fetched them', async () => {
	const { world, products } = await orderElsewhere();
	world.onSession = ({ folder }) => {
		folder.store.subscribe((change) => {
			if ('state' in change && change.state?.kind === 'ready') world.pressCtrlC();
		});
	};
	const { end, saved } = await world.runProducts(products);
	expect(end).toBe('interrupted');
	expect(saved).toBeLessThanOrEqual(PARALLEL_READS);
});
