import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FolderProblem } from '../../../batch/cli-error';
import { CsvProblem } from '../../../batch/csv/csv-problem';
import { realDisk } from '../../../batch/folder/disk';
import { FolderStore } from '../../../batch/folder/folder-store';
import { lockFolder, type Lock } from '../../../batch/folder/lock';
import { openSession } from '../../../batch/commands/session';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { VirtualClock } from '../../support/virtual-clock';
import { NEW_RUN } from '../support/order-builder';
import { makeInvocation } from '../support/world';

const PARTIAL = 'results.csv.0123456789abcdef.part';
const root = makeTemporaryFolder();
const clock = new VirtualClock();
const { signal } = new AbortController();
let folder: string;
let lock: FakeLock;

beforeEach(() => {
	folder = join(mkdtempSync(join(root, 'client-')), 'briefs');
	lock = new FakeLock();
});

class FakeLock implements Lock {
	isLost = false;
	isReleased = false;

	async verify(): Promise<void> {
		if (this.isLost)
			throw new FolderProblem('folder_in_use', 'Another run is using the folder.', '');
	}

	async release(): Promise<void> {
		this.isReleased = true;
	}
}

function open(access: 'read' | 'write', given?: Lock): Promise<FolderStore> {
	const take = given === undefined ? lockFolder : async () => given;
	return FolderStore.open(folder, access, { disk: realDisk, lockFolder: take, clock, signal });
}

function writeFile(name: string, text = ''): void {
	mkdirSync(join(folder, 'results'), { recursive: true });
	writeFileSync(join(folder, name), text);
}

test('a run that has written nothing leaves no folder', async () => {
	const store = await open('write');
	expect(existsSync(join(folder, '.lock'))).toBe(true);
	await store.close();
	expect(existsSync(folder)).toBe(false);
});

test('a command that reads creates nothing', async () => {
	await (await open('read')).close();
	expect(existsSync(folder)).toBe(false);
});

test('only half-written files of a killed run are removed', async () => {
	for (const name of [PARTIAL, 'own.part', `results/${PARTIAL}`]) writeFile(name);
	await (await open('write')).close();
	expect(readdirSync(folder).sort()).toEqual(['own.part', 'results']);
	expect(readdirSync(join(folder, 'results'))).toEqual([]);
});

test('the lock is released if the journal cannot be used', async () => {
	writeFile('journal.jsonl', 'damaged\n');
	await expect(open('write')).rejects.toMatchObject({ kind: 'journal_unusable' });
	expect(existsSync(join(folder, '.lock'))).toBe(false);
});

test.each(['read', 'write'] as const)(
	'a file in place of the folder is refused by a command that needs to %s',
	async (access) => {
		writeFileSync(folder, '');
		const error = { kind: 'folder_unusable', message: `${folder} is not a folder.` };
		await expect(open(access)).rejects.toMatchObject(error);
	},
);

describe('a run that has lost its lock', () => {
	test('appends nothing and replaces nothing', async () => {
		const store = await open('write', lock);
		lock.isLost = true;
		await expect(store.store.startRun(NEW_RUN)).rejects.toMatchObject({ kind: 'folder_in_use' });
		const replaced = store.replaceFile('results.csv', Buffer.from(''));
		await expect(replaced).rejects.toMatchObject({ kind: 'folder_in_use' });
		expect(readdirSync(folder)).toEqual(['results']);
	});

	test('does not cut off a torn line of the journal', async () => {
		writeFile('journal.jsonl', '{"line":1,"che');
		const store = await open('write', lock);
		lock.isLost = true;
		await expect(store.store.startRun(NEW_RUN)).rejects.toMatchObject({ kind: 'folder_in_use' });
		expect(readFileSync(join(folder, 'journal.jsonl'), 'utf8')).toBe('{"line":1,"che');
	});

	test('does not remove the half-written files of another run', async () => {
		writeFile(PARTIAL);
		lock.isLost = true;
		await expect(open('write', lock)).rejects.toMatchObject({ kind: 'folder_in_use' });
		expect(existsSync(join(folder, PARTIAL))).toBe(true);
	});
});

describe('a run whose CSV cannot be read', () => {
	const ports = {
		clock,
		disk: realDisk,
		lockFolder: async () => lock,
		connect: () => () => Promise.reject(new Error('No request was expected')),
		readTable: () => Promise.reject(new CsvProblem('There is no file products.csv.', [])),
	};
	const openWithoutCsv = () =>
		openSession({ invocation: makeInvocation({ folder }), signal, ports }, 'write');

	test('writes an entry to the journal of an existing folder, with the CSV and the failures of the last run', async () => {
		const first = await open('write');
		await first.store.startRun(NEW_RUN);
		await first.store.saveRun({ failuresInRow: 4 });
		await first.close();
		await expect(openWithoutCsv()).rejects.toThrow(CsvProblem);
		const { runs } = (await open('read')).store;
		const message = 'There is no file products.csv.';
		expect(runs.last?.end).toMatchObject({ exitCode: 2, message });
		expect(runs.lastStarted?.csv).toBe('/home/ada/products.csv');
		expect(runs.reference).toBe(runs.lastStarted);
		expect(runs.failuresInRow).toBe(4);
		expect(lock.isReleased).toBe(true);
	});

	test('leaves no folder if there was none', async () => {
		await expect(openWithoutCsv()).rejects.toThrow(CsvProblem);
		expect(existsSync(folder)).toBe(false);
	});
});
