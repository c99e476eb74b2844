import { startSandbox } from '../../sandbox/sandbox';
import { median } from '../table';
import { inFolder } from '../folder';
import { writeProducts, type Contender } from './contenders';
import { fairSeeds, figuresOf, type Figures } from './figures';

export const BRIEFS = 40;
export const BATCHES = 3;
/** Time runs this many times as fast, so a request or a sync of 10 ms counts as a fifth of a second. */
export const SPEED = 20;

/** A batch with the workspace for itself: each contender at the same time, against a sandbox of its own. */
export async function benchAlone(contenders: readonly Contender[]): Promise<Figures[]> {
	const seeds = fairSeeds(BATCHES, BRIEFS);
	const runs = contenders.map((each) => Promise.all(seeds.map((seed) => runAlone(each, seed))));
	return (await Promise.all(runs)).map((figures) => ({
		makespan: median(figures.map(({ makespan }) => makespan)),
		requests: median(figures.map(({ requests }) => requests)),
		noticed: median(figures.map(({ noticed }) => noticed)),
		refused: median(figures.map(({ refused }) => refused)),
	}));
}

async function runAlone(contender: Contender, seed: string): Promise<Figures> {
	const sandbox = await startSandbox({
		speed: SPEED,
		seed,
		failureShare: 0,
		requestsPerMinute: 0,
	});
	try {
		await inFolder(async (folder) => {
			writeProducts(folder, BRIEFS);
			await contender.start({ sandbox, folder, speed: SPEED }).ended;
		});
		const figures = figuresOf(sandbox, BRIEFS);
		console.log(`${seed}, ${contender.name}: ${JSON.stringify(figures)}`);
		return figures;
	} finally {
		await sandbox.close();
	}
}
