import { Failure } from '../failure';
import { changeOf } from './change';
import { readChunks } from './read-file';

/** Where a CSV comes from. It can be read from its start as often as needed. */
export interface CsvSource {
	/** As the command line names it. */
	file: string;
	/** How it begins a sentence. */
	title: string;
	chunks(chunkBytes: number): AsyncIterable<Buffer> | Iterable<Buffer>;
	/** Gives what tells later whether it holds something else than now. */
	watchForChange(): Promise<() => Promise<boolean>>;
}

/** The name that stands for standard input on a command line. */
export const STANDARD_INPUT = '-';

/** Far more than a million rows, and little enough for the memory of any machine that runs this. */
const STANDARD_INPUT_MAX_BYTES = 512 * 1024 * 1024;

export type InputStream = AsyncIterable<Buffer | string> & { isTTY?: boolean };

/** The CSV that a command names: a file, or what is piped into it. */
export async function sourceOf(file: string, input: InputStream): Promise<CsvSource> {
	return file === STANDARD_INPUT ? await fromInput(input) : fromFile(file);
}

export function fromFile(file: string): CsvSource {
	return {
		file,
		title: `“${file}”`,
		chunks: (chunkBytes) => readChunks(file, chunkBytes),
		watchForChange: () => changeOf(file),
	};
}

/**
 * Keeps standard input in memory, because a CSV is read several times. A copy on disk would stay behind where the
 * program is killed, and `plan` writes nothing.
 */
async function fromInput(input: InputStream): Promise<CsvSource> {
	if (input.isTTY === true) {
		throw new Failure(
			'Standard input is the terminal, so no CSV is piped into this command.',
			'Pipe one into it, as in “… | brief-batch plan - --batch NAME”, or name a file.',
		);
	}
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of input) {
		const bytes = Buffer.from(chunk);
		chunks.push(bytes);
		length += bytes.length;
		if (length <= STANDARD_INPUT_MAX_BYTES) continue;
		throw new Failure(
			'Standard input holds more than 512 MB, which is kept in memory.',
			'Save it to a file and name that.',
		);
	}
	const whole = Buffer.concat(chunks);
	return {
		file: STANDARD_INPUT,
		title: 'Standard input',
		*chunks(chunkBytes) {
			for (let at = 0; at < whole.length; at += chunkBytes)
				yield whole.subarray(at, at + chunkBytes);
		},
		watchForChange: () => Promise.resolve(() => Promise.resolve(false)),
	};
}

/** The first bytes, at most `bytes` of them. */
export async function readStart(source: CsvSource, bytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of source.chunks(bytes)) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= bytes) break;
	}
	return Buffer.concat(chunks).subarray(0, bytes);
}
