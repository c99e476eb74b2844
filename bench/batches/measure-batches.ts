import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import { createRandom } from '../../sandbox/random';
import type { Sandbox } from '../../sandbox/sandbox';
import { mean, type Figure } from '../figure';
import { openBatch, SPEED, type Contender, type Host } from './contender';
import { findFairSeeds, measureFigures, type BatchFigures } from './figures';
import { useN8n } from './n8n';
import { startPrograms } from './programs';

const BRIEFS = 40;
/** Single batches vary by chance. The peers differ from us by more than that, so they need fewer batches. */
const BATCHES = { ours: 12, peers: 3 };
const KILLED_BRIEFS = 12;
const KILLED_SEEDS = ['killed-1', 'killed-2', 'killed-3', 'killed-4', 'killed-5'];
const KILLS = 4;

/** The contenders, in the sequence of the columns. */
export const NAMES = ['brief-batch', 'n8n, Create', 'p-limit and axios', 'n8n, HTTP Request'];

interface KilledFigures {
	/** The number of briefs minus the number of products with a brief. */
	paidTwice: number;
	/** The number of products without a brief. */
	missing: number;
}

/** Measures brief-batch, our nodes and the peers with the same batches. */
export async function measureBatches(n8n: N8nWithPackage): Promise<Figure[]> {
	const hosts = [startPrograms(), useN8n(n8n)];
	const contenders = hosts.flatMap((host) => host.contenders);
	const whole = new Map<string, BatchFigures>();
	await Promise.all(contenders.map(async (each) => whole.set(each.name, await measureWhole(each))));
	const killed = new Map<string, KilledFigures>();
	// One host after the other, because a start of n8n slows down the other programs.
	for (const host of hosts) {
		for (const [name, figures] of await measureKilled(host)) killed.set(name, figures);
	}
	const figure = <T>(
		name: string,
		target: number,
		results: Map<string, T>,
		select: (result: T) => number,
	): Figure => {
		const [value = NaN, ...peers] = NAMES.map((each) => {
			const result = results.get(each);
			return result === undefined ? NaN : select(result);
		});
		return { name, value, target, peers };
	};
	const all = KILLED_SEEDS.length * KILLED_BRIEFS;
	const kills = `${all} briefs, ${KILLED_SEEDS.length * KILLS} kills`;
	return [
		figure(`${BRIEFS} briefs: time ÷ lower bound`, 1.02, whole, ({ makespan }) => makespan),
		figure('… requests per brief', 8.5, whole, ({ requestsPerBrief }) => requestsPerBrief),
		figure('… ready → noticed, p95, s', 8, whole, ({ noticeSeconds }) => noticeSeconds),
		figure(`${kills}: briefs paid twice`, 0, killed, ({ paidTwice }) => paidTwice),
		figure('… products without a brief', 0, killed, ({ missing }) => missing),
	];
}

/** Returns the means of several batches, which run at the same time. */
async function measureWhole(contender: Contender): Promise<BatchFigures> {
	const isOurs = contender.name === NAMES[0];
	const seeds = findFairSeeds(isOurs ? BATCHES.ours : BATCHES.peers, BRIEFS);
	const all = await Promise.all(
		seeds.map(async (seed) => {
			const batch = await openBatch(seed, BRIEFS);
			try {
				const prepared = await contender.prepare(batch);
				await prepared.execute();
				await prepared.waitForEnd();
				return measureFigures(batch.sandbox);
			} finally {
				await batch.close();
			}
		}),
	);
	return {
		makespan: mean(all.map(({ makespan }) => makespan)),
		requestsPerBrief: mean(all.map(({ requestsPerBrief }) => requestsPerBrief)),
		noticeSeconds: mean(all.map(({ noticeSeconds }) => noticeSeconds)),
	};
}

/** Kills and resumes the batches of all contenders several times, and returns the figures of each contender. */
async function measureKilled(host: Host): Promise<Map<string, KilledFigures>> {
	const { contenders } = host;
	const pairs = contenders.flatMap((each) => KILLED_SEEDS.map((seed) => [each, seed] as const));
	const runs = await Promise.all(
		pairs.map(async ([contender, seed]) => {
			const batch = await openBatch(seed, KILLED_BRIEFS);
			return { contender, batch, prepared: await contender.prepare(batch) };
		}),
	);
	const executeAll = () => Promise.all(runs.map(({ prepared }) => prepared.execute()));
	const dice = createRandom('bench', 'kills');
	try {
		await executeAll();
		for (let kills = 0; kills < KILLS; kills += 1) {
			await sleep(dice.int(60_000, 360_000) / SPEED);
			await host.kill();
			await executeAll();
		}
		await Promise.all(runs.map(({ prepared }) => prepared.waitForEnd()));
		return new Map(
			contenders.map((each) => {
				const own = runs.filter(({ contender }) => contender === each);
				return [each.name, countBriefs(own.map(({ batch }) => batch.sandbox))];
			}),
		);
	} finally {
		await Promise.all(runs.map(({ batch }) => batch.close()));
	}
}

function countBriefs(sandboxes: readonly Sandbox[]): KilledFigures {
	const products = sandboxes.map(
		(sandbox) => new Set(sandbox.briefs().map(({ product_name }) => product_name)).size,
	);
	const total = products.reduce((sum, count) => sum + count, 0);
	const created = sandboxes.reduce((sum, sandbox) => sum + sandbox.createdCount(), 0);
	return { paidTwice: created - total, missing: sandboxes.length * KILLED_BRIEFS - total };
}
