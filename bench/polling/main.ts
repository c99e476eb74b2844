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

/** Makespan, reads and delay of each way to look, in each way in which the service may behave. */
export function pollingTable(seeds: number): string {
	const lines = WORLDS.flatMap((world) =>
		Object.entries(POLICIES).map(([name, policy]) => lineOf(world, name, policy, seeds)),
	);
	return [
		'| the service | looks | makespan ÷ without delay | reads per brief | noticed after, p95 (s) |',
		'|---|---|---|---|---|',
		...lines,
	].join('\n');
}

function lineOf(world: World, name: string, policy: Policy, seeds: number): string {
	const runs = Array.from({ length: seeds }, (_, seed) =>
		simulate(world, BRIEFS, `polling ${seed}`, policy),
	);
	const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / seeds;
	const over = mean(runs.map((run) => run.over)).toFixed(4);
	const reads = mean(runs.map((run) => run.readsPerBrief)).toFixed(2);
	const delay = quantile(
		runs.flatMap(({ delays }) => delays),
		0.95,
	);
	return `| ${world.name} | ${name} | ${over} | ${reads} | ${(delay / 1000).toFixed(1)} |`;
}

if (require.main === module) console.log(pollingTable(Number(process.argv[2] ?? 100)));
