import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Lets one process at a time do the work. The file of a process that is gone counts for nothing. */
export async function withLock<T>(
	file: string,
	onWait: () => void,
	work: () => Promise<T>,
): Promise<T> {
	await mkdir(dirname(file), { recursive: true });
	let hasWaited = false;
	while (!(await take(file))) {
		const owner = Number(await readFile(file, 'utf8').catch(() => ''));
		if (owner > 0 && !isAlive(owner)) {
			await rm(file, { force: true });
			continue;
		}
		if (!hasWaited) onWait();
		hasWaited = true;
		await sleep(1_000);
	}
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}

async function take(file: string): Promise<boolean> {
	try {
		await writeFile(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
