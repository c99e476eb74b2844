import { join } from 'node:path';
import type { Clock } from '../../service/ports';
import { BriefingService } from '../../service/service';
import { steadyClock } from '../clock';
import { realDisk, type Disk } from '../disk';
import { EXIT, Failure } from '../failure';
import { axiosSend } from '../http';
import { parseJournal } from '../journal/journal';
import { Records } from '../journal/records';
import { diskFailure } from '../run/disk-failure';
import type { Console } from './console';
import { Delays } from './delays';
import type { Settings } from './settings';

/** How long an order that is on its way may take when the run is interrupted. */
const GRACE_MS = 5_000;

/** The real service, clock and disk, for the commands. */
export function openEnvironment(
	{ baseUrl, apiKey }: Pick<Settings, 'baseUrl' | 'apiKey'>,
	{ emit }: Pick<Console, 'emit'>,
): {
	service: BriefingService;
	clock: Clock;
	disk: Disk;
} {
	const clock = steadyClock();
	const send = axiosSend({ baseUrl, apiKey, graceMs: GRACE_MS });
	const delays = new Delays();
	const service = new BriefingService(send, clock, (operation, error) => {
		const text = delays.observe(operation, error, clock.now());
		if (text !== null) emit({ event: 'notice', text });
	});
	return { service, clock, disk: realDisk };
}

export function journalPath(outDir: string): string {
	return join(outDir, 'journal.jsonl');
}

/** What the journal under a folder says, without touching it. Empty where there is none. */
export async function readRecords(disk: Disk, outDir: string): Promise<Records> {
	const path = journalPath(outDir);
	const bytes = await disk.read(path).catch((error: unknown) => {
		throw unreadable(error);
	});
	return bytes === null ? new Records() : parseJournal(bytes, path).records;
}

/** Nothing was begun yet: the folder that the command names cannot be used. */
function unreadable(error: unknown): Failure {
	const { what, cure } = diskFailure(error);
	return new Failure(what, cure, EXIT.unusable);
}
