import { createReadStream } from 'node:fs';
import { realDisk, type Disk } from '../disk';

/**
 * A file's bytes a piece at a time; nothing where there is no such file. A Disk gives files whole, and a results.csv
 * of a million rows is larger than the whole program otherwise is, so the real one is gone around for reading.
 */
export async function* fileChunks(disk: Disk, path: string): AsyncGenerator<Uint8Array> {
	if (disk !== realDisk) {
		const bytes = await disk.read(path);
		if (bytes !== null) yield bytes;
		return;
	}
	try {
		for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
			yield piece as Uint8Array;
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	}
}
