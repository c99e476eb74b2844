import { Failure } from '../failure';
import type { CsvBytes } from './bytes';

/** Enough to recognise a format. */
const START_BYTES = 64 * 1024;

const AS_CSV = 'Open it in the spreadsheet program and save it as “CSV UTF-8”.';

const UNPACK = 'Unpack it and name the CSV file that is in it.';

const ZIP = 'PK\x03\x04';

/** Other formats: how a file begins, what is in it, its name, and what to do. The first that fits counts. */
const BINARY: ReadonlyArray<[start: string, inside: RegExp, what: string, cure: string]> = [
	[ZIP, /opendocument/, 'an OpenDocument file', AS_CSV],
	[ZIP, /\.iwa|\.numbers/, 'a Numbers document', AS_CSV],
	[ZIP, /\[Content_Types\]\.xml|xl\/|_rels\//, 'an Excel workbook', AS_CSV],
	[ZIP, /^/, 'a zip archive', UNPACK],
	['\xd0\xcf\x11\xe0', /^/, 'an Excel workbook of the old kind', AS_CSV],
	['%PDF-', /^/, 'a PDF', 'Export the table that it was made from as “CSV UTF-8”.'],
	['\x1f\x8b', /^/, 'a gzip archive', UNPACK],
];

/** The same of text. */
const TEXT: ReadonlyArray<[start: RegExp, what: string, cure: string]> = [
	[
		/^<(!doctype html|html|head|body|!--|script|meta)\b/i,
		'a web page (HTML)',
		'A download may have saved a sign-in page instead of the table: export it again.',
	],
	[/^<\?xml\b/i, 'an XML file', AS_CSV],
	[/^(\{\s*"|\[\s*[{[])/, 'a JSON file', 'Convert it to a CSV whose first row is the header.'],
];

/** Refuses files whose first bytes show another format: people give the workbook instead of its CSV export. */
export function refuseOtherFormats({ title, bytes }: CsvBytes): void {
	const bytesAsText = bytes.toString('latin1', 0, START_BYTES);
	const refuse = (what: string, cure: string) => {
		throw new Failure(`${title} is ${what}, not a CSV.`, cure);
	};
	for (const [start, inside, what, cure] of BINARY)
		if (bytesAsText.startsWith(start) && inside.test(bytesAsText)) refuse(what, cure);
	// UTF-16 has a NUL beside each Latin letter.
	const text = bytesAsText.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '');
	for (const [start, what, cure] of TEXT) if (start.test(text.trimStart())) refuse(what, cure);
}
