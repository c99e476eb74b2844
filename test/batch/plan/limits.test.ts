import { DAY, MINUTE } from '../../support/time';
import { listProducts, World } from '../support/world';
import { COLLEAGUE } from '../../support/virtual-service';

describe('the allowance', () => {
	test('stops the run when the service refuses an order because of it', async () => {
		const world = new World({ allowance: 3, shownLicence: { monthly_allowance: 100 } });
		const { end, report, allowance } = await world.runProducts(listProducts(5));
		expect(end).toBe('allowance_used_up');
		expect(allowance.left).toBe(0);
		expect(report.counts).toMatchObject({ ready: 3, deferred: 2 });
	});

	test('of the next month orders the deferred rows', async () => {
		const world = new World({ allowance: 3 });
		await world.runProducts(listProducts(5));
		await world.clock.pass(21 * DAY);
		expect((await world.runProducts(listProducts(5))).report.counts.ready).toBe(5);
	});

	test('counts the briefs of the folder that the list does not show yet', async () => {
		const world = new World({ allowance: 4, listAgeMs: 60 * MINUTE });
		await world.runProducts(listProducts(3));
		const { report, allowance } = await world.runProducts(listProducts(6));
		expect(allowance).toEqual({ limit: 4, left: 0 });
		expect(report.counts).toMatchObject({ ready: 4, deferred: 2 });
		expect(world.count('create_brief')).toBe(4);
	});
});

test('a row of --reorder names the allowance if a colleague’s brief leaves it no brief', async () => {
	const world = new World({ allowance: 4 });
	await world.runProducts(listProducts(2));
	await world.clock.pass(2 * DAY);
	world.interceptCreates(() => {
		world.create(COLLEAGUE, { product_name: 'Of a colleague' }, 0);
		return null;
	});
	const { report } = await world.runProducts(listProducts(2), { reorder: ['2,3'] });
	expect(report.rows[1]?.message).toBe('This month’s allowance is not enough.');
});
