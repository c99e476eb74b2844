import { createReadStream, promises as fs } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { Stop } from '../stop';

/** Standard input, on a command line. */
export const STANDARD_INPUT = '-';

/** Some millions of rows. The whole CSV is kept in memory. */
const MAX_MB = 200;

export type InputStream = Readable & { isTTY?: boolean };

/** A CSV as it was when the command began: what was read is what is ordered. */
export interface CsvBytes {
	/** Its path, or - if it came out of a pipe. */
	file: string;
	/** Its name at the beginning of a sentence. */
	title: string;
	bytes: Buffer;
}

/**
 * Reads the CSV of a command: a file, or what is piped into it.
 * @param interruption ends the wait for what is piped
 * @throws {Stop} if it cannot be read or is too large
 */
export async function readCsv(
	file: string,
	input: InputStream,
	interruption?: AbortSignal,
): Promise<CsvBytes> {
	if (file === STANDARD_INPUT) {
		refuseTerminal(input);
		const title = 'Standard input';
		if (interruption !== undefined) addAbortSignal(interruption, input);
		return { file, title, bytes: await bytesOf(input, title) };
	}
	const title = `“${file}”`;
	try {
		// Named as a file, as by <(…), a pipe has another name each time.
		if ((await fs.stat(file)).isFIFO()) throw new Stop(`${title} is a pipe, not a file.`, PIPE_IN);
		return { file, title, bytes: await bytesOf(createReadStream(file), title) };
	} catch (error) {
		throw error instanceof Stop ? error : readFailure(file, error);
	}
}

async function bytesOf(input: Readable, title: string): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of input) {
		const bytes = Buffer.from(chunk as Buffer);
		chunks.push(bytes);
		length += bytes.length;
		if (length <= MAX_MB * 1024 * 1024) continue;
		throw new Stop(
			`${title} is larger than ${MAX_MB} MB.`,
			'Split it into several files, and run each with its own folder (--out).',
		);
	}
	return Buffer.concat(chunks, length);
}

const PIPE_IN =
	'Pipe a CSV into the command, as in “… | brief-batch plan - --batch NAME”, or name a file.';

function refuseTerminal(input: InputStream): void {
	if (input.isTTY !== true) return;
	throw new Stop('Standard input is the terminal, so no CSV is piped into this command.', PIPE_IN);
}

/** Puts an error of the operating system into words for a person. */
export function readFailure(file: string, error: unknown): Stop {
	const { code = String(error) } = error as NodeJS.ErrnoException;
	switch (code) {
		case 'ENOENT':
		case 'ENOTDIR':
			return new Stop(`There is no file “${file}”.`, 'Check its name and folder.');
		case 'EISDIR':
			return new Stop(`“${file}” is a folder.`, 'Name the CSV file in it.');
		case 'EACCES':
		case 'EPERM':
			return new Stop(
				`There is no permission to read “${file}”.`,
				'Give the user who runs brief-batch that permission, or copy the file to a folder of your own.',
			);
		default:
			return new Stop(
				`“${file}” could not be read (${code}).`,
				'Check the disk or the network share that it is on, then run the command again.',
			);
	}
}
