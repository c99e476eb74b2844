import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { DEFAULT_OUT } from '../../command-text';
import { EXIT, type ExitCode } from '../../exit-codes';
import { realDisk } from '../../folder/disk';
import { whoIsAtWork } from '../../folder/lock/holder';
import { readExistingJournal } from '../../folder/out-folder';
import { exitCodeOf, batchOutcome } from '../../results/batch-outcome';
import type { Console } from '../../screen/console';
import type { RawOptions } from '../../settings/options';
import { clientName } from '../../settings/settings';
import { readProfile } from '../../settings/variables';
import { documentOf } from '../../screen/status/document';
import { overviewLines } from '../../screen/status/overview';
import { statusLines } from '../../screen/status/status-text';
import type { BatchStatus } from '../../screen/status/tasks';
import { Stop } from '../../stop';
import { stopOf } from '../../stop-of';
import { lastList } from '../last-csv';

/** Shows where batches are, what needs a person and the command for it. Several folders get a line each. */
export async function status(
	places: readonly string[],
	options: RawOptions,
	console: Console,
): Promise<ExitCode> {
	if (places.length > 1) return await overview(places, console);
	const [place] = places;
	const { out } = place === undefined ? options : folderAt(place);
	const name = place === undefined ? clientName(options) : folderAt(place).name;
	const status = await readStatus(name, out);
	console.json(documentOf(status));
	for (const line of statusLines(status, console.paint)) console.say(line);
	return status.exitCode;
}

async function overview(places: readonly string[], console: Console): Promise<ExitCode> {
	const all: Array<[name: string, BatchStatus | Stop]> = [];
	const names = namesOf(places);
	for (const [at, place] of places.entries()) {
		const name = names[at] ?? place;
		try {
			all.push([name, await readStatus(name, folderAt(place).out)]);
		} catch (error) {
			all.push([name, stopOf(error)]);
		}
	}
	for (const [name, one] of all)
		console.json(
			one instanceof Stop
				? { event: 'status', name, stop: one.onRecord, exit_code: one.exitCode }
				: documentOf(one),
		);
	for (const line of overviewLines(all, console.paint)) console.say(line);
	return worstOf(all.map(([, { exitCode }]) => exitCode));
}

/**
 * Reads where the batch in a folder is: from the journal, without the service.
 * @throws {Stop} if there is no journal that can be read
 */
async function readStatus(name: string, outDir: string): Promise<BatchStatus> {
	const records = await readExistingJournal(outDir);
	const atWork = await whoIsAtWork(realDisk, outDir);
	// A lock that nothing can be known about may be of a run that was killed, or of one that goes on.
	const isAtWork = atWork.is === 'alive' || (atWork.is === 'perhaps' && records.isUnderWay);
	const list = (await lastList(records))?.list ?? null;
	const outcome = batchOutcome(records, list);
	const { wait: longWait } = records;
	const isWaiting = isAtWork && longWait !== null && Date.parse(longWait.until) > Date.now();
	return {
		name,
		outDir,
		records,
		outcome,
		list,
		atWork,
		isAtWork,
		longWait: isWaiting ? longWait : null,
		exitCode: exitCodeOf(outcome, isAtWork),
	};
}

/** Gives each place a name of its own: that of its client, or its path if several would have the same. */
function namesOf(places: readonly string[]): string[] {
	const names = places.map((place) => {
		try {
			return folderAt(place).name;
		} catch {
			return place;
		}
	});
	const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
	return names.map((name, at) => (isShared(name) ? (places[at] ?? name) : name));
}

/** Finds what a person names: a folder of results, or the profile of a client, which says where that is. */
function folderAt(place: string): { name: string; out: string } {
	const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() === true;
	if (!isFile) return { name: clientName({ out: place }), out: place };
	const { CREATOR_BRIEFING_OUT, CREATOR_BRIEFING_NAME: name } = readProfile(place);
	const folder = CREATOR_BRIEFING_OUT ?? DEFAULT_OUT;
	// Paths in a profile count from its folder.
	const out = isAbsolute(folder) ? folder : join(dirname(place), folder);
	return { name: clientName({ name, envFile: place, out }), out };
}

/** The exit codes that a person has to see first. */
const WORST_FIRST = [
	EXIT.refused,
	EXIT.unusable,
	EXIT.stoppedEarly,
	EXIT.leftForLater,
	EXIT.someFailed,
] as const;

function worstOf(codes: readonly ExitCode[]): ExitCode {
	return WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.ok;
}
