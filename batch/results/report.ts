import { join } from 'node:path';
import { FileBeside, type Disk } from '../disk';
import type { Records } from '../journal/records';
import { briefPath } from './brief-files';
import type { ReportRows } from './report-rows';
import { isBriefFileName } from './names';
import type { BriefText } from './page/briefs';
import type { Html } from './page/html';
import { page } from './page/page';
import { DateFormatter } from './page/dates';
import { putInPlace, type WhenBusy } from './put-in-place';
import { gatherReportData } from './report-data';

/** Large enough for few writes, small enough not to matter in memory. */
const CHUNK_CHARACTERS = 64 * 1024;

export interface ReportOptions extends WhenBusy {
	/** What `writeResults` has gathered; null if only the journal knows. */
	listing: ReportRows | null;
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
	const data = gatherReportData(records, options.listing);
	const read = (name: string) => readBrief(disk, outDir, name);
	const pieces = page(data, read, new DateFormatter(options.timeZone), options.now);
	await disk.makeFolder(outDir);
	const file = await FileBeside.open(disk, join(outDir, 'report.html'));
	try {
		for await (const chunk of inChunks(pieces)) await file.write(chunk);
		await file.finish();
		await putInPlace(disk, file, options);
	} catch (error) {
		await file.discard();
		throw error;
	}
	await disk.syncFolder(outDir);
}

async function readBrief(disk: Disk, outDir: string, name: string): Promise<BriefText | null> {
	if (!isBriefFileName(name)) return null;
	const bytes = await disk.read(briefPath(outDir, name, 'json'));
	if (bytes === null) return null;
	let brief: unknown;
	try {
		brief = JSON.parse(Buffer.from(bytes).toString('utf8'));
	} catch {
		return null;
	}
	if (typeof brief !== 'object' || brief === null) return null;
	const { markdown, warnings } = brief as Record<string, unknown>;
	return {
		markdown: typeof markdown === 'string' ? markdown : null,
		warnings: Array.isArray(warnings) ? warnings : [],
	};
}

async function* inChunks(pieces: AsyncIterable<Html>): AsyncGenerator<Uint8Array> {
	let chunk = '';
	for await (const { text } of pieces) {
		chunk += text;
		if (chunk.length < CHUNK_CHARACTERS) continue;
		yield Buffer.from(chunk);
		chunk = '';
	}
	yield Buffer.from(chunk);
}
