import { inFolder } from '../process';
import { mean } from '../figures-table';
import { startSandboxOf, writeProducts, type Contender } from './contender';
import { fairSeeds, figuresOf, type Figures } from './figures';
import { OURS } from './peer-programs';

export const BRIEFS = 40;
/** One batch depends on luck. The peers are slower by more than that. */
const BATCHES = { ours: 12, peers: 3 };

/** A batch with the workspace for itself: each contender at the same time, against its own sandbox. */
export async function benchAlone(contenders: readonly Contender[]): Promise<Figures[]> {
	const runs = contenders.map((each) => {
		const seeds = fairSeeds(each === OURS ? BATCHES.ours : BATCHES.peers, BRIEFS);
		return Promise.all(seeds.map((seed) => runAlone(each, seed)));
	});
	return (await Promise.all(runs)).map((figures) => ({
		makespan: mean(figures.map(({ makespan }) => makespan)),
		requests: mean(figures.map(({ requests }) => requests)),
		noticeDelay: mean(figures.map(({ noticeDelay }) => noticeDelay)),
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
