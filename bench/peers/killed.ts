import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../sandbox/random';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox';
import { inFolder } from '../folder';
import { median } from '../table';
import { SPEED } from './alone';
import { runToEnd, startRun, writeProducts, type Contender } from './contenders';
import { figuresOf } from './figures';

export const KILLED_BRIEFS = 12;
export const KILLED_BATCHES = 5;
export const KILLS = 4;

export interface KilledFigures {
	/** Briefs beyond one for each product, in all batches. */
	paidTwice: number;
	/** Products that have no brief, in all batches. */
	unpaid: number;
	makespan: number;
	/** From the start of the process that resumes until it looks at a brief or orders one, in milliseconds. */
	resumed: number;
}

/** Batches whose run is killed at random moments, the same for each contender, and started again at once. */
export async function benchKilled(contenders: readonly Contender[]): Promise<KilledFigures[]> {
	const seeds = Array.from({ length: KILLED_BATCHES }, (_, i) => `killed-${i + 1}`);
	const runs = contenders.map((each) => Promise.all(seeds.map((seed) => runKilled(each, seed))));
	return (await Promise.all(runs)).map((batches) => ({
		paidTwice: batches.reduce((sum, { paidTwice }) => sum + paidTwice, 0),
		unpaid: batches.reduce((sum, { unpaid }) => sum + unpaid, 0),
		makespan: median(batches.map(({ makespan }) => makespan)),
		resumed: median(batches.flatMap(({ resumes }) => resumes)),
	}));
}

async function runKilled(contender: Contender, seed: string) {
	const sandbox = await startSandbox({
		...{ speed: SPEED, seed, failureShare: 0, requestsPerMinute: 0 },
	});
	try {
		const resumes = await inFolder(async (folder) => {
			writeProducts(folder, KILLED_BRIEFS);
			return killAndResume(contender, sandbox, folder, seed);
		});
		const products = new Set(sandbox.briefs().map(({ product_name }) => product_name));
		const paidTwice = sandbox.createdCount() - products.size;
		const { makespan } = figuresOf(sandbox, KILLED_BRIEFS);
		console.log(
			`${seed}, ${contender.name}: ${paidTwice} paid twice, ${makespan}, resumes of ${resumes.join(', ')} ms`,
		);
		return { paidTwice, unpaid: KILLED_BRIEFS - products.size, makespan, resumes };
	} finally {
		await sandbox.close();
	}
}

/** Gives how long each resume took. */
async function killAndResume(
	contender: Contender,
	sandbox: Sandbox,
	folder: string,
	seed: string,
): Promise<number[]> {
	const dice = random(seed, 'kills');
	const resumes: number[] = [];
	let run = startRun(contender, sandbox, folder, SPEED);
	for (let kill = 0; kill < KILLS; kill += 1) {
		await sleep(dice.int(60_000, 360_000) / SPEED);
		await run.kill();
		const [before, startedAt] = [sandbox.requests.length, Date.now()];
		run = startRun(contender, sandbox, folder, SPEED);
		const request = await firstAboutBriefs(sandbox, before);
		resumes.push(request - startedAt);
	}
	await runToEnd(run, contender);
	return resumes;
}

async function firstAboutBriefs(sandbox: Sandbox, since: number): Promise<number> {
	for (;;) {
		const request = sandbox.requests.slice(since).find(({ path }) => path.includes('/briefs'));
		if (request !== undefined) return request.at;
		await sleep(20);
	}
}

/** How long a Node process takes that does nothing, in milliseconds: now and then while the batches run. */
export async function emptyProcess(): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < 9; round += 1) {
		await sleep(5000);
		const start = Date.now();
		await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
		times.push(Date.now() - start);
	}
	return median(times);
}
