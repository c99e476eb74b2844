import type { RowStatus } from '../../../batch/report/row-state';
import { MINUTE } from '../../support/time';
import { cup, makeRows, mug, pan } from '../support/order-builder';
import { Story } from '../support/story';
import { listProducts, VirtualBatch } from '../support/virtual-batch';
import { Oracle } from '../../support/oracle';
import { makeDiskFullError } from '../support/world-disk';

describe('results during a run', () => {
	/** Returns how many rows have a status in each results.csv that is written. */
	async function runAndCount(batch: VirtualBatch, status: RowStatus, rows: number) {
		const counts: number[] = [];
		const replace = batch.disk.replace.bind(batch.disk);
		batch.disk.replace = async (path, bytes) => {
			if (path.endsWith('results.csv'))
				counts.push(bytes.toString().split(`,${status},`).length - 1);
			await replace(path, bytes);
		};
		await batch.run(listProducts(rows));
		return counts;
	}

	test('defer the rows that the orders of the run leave no allowance for', async () => {
		const batch = new VirtualBatch({ allowance: 3 });
		expect(await runAndCount(batch, 'deferred', 6)).toEqual([3, 3, 3, 3]);
	});

	test('show rows that are not reached yet as pending', async () => {
		expect(await runAndCount(new VirtualBatch(), 'pending', 3)).toEqual([2, 1, 0, 0]);
	});
});

test('a brief that another process orders after the plan counts as reused', async () => {
	const batch = new VirtualBatch();
	batch.beforeFirstCreate = () => batch.sandbox.addBrief({ product_name: 'Pan' }, 60_000);
	const { reused, ordered } = await batch.run(['Mug', 'Pan']);
	expect([ordered, reused]).toEqual([1, 1]);
});

test('a run whose failures leave no row to order was not stopped by them', async () => {
	const batch = new VirtualBatch({ shouldFail: () => true });
	const { end, exitCode } = await batch.run(listProducts(5));
	expect([end, exitCode]).toEqual(['complete', 1]);
});

test('a brief is ready only when its files are on the disk', async () => {
	const batch = new VirtualBatch();
	batch.disk.replace = (path) => Promise.reject(makeDiskFullError(path));
	const { statuses } = await batch.run(['Mug']);
	expect(statuses).toEqual(['pending']);
});

describe('when the disk is full', () => {
	/** A batch whose disk is full when the end of the run is written. */
	function makeFullBatch(shouldFail: () => boolean): VirtualBatch {
		const batch = new VirtualBatch({ shouldFail });
		const append = batch.disk.append.bind(batch.disk);
		batch.disk.append = async (path, bytes) => {
			if (bytes.includes('"end"')) throw makeDiskFullError(path);
			await append(path, bytes);
		};
		return batch;
	}

	test('at the end, the run reports all of its results and ends with 5', async () => {
		const batch = makeFullBatch(() => false);
		const { exitCode, stop, statuses, ordered } = await batch.run(listProducts(3));
		expect(exitCode).toBe(5);
		expect(stop?.finding?.message).toBe('Cannot read or write out/journal.jsonl (ENOSPC).');
		expect(statuses).toEqual(['ready', 'ready', 'ready']);
		expect(ordered).toBe(3);
	});

	test('at the end of a run that a limit stopped, the error is not hidden by the limit', async () => {
		const { end, exitCode } = await makeFullBatch(() => true).run(listProducts(9));
		expect([end, exitCode]).toEqual(['disk_failed', 5]);
	});

	const rows = makeRows(mug, pan, cup);

	test('at the first line, nothing is ordered and the run ends with 5', async () => {
		const story = new Story(['disk is full']);
		const result = await story.runBatch({ rows });
		expect(result?.finished?.exitCode).toBe(5);
		expect(story.created).toHaveLength(0);
	});

	test('after a create request, the brief counts as ordered, and the next run saves it at no cost', async () => {
		const story = new Story();
		story.oracle = new DiskFullAfterCreate(story);
		const result = await story.runBatch({ rows });
		expect(result?.finished?.exitCode).toBe(5);
		expect(result?.finished?.totals.ordered).toBe(1);
		story.setFaults();
		await story.clock.pass(MINUTE);
		const next = await story.runBatch({ rows });
		expect(next?.finished?.exitCode).toBe(0);
		expect(story.created).toHaveLength(3);
	});
});

/** The disk is full as soon as the service has created a brief. */
class DiskFullAfterCreate extends Oracle {
	constructor(private readonly full: Story) {
		super();
	}

	override choose(...possible: string[]): string {
		const isFull = this.full.created.length > 0 && possible.includes('disk is full');
		return isFull ? 'disk is full' : '';
	}
}
