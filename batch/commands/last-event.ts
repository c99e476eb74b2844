import { EXIT, type ExitCode } from '../exit-codes';
import { messageOf } from '../notify/message';
import { post, readWebhook, type Webhook } from '../notify/webhook';
import type { EventOf } from '../folder/events';
import type { Console } from '../screen/console';
import type { RawOptions } from '../settings/options';
import { readJournal } from '../folder/out-folder';
import { clientName } from '../settings/settings';
import { interruptedEarly, type Stop } from '../stop';
import { stopOf } from '../stop-of';

/** Posts the end of a run if --notify asks for it. If an error ends it, that is told too, as `run_ended`. */
export async function withLastEvent(
	console: Console,
	csv: string,
	options: RawOptions,
	work: () => Promise<ExitCode>,
): Promise<ExitCode> {
	const { notify, out: outDir } = options;
	let webhook: Webhook | null = null;
	let isRefusalKnown = false;
	const heard: { isBegun: boolean; end: EventOf<'run_ended'> | null } = {
		isBegun: false,
		end: null,
	};
	console.events.listen((line) => {
		if (line.event === 'run_started') heard.isBegun = true;
		if (line.event === 'run_ended') heard.end = line;
	});
	try {
		webhook = notify === undefined ? null : readWebhook(notify);
		isRefusalKnown = webhook !== null && (await wasRefusedToday(outDir));
		return await work();
	} catch (error) {
		const outcome = heard.isBegun ? 'failure' : 'not_begun';
		const failure = console.interruption.aborted ? interruptedEarly() : stopOf(error);
		console.events.tell({ ...(heard.end ?? { outcome }), ...endedBy(failure) });
		throw error;
	} finally {
		const { end } = heard;
		const isRepeated = isRefusalKnown && end?.exit_code === EXIT.refused;
		if (webhook !== null && end !== null && isToBePosted(end) && !isRepeated) {
			const run = { name: clientName(options), csv, outDir };
			const why = await post(webhook, messageOf(end, run, new Date()));
			if (why !== null)
				console.warn(
					`The end of the run could not be posted to ${webhook.name}: ${why}. Check --notify; the run itself is not affected.`,
				);
		}
	}
}

/** Checks whether the last run was refused on this day, in UTC: a schedule would post the same each hour. */
async function wasRefusedToday(outDir: string): Promise<boolean> {
	// The run itself says what is wrong with a journal.
	const records = await readJournal(outDir).catch(() => null);
	const last = records?.notBegun ?? records?.lastRun;
	if (last?.stop?.exit_code !== EXIT.refused) return false;
	return last.at.slice(0, 10) === new Date().toISOString().slice(0, 10);
}

/** Gives the end of a run that a failure ended. */
export function endedBy({ onRecord: stop, exitCode }: Stop) {
	return { event: 'run_ended' as const, exit_code: exitCode, news: true, stop };
}

/** Says whether an end is posted. The other run in the folder posts its own, and who interrupts a run knows of it. */
function isToBePosted({ news, exit_code, outcome }: EventOf<'run_ended'>): boolean {
	const isOfNoInterest = exit_code === EXIT.interrupted && outcome === 'not_begun';
	return news && exit_code !== EXIT.inUse && !isOfNoInterest;
}
