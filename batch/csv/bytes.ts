import { constants, createReadStream, open, promises as fs } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Failure } from '../failure';

/** Standard input, on a command line. */
export const STANDARD_INPUT = '-';

/** Some millions of rows. The whole CSV is kept in memory. */
const MAX_MB = 200;

/** A wait for a pipe that is shorter is nothing to speak of. */
const WAIT_SAID_AFTER_MS = 3000;

export type InputStream = Readable & { isTTY?: boolean };

/** A console that hears of a wait for a pipe, and may end it. */
export interface PipeWatch {
	readonly interruption: AbortSignal;
	warn(text: string): void;
}

/** A CSV as it was when the command began: what was read is what is ordered. */
export interface CsvBytes {
	/** Its path, or - if it came out of a pipe. */
	file: string;
	/** Its name at the beginning of a sentence. */
	title: string;
	bytes: Buffer;
}

/**
 * Reads the CSV of a command: a file, or what is piped into it. A pipe that is named as a file, as by <(…), is read
 * like standard input: its name is another one each time.
 * @throws {Failure} if it cannot be read or is too large
 */
export async function readCsv(
	file: string,
	input: InputStream,
	watch?: PipeWatch,
): Promise<CsvBytes> {
	if (file === STANDARD_INPUT) {
		refuseTerminal(input);
		const title = 'Standard input';
		return { file, title, bytes: await pipedBytes(input, title, watch) };
	}
	const title = `“${file}”`;
	try {
		if ((await fs.stat(file)).isFIFO()) {
			const bytes = await pipedBytes(await openPipe(file), title, watch);
			return { file: STANDARD_INPUT, title, bytes };
		}
		return { file, title, bytes: await bytesOf(createReadStream(file), title) };
	} catch (error) {
		const isOurs = error instanceof Failure || watch?.interruption.aborted === true;
		throw isOurs ? error : readFailure(file, error);
	}
}

/** Opens a pipe without waiting for the program at its other end: such a wait could not be interrupted. */
async function openPipe(file: string): Promise<Readable> {
	// The socket closes it; a FileHandle would do that too.
	const fd = await promisify(open)(file, constants.O_RDONLY | constants.O_NONBLOCK);
	return new Socket({ fd, readable: true, writable: false });
}

async function pipedBytes(input: Readable, title: string, watch?: PipeWatch): Promise<Buffer> {
	if (watch === undefined) return bytesOf(input, title);
	const say = () => watch.warn(`${title} is a pipe, and nothing has come out of it yet. Waiting.`);
	const timer = setTimeout(say, WAIT_SAID_AFTER_MS);
	input.once('readable', () => clearTimeout(timer));
	addAbortSignal(watch.interruption, input);
	try {
		return await bytesOf(input, title);
	} finally {
		clearTimeout(timer);
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
		throw new Failure(
			`${title} is larger than ${MAX_MB} MB.`,
			'Split it into several files, and run each with its own folder (--out).',
		);
	}
	return Buffer.concat(chunks, length);
}

function refuseTerminal(input: InputStream): void {
	if (input.isTTY !== true) return;
	throw new Failure(
		'Standard input is the terminal, so no CSV is piped into this command.',
		'Pipe one into it, as in “… | brief-batch plan - --batch NAME”, or name a file.',
	);
}

/** Puts an error of the operating system into words for a person. */
export function readFailure(file: string, error: unknown): Failure {
	const { code = String(error) } = error as NodeJS.ErrnoException;
	switch (code) {
		case 'ENOENT':
		case 'ENOTDIR':
			return new Failure(`There is no file “${file}”.`, 'Check its name and folder.');
		case 'EISDIR':
			return new Failure(`“${file}” is a folder.`, 'Name the CSV file in it.');
		case 'EACCES':
		case 'EPERM':
			return new Failure(
				`There is no permission to read “${file}”.`,
				'Give the user who runs brief-batch that permission, or copy the file to a folder of your own.',
			);
		default:
			return new Failure(
				`“${file}” could not be read (${code}).`,
				'Check the disk or the network share that it is on, then run the command again.',
			);
	}
}
