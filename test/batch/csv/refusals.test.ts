import { mkdirSync, promises as fs, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { openTable } from '../../../batch/csv/table';
import { failure, fileOf, folder } from '../../support/batch/read-csv';

const OPTIONS = { map: [], set: {} };
const ZIP = 'PK\x03\x04\x14\0\x06\0\x08\0';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('what is no usable CSV', () => {
	test.each([
		['an Excel workbook or another zip archive', latin1(ZIP), 'saves one as “CSV UTF-8”'],
		['an Excel workbook of the old kind', latin1('\xd0\xcf\x11\xe0\xa1\xb1'), '“CSV UTF-8”'],
		['a gzip archive', latin1('\x1f\x8b\x08'), 'Name a CSV file'],
		['a PDF', latin1('%PDF-1.7\n%\xe2\xe3'), 'Name a CSV file'],
	])('%s is called so', async (name, bytes, cure) => {
		const refused = await failure(bytes);
		expect(refused.what).toContain(`is ${name}, not a CSV.`);
		expect(refused.cure).toContain(cure);
		expect(refused.exitCode).toBe(2);
	});

	test.each([
		'<!DOCTYPE html>\n<html>\n<title>Sign in</title>\n',
		'{"product_name": "Soap"}',
		'[\n  {\n    "product_name": "Soap",\n    "objective": "sell"\n  }\n]\n',
	])('another text has no header that is known: %j', async (text) => {
		const { what, exitCode } = await failure(text);
		expect([what, exitCode]).toEqual([expect.stringContaining('has no header that is known'), 2]);
	});

	test.each([
		['an image', latin1('\x89PNG\r\n\x1a\n\0\0')],
		['UTF-32', latin1('\xff\xfe\0\0N\0\0\0')],
		['all bytes', Buffer.from(Array.from({ length: 999 }, (_, at) => (at * 37) % 256))],
	])('%s is called binary data', async (_name, bytes) => {
		expect((await failure(bytes)).what).toContain('holds binary data');
	});

	test('zero bytes far into a file stop the reading at their row', async () => {
		const csv = `Name\n${'Soap and water\n'.repeat(10_000)}Mug\0\0\0`;
		expect((await failure(csv)).what).toContain('row 10002 holds bytes that are no text');
	});

	test.each([
		['', 'is empty'],
		['\ufeff', 'is empty'],
		['\n\n  \n', 'is empty'],
		[',,,\n,,,\n', 'is empty'],
		[';;\r\n', 'is empty'],
	])('%j is refused', async (csv, what) => {
		expect((await failure(csv)).what).toContain(what);
	});

	test.each([
		'"Product Name,Audience"\n"Mug,Moms"\n',
		'"Product Name;""Audience"""\n"Mug;""Moms"""\n',
		'"product_name\taudience"\n',
	])('%j, saved once more with each line as a cell, is refused as what it is', async (csv) => {
		const { what, cure } = await failure(csv);
		expect(what).toMatch(/^Each line is one cell in quotation marks: “Product.Name/i);
		// All the line would be paid for as the product's name.
		expect(cure).not.toContain('--map');
	});

	test('a single column whose header only holds a comma is asked for by --map', async () => {
		expect((await failure('"Article, new"\nMug\n')).cure).toContain('--map');
	});

	test('a file that does not exist is named', async () => {
		const file = join(folder, 'none.csv');
		await expect(openTable(file, OPTIONS)).rejects.toMatchObject({
			what: `There is no file “${file}”.`,
			exitCode: 2,
		});
	});

	test('a folder is called a folder', async () => {
		const inner = join(folder, 'inner');
		mkdirSync(inner);
		await expect(openTable(inner, OPTIONS)).rejects.toThrow('is a folder');
	});

	test('more than 200 MB is refused in words', async () => {
		const file = fileOf('Name\n');
		truncateSync(file, 200 * 1024 * 1024 + 1);
		await expect(openTable(file, OPTIONS)).rejects.toMatchObject({
			what: `“${file}” is larger than 200 MB.`,
			exitCode: 2,
		});
	});

	test('a file that the disk refuses is reported as such', async () => {
		jest.spyOn(fs, 'readFile').mockRejectedValueOnce(Object.assign(new Error(), { code: 'EIO' }));
		expect((await failure('Name\n')).what).toMatch(/\.csv” could not be read \(EIO\)\.$/);
	});
});
