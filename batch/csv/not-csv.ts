import { Stop } from '../stop';
import type { CsvBytes } from './bytes';

const AS_CSV = 'Open it in the spreadsheet program and save it as “CSV UTF-8”';

/** What people give instead of a CSV: how it begins, what it is and what to do. */
const KINDS = [
	['PK\x03\x04', 'an Excel workbook or another zip archive', `${AS_CSV}, or unpack it.`],
	['\xd0\xcf\x11\xe0', 'an Excel workbook of the old kind', `${AS_CSV}.`],
	['%PDF', 'a PDF', 'Export the table that it was made from as “CSV UTF-8”.'],
	['\x1f\x8b', 'a gzip archive', 'Unpack it and name the CSV file that is in it.'],
] as const;

/** Refuses files whose first bytes show another format: people give the workbook instead of its CSV export. */
export function refuseOtherFormats({ title, bytes }: CsvBytes): void {
	const start = bytes.toString('latin1', 0, 4);
	const kind = KINDS.find(([magic]) => start.startsWith(magic));
	if (kind !== undefined) throw new Stop(`${title} is ${kind[1]}, not a CSV.`, kind[2]);
}
