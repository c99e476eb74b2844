import type { ExitCode } from '../failure';
import { askFirst } from '../run/begin';
import { carryOut } from '../run/carry-out';
import type { Console } from '../screen/console';
import { showEnd } from '../screen/summary';
import type { Settings } from '../settings/settings';
import { confirmOrders } from './confirm';
import { inFolder } from './in-folder';

/** Takes a CSV through the service. The same command resumes. */
export function run(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	return inFolder(csv, settings, console, async (request, env) => {
		const asked = await askFirst(request, env);
		await confirmOrders(asked, { ...env, csv: request.table.file }, settings, console);
		return showEnd(await carryOut(asked, request, env), request, console, env.service.now());
	});
}
