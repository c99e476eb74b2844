import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../sandbox/random';
import type { Sandbox } from '../../sandbox/sandbox';
import { inFolder } from '../process';
import { SPEED, startSandboxOf, writeProducts, type Batch } from './contender';
import type { Program } from './peer-programs';

export const KILLED_BRIEFS = 12;
export const KILLED_BATCHES = 5;
export const KILLS = 4;
export const KILLED_SEEDS = Array.from({ length: KILLED_BATCHES }, (_, i) => `killed-${i + 1}`);

export interface KilledFigures {
	/** Briefs beyond one for each product. */
	paidTwice: number;
	/** Products that have no brief. */
	unpaid: number;
}

/** Batches whose run is killed at random moments, the same for each contender, and started again at once. */
export async function benchKilled(contenders: readonly Program[]): Promise<KilledFigures[]> {
	const runs = contenders.map((each) =>
		Promise.all(KILLED_SEEDS.map((seed) => runKilled(each, seed))),
	);
	return (await Promise.all(runs)).map(together);
}

/** How long after each start the kill comes, in milliseconds of this machine. */
export function killTimes(seed: string): number[] {
	const dice = random(seed, 'kills');
	return Array.from({ length: KILLS }, () => dice.int(60_000, 360_000) / SPEED);
}

export function whatBecame(sandbox: Sandbox): KilledFigures {
	const products = new Set(sandbox.briefs().map(({ product_name }) => product_name)).size;
	return { paidTwice: sandbox.createdCount() - products, unpaid: KILLED_BRIEFS - products };
}

export function together(batches: readonly KilledFigures[]): KilledFigures {
	return {
		paidTwice: batches.reduce((sum, { paidTwice }) => sum + paidTwice, 0),
		unpaid: batches.reduce((sum, { unpaid }) => sum + unpaid, 0),
	};
}

async function runKilled(contender: Program, seed: string): Promise<KilledFigures> {
	const { sandbox, clock } = await startSandboxOf(seed);
	try {
		await inFolder(async (folder) => {
			writeProducts(folder, KILLED_BRIEFS);
			await killAndResume(contender, { sandbox, clock, folder }, killTimes(seed));
		});
		const became = whatBecame(sandbox);
		console.log(`${seed}, ${contender.name}: ${JSON.stringify(became)}`);
		return became;
	} finally {
		await sandbox.close();
	}
}

async function killAndResume(
	contender: Program,
	batch: Batch,
	times: readonly number[],
): Promise<void> {
	let run = contender.start(batch);
	for (const time of times) {
		await sleep(time);
		await run.kill();
		run = contender.start(batch);
	}
	await run.end;
}
