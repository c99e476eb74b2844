import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import type { Sandbox } from '../../sandbox/sandbox';
import { inFolder } from '../folder';
import { SPEED } from './alone';
import { writeProducts } from './contenders';
import {
	firstAboutBriefs,
	KILLED_BRIEFS,
	KILLED_SEEDS,
	killTimes,
	startKilledSandbox,
	together,
	whatBecame,
	type KilledFigures,
} from './killed';
import type { InN8n, PreparedBatch } from './n8n';

interface Running {
	contender: InN8n;
	sandbox: Sandbox;
	prepared: PreparedBatch;
	resumes: number[];
}

/**
 * The same batches in one n8n, which is killed as a whole and started again: so all at the moments of the first batch.
 * As soon as n8n answers, a person executes each workflow again.
 */
export async function benchKilledInN8n(
	{ server }: N8nWithPackage,
	contenders: readonly InN8n[],
): Promise<KilledFigures[]> {
	const pairs = contenders.flatMap((each) => KILLED_SEEDS.map((seed) => [each, seed] as const));
	const all = await Promise.all(pairs.map(([each, seed]) => prepare(each, seed)));
	try {
		await Promise.all(all.map(({ prepared }) => prepared.execute()));
		for (const time of killTimes(KILLED_SEEDS[0] ?? '')) {
			await sleep(time);
			await server.kill();
			const before = all.map(({ sandbox }) => sandbox.requests.length);
			const startedAt = Date.now();
			await server.restart();
			await Promise.all(
				all.map(async ({ sandbox, prepared, resumes }, i) => {
					await prepared.execute();
					resumes.push((await firstAboutBriefs(sandbox, before[i] ?? 0)) - startedAt);
				}),
			);
		}
		await Promise.all(all.map(({ prepared }) => prepared.ended()));
		return contenders.map((contender) => {
			const own = all.filter((each) => each.contender === contender);
			const became = own.map(({ sandbox, resumes }) => whatBecame(sandbox, resumes));
			for (const batch of became) console.log(`${contender.name}: ${JSON.stringify(batch)}`);
			return { ...together(became), makespan: undefined };
		});
	} finally {
		await Promise.all(all.map(({ sandbox }) => sandbox.close()));
	}
}

async function prepare(contender: InN8n, seed: string): Promise<Running> {
	const sandbox = await startKilledSandbox(seed);
	const prepared = await inFolder((folder) => {
		writeProducts(folder, KILLED_BRIEFS);
		return contender.prepare({ sandbox, folder, speed: SPEED });
	});
	return { contender, sandbox, prepared, resumes: [] };
}
