import {
	existsSync,
	mkdtempSync,
	promises,
	readdirSync,
	readFileSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { realDisk } from '../../../batch/folder/disk';
import { makeTemporaryFolder } from '../../support/temporary-folder';

const root = makeTemporaryFolder();
let folder: string;
let file: string;

beforeEach(() => {
	folder = mkdtempSync(join(root, 'disk-'));
	file = join(folder, 'results.csv');
});
afterEach(() => jest.restoreAllMocks());

const readText = () => readFileSync(file, 'utf8');

/** Limits the number of bytes of each write call. */
function limitWrites(keep: (asked: number) => number): void {
	const { open } = promises;
	jest.spyOn(promises, 'open').mockImplementation(async (...given) => {
		const handle = await open(...given);
		type Write = (bytes: Buffer, start: number, length: number) => Promise<unknown>;
		const write = handle.write.bind(handle) as Write;
		const writeSome = async (bytes: Buffer, start: number) => {
			const length = keep(bytes.length - start);
			return length === 0 ? { bytesWritten: 0 } : await write(bytes, start, length);
		};
		return Object.assign(handle, { write: writeSome });
	});
}

describe('replacing a file', () => {
	test('writes all bytes although each write call writes only a few', async () => {
		limitWrites((asked) => Math.min(asked, 3));
		await realDisk.replace(file, Buffer.from('a long text'));
		expect(readText()).toBe('a long text');
	});

	/** Errors of an open file have no path. */
	const refuse = () => {
		throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
	};
	test.each([
		['writes no more bytes', () => 0, 'EIO'],
		['is full', refuse, 'ENOSPC'],
	])('leaves the old file whole when the disk %s', async (_, keepNext, code) => {
		writeFileSync(file, 'old');
		let writes = 0;
		limitWrites((asked) => ((writes += 1) > 1 ? keepNext() : Math.min(asked, 3)));
		const replaced = realDisk.replace(file, Buffer.from('a long text'));
		await expect(replaced).rejects.toMatchObject({ code, path: file });
		expect(readText()).toBe('old');
		expect(readdirSync(folder)).toEqual(['results.csv']);
	});

	test('leaves the old file whole when the file system has lost bytes that it reported as written', async () => {
		writeFileSync(file, 'old');
		const { stat } = promises;
		jest.spyOn(promises, 'stat').mockImplementation(async (path) => {
			return Object.assign(await stat(path), { size: 2 });
		});
		await expect(realDisk.replace(file, Buffer.from('new'))).rejects.toMatchObject({ code: 'EIO' });
		expect(readText()).toBe('old');
		expect(readdirSync(folder)).toEqual(['results.csv']);
	});
});

test('appending writes all bytes although each write call writes only a few', async () => {
	writeFileSync(file, 'line 1\n');
	limitWrites((asked) => Math.min(asked, 2));
	await realDisk.append(file, Buffer.from('line 2\n'));
	expect(readText()).toBe('line 1\nline 2\n');
});

test('appending fails when the disk writes no more bytes without an error', async () => {
	limitWrites(() => 0);
	await expect(realDisk.append(file, Buffer.from('line'))).rejects.toMatchObject({ code: 'EIO' });
});

test('empty folders are removed up to the topmost, and folders with files remain', async () => {
	const results = join(folder, 'clients/acme/results');
	const top = await realDisk.makeFolder(results);
	await realDisk.removeEmptyFolders(results, top ?? '');
	expect(readdirSync(folder)).toEqual([]);
	await realDisk.makeFolder(results);
	writeFileSync(join(folder, 'clients/notes.txt'), '');
	await realDisk.removeEmptyFolders(results, join(folder, 'clients'));
	expect(existsSync(join(folder, 'clients/acme'))).toBe(false);
	expect(readdirSync(join(folder, 'clients'))).toEqual(['notes.txt']);
});
