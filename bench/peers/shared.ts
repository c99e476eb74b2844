import type { Sandbox } from '../../sandbox/sandbox';
import { startSandbox } from '../../sandbox/sandbox';
import { inFolder } from '../folder';
import { SPEED } from './alone';
import { writeProducts, type Contender } from './contenders';
import { figuresOf, type Figures } from './figures';

export const SHARED_BRIEFS = 20;
/** A colleague orders a brief this often … */
const EVERY_MS = 600_000;
/** … which takes half of that time. */
const TAKES_MS = 300_000;

/** A batch in a workspace in which a colleague holds one of the two slots half of the time. */
export async function benchShared(contenders: readonly Contender[]): Promise<Figures[]> {
	return Promise.all(contenders.map(runShared));
}

async function runShared(contender: Contender): Promise<Figures> {
	const sandbox = await startSandbox({
		speed: SPEED,
		seed: 'shared',
		failureShare: 0,
		requestsPerMinute: 0,
	});
	const colleague = startColleague(sandbox);
	try {
		await inFolder(async (folder) => {
			writeProducts(folder, SHARED_BRIEFS);
			await contender.start({ sandbox, folder, speed: SPEED }).ended;
		});
		const figures = figuresOf(sandbox, SHARED_BRIEFS);
		console.log(`shared, ${contender.name}: ${JSON.stringify(figures)}`);
		return figures;
	} finally {
		clearInterval(colleague);
		await sandbox.close();
	}
}

/** Takes a slot in each period, as soon as one is free: within three seconds of the sandbox’s time. */
function startColleague(sandbox: Sandbox): NodeJS.Timeout {
	const start = sandbox.now();
	let next = start;
	return setInterval(() => {
		const now = sandbox.now();
		const running = sandbox.briefs().filter(({ readyAt }) => (readyAt ?? Infinity) > now);
		if (now < next || running.length >= 2) return;
		next = start + EVERY_MS * (1 + Math.floor((now - start) / EVERY_MS));
		sandbox.addBrief({ durationMs: TAKES_MS });
	}, 3000 / SPEED);
}
