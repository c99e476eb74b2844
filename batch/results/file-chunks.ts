import { createReadStream } from 'node:fs';
import { realDisk, type Disk } from '../disk';

/**
 * The bytes of a file in chunks; none where there is no such file. A `Disk` reads files whole, and a results.csv of a
 * million rows would take more memory than everything else, so on the real disk it is read as a stream.
 */
export async function* fileChunks(disk: Disk, path: string): AsyncGenerator<Uint8Array> {
	if (disk !== realDisk) {
		const bytes = await disk.read(path);
		if (bytes !== null) yield bytes;
		return;
	}
	try {
		for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
			yield chunk as Uint8Array;
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	}
}
