import type { Overview } from '../../../batch/overview/overview';
import { cup, mug, pan } from '../support/order-builder';
import { VirtualBatch } from '../support/virtual-batch';
import { Oracle, Script, World } from '../support/world';
import { makeDiskFullError } from '../support/world-disk';

const list = (count: number) => Array.from({ length: count }, (_, index) => `Product ${index}`);

describe('results during a run', () => {
	test('defer the rows that --reserve and the orders of the run leave no allowance for', async () => {
		const batch = new VirtualBatch({ allowance: 5 });
		const overviews: Overview[] = [];
		batch.onResult = (describeRows) => overviews.push(describeRows());
		const { overview } = await batch.run(list(6), { reserve: ['2'] });
		expect(overview.counts).toMatchObject({ ready: 3, deferred: 3 });
		expect(overviews.map(({ counts }) => counts.deferred)).toEqual([3, 3, 3]);
		expect(overviews.map(({ counts }) => counts.ready)).toEqual([1, 2, 3]);
	});

	test('show rows that are not reached yet as pending', async () => {
		const batch = new VirtualBatch();
		const overviews: Overview[] = [];
		batch.onResult = (describeRows) => overviews.push(describeRows());
		await batch.run(list(3));
		expect(overviews[0]?.counts).toMatchObject({ ready: 1, pending: 2 });
	});
});

test('a brief that another process orders after the plan counts as reused', async () => {
	const batch = new VirtualBatch();
	batch.beforeFirstCreate = () => batch.sandbox.put({ product_name: 'Pan' }, 60_000);
	const { reused, orderedIds } = await batch.run(['Mug', 'Pan']);
	expect([orderedIds.size, reused]).toEqual([1, 1]);
});

test('failures that left no row stop nothing: the run ends with 1, not with 5', async () => {
	const batch = new VirtualBatch({ failed: () => true });
	const { end, exitCode } = await batch.run(list(2), { maxFailures: ['2'] });
	expect([end, exitCode]).toEqual(['complete', 1]);
});

describe('when the disk is full', () => {
	test('at the end, the run is described with all that it did, and ends with 5', async () => {
		const batch = new VirtualBatch();
		const append = batch.disk.append.bind(batch.disk);
		batch.disk.append = async (path, bytes) => {
			if (bytes.includes('"end"')) throw makeDiskFullError(path);
			await append(path, bytes);
		};
		const { exitCode, stop, statuses, orderedIds } = await batch.run(list(3));
		expect(exitCode).toBe(5);
		expect(stop?.finding?.message).toBe('Cannot read or write out/journal.jsonl (ENOSPC).');
		expect(statuses).toEqual(['ready', 'ready', 'ready']);
		expect(orderedIds.size).toBe(3);
	});

	test('at the end of a run that a limit stopped, the error is not hidden by the limit', async () => {
		const batch = new VirtualBatch({ failed: () => true });
		const append = batch.disk.append.bind(batch.disk);
		batch.disk.append = async (path, bytes) => {
			if (bytes.includes('"end"')) throw makeDiskFullError(path);
			await append(path, bytes);
		};
		const { end, exitCode } = await batch.run(list(9));
		expect([end, exitCode]).toEqual(['error', 5]);
	});

	test('at the first line, nothing is ordered and the run ends with 5', async () => {
		const world = makeWorld(['disk is full']);
		const result = await world.runBatch();
		expect(result?.finished?.exitCode).toBe(5);
		expect(world.created).toHaveLength(0);
	});

	test('after a create request, the brief counts as ordered, and the next run saves it at no cost', async () => {
		const world = makeWorld([]);
		world.oracle = new DiskFullAfterCreate(world);
		const result = await world.runBatch();
		expect(result?.finished?.exitCode).toBe(5);
		expect(result?.finished?.orderedIds.size).toBe(1);
		world.oracle = new Oracle();
		await world.clock.pass(60_000);
		const next = await world.runBatch();
		expect(next?.finished?.exitCode).toBe(0);
		expect(world.created).toHaveLength(3);
	});
});

function makeWorld(faults: string[]): World {
	const inputs = [mug, pan, cup];
	const nature = { inputs, keyMemoryMs: 3_600_000, listLagMs: 0, showsInput: true };
	return new World(nature, new Script(faults));
}

/** The disk is full as soon as the service has created a brief. */
class DiskFullAfterCreate extends Oracle {
	constructor(private readonly world: World) {
		super();
	}

	override choose(...possible: string[]): string {
		const isFull = this.world.created.length > 0 && possible.includes('disk is full');
		return isFull ? 'disk is full' : '';
	}
}
