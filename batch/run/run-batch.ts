import { askFirst, beginRun } from './begin-run';
import { endRun, type RunReport } from './end-run';
import { FreshFiles } from './files/fresh-files';
import { ReportedRows } from './reported';
import { RunFiles } from './files/run-files';
import { News } from './news';
import { prepare } from './prepare';
import { readRows } from './read-rows';
import type { RunEnvironment, RunRequest } from './request';
import { keysOfGoneRows } from './rows/gone-rows';
import { scheduleRows } from './schedule-rows';

/**
 * Takes the rows of a CSV through the service, two at a time, and leaves results for all of them. What an earlier run
 * began is taken up where it stands.
 * @throws {Failure} where nothing could be begun
 */
export async function runBatch(request: RunRequest, given: RunEnvironment): Promise<RunReport> {
	const news = new News(given.emit);
	const { emit } = news;
	const env = { ...given, emit };
	const { journal, clock } = env;
	const { lastRun } = journal.records;
	const reported = new ReportedRows(journal.records);

	const summary = await readRows(request, env, reported);
	const before = await askFirst(request, env, summary);
	const run = prepare(request, env, before, keysOfGoneRows(summary, journal.records));
	const files = new RunFiles(request, env, { ...summary, budget: run.budget, reported });
	const fresh = new FreshFiles(clock, () => files.refresh());
	run.emit = (event) => {
		emit(event);
		fresh.see(event);
	};
	await files.begin();
	await beginRun(request, env, summary, before, run);
	await scheduleRows(request, env, summary, run).finally(() => fresh.stop());

	const { allowance } = before.allowance;
	return await endRun(request, env, allowance, run, { files, reported, news, lastRun });
}
