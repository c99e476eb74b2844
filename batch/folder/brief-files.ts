import { isUuid } from '../../service/api/uuid';
import { join } from 'node:path';
import type { Brief } from '../../service/api/resources';
import { readBrief } from '../../service/api/responses';
import { slug } from '../../service/api/slug';
import type { Disk } from './disk';
import { writeWhole } from './put-in-place';
import { sha256 } from '../sha256';

/** The folder of the finished briefs under --out. */
export const RESULTS_FOLDER = 'results';

/**
 * Gives the name of a brief's two files, without their ending: `glow-serum-30-ml-1f0c22aa`.
 * @param isTaken whether another brief already has that name. Then the name gets the whole id, which no other brief has.
 */
export function briefFileName(
	brief: { id: string; product_name: string; title: string | null },
	isTaken: (name: string) => boolean,
): string {
	const id = idForName(brief.id);
	// A product may be given as its link, which makes no readable file name.
	const isLink = /^\s*[a-z]+:\/\//i.test(brief.product_name);
	const readable = isLink ? (brief.title ?? '') : brief.product_name;
	const start = slug(readable) || slug(brief.title ?? '') || 'brief';
	const shortName = `${start}-${id.slice(0, 8)}`;
	return isTaken(shortName) ? `${start}-${id}` : shortName;
}

/**
 * Gives a brief's id as part of a file name. The service promises UUIDs. Anything else is hashed: it could be a path, or
 * differ from another id only in upper case, which is the same name to some file systems.
 */
function idForName(id: string): string {
	const lower = id.toLowerCase();
	return isUuid(lower) ? lower : sha256(id).slice(0, 32);
}

/** In bytes: what a slug may have, a hyphen and a whole id. */
const LONGEST_NAME = 96 + 37;

/**
 * Says whether `briefFileName` could have made this name. Names are read from the journal, and become part of paths and
 * links: this check keeps them inside the folder.
 */
export function isBriefFileName(name: string): boolean {
	const isPlain = /^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u.test(name);
	return isPlain && name === name.toLowerCase() && Buffer.byteLength(name) <= LONGEST_NAME;
}

/** Gives the path of a brief's file. @throws if the name could lead out of the folder */
export function briefPath(outDir: string, name: string, ending: 'json' | 'md'): string {
	if (!isBriefFileName(name))
		throw new Error(`${JSON.stringify(name)} is not the name of a brief's file`);
	return join(outDir, RESULTS_FOLDER, `${name}.${ending}`);
}

/**
 * Writes a finished brief, each file whole or absent (P6). The .json is written first, so if there is a .md there are
 * both. Writing the same brief again gives the same bytes.
 */
export async function writeBrief(
	disk: Disk,
	outDir: string,
	name: string,
	brief: Brief,
): Promise<void> {
	const json = briefPath(outDir, name, 'json');
	const md = briefPath(outDir, name, 'md');
	await disk.makeFolder(join(outDir, RESULTS_FOLDER));
	await disk.syncFolder(outDir);
	await writeWhole(disk, json, Buffer.from(`${JSON.stringify(brief, null, 2)}\n`));
	const markdown = brief.markdown ?? missingText(brief, name);
	await writeWhole(disk, md, Buffer.from(markdown.endsWith('\n') ? markdown : `${markdown}\n`));
}

/** Reads a brief's .json; null if it is not there, or holds no brief. */
export function briefIn(bytes: Uint8Array | null): Brief | null {
	try {
		return readBrief(JSON.parse(Buffer.from(bytes ?? []).toString()));
	} catch {
		return null;
	}
}

/** Gives the names, as `briefFileName` makes them, of the briefs that have both files. */
export async function namesOfWritten(disk: Disk, outDir: string): Promise<ReadonlySet<string>> {
	const entries = await disk.list(join(outDir, RESULTS_FOLDER));
	// Some file systems of the Mac take letters and their marks apart.
	const files = new Set(entries.map((name) => name.normalize('NFC')));
	const names = [...files].flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
	return new Set(names.filter((name) => files.has(`${name}.json`)));
}

/** A ready brief should have a text (docs/api.md section 2.2). If it has none, the file names the .json. */
function missingText(brief: Brief, name: string): string {
	const title = (brief.title ?? brief.product_name).replace(/\s+/g, ' ');
	return `# ${title}\n\nThe service sent no text with this brief. All that it sent is in ${name}.json.`;
}
