import * as iconv from 'iconv-lite';

/** Text that an encoding has no characters for. */
export class Inexpressible extends Error {
	constructor(encoding: string) {
		super(`Some characters cannot be written in ${encoding}`);
		this.name = 'Inexpressible';
	}
}

/**
 * Writes text in an encoding, piece after piece. Each piece is read again as the next run will read it: a character
 * that came back as another one would change what a row orders, and so its key.
 * @returns a function that throws an {Inexpressible} if the encoding has no characters for a piece
 */
export function encoderOf(encoding: string): (text: string) => Buffer {
	if (encoding === 'utf-8') return (text) => Buffer.from(text);
	const again = new TextDecoder(encoding, { ignoreBOM: true });
	const canWrite = iconv.encodingExists(encoding);
	return (text) => {
		// Half a surrogate pair is no character; it becomes a replacement character, as in UTF-8.
		const wanted = Buffer.from(text).toString();
		const bytes = canWrite ? iconv.encode(wanted, encoding, { addBOM: false }) : Buffer.alloc(0);
		if (again.decode(bytes, { stream: true }) !== wanted) throw new Inexpressible(encoding);
		return bytes;
	};
}
