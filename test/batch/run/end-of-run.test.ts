import type { RowStatus } from '../../../batch/report/row-state';
import { MINUTE } from '../../support/time';
import { cup, makeRows, mug, pan } from '../support/order-builder';
import { Oracle } from '../../support/oracle';
import { makeDiskFullError } from '../support/world-disk';
import { listProducts, World } from '../support/world';
import { COLLEAGUE } from '../../support/virtual-service';

describe('results during a run', () => {
	/** Returns how many rows have a status in each results.csv that is written. */
	async function runAndCount(world: World, status: RowStatus, rows: number) {
		const counts: number[] = [];
		const replace = world.disk.replace.bind(world.disk);
		world.disk.replace = async (path, bytes) => {
			if (path.endsWith('results.csv'))
				counts.push(bytes.toString().split(`,${status},`).length - 1);
			await replace(path, bytes);
		};
		await world.runProducts(listProducts(rows));
		return counts;
	}

	test('defer the rows that the orders of the run leave no allowance for', async () => {
		const world = new World({ allowance: 3 });
		expect(await runAndCount(world, 'deferred', 6)).toEqual([3, 3, 3, 3]);
	});

	test('show rows that are not reached yet as pending', async () => {
		expect(await runAndCount(new World(), 'pending', 3)).toEqual([2, 1, 0, 0]);
	});
});

test('a brief that another process orders after the plan counts as reused', async () => {
	const world = new World();
	world.callBeforeFirstCreate(() => world.create(COLLEAGUE, { product_name: 'Pan' }, 60_000));
	const { reused, ordered } = await world.runProducts(['Mug', 'Pan']);
	expect([ordered, reused]).toEqual([1, 1]);
});

test('a run whose failures leave no row to order was not stopped by them', async () => {
	const world = new World();
	world.shouldFail = () => true;
	const { end, exitCode } = await world.runProducts(listProducts(5));
	expect([end, exitCode]).toEqual(['complete', 1]);
});

test('a brief is ready only when its files are on the disk', async () => {
	const world = new World();
	world.disk.replace = (path) => Promise.reject(makeDiskFullError(path));
	const { statuses } = await world.runProducts(['Mug']);
	expect(statuses).toEqual(['pending']);
});

describe('when the disk is full', () => {
	/** A world whose disk is full when the end of the run is written. */
	function openFullWorld(shouldFail: () => boolean): World {
		const world = new World();
		world.shouldFail = shouldFail;
		const append = world.disk.append.bind(world.disk);
		world.disk.append = async (path, bytes) => {
			if (bytes.includes('"end"')) throw makeDiskFullError(path);
			await append(path, bytes);
		};
		return world;
	}

	test('at the end of a run that a limit stopped, the error is not hidden by the limit', async () => {
		const { end, exitCode } = await openFullWorld(() => true).runProducts(listProducts(9));
		expect([end, exitCode]).toEqual(['disk_failed', 5]);
	});

	const rows = makeRows(mug, pan, cup);

	test('at the first line, nothing is ordered and the run ends with 5', async () => {
		const world = new World({}, ['disk is full']);
		const result = await world.runBatch({ rows });
		expect(result?.finished?.exitCode).toBe(5);
		expect(world.created).toHaveLength(0);
	});

	test('after a create request, the brief counts as ordered, and the next run saves it at no cost', async () => {
		const world = new World();
		world.oracle = new DiskFullAfterCreate(world);
		const result = await world.runBatch({ rows });
		expect(result?.finished?.exitCode).toBe(5);
		expect(result?.finished?.totals.ordered).toBe(1);
		world.setFaults();
		await world.clock.pass(MINUTE);
		const next = await world.runBatch({ rows });
		expect(next?.finished?.exitCode).toBe(0);
		expect(world.created).toHaveLength(3);
	});
});

/** The disk is full as soon as the service has created a brief. */
class DiskFullAfterCreate extends Oracle {
	constructor(private readonly full: World) {
		super();
	}

	override choose(...possible: string[]): string {
		const isFull = this.full.created.length > 0 && possible.includes('disk is full');
		return isFull ? 'disk is full' : '';
	}
}
