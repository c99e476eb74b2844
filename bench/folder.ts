import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does something in a new folder, which is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-'));
	try {
		return await work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
