import { promises as fs } from 'node:fs';
import { Failure } from '../failure';

/**
 * Large enough that the cost per chunk does not matter. All rows of a chunk are in memory at once, and larger chunks
 * make Node 24 grow its space for young objects: chunks of 64 kB took 70 MB more over a million rows.
 */
export const CHUNK_BYTES = 16 * 1024;

/** The bytes of a file in chunks. Each is a buffer of its own. */
export async function* readChunks(file: string, chunkBytes: number): AsyncGenerator<Buffer> {
	const handle = await openFile(file);
	try {
		for (;;) {
			const { bytesRead, buffer } = await handle
				.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null)
				.catch((error: unknown) => {
					throw readFailure(file, error);
				});
			if (bytesRead === 0) return;
			yield buffer.subarray(0, bytesRead);
		}
	} finally {
		await handle.close();
	}
}

async function openFile(file: string): Promise<fs.FileHandle> {
	let handle: fs.FileHandle | undefined;
	try {
		// Checked before opening: a pipe cannot be read twice, and opening one waits for its writer.
		const stat = await fs.stat(file);
		if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
		if (!stat.isFile()) throw Object.assign(new Error(), { code: 'ESPIPE' });
		handle = await fs.open(file, 'r');
		return handle;
	} catch (error) {
		throw readFailure(file, error);
	}
}

/** An error of the operating system as a text for a person. */
export function readFailure(file: string, error: unknown): Failure {
	const isError = typeof error === 'object' && error !== null && 'code' in error;
	const code = isError ? String(error.code) : String(error);
	switch (code) {
		case 'ENOENT':
		case 'ENOTDIR':
			return new Failure(`There is no file “${file}”.`, 'Check its name and folder.');
		case 'EISDIR':
			return new Failure(`“${file}” is a folder.`, 'Name the CSV file in it.');
		case 'ESPIPE':
			return new Failure(
				`“${file}” is not a file but a pipe or a device, which cannot be read twice.`,
				'Save it to a file first, or pipe it into the command and name - as the file.',
			);
		case 'EACCES':
		case 'EPERM':
			return new Failure(
				`“${file}” may not be read by this user.`,
				'Ask for the permission to read it, or copy it to a folder of your own.',
			);
		default:
			return new Failure(
				`“${file}” could not be read (${code}).`,
				'Check the disk or the network share that it is on, then run the command again.',
			);
	}
}
