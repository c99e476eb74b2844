import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeAll, type Disk } from './disk';
import { Failure } from './failure';

interface Holder {
	pid: number;
	host: string;
	since: string;
	nonce: string;
}

export interface Lock {
	release(): Promise<void>;
}

/**
 * Makes sure that one run at a time works on a folder. A lock whose holder is dead is taken over: the one that makes
 * the file naming the dead lock may replace it, and only if that lock still stands, so two takers cannot both win.
 * @throws {Failure} where another run holds it, saying who
 */
export async function lockFolder(disk: Disk, folder: string, now: () => number): Promise<Lock> {
	const path = join(folder, '.lock');
	const own: Holder = {
		pid: process.pid,
		host: hostname(),
		since: new Date(now()).toISOString(),
		nonce: randomUUID(),
	};
	if (!(await createFile(disk, path, own))) {
		const holder = await readHolder(disk, path);
		if (holder !== null && !isDead(holder)) throw held(folder, path, holder);
		const claim = `${path}.after-${holder?.nonce ?? 'unreadable'}`;
		if (!(await createFile(disk, claim, own)))
			throw held(folder, claim, await readHolder(disk, claim));
		try {
			const current = await readHolder(disk, path);
			if (current?.nonce !== holder?.nonce) throw held(folder, path, current);
			const beside = `${path}.${own.nonce}`;
			await createFile(disk, beside, own);
			await disk.rename(beside, path);
		} finally {
			await disk.remove(claim);
		}
	}
	return {
		async release() {
			if ((await readHolder(disk, path))?.nonce === own.nonce) await disk.remove(path);
		},
	};
}

async function createFile(disk: Disk, path: string, holder: Holder): Promise<boolean> {
	const file = await disk.open(path, 'create').catch((error: unknown) => {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
		throw error;
	});
	if (file === null) return false;
	try {
		await writeAll(file, Buffer.from(JSON.stringify(holder)));
		await file.sync();
	} finally {
		await file.close();
	}
	return true;
}

async function readHolder(disk: Disk, path: string): Promise<Holder | null> {
	const bytes = await disk.read(path);
	try {
		return bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString()) as Holder);
	} catch {
		return null;
	}
}

/** Only of a process on this machine can one tell. Our own number in an old lock is left from before a restart. */
function isDead({ pid, host }: Holder): boolean {
	if (host !== hostname()) return false;
	if (pid === process.pid) return true;
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ESRCH';
	}
}

function held(folder: string, path: string, holder: Holder | null): Failure {
	const who =
		holder === null
			? 'another run'
			: `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
	return new Failure(
		`The folder ${folder} is in use by ${who}.`,
		`Wait until it is done, or use another --out. If it is surely dead, delete ${path} and run again.`,
	);
}
