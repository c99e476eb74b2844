import { inFolder } from '../process';
import { median } from '../figures-table';
import { startSandboxOf, writeProducts, type Contender } from './contender';
import { fairSeeds, figuresOf, type Figures } from './figures';

export const BRIEFS = 40;
export const BATCHES = 3;

/** A batch with the workspace for itself: each contender at the same time, against its own sandbox. */
export async function benchAlone(contenders: readonly Contender[]): Promise<Figures[]> {
	const seeds = fairSeeds(BATCHES, BRIEFS);
	const runs = contenders.map((each) => Promise.all(seeds.map((seed) => runAlone(each, seed))));
	return (await Promise.all(runs)).map((figures) => ({
		makespan: median(figures.map(({ makespan }) => makespan)),
		requests: median(figures.map(({ requests }) => requests)),
		noticeDelay: median(figures.map(({ noticeDelay }) => noticeDelay)),
	}));
}

async function runAlone(contender: Contender, seed: string): Promise<Figures> {
	const { sandbox, clock } = await startSandboxOf(seed);
	try {
		await inFolder(async (folder) => {
			writeProducts(folder, BRIEFS);
			await contender.start({ sandbox, clock, folder }).end;
		});
		const figures = figuresOf(sandbox, BRIEFS);
		console.log(`${seed}, ${contender.name}: ${JSON.stringify(figures)}`);
		return figures;
	} finally {
		await sandbox.close();
	}
}
