import type { Asked } from './ask';
import { beginRun, putTriesOnRecord } from './begin';
import { contextOf } from './context';
import type { RunEnvironment, RunRequest } from './request';
import { endRun, type RunReport } from './report';
import { keepWait } from './long-wait';
import { FreshFiles, RunFiles } from './run-files';
import { scheduleRows } from './schedule';

/**
 * Carries a plan out: takes the rows of a CSV through the service, two at a time, and leaves results for all of them. It
 * goes on with what an earlier run began.
 */
export async function carryOut(
	asked: Asked,
	request: RunRequest,
	env: RunEnvironment,
): Promise<RunReport> {
	const { clock, events, journal } = env;
	const plan = await putTriesOnRecord(asked.plan, env);
	const run = contextOf(asked, request, env);
	const files = new RunFiles(request, env, plan, run.budget);
	const fresh = new FreshFiles(clock, () => files.refresh());
	events.listen((event) => fresh.see(event));
	events.listen((event) => keepWait(event, journal));
	await files.begin();
	await beginRun(request, plan, asked.allowance, run);
	await scheduleRows(plan, request, env, run).finally(() => fresh.stop());
	return await endRun(request, env, run, { files, allowance: asked.allowance.allowance });
}
