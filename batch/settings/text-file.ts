import { readFileSync } from 'node:fs';
import { Stop } from '../stop';

/**
 * Reads a file as its byte order mark says, for PowerShell writes UTF-16.
 * @param title the file as a person knows it
 * @param option names the file
 * @throws {Stop} that shows nothing of the file: the API key may be in it
 */
export function readText(file: string, title: string, option: string): string {
	let bytes: Buffer;
	try {
		bytes = readFileSync(file);
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? '';
		throw new Stop(
			`${title} cannot be read (${code}).`,
			`Check the path of ${option}, and that the user who runs this may read it.`,
		);
	}
	const text = decoded(bytes);
	if (text !== null) return text;
	throw new Stop(
		`${title} is no text that can be read.`,
		'Save it as UTF-8, or as UTF-16 with a byte order mark.',
	);
}

/** Gives the text of the bytes; null if they are none. */
function decoded(bytes: Buffer): string | null {
	try {
		const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
		return text.includes('\0') ? null : text;
	} catch {
		return null;
	}
}

function encodingOf([first, second]: Buffer): string {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
