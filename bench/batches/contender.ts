import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox';
import { FastClock } from '../../test/support/fast-clock/fast-sandbox';

/** How many times as fast as real time the batches run. A request of 10 ms counts as a fifth of a second. */
export const SPEED = 20;
/** The shortest poll interval that the service recommends, in seconds of this machine. */
export const POLL_SECONDS = 15 / SPEED;

/** A program or workflow that orders the briefs of a batch. */
export interface Contender {
	name: string;
	prepare(batch: Batch): Promise<PreparedBatch>;
}

export interface Batch {
	sandbox: Sandbox;
	/** The sandbox's clock, for a contender that can use it. The others poll every POLL_SECONDS of real time. */
	clock: FastClock;
	/** Contains products.csv, and everything that a contender saves. */
	folder: string;
	products: string[];
	close(): Promise<void>;
}

export interface PreparedBatch {
	/** Starts the batch, or resumes it after a kill. */
	execute(): Promise<void>;
	/** Waits for the end of the last execution. Throws if it failed. */
	waitForEnd(): Promise<void>;
}

/** Contenders that are started and killed together. */
export interface Host {
	contenders: readonly Contender[];
	kill(): Promise<void>;
}

/** Opens a batch with a new sandbox and a new folder. */
export async function openBatch(seed: string, briefs: number): Promise<Batch> {
	const options = { speed: SPEED, seed, failureShare: 0, requestsPerMinute: 0 };
	const clock = new FastClock(SPEED);
	const sandbox = await startSandbox(options);
	const folder = mkdtempSync(join(tmpdir(), 'batch-'));
	const products = Array.from({ length: briefs }, (_, index) => `Product ${index + 1}`);
	writeFileSync(join(folder, 'products.csv'), `Product Name\n${products.join('\n')}\n`);
	const close = async () => {
		await sandbox.close();
		rmSync(folder, { recursive: true, force: true });
	};
	return { sandbox, clock, folder, products, close };
}
