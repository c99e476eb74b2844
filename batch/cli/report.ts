import { realDisk } from '../disk';
import { EXIT, type ExitCode } from '../failure';
import { writeReport } from '../results/report';
import { diskFailure } from '../run/disk-failure';
import type { Console } from './console';
import { readExistingJournal } from './journal-file';

/** Writes report.html anew from the journal. */
export async function report(outDir: string, console: Console): Promise<ExitCode> {
	const records = await readExistingJournal(realDisk, outDir);
	await writeReport(realDisk, outDir, records, { now: Date.now() }).catch((error: unknown) => {
		throw diskFailure(error);
	});
	console.say(`Written: ${outDir}/report.html`);
	return EXIT.ok;
}
