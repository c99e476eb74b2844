import { spawnSync } from 'node:child_process';
import { mkdirSync, promises as fs, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTable } from '../../../batch/csv/read-table';
import { describeError, describeSteps, folder, readError, testCsvs } from '../support/read-csv';

const toUtf16 = (text: string) => Buffer.from(text, 'utf16le');
const toLatin1 = (text: string) => Buffer.from(text, 'latin1');
const MUESLI = toLatin1('Name\nM\xfcsli 5 \x80\n');

describe('encodings', () => {
	testCsvs([
		['reads UTF-8', 'Name\nMüsli\n', ['2 Müsli']],
		['reads UTF-8 with a byte-order mark', '\ufeffName\nMüsli\n', ['2 Müsli']],
		['reads UTF-16 with a byte-order mark', toUtf16('\ufeffName\nMüsli\n'), ['2 Müsli']],
		[
			'reads big-endian UTF-16 with a byte-order mark',
			toUtf16('\ufeffName\nMüsli\n').swap16(),
			['2 Müsli'],
		],
		[
			'reads UTF-16 without a mark by --encoding',
			toUtf16('Name\nMug\n'),
			['2 Mug'],
			{ encoding: 'utf-16le' },
		],
		['reads windows-1252 by --encoding', MUESLI, ['2 Müsli 5 €'], { encoding: 'windows-1252' }],
		[
			'reads Shift JIS by --encoding',
			Buffer.from([...Buffer.from('Name\n'), 0x93, 0xfa, 0x96, 0x7b, 0x92, 0x83]),
			['2 日本茶'],
			{ encoding: 'Shift_JIS' },
		],
		[
			'reads UTF-8 by another --encoding as damaged text',
			'Name\nMüsli\nMug\n',
			['2 MÃ¼sli DAMAGED', '3 Mug'],
			{ encoding: 'windows-1252' },
		],
		[
			'reads by a byte-order mark whatever --encoding says',
			toUtf16('\ufeffName\nMüsli\n'),
			['2 Müsli'],
			{ encoding: 'windows-1252' },
		],
		[
			'refuses bytes that the encoding does not have',
			MUESLI,
			['ERROR 2 products.csv is not shift_jis.'],
			{ encoding: 'shift_jis' },
		],
		[
			'refuses an unknown encoding',
			'Name\nMug\n',
			['ERROR 2 --encoding: unknown encoding “ansi1”.'],
			{ encoding: 'ansi1' },
		],
	]);

	test('shows three samples read as windows-1252 if a file is not UTF-8', async () => {
		const csv = toLatin1('Name,Goal\nB\xfcrste,a\n"Soap f\xfcr Sie",b\nMug,c\n"\xd6l",gro\xdf\n');
		const error = await readError(csv);
		expect([error.exitCode, error.message.replace(folder, '')]).toEqual([
			2,
			'/products.csv is not UTF-8. Read as windows-1252, it contains: “Bürste”, “Soap für Sie” and “Öl”.',
		]);
		expect(describeSteps(error)).toBe(
			'If that is correct, add --encoding windows-1252. Otherwise save the file as “CSV UTF-8”, or name its encoding with --encoding.',
		);
	});

	test('takes the samples from the lines that are not UTF-8, wherever they are', async () => {
		const start = `Name,Goal\nTrüffel,a\n${'Soap and water,sell\n'.repeat(60_000)}`;
		const csv = Buffer.concat([Buffer.from(start), toLatin1('B\xfcrste,b')]);
		expect((await readError(csv)).message).toContain('it contains: “Bürste”.');
	});
});

describe('files that are not CSV', () => {
	test.each<[name: string, bytes: Buffer | string, kind: string, advice: string]>([
		['RTF', '{\\rtf1\\ansi\nName,Audience\\\nMug,a\\\n}', 'rich text (RTF)', 'plain text'],
		['JSON', '[{"product_name":"Mug"}]', 'JSON', 'Export the data as CSV'],
		['JSON lines', '{"product_name":"Mug"}\n{"product_name":"Pan"}\n', 'JSON', 'Export'],
		['HTML', '<!DOCTYPE html><title>Sign in</title>', 'a web page (HTML)', 'Download the CSV'],
		['xlsx', 'PK\x03\x04....[Content_Types].xml', 'an Excel workbook', '“CSV UTF-8”'],
		['zip', 'PK\x03\x04....products.csv', 'a zip archive', 'Extract the CSV'],
	])('refuses %s by name, with advice', async (_name, bytes, kind, advice) => {
		const error = await readError(typeof bytes === 'string' ? toLatin1(bytes) : bytes);
		expect([error.exitCode, error.message]).toEqual([
			2,
			`${folder}/products.csv is ${kind}, not a CSV file.`,
		]);
		expect(describeSteps(error)).toContain(advice);
	});

	test.each([
		['a NUL in the text', 'Name\nMug\nPan\0\0\n', 3],
		['UTF-16 without a mark', toUtf16('Name\n').toString('latin1'), 1],
		['an image', '\x89PNG\r\n\x1a\n\0\0', 3],
	])('refuses %s with the line', async (_name, bytes, line) => {
		const { message } = await readError(toLatin1(bytes));
		expect(message).toBe(`${folder}/products.csv contains binary data (NUL) on line ${line}.`);
	});
});

describe('files that cannot be read', () => {
	const describeFile = (file: string) => readTable(file).then(() => [], describeError);

	test('refuses a file that does not exist', async () => {
		expect(await describeFile(join(folder, 'none.csv'))).toEqual([
			'ERROR 2 File not found: none.csv.',
		]);
	});

	test('refuses a directory', async () => {
		mkdirSync(join(folder, 'inner'));
		expect(await describeFile(join(folder, 'inner'))).toEqual(['ERROR 2 inner is a directory.']);
	});

	test('refuses a pipe without waiting for it', async () => {
		spawnSync('mkfifo', [join(folder, 'pipe')]);
		expect(await describeFile(join(folder, 'pipe'))).toEqual([
			'ERROR 2 pipe is not a regular file.',
		]);
	});

	test('refuses more than 200 MB', async () => {
		const file = join(folder, 'large.csv');
		writeFileSync(file, 'Name\n');
		truncateSync(file, 200 * 1024 * 1024 + 1);
		expect(await describeFile(file)).toEqual(['ERROR 2 large.csv is larger than 200 MB.']);
	});

	test('names the error of the disk', async () => {
		const error = Object.assign(new Error(), { code: 'EIO' });
		jest.spyOn(fs, 'readFile').mockRejectedValueOnce(error);
		expect((await readError('Name\nMug\n')).message).toMatch(/^Cannot read .*\(EIO\)\.$/);
	});
});
