import { readFileSync } from 'node:fs';
import { Stop } from '../stop';

/**
 * Reads a file as its byte order mark says, for PowerShell writes UTF-16.
 * @param title the file as a person knows it
 * @param option names the file
 * @throws {Stop} that shows nothing of the file: the API key may be in it
 */
export function readText(file: string, title: string, option: string): string {
	try {
		const bytes = readFileSync(file);
		const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
		if (!text.includes('\0')) return text;
	} catch (error) {
		const { code = '' } = error as NodeJS.ErrnoException;
		if (!code.startsWith('ERR_ENCODING'))
			throw new Stop(
				`${title} cannot be read (${code}).`,
				`Check the path of ${option}, and that the user who runs this may read it.`,
			);
	}
	throw new Stop(
		`${title} is no text that can be read.`,
		'Save it as UTF-8, or as UTF-16 with a byte order mark.',
	);
}

function encodingOf([first, second]: Buffer): string {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
