import type { ExitCode } from '../exit-codes';
import { releaseFolder } from '../folder/out-folder';
import { askFirst } from '../run/ask';
import { carryOut } from '../run/carry-out';
import { placeOf } from '../run/request';
import type { Console } from '../screen/console';
import { showEnd } from '../screen/summary';
import type { Settings } from '../settings/settings';
import { confirmOrders } from './confirm';
import { openBatch } from './open-batch';

/** Takes a CSV through the service. The same command resumes. */
export async function run(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	const batch = await openBatch(csv, settings, console);
	const { request, env } = batch;
	try {
		const answers = await askFirst(request, env);
		await confirmOrders(answers, batch, settings, console);
		console.showRun({ records: env.journal.records, place: placeOf(request) });
		const outcome = await carryOut(answers, request, env);
		return showEnd(outcome, request, console, env.service.now());
	} finally {
		await releaseFolder(batch.folder);
	}
}
