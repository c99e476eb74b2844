import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../sandbox/random';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox';
import { inFolder } from '../folder';
import { median } from '../table';
import { SPEED } from './alone';
import { writeProducts, type Batch } from './contenders';
import { figuresOf } from './figures';
import type { Program } from './programs';

export const KILLED_BRIEFS = 12;
export const KILLED_BATCHES = 5;
export const KILLS = 4;
export const KILLED_SEEDS = Array.from({ length: KILLED_BATCHES }, (_, i) => `killed-${i + 1}`);

export interface KilledFigures {
	/** Briefs beyond one for each product, in all batches. */
	paidTwice: number;
	/** Products that have no brief, in all batches. */
	unpaid: number;
	/** undefined in n8n, which takes longer to start than a brief lasts in fast time. */
	makespan: number | undefined;
	/** From the start of the process that resumes until it looks at a brief or orders one, in milliseconds. */
	resumed: number;
}

/** What became of one batch. */
export interface KilledBatch extends Omit<KilledFigures, 'resumed' | 'makespan'> {
	makespan: number;
	/** How long each resume took. */
	resumes: readonly number[];
}

/** Batches whose run is killed at random moments, the same for each contender, and started again at once. */
export async function benchKilled(contenders: readonly Program[]): Promise<KilledFigures[]> {
	const runs = contenders.map((each) =>
		Promise.all(KILLED_SEEDS.map((seed) => runKilled(each, seed))),
	);
	return (await Promise.all(runs)).map(together);
}

export function startKilledSandbox(seed: string): Promise<Sandbox> {
	return startSandbox({ speed: SPEED, seed, failureShare: 0, requestsPerMinute: 0 });
}

/** How long after each start the kill comes, in milliseconds of this machine. */
export function killTimes(seed: string): number[] {
	const dice = random(seed, 'kills');
	return Array.from({ length: KILLS }, () => dice.int(60_000, 360_000) / SPEED);
}

export function whatBecame(sandbox: Sandbox, resumes: readonly number[]): KilledBatch {
	const products = new Set(sandbox.briefs().map(({ product_name }) => product_name)).size;
	return {
		paidTwice: sandbox.createdCount() - products,
		unpaid: KILLED_BRIEFS - products,
		makespan: figuresOf(sandbox, KILLED_BRIEFS).makespan,
		resumes,
	};
}

export function together(batches: readonly KilledBatch[]): KilledFigures {
	return {
		paidTwice: batches.reduce((sum, { paidTwice }) => sum + paidTwice, 0),
		unpaid: batches.reduce((sum, { unpaid }) => sum + unpaid, 0),
		makespan: median(batches.map(({ makespan }) => makespan)),
		resumed: median(batches.flatMap(({ resumes }) => resumes)),
	};
}

async function runKilled(contender: Program, seed: string): Promise<KilledBatch> {
	const sandbox = await startKilledSandbox(seed);
	try {
		const resumes = await inFolder(async (folder) => {
			writeProducts(folder, KILLED_BRIEFS);
			return killAndResume(contender, { sandbox, folder, speed: SPEED }, killTimes(seed));
		});
		const became = whatBecame(sandbox, resumes);
		console.log(`${seed}, ${contender.name}: ${JSON.stringify(became)}`);
		return became;
	} finally {
		await sandbox.close();
	}
}

/** Gives how long each resume took. */
async function killAndResume(
	contender: Program,
	batch: Batch,
	times: readonly number[],
): Promise<number[]> {
	const { sandbox } = batch;
	const resumes: number[] = [];
	let run = contender.start(batch);
	for (const time of times) {
		await sleep(time);
		await run.kill();
		const [before, startedAt] = [sandbox.requests.length, Date.now()];
		run = contender.start(batch);
		resumes.push((await firstAboutBriefs(sandbox, before)) - startedAt);
	}
	await run.ended;
	return resumes;
}

/** When the first request came that looks at a brief or orders one, since a place in the log. */
export async function firstAboutBriefs(sandbox: Sandbox, since: number): Promise<number> {
	for (;;) {
		const request = sandbox.requests.slice(since).find(({ path }) => path.includes('/briefs'));
		if (request !== undefined) return request.at;
		await sleep(20);
	}
}
