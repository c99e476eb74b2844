/** A file in pieces that end anywhere, also within a letter. */
export async function* chunksOf(
	read: (path: string) => Promise<Uint8Array | null>,
	path: string,
): AsyncGenerator<Uint8Array> {
	const bytes = (await read(path)) ?? new Uint8Array();
	for (let start = 0; start < bytes.length; start += LENGTH)
		yield bytes.subarray(start, start + LENGTH);
}

const LENGTH = 1009;
