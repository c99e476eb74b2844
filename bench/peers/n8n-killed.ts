import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import type { Sandbox } from '../../sandbox/sandbox';
import { inFolder } from '../process';
import { startSandboxOf, writeProducts } from './contender';
import {
	KILLED_BRIEFS,
	KILLED_SEEDS,
	killTimes,
	together,
	whatBecame,
	type KilledFigures,
} from './killed';
import type { InN8n, PreparedBatch } from './in-n8n';

interface KilledBatch {
	contender: InN8n;
	sandbox: Sandbox;
	prepared: PreparedBatch;
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
	const execute = () => Promise.all(all.map(({ prepared }) => prepared.execute()));
	try {
		await execute();
		for (const time of killTimes(KILLED_SEEDS[0] ?? '')) {
			await sleep(time);
			await server.kill();
			await server.restart();
			await execute();
		}
		await Promise.all(all.map(({ prepared }) => prepared.waitForEnd()));
		return contenders.map((contender) => {
			const itsRuns = all.filter((each) => each.contender === contender);
			return together(itsRuns.map(({ sandbox }) => whatBecame(sandbox)));
		});
	} finally {
		await Promise.all(all.map(({ sandbox }) => sandbox.close()));
	}
}

async function prepare(contender: InN8n, seed: string): Promise<KilledBatch> {
	const { sandbox, clock } = await startSandboxOf(seed);
	const prepared = await inFolder((folder) => {
		writeProducts(folder, KILLED_BRIEFS);
		return contender.prepare({ sandbox, clock, folder });
	});
	return { contender, sandbox, prepared };
}
