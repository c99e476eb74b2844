import { keptIn } from '../results/kept-briefs';
import { keysOfGoneRows, makePlan, type PlanSource } from '../plan/plan';
import { askFirst, beginRun, confirmOrders, reportRows } from './begin-run';
import { endRun, type RunReport } from './end-run';
import { isNews, type RunEvent } from './events';
import { olderText, othersText } from './listed/listed-rows';
import { FreshFiles, RunFiles } from './files/run-files';
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
		given.emit(event);
	};
	const env = { ...given, emit };
	const { journal, clock, disk } = env;
	const notice = (text: string) => emit({ event: 'notice', text });
	const { records } = journal;
	const { lastRun } = records;

	const known = makePlan({ ...rowsToPlan(request), records, options: request });
	reportRows(known, request, emit);
	const kept = await keptIn(disk, request.outDir, records, request.openResults);
	othersText(kept).forEach(notice);
	const before = await askFirst(request, env, known);
	const run = prepare(request, env, { ...before, kept }, keysOfGoneRows(known));
	const mayBeListed: PlanSource['mayBeListed'] = (row, input) => run.listed.mayHave(row, input);
	const plan = makePlan(run.listed.size === 0 ? known.source : { ...known.source, mayBeListed });
	olderText(plan, run.listed).forEach(notice);
	await confirmOrders(plan, before, request, env);
	const files = new RunFiles(request, env, plan, run.budget);
	const fresh = new FreshFiles(clock, () => files.refresh());
	run.emit = (event) => {
		emit(event);
		fresh.see(event);
	};
	await files.begin();
	await beginRun(request, plan, before, run);
	await scheduleRows(plan, request, env, run).finally(() => fresh.stop());

	const { allowance } = before.allowance;
	return await endRun(request, env, run, { files, isNew, lastRun, allowance });
}
