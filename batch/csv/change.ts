import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { CHUNK_BYTES, readChunks, readFailure } from './read-file';

/** Tells whether a file holds something else than when this was made. Written anew with the same content it does not. */
export async function changeOf(file: string): Promise<() => Promise<boolean>> {
	// Before its content is read: what is written from now on changes the stamp.
	let stamp = await stampOf(file);
	const content = await hashOf(file);
	return async () => {
		const now = await stampOf(file);
		if (now === stamp) return false;
		if ((await hashOf(file)) !== content) return true;
		stamp = now;
		return false;
	};
}

async function stampOf(file: string): Promise<string> {
	try {
		const { ino, size, mtimeMs } = await fs.stat(file);
		return `${ino} ${size} ${mtimeMs}`;
	} catch (error) {
		throw readFailure(file, error);
	}
}

async function hashOf(file: string): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of readChunks(file, CHUNK_BYTES)) hash.update(chunk);
	return hash.digest('hex');
}
