import { Workspace } from '../../../core/workspace/workspace';
import { DAY, MINUTE } from '../../support/time';
import { VirtualService, type ServiceBehavior } from '../../support/virtual-service';
import { makeRefusal } from '../../support/faults';

const LAST_MONTH = '2026-10-31T23:59:59Z';

/** A process whose guard has read the licence. `used_this_month` is 5 and counts further briefs. */
async function open(behavior: Partial<ServiceBehavior> = {}) {
	const service = new VirtualService({ allowance: 20, ...behavior });
	service.countUse = () => 5 + service.created.length;
	const { context } = service.startProcess();
	const { allowance: guard, briefs } = new Workspace();
	await guard.read(context);
	const countUsed = async () => (await guard.computeAllowance(context))?.used;
	return { service, context, guard, briefs, countUsed };
}

test('reads the list before the licence, and sends no request while the list has no gap', async () => {
	const { service, countUsed } = await open();
	expect(await countUsed()).toBe(5);
	expect(service.requests.map(({ operation }) => operation)).toEqual([
		'list_briefs',
		'list_licences',
	]);
});

test('adds the briefs that the list shows for the first time to the use of the licence', async () => {
	const { service, context, briefs, countUsed } = await open();
	service.create('colleague', { product_name: 'Mug' });
	await briefs.readNewestPage(context, 0);
	expect(await countUsed()).toBe(6);
});

test('counts a brief once if it was created before the licence is read again', async () => {
	const { service, context, guard } = await open();
	service.create('colleague', { product_name: 'Mug' });
	await service.clock.pass(MINUTE);
	expect((await guard.read(context))?.used).toBe(6);
});

test.each([
	['of the last month does not count', LAST_MONTH, 5],
	['whose time cannot be read counts', 'yesterday', 6],
])('a new brief %s', async (_, created_at, used) => {
	const { service, briefs, countUsed } = await open();
	const brief = service.create('colleague', { product_name: 'Mug' });
	const shown = { ...service.show(brief), created_at } as Parameters<typeof briefs.remember>[0][0];
	briefs.remember([shown]);
	expect(await countUsed()).toBe(used);
});

test('counts the briefs of a journal that the list does not show', async () => {
	const { service, context, guard } = await open({ listLagMs: DAY });
	service.countUse = () => 0;
	const brief = service.show(service.create('key', { product_name: 'Mug' }));
	guard.recordBriefs([brief as Parameters<typeof guard.recordBriefs>[0][0]]);
	expect((await guard.read(context))?.used).toBe(1);
});

describe('a request without an answer', () => {
	test('counts until its brief is known', async () => {
		const { service, guard, countUsed } = await open();
		guard.recordRequest('key', service.clock.now());
		expect(await countUsed()).toBe(6);
		guard.settleRequest('key');
		expect(await countUsed()).toBe(5);
	});

	test('counts for twelve minutes, because the list shows its brief afterwards', async () => {
		const { service, guard, countUsed } = await open();
		guard.recordRequest('key', service.clock.now());
		await service.clock.pass(11 * MINUTE);
		expect(await countUsed()).toBe(6);
		await service.clock.pass(2 * MINUTE);
		expect(await countUsed()).toBe(5);
	});

	test('does not count in the next month', async () => {
		const { service, guard, countUsed } = await open();
		await service.clock.pass(Date.UTC(2026, 10, 30, 23, 59) - service.clock.now());
		guard.recordRequest('key', service.clock.now());
		expect(await countUsed()).toBe(6);
		await service.clock.pass(2 * MINUTE);
		service.countUse = () => 0;
		expect(await countUsed()).toBe(0);
	});
});

test('reads list and licence again in another month', async () => {
	const { service, countUsed } = await open();
	await service.clock.pass(Date.UTC(2026, 11, 1, 0, 1) - service.clock.now());
	service.create('colleague', { product_name: 'Mug' });
	service.countUse = () => 1;
	expect(await countUsed()).toBe(1);
	expect(service.requests.slice(2).map(({ operation }) => operation)).toEqual([
		'list_briefs',
		'list_licences',
	]);
});

describe('a licence that cannot be read', () => {
	const refuseLicence = (service: VirtualService) => {
		service.intercept = ({ operation }) =>
			operation === 'list_licences' ? makeRefusal(403) : null;
	};

	test('is unknown for the month, and is not asked for again', async () => {
		const service = new VirtualService();
		const { context } = service.startProcess();
		const { allowance: guard } = new Workspace();
		refuseLicence(service);
		await expect(guard.read(context)).rejects.toMatchObject({ name: 'ServiceError' });
		expect(await guard.computeAllowance(context)).toBeNull();
		expect(service.count('list_licences')).toBe(1);
	});

	test('after it was read in this month, counts as it was', async () => {
		const { service, context, guard, countUsed } = await open();
		refuseLicence(service);
		await expect(guard.read(context)).rejects.toThrow();
		expect(await countUsed()).toBe(5);
	});
});
