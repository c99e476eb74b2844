import { join } from 'node:path';
import { EXIT, type ExitCode } from '../failure';
import { realDisk } from '../disk';
import type { BriefRecord } from '../journal/records';
import { count } from '../text';
import type { Console } from './console';
import { journalPath, readExistingJournal } from './journal-file';
import { oneLine, rowLabel } from './format';

/** Prints what the journal says, without asking the service. */
export async function status(outDir: string, console: Console): Promise<ExitCode> {
	const records = await readExistingJournal(
		realDisk,
		outDir,
		`Nothing was run there yet. Start with: brief-batch run FILE.csv --out ${outDir}`,
	);
	const all = records.all();
	const groups = {
		ready: all.filter((record) => record.status === 'ready' && record.state === 'done'),
		failed: all.filter((record) => record.status === 'failed'),
		'being written': all.filter(({ state }) => state === 'accepted' || state === 'ended'),
		'without an answer': all.filter(({ state }) => state === 'in_doubt'),
		parked: all.filter(({ state }) => state === 'parked'),
	};
	const { lastRun } = records;
	console.json({
		event: 'status',
		batch: records.batch,
		base_url: records.baseUrl,
		last_run: lastRun,
		briefs: all,
	});
	console.say(
		console.paint('bold', `Batch “${records.batch}” in ${outDir}, at ${records.baseUrl ?? ''}`),
	);
	const adopted = all.filter(({ adopted }) => adopted === true).length;
	for (const [name, members] of Object.entries(groups)) {
		if (members.length > 0 || name === 'ready')
			console.say(`${String(members.length).padStart(6)} ${name}`);
		if (name !== 'ready') for (const record of members) console.say(lineOf(record));
	}
	if (adopted > 0)
		console.say(`${String(adopted).padStart(6)} of them taken over, not ordered here`);
	if (lastRun !== null && !records.isUnderWay) {
		const { outcome, counts, at } = lastRun;
		const left = counts.pending + counts.deferred;
		console.say(
			`Last run: ${outcome}, ended at ${at}; ${count(left, 'row')} left, ${counts.invalid} invalid, ${counts.changed ?? 0} changed.`,
		);
	} else
		console.say('The last run is still at work, or was cut off: then run the same command again.');
	console.say(`Journal: ${journalPath(outDir)}   Report: ${join(outDir, 'report.html')}`);
	return EXIT.ok;
}

function lineOf(record: BriefRecord): string {
	const { row_number, product_name, brief_id, error, error_code } = record;
	const facts = [brief_id === null ? '' : `brief ${brief_id}`, error_code ?? '', error ?? ''];
	const text = facts.filter((fact) => fact !== '').join('  ');
	return `         ${rowLabel(row_number)} ${oneLine(product_name, 50)}  ${oneLine(text, 600)}`;
}
