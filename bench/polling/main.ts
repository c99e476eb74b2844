import { DEFAULT_POLL_INTERVAL } from '../../service/poll-interval';
import { quantile } from '../table';
import { simulate, type Policy } from './simulate';
import { WORLDS, type World } from './worlds';

const { shortest, longest } = DEFAULT_POLL_INTERVAL;
const BRIEFS = 40;

const every =
	(gap: number): Policy =>
	(_briefs, lastLook) =>
		lastLook + gap;

const POLICIES: Readonly<Record<string, Policy>> = {
	'brief-batch': (briefs, lastLook) => briefs.nextLook(lastLook, DEFAULT_POLL_INTERVAL),
	'the list every 15 s': every(shortest),
	'the list every 30 s': every(longest),
	'the list every 7.5 s': every(shortest / 2),
};

/** A way to look in a way in which the service may behave. */
export interface Looked {
	world: string;
	looks: string;
	/** Makespan ÷ that of a runner that loses no moment. */
	over: number;
	readsPerBrief: number;
	/** From the end of a brief until it was known, 95th percentile, in seconds. */
	noticed: number;
}

export function simulateAll(seeds: number): Looked[] {
	return WORLDS.flatMap((world) =>
		Object.entries(POLICIES).map(([looks, policy]) => ({
			world: world.name,
			looks,
			...look(world, policy, seeds),
		})),
	);
}

/** Makespan, reads and delay of each way to look, in each way in which the service may behave. */
export function pollingTable(all: readonly Looked[]): string {
	const lines = all.map(
		({ world, looks, over, readsPerBrief, noticed }) =>
			`| ${world} | ${looks} | ${over.toFixed(4)} | ${readsPerBrief.toFixed(2)} | ${noticed.toFixed(1)} |`,
	);
	return [
		'| the service | looks | makespan ÷ without delay | reads per brief | noticed after, p95 (s) |',
		'|---|---|---|---|---|',
		...lines,
	].join('\n');
}

function look(world: World, policy: Policy, seeds: number) {
	const runs = Array.from({ length: seeds }, (_, seed) =>
		simulate(world, BRIEFS, `polling ${seed}`, policy),
	);
	const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / seeds;
	const delays = runs.flatMap((run) => run.delays);
	return {
		over: mean(runs.map((run) => run.over)),
		readsPerBrief: mean(runs.map((run) => run.readsPerBrief)),
		noticed: quantile(delays, 0.95) / 1000,
	};
}

if (require.main === module) console.log(pollingTable(simulateAll(Number(process.argv[2] ?? 100))));
