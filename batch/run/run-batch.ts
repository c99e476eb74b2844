import { keptIn } from '../results/kept-briefs';
import { boundsOf, makePlan } from '../plan/plan';
import { askFirst, beginRun, confirmOrders, reportRows } from './begin-run';
import { endRun, type RunReport } from './end-run';
import { isNews, type RunEvent } from './events';
import { olderText, othersText } from './listed-rows';
import { longWaitOf } from './long-wait';
import { FreshFiles, RunFiles } from './run-files';
import { prepare } from './prepare';
import { rowsToPlan, type RunEnvironment, type RunRequest } from './request';
import { scheduleRows } from './schedule-rows';

/**
 * Takes the rows of a CSV through the service, two at a time, and leaves results for all of them. It goes on with what
 * an earlier run began.
 * @throws {Failure} if nothing could begin
 */
export async function runBatch(request: RunRequest, given: RunEnvironment): Promise<RunReport> {
	let isNew = false;
	const emit = (event: RunEvent) => {
		isNew ||= isNews(event);
		const wait = longWaitOf(event);
		// If it cannot be written, the next event cannot either, and says so.
		if (wait !== null)
			void given.journal.append({ type: 'waiting', ...wait }).catch(() => undefined);
		given.emit(event);
	};
	const env = { ...given, emit };
	const { journal, clock, disk } = env;
	const notice = (text: string) => emit({ event: 'notice', text });
	const { records } = journal;

	const known = makePlan({ ...rowsToPlan(request), records, options: request });
	reportRows(known, request, emit);
	const kept = await keptIn(disk, request.outDir, records, request.openResults);
	othersText(kept).forEach(notice);
	const before = await askFirst(request, env, known);
	const run = prepare(request, env, { ...before, kept }, known);
	const { allowance } = before;
	const bounds = boundsOf(allowance, request, env.service.now());
	const listed = run.listed.size > 0 && { mayBeListed: run.listed.mayHave };
	const plan = makePlan({ ...known.source, ...listed, bounds });
	olderText(plan, run.listed).forEach(notice);
	await confirmOrders(plan, allowance, env);
	const files = new RunFiles(request, env, plan, run.budget);
	const fresh = new FreshFiles(clock, () => files.refresh());
	run.emit = (event) => {
		emit(event);
		fresh.see(event);
	};
	await files.begin();
	await beginRun(request, plan, allowance, run);
	await scheduleRows(plan, request, env, run).finally(() => fresh.stop());

	return await endRun(request, env, run, { files, isNew, allowance: allowance.allowance });
}
