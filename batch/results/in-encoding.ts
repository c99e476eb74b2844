import * as iconv from 'iconv-lite';

/** Text that an encoding has no characters for. */
export class Inexpressible extends Error {
	constructor(encoding: string) {
		super(`Some characters cannot be written in ${encoding}`);
		this.name = 'Inexpressible';
	}
}

/**
 * UTF-8 text in another encoding. Each chunk is read again as the next run will read it: a character that came back as
 * another one would change what a row orders, and so its key.
 * @throws {Inexpressible}
 */
export async function* inEncoding(
	utf8: AsyncIterable<Uint8Array>,
	encoding: string,
): AsyncGenerator<Uint8Array> {
	const text = new TextDecoder('utf-8', { ignoreBOM: true });
	const again = new TextDecoder(encoding, { ignoreBOM: true });
	const canWrite = iconv.encodingExists(encoding);
	for await (const chunk of utf8) {
		const wanted = text.decode(chunk, { stream: true });
		const bytes = canWrite ? iconv.encode(wanted, encoding, { addBOM: false }) : Buffer.alloc(0);
		if (again.decode(bytes, { stream: true }) !== wanted) throw new Inexpressible(encoding);
		yield bytes;
	}
}
