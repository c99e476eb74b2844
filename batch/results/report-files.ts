import type { Brief } from '../../service/api/resources';
import type { Disk } from '../folder/disk';
import type { Records } from '../folder/records';
import { briefIn, briefPath, isBriefFileName } from '../folder/brief-files';
import { page } from './page/report-page';
import { sharePage } from './page/share';
import { DateFormatter } from './page/dates';
import type { RowResult } from './row-result';
import { replaceFiles, type WhenBusy } from '../folder/put-in-place';
import { finishedRows, gatherReportData, type Reported, type ReportRow } from './report-data';

interface ReportOptions extends WhenBusy, Reported {
	now: number;
	/** The time zone of the page; by default the computer's own. */
	timeZone?: string;
}

/** Writes report.html, one page with everything in it. */
export async function writeReport(
	disk: Disk,
	outDir: string,
	records: Records,
	options: ReportOptions,
): Promise<void> {
	const { now, timeZone } = options;
	const data = gatherReportData(options, outDir, records);
	const read = (file: string) => readBrief(disk, outDir, file);
	const html = await page(data, read, new DateFormatter(timeZone), now);
	const file = { name: 'report.html', bytes: Buffer.from(html.text) };
	await replaceFiles(disk, outDir, [file], options);
}

/**
 * Writes briefs.html: the finished briefs, to be passed on.
 * @returns how many it has, and of how many the file is not there any more
 */
export async function writeShared(
	disk: Disk,
	outDir: string,
	records: Records,
	options: WhenBusy & {
		title: string;
		rows: readonly RowResult[];
		now: number;
	},
): Promise<{ shared: number; missing: number }> {
	const { title, now } = options;
	const texts = new Map<ReportRow, Brief>();
	const candidates = finishedRows(records, options.rows);
	for (const row of candidates) {
		const text = await readBrief(disk, outDir, row.record?.file ?? '');
		if (text?.markdown != null) texts.set(row, text);
	}
	const rows = candidates.filter((row) => texts.has(row));
	if (rows.length > 0) {
		const html = sharePage({ title, rows, texts, now });
		const file = { name: 'briefs.html', bytes: Buffer.from(html.text) };
		await replaceFiles(disk, outDir, [file], options);
	}
	return { shared: rows.length, missing: candidates.length - rows.length };
}

async function readBrief(disk: Disk, outDir: string, name: string): Promise<Brief | null> {
	return isBriefFileName(name) ? briefIn(await disk.read(briefPath(outDir, name, 'json'))) : null;
}
