import { once } from 'node:events';
import { openSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { ReadStream } from 'node:tty';
import { Stop } from '../stop';

/** The streams around a command, its environment, and what else it has of the process. */
export interface Streams {
	in: NodeJS.ReadStream;
	out: NodeJS.WriteStream;
	env: NodeJS.ProcessEnv;
	err: NodeJS.WriteStream;
	/** Opens the keyboard that answers a question; null if there is none, or nobody would see the question. */
	openKeyboard: () => NodeJS.ReadStream | null;
	/** Aborted by the first Ctrl-C or SIGTERM. */
	interruption: AbortSignal;
}

/**
 * Asks a yes-or-no question on stderr, because what a command prints may go into a file or to a program.
 * @param above the lines above it
 * @throws {Stop} if whoever sits there cannot answer
 */
export async function ask(
	question: string,
	above: readonly string[],
	{ openKeyboard, err, interruption: signal }: Streams,
): Promise<boolean> {
	const input = openKeyboard();
	if (input === null)
		throw new Stop(
			'You cannot be asked here, because input or messages are redirected. Nothing was ordered.',
			'To go on without a question, add --yes.',
		);
	for (const line of above) err.write(`${line}\n`);
	const reader = createInterface({ input, output: err });
	// While it asks, the terminal sends a Ctrl-C as a key and not as a signal.
	reader.on('SIGINT', () => process.emit('SIGINT'));
	// Ctrl-D is no answer; some versions of Node throw, others close without a word.
	const onClose = once(reader, 'close').then(() => '');
	const onAnswer = reader.question(`${question} [y/N] `, { signal }).catch(() => '');
	try {
		const answer = await Promise.race([onAnswer, onClose]);
		signal.throwIfAborted();
		return /^y(es)?$/i.test(answer.trim());
	} finally {
		reader.close();
	}
}

/**
 * Opens the keyboard of whoever sits at the terminal: standard input or, behind a pipe, the terminal itself, as ssh and
 * git do. Null if a question on stderr could not be seen, or nobody could answer it.
 */
export function openKeyboard({ stdin, stderr }: NodeJS.Process): NodeJS.ReadStream | null {
	// A pipe may lead to the screen, as in `2>&1 | tee log`; a file does not.
	if (stdin.isTTY) return stderr instanceof Socket ? stdin : null;
	if (!stderr.isTTY) return null;
	try {
		return process.platform === 'win32'
			? new ReadStream(openSync('\\\\.\\CONIN$', 'r+'))
			: new ReadStream(openSync('/dev/tty', 'r'));
	} catch {
		return null;
	}
}
