import { openSync } from 'node:fs';
import { Socket } from 'node:net';
import { ReadStream } from 'node:tty';

/**
 * Opens the keyboard of whoever sits at the terminal: standard input or, behind a pipe, the terminal itself, as ssh and
 * git do. Null if a question on stderr could not be seen, or nobody could answer it.
 */
export function openKeyboard({
	stdin,
	stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stderr'>): NodeJS.ReadStream | null {
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
