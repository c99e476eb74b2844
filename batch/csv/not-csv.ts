import { Failure } from '../failure';
import type { CsvBytes } from './bytes';

/** Enough to recognise a format. */
const START_BYTES = 64 * 1024;

const AS_CSV = 'Open it in the spreadsheet program and save it as “CSV UTF-8”.';

/** Refuses files whose first bytes show another format: people give the workbook instead of its CSV export. */
export function refuseOtherFormats({ title, bytes }: CsvBytes): void {
	const start = bytes.toString('latin1', 0, START_BYTES);
	const found = binaryFormat(start) ?? textFormat(start);
	if (found !== null) throw new Failure(`${title} is ${found[0]}, not a CSV.`, found[1]);
}

type Format = [what: string, cure: string];

function binaryFormat(bytes: string): Format | null {
	if (bytes.startsWith('PK\x03\x04') || bytes.startsWith('PK\x05\x06')) {
		if (bytes.includes('opendocument')) return ['an OpenDocument file', AS_CSV];
		if (/\.iwa|\.numbers/.test(bytes)) return ['a Numbers document', AS_CSV];
		if (/\[Content_Types\]\.xml|xl\/|_rels\//.test(bytes)) return ['an Excel workbook', AS_CSV];
		return ['a zip archive', 'Unpack it and name the CSV file that is in it.'];
	}
	if (bytes.startsWith('\xd0\xcf\x11\xe0')) return ['an Excel workbook of the old kind', AS_CSV];
	if (bytes.startsWith('%PDF-')) {
		return ['a PDF', 'Export the table that it was made from as “CSV UTF-8”.'];
	}
	if (bytes.startsWith('\x1f\x8b')) return ['a gzip archive', 'Unpack it first.'];
	if (/^\x89PNG|^\xff\xd8\xff|^GIF8/.test(bytes)) {
		return ['an image', 'Name the CSV file instead.'];
	}
	if (/^\xff\xfe\0\0|^\0\0\xfe\xff/.test(bytes)) return ['UTF-32 text', AS_CSV];
	return null;
}

/** UTF-16 has a NUL beside each Latin letter, so NULs are removed first. */
function textFormat(bytes: string): Format | null {
	const text = bytes
		.slice(0, 1024)
		.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
		.replaceAll('\0', '')
		.trimStart();
	if (/^<(!doctype html|html|head|body|!--|script|meta)\b/i.test(text)) {
		const cure = 'A download may have saved a sign-in page instead of the table: export it again.';
		return ['a web page (HTML)', cure];
	}
	if (/^<\?xml\b/i.test(text)) return ['an XML file', AS_CSV];
	if (text.startsWith('{\\rtf')) return ['an RTF document', AS_CSV];
	if (/^(\{\s*"|\[\s*[{[])/.test(text)) {
		return ['a JSON file', 'Convert it to a CSV whose first row is the header.'];
	}
	return null;
}

/** Refuses files with many control characters: text has almost none. */
export function refuseBinary({ title }: CsvBytes, utf8: Buffer): void {
	const start = utf8.subarray(0, START_BYTES);
	let controls = 0;
	for (const byte of start) if (byte < 9 || (byte > 13 && byte < 32)) controls++;
	if (!start.includes(0) && controls * 20 <= start.length) return;
	throw new Failure(
		`${title} holds binary data, not text.`,
		'Name a CSV file. If it is one, its encoding is unusual: save it as “CSV UTF-8”.',
	);
}
