import { briefPages } from '../../service/pages';
import { ServiceError } from '../../service/errors';
import type { BriefSummary } from '../../service/resources';
import { openTable } from '../csv/table';
import { EXIT, type ExitCode } from '../failure';
import { findDifferences } from '../run/audit';
import { diskFailure } from '../run/disk-failure';
import { contentInFile } from '../run/find-changes';
import { serviceFailure } from '../run/service-failure';
import { summariseRows } from '../run/summarise';
import { count } from '../text';
import { batchOf, partOf } from './batch-of';
import type { Console } from './console';
import { openEnvironment } from './environment';
import { readExistingJournal } from './journal-file';
import { checkBaseUrl } from './settings/base-url';
import type { Settings } from './settings/settings';
import { oneLine, rowLabel } from './format';

/** Compares the CSV, the journal, the files and the service. Sends GETs only, and changes nothing. */
export async function audit(
	csv: string,
	settings: Settings,
	console: Console,
	interruption: AbortSignal,
): Promise<ExitCode> {
	const { outDir } = settings;
	const { service, clock, disk } = openEnvironment(settings, console);
	const records = await readExistingJournal(disk, outDir);
	checkBaseUrl(settings.baseUrl, records, outDir);
	const table = await openTable(csv, settings.table);
	const { isPart } = await batchOf(table, settings, records, disk);
	const part = isPart ? await partOf(csv, outDir, settings.table) : undefined;
	const options = { ...settings, part, readContent: contentInFile(disk, outDir) };
	const summary = await summariseRows(table, records, options);

	const listed: BriefSummary[] = [];
	try {
		// A brief that is missing in half a list would be blamed for nothing.
		const walk = { signal: interruption, isAllNeeded: true };
		for await (const page of briefPages(service, walk)) listed.push(...page);
	} catch (error) {
		throw error instanceof ServiceError ? serviceFailure(error, service.now()) : error;
	}
	const tools = { disk, outDir, service, clock };
	const differences = await findDifferences(records, listed, tools).catch((error: unknown) => {
		throw diskFailure(error);
	});
	for (const { row, product_name, what, cure } of differences) {
		const where = row === null ? 'no row   ' : rowLabel(row);
		console.say(`${where} ${oneLine(product_name, 50)} ${what}. ${cure}`);
	}
	const exitCode = differences.length === 0 ? EXIT.ok : EXIT.someFailed;
	console.json({ event: 'audit', differences, not_ordered: summary.fresh, exit_code: exitCode });
	const tried = count(records.all().length, 'order');
	console.say(
		differences.length === 0
			? `Journal, files and service agree on ${tried}. ${count(summary.fresh, 'row')} not ordered yet.`
			: `${count(differences.length, 'difference')} in ${tried}.`,
	);
	return exitCode;
}
