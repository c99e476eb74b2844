import { ServiceError } from '../../service/errors';
import type { BriefSummary } from '../../service/resources';
import { findDifferences, type Difference } from '../run/audit/audit';
import { diskFailure } from '../run/disk-failure';
import { repairAll, type Repaired } from '../run/audit/repair';
import { serviceFailure } from '../run/service-failure';
import type { Terminal } from './console';
import type { openEnvironment } from './environment';
import { holdJournal } from './hold-folder';
import type { Settings } from './settings/settings';
import { terminalText } from './format';

/**
 * Repairs what an audit has found, as the one that holds the folder.
 * @param listed all briefs of the workspace
 * @returns what was done, and what differs after it
 * @throws {Failure} if another run holds the folder, or the service gives no answer
 */
export async function repairFolder(
	listed: readonly BriefSummary[],
	{ outDir, interval }: Pick<Settings, 'outDir' | 'interval'>,
	{ service, clock, disk }: Pick<ReturnType<typeof openEnvironment>, 'service' | 'clock' | 'disk'>,
	{ console, interruption }: Terminal,
): Promise<{ done: Repaired[]; left: Difference[] }> {
	const say = (text: string) => console.say(terminalText(text));
	try {
		return await holdJournal(
			{ disk, outDir, clock, say, signal: interruption },
			async (journal, lock) => {
				const env = { disk: lock.disk, outDir, service, clock };
				const workspace = { forget: () => undefined };
				const run = {
					tools: { service, clock, interval, workspace },
					store: { journal, disk: lock.disk, outDir },
					ordering: { waiting: interruption },
					emit: () => undefined,
				};
				const found = await findDifferences(journal.records, listed, env);
				const done: Repaired[] = [];
				for await (const one of repairAll(found, run)) done.push(one);
				return { done, left: await findDifferences(journal.records, listed, env) };
			},
		);
	} catch (error) {
		throw error instanceof ServiceError ? serviceFailure(error, service.now()) : diskFailure(error);
	}
}
