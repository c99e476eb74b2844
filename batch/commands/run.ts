import type { ExitCode } from '../exit-codes';
import { releaseFolder } from '../folder/out-folder';
import { prepareRun } from '../run/prepare';
import type { Plan } from '../plan/plan';
import { carryOut } from '../run/carry-out';
import { placeOf } from '../run/request';
import type { Console } from '../screen/console';
import { showEnd } from '../screen/summary';
import type { Settings } from '../settings/settings';
import { confirmOrders } from './confirm';
import { openBatch, type OpenBatch } from './open-batch';

/** Takes a CSV through the service. The same command resumes. */
export async function run(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	return await runBatch(await openBatch(csv, settings, console), settings, console);
}

/**
 * Takes an open batch through the service, and closes its folder.
 * @param sayFirst what is said of the plan before a person is asked
 */
export async function runBatch(
	batch: OpenBatch,
	settings: Settings,
	console: Console,
	sayFirst?: (plan: Plan) => void,
): Promise<ExitCode> {
	const { request, env, folder } = batch;
	try {
		const preparation = await prepareRun(request, env);
		sayFirst?.(preparation.plan);
		await confirmOrders(preparation, batch, settings, console);
		console.showRun({ records: env.journal.records, place: placeOf(request) });
		const outcome = await carryOut(preparation, request, env);
		return showEnd(outcome, request, console, env.service.now());
	} finally {
		await releaseFolder(folder);
	}
}
