import { join } from 'node:path';
import { writeWhole, type Disk } from '../disk';
import type { Records } from '../journal/records';
import { briefPath } from './brief-files';
import { isBriefFileName } from './names';
import type { BriefText } from './page/briefs';
import type { Html } from './page/html';
import { page } from './page/page';
import { DateFormatter } from './page/dates';
import { gatherReportData } from './report-data';

/** Large enough for few writes, small enough not to matter in memory. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Writes report.html, one page with everything in it. It is made from the journal and the files under --out; the CSV is
 * not needed.
 * @param meta.timeZone the time zone of the page; the computer's own where none is given
 */
export async function writeReport(
	disk: Disk,
	outDir: string,
	records: Records,
	meta: { now: number; timeZone?: string },
): Promise<void> {
	const data = await gatherReportData(disk, outDir, records);
	const read = (name: string) => readBrief(disk, outDir, name);
	const pieces = page(data, read, new DateFormatter(meta.timeZone), meta.now);
	await disk.makeFolder(outDir);
	await writeWhole(disk, join(outDir, 'report.html'), inChunks(pieces));
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
