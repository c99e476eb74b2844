import { spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../../batch/cli-error';
import { realDisk, type Disk } from '../../../batch/folder/disk';
import { FolderStore } from '../../../batch/folder/folder-store';
import { lockFolder, type Lock } from '../../../batch/folder/lock';
import { openSession } from '../../../batch/session';
import { temporaryFolder } from '../../support/temporary-folder';
import { VirtualClock } from '../../support/virtual-clock';
import { makeInvocation } from '../support/world';

const root = temporaryFolder();
const { signal } = new AbortController();
let folder: string;

beforeEach(() => {
	folder = join(mkdtempSync(join(root, 'client-')), 'briefs');
});

interface Change {
	readonly disk?: Partial<Disk>;
	readonly lock?: Lock;
}

function open(access: 'read' | 'write', { disk, lock: given }: Change = {}): Promise<FolderStore> {
	return FolderStore.open(folder, access, {
		disk: { ...realDisk, ...disk },
		lockFolder: given === undefined ? lockFolder : async () => given,
		clock: new VirtualClock(),
		signal,
	});
}

class FakeLock implements Lock {
	isLost = false;
	isReleased = false;

	async verify(): Promise<void> {
		if (this.isLost) throw new CliError('Another run is using the folder.', [], 6);
	}

	async release(): Promise<void> {
		this.isReleased = true;
	}
}

let lock: FakeLock;
beforeEach(() => {
	lock = new FakeLock();
});

test('a run that has written nothing leaves no folder behind', async () => {
	const store = await open('write');
	expect(existsSync(join(folder, '.lock'))).toBe(true);
	await store.close();
	expect(existsSync(folder)).toBe(false);
});

test('a command that reads creates nothing', async () => {
	await (await open('read')).close();
	expect(existsSync(folder)).toBe(false);
});

test('half-written files of a killed run are removed', async () => {
	mkdirSync(join(folder, 'results'), { recursive: true });
	const partial = 'mug.md.0123456789abcdef.part';
	writeFileSync(join(folder, partial), '');
	writeFileSync(join(folder, 'results', partial), '');
	await (await open('write')).close();
	expect([...readdirSync(folder), ...readdirSync(join(folder, 'results'))]).toEqual(['results']);
});

test('the lock is released if the journal cannot be used', async () => {
	mkdirSync(folder);
	writeFileSync(join(folder, 'journal.jsonl'), 'damaged\n');
	await expect(open('write')).rejects.toMatchObject({ exitCode: 2 });
	expect(existsSync(join(folder, '.lock'))).toBe(false);
});

test('a folder in place of the journal ends with 2 at once', async () => {
	mkdirSync(join(folder, 'journal.jsonl'), { recursive: true });
	await expect(open('write')).rejects.toMatchObject({ exitCode: 2 });
});

if (process.platform !== 'win32')
	test('a pipe in place of the journal ends with 2 at once', async () => {
		mkdirSync(folder);
		spawnSync('mkfifo', [join(folder, 'journal.jsonl')]);
		await expect(open('write')).rejects.toMatchObject({ exitCode: 2 });
	});

test('a read-only disk ends with 2, and the message suggests no other --out', async () => {
	const refused = Object.assign(new Error('EROFS'), {
		code: 'EROFS',
		syscall: 'mkdir',
		path: folder,
	});
	const error: unknown = await open('write', {
		disk: { makeFolder: () => Promise.reject(refused) },
	}).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ exitCode: 2, message: `Cannot use ${folder} (EROFS).` });
	expect(JSON.stringify(error)).not.toContain('--out');
});

describe('a run that has lost its lock', () => {
	test('appends nothing, replaces nothing and ends with 6', async () => {
		const store = await open('write', { lock });
		lock.isLost = true;
		await expect(store.store.startRun({})).rejects.toMatchObject({ exitCode: 6 });
		await expect(store.replaceFile('results.csv', Buffer.from(''))).rejects.toMatchObject({
			exitCode: 6,
		});
		expect(readdirSync(folder)).toEqual(['results']);
	});

	test('does not cut off a torn line of the journal', async () => {
		mkdirSync(folder);
		writeFileSync(join(folder, 'journal.jsonl'), '{"line":1,"che');
		const store = await open('write', { lock });
		lock.isLost = true;
		await expect(store.store.startRun({})).rejects.toMatchObject({ exitCode: 6 });
		expect(readFileSync(join(folder, 'journal.jsonl'), 'utf8')).toBe('{"line":1,"che');
	});

	test('does not remove the half-written files of another run', async () => {
		mkdirSync(folder);
		const partial = 'results.csv.0123456789abcdef.part';
		writeFileSync(join(folder, partial), '');
		lock.isLost = true;
		await expect(open('write', { lock })).rejects.toMatchObject({ exitCode: 6 });
		expect(existsSync(join(folder, partial))).toBe(true);
	});
});

describe('a run whose CSV cannot be read', () => {
	const openWithoutCsv = () =>
		openSession(
			{
				invocation: makeInvocation({ folder }),
				signal,
				ports: {
					clock: new VirtualClock(),
					disk: realDisk,
					lockFolder: async () => lock,
					connect: () => () => Promise.reject(new Error('No request was expected')),
					readTable: () => Promise.reject(new CliError('There is no file products.csv.', [])),
				},
			},
			'write',
		);

	test('leaves an entry in a folder that exists, and releases the lock', async () => {
		const first = await open('write');
		await first.store.startRun({ csv: '/home/ada/products.csv' });
		await first.close();
		await expect(openWithoutCsv()).rejects.toMatchObject({ exitCode: 2 });
		const { runs } = (await open('read')).store;
		expect(runs.count).toBe(2);
		expect(runs.last?.end).toMatchObject({
			exitCode: 2,
			message: 'There is no file products.csv.',
		});
		expect(runs.lastStarted?.csv).toBe('/home/ada/products.csv');
		expect(lock.isReleased).toBe(true);
	});

	test('leaves no folder behind if none existed', async () => {
		await expect(openWithoutCsv()).rejects.toMatchObject({ exitCode: 2 });
		expect(existsSync(folder)).toBe(false);
	});
});
