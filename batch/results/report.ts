import { join } from 'node:path';
import { commandFor, toGoOnWith } from '../command-text';
import { FileBeside, type Disk } from '../disk';
import type { Records } from '../journal/records';
import { briefPath } from './brief-files';
import type { ReportRows } from './report-rows';
import { isBriefFileName } from './names';
import type { BriefText } from './page/briefs';
import type { Html } from './page/html';
import { page } from './page/page';
import { sharePage } from './page/share';
import { DateFormatter } from './page/dates';
import { putInPlace, type WhenBusy } from './put-in-place';
import { finishedRows, gatherReportData } from './report-data';

/** Large enough for few writes, small enough not to matter in memory. */
const CHUNK_CHARACTERS = 64 * 1024;

export interface ReportOptions extends WhenBusy {
	/** What `writeResults` has gathered; null if only the journal knows. */
	listing: ReportRows | null;
	/** Who it is for. */
	name?: string;
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
	const retry = commandFor('retry', toGoOnWith(records), outDir);
	const data = { ...gatherReportData(records, options.listing, options.name ?? null), retry };
	const read = (name: string) => readBrief(disk, outDir, name);
	const pieces = page(data, read, new DateFormatter(options.timeZone), options.now);
	await disk.makeFolder(outDir);
	await writePage(disk, join(outDir, 'report.html'), pieces, options);
	await disk.syncFolder(outDir);
}

/**
 * Writes briefs.html: the finished briefs, to be passed on.
 * @returns how many it has, and of how many the file is not there any more
 */
export async function writeShared(
	disk: Disk,
	outDir: string,
	records: Records,
	options: WhenBusy & { listing: ReportRows; title: string; now: number },
): Promise<{ shared: number; missing: number }> {
	const { listing, title, now } = options;
	const texts = new Map<string, BriefText>();
	const finished = finishedRows(records, listing);
	for (const { record } of finished) {
		const file = record?.file ?? '';
		const text = await readBrief(disk, outDir, file);
		if (text !== null && text.markdown !== null) texts.set(file, text);
	}
	const rows = finished.filter(({ record }) => texts.has(record?.file ?? ''));
	if (rows.length > 0) {
		const columns = listing.columns.map(({ header }, index) => ({ header, index }));
		const read = (name: string) => Promise.resolve(texts.get(name) ?? null);
		const pieces = sharePage({ title, rows, columns, now }, read, new DateFormatter());
		await writePage(disk, join(outDir, 'briefs.html'), pieces, options);
	}
	return { shared: rows.length, missing: finished.length - rows.length };
}

async function writePage(
	disk: Disk,
	path: string,
	pieces: AsyncIterable<Html>,
	whenBusy: WhenBusy,
): Promise<void> {
	const file = await FileBeside.open(disk, path);
	try {
		for await (const chunk of inChunks(pieces)) await file.write(chunk);
		await file.finish();
		await putInPlace(disk, file, whenBusy);
	} catch (error) {
		await file.discard();
		throw error;
	}
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
