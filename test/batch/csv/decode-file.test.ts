import { execFileSync } from 'node:child_process';
import { mkdirSync, promises as fs, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTable } from '../../../batch/csv/read-table';
import {
	describeError,
	describeRows,
	describeSteps,
	folder,
	readError,
	testCsvs,
} from '../support/read-csv';

const toUtf16 = (text: string) => Buffer.from(text, 'utf16le');
const toLatin1 = (text: string) => Buffer.from(text, 'latin1');
const MUESLI = toLatin1('Name\nM\xfcsli 5 \x80\n');

/* UTF-8 and UTF-16 with a byte-order mark are in csv-fuzz.test.ts, other encodings in golden.test.ts. */
describe('--encoding', () => {
	testCsvs([
		[
			'reads Shift JIS',
			Buffer.from([...Buffer.from('Name\n'), 0x93, 0xfa, 0x96, 0x7b, 0x92, 0x83]),
			'2 日本茶',
			{ encoding: 'Shift_JIS' },
		],
		['reads UTF-8 as damaged text', 'Name\nÜ', '2 Ãœ DAMAGED', { encoding: 'windows-1252' }],
		[
			'loses against a byte-order mark',
			toUtf16('\ufeffName\nMüsli\n'),
			'2 Müsli',
			{ encoding: 'windows-1252' },
		],
		[
			'refuses bytes that the encoding does not have',
			MUESLI,
			'ERROR products.csv is not shift_jis.',
			{ encoding: 'shift_jis' },
		],
		[
			'refuses an unknown encoding',
			'Name\nMug\n',
			'ERROR --encoding: unknown encoding “ansi1”.',
			{ encoding: 'ansi1' },
		],
	]);
});

describe('a file that is not UTF-8', () => {
	test('is reported with three samples, read as windows-1252', async () => {
		const csv = toLatin1('Name,Goal\nB\xfcrste,a\n"Soap f\xfcr Sie",b\nMug,c\n"\xd6l",gro\xdf\n');
		const error = await readError(csv);
		expect(describeError(error)).toBe(
			'ERROR products.csv is not UTF-8. Read as windows-1252, it contains: “Bürste”, “Soap für Sie” and “Öl”.',
		);
		expect(describeSteps(error)).toBe(
			'If that is correct, add: --encoding windows-1252 Otherwise save the file as “CSV UTF-8”, or name its encoding: --encoding NAME',
		);
	});

	test('is reported with the lines that are not UTF-8, anywhere in the file', async () => {
		const start = `Name,Goal\nTrüffel,a\n${'Soap and water,sell\n'.repeat(60_000)}`;
		const csv = Buffer.concat([Buffer.from(start), toLatin1('B\xfcrste,b')]);
		expect((await readError(csv)).message).toContain('it contains: “Bürste”.');
	});
});

test.each<[name: string, bytes: Buffer | string, message: string, advice: string]>([
	['RTF', '{\\rtf1\\ansi\nName\\\nMug\\\n}', 'is rich text (RTF), not a CSV file.', 'plain text'],
	['JSON', '[{"product_name":"Mug"}]', 'is JSON, not a CSV file.', 'Export the data as CSV'],
	['JSON lines', '{"name":"Mug"}\n{"name":"Pan"}\n', 'is JSON, not a CSV file.', 'Export'],
	['HTML', '<!DOCTYPE html>', 'is a web page (HTML), not a CSV file.', 'Download the CSV'],
	['XML', '<?xml version="1.0"?>\n<products>', 'is XML, not a CSV file.', 'Export the data'],
	['a feed', '\n<rss version="2.0">', 'is XML, not a CSV file.', 'Export the data as CSV'],
	[
		'a pointer of git LFS',
		'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
		'is a pointer of git LFS, not a CSV file.',
		'git lfs pull',
	],
	['xlsx', 'PK\x03\x04....docProps/', 'is an Excel workbook, not a CSV file.', '“CSV UTF-8”'],
	['zip', 'PK\x03\x04....products.csv', 'is a zip archive, not a CSV file.', 'Extract the CSV'],
	['a NUL', 'Name\nMug\nPan\0\0', 'contains binary data (NUL) on line 3.', '“CSV UTF-8”'],
	['UTF-16', toUtf16('Name\n'), 'contains binary data (NUL) on line 1.', '“CSV UTF-8”'],
	['a picture', '\x89PNG\r\n\x1a\n\0\0', 'contains binary data (NUL) on line 3.', '“CSV UTF-8”'],
])('refuses %s by name, with advice', async (_name, bytes, message, advice) => {
	const error = await readError(typeof bytes === 'string' ? toLatin1(bytes) : bytes);
	expect(describeError(error)).toBe(`ERROR products.csv ${message}`);
	expect(describeSteps(error)).toContain(advice);
});

describe('files that cannot be read', () => {
	test.each<[what: string, message: string, make: (file: string) => void]>([
		['that does not exist', 'File not found: input.', () => undefined],
		['that is a directory', 'input is a directory.', (file) => mkdirSync(file)],
		[
			'that is a pipe, without waiting',
			'input is not a regular file.',
			(file) => execFileSync('mkfifo', [file]),
		],
		[
			'of more than 200 MB',
			'input is larger than 200 MB.',
			(file) => {
				writeFileSync(file, 'Name\n');
				truncateSync(file, 200 * 1024 * 1024 + 1);
			},
		],
	])('refuses a file %s', async (_what, message, make) => {
		const file = join(folder, 'input');
		await fs.rm(file, { recursive: true, force: true });
		make(file);
		expect(await readTable(file).then(describeRows, describeError)).toBe(`ERROR ${message}`);
	});

	test('names the error of the disk', async () => {
		const error = Object.assign(new Error(), { code: 'EIO' });
		jest.spyOn(fs, 'readFile').mockRejectedValueOnce(error);
		expect((await readError('Name\nMug\n')).message).toMatch(/^Cannot read .*\(EIO\)\.$/);
	});
});
