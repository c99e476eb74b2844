import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A frame of an animated picture: a PNG as a browser takes it, and how long it is seen. */
export interface Frame {
	png: Buffer;
	milliseconds: number;
}

interface Bitmap {
	width: number;
	height: number;
	/** Bytes of a pixel: red, green, blue and perhaps alpha. */
	depth: 3 | 4;
	pixels: Buffer;
}

/** An animated PNG, of which each frame holds only the part that changed. It plays again and again. */
export function animate(frames: readonly Frame[]): Buffer {
	const chunks: Buffer[] = [];
	let sequence = 0;
	let shown: Bitmap | undefined;
	for (const { png, milliseconds } of frames) {
		const bitmap = decode(png);
		const part = shown === undefined ? whole(bitmap) : changedPart(shown, bitmap);
		const control = Buffer.alloc(26);
		[sequence++, part.width, part.height, part.x, part.y].forEach((value, at) =>
			control.writeUInt32BE(value, at * 4),
		);
		control.writeUInt16BE(milliseconds, 20);
		control.writeUInt16BE(1000, 22);
		chunks.push(chunk('fcTL', control));
		const data = encode(bitmap, part);
		if (shown === undefined) chunks.push(chunk('IDAT', data));
		else chunks.push(chunk('fdAT', Buffer.concat([number(sequence++), data])));
		shown = bitmap;
	}
	if (shown === undefined) throw new Error('An animated picture needs a frame.');
	const kind = Buffer.from([8, shown.depth === 3 ? 2 : 6, 0, 0, 0]);
	return Buffer.concat([
		SIGNATURE,
		chunk('IHDR', Buffer.concat([number(shown.width), number(shown.height), kind])),
		chunk('acTL', Buffer.concat([number(frames.length), number(0)])),
		...chunks,
		chunk('IEND', Buffer.alloc(0)),
	]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Part {
	x: number;
	y: number;
	width: number;
	height: number;
}

const whole = ({ width, height }: Bitmap): Part => ({ x: 0, y: 0, width, height });

/** The smallest rectangle with all that differs; a single pixel if nothing does, because no frame may be empty. */
function changedPart(before: Bitmap, after: Bitmap): Part {
	const { width, height, depth } = after;
	let [left, right, top, bottom] = [width, 0, height, 0];
	for (let y = 0; y < height; y += 1) {
		const [from, to] = [y * width * depth, (y + 1) * width * depth];
		if (before.pixels.compare(after.pixels, from, to, from, to) === 0) continue;
		top = Math.min(top, y);
		bottom = y;
		let [first, last] = [from, to - 1];
		while (before.pixels[first] === after.pixels[first]) first += 1;
		while (before.pixels[last] === after.pixels[last]) last -= 1;
		left = Math.min(left, Math.floor((first - from) / depth));
		right = Math.max(right, Math.floor((last - from) / depth));
	}
	if (left > right) return { x: 0, y: 0, width: 1, height: 1 };
	return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** A part of a picture as PNG keeps it: each line behind the number of its filter, here none, which suits plain areas. */
function encode({ pixels, width, depth }: Bitmap, part: Part): Buffer {
	const lines = Array.from({ length: part.height }, (_, line) => {
		const from = ((part.y + line) * width + part.x) * depth;
		return [Buffer.from([0]), pixels.subarray(from, from + part.width * depth)];
	});
	return deflateSync(Buffer.concat(lines.flat()), { level: 9 });
}

function decode(png: Buffer): Bitmap {
	const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
	const depth = png[25] === 6 ? 4 : 3;
	const data: Buffer[] = [];
	for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
		const name = png.toString('latin1', at + 4, at + 8);
		if (name === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
	}
	return {
		width,
		height,
		depth,
		pixels: unfiltered(inflateSync(Buffer.concat(data)), width * depth, depth),
	};
}

type Guess = (left: number, above: number, corner: number) => number;

/** PNG's five filters, by their number: what a byte is likely to be. */
const GUESSES: readonly Guess[] = [
	() => 0,
	(left) => left,
	(_, above) => above,
	(left, above) => (left + above) >> 1,
	(left, above, corner) => {
		const guess = left + above - corner;
		const toLeft = Math.abs(guess - left);
		const toAbove = Math.abs(guess - above);
		const toCorner = Math.abs(guess - corner);
		if (toLeft <= toAbove && toLeft <= toCorner) return left;
		return toAbove <= toCorner ? above : corner;
	},
];

/** A line holds the number of its filter, and then how each byte differs from the guess. */
function unfiltered(lines: Buffer, length: number, depth: number): Buffer {
	const pixels = Buffer.alloc((lines.length / (length + 1)) * length);
	let above = Buffer.alloc(length);
	for (let from = 0, to = 0; from < lines.length; from += length + 1, to += length) {
		const guess = GUESSES[lines[from] ?? 0];
		if (guess === undefined) throw new Error('This is no PNG as a browser writes it.');
		const line = pixels.subarray(to, to + length);
		for (let x = 0; x < length; x += 1) {
			const left = x < depth ? 0 : (line[x - depth] ?? 0);
			const corner = x < depth ? 0 : (above[x - depth] ?? 0);
			line[x] = (lines[from + 1 + x] ?? 0) + guess(left, above[x] ?? 0, corner);
		}
		above = line;
	}
	return pixels;
}

function number(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}

function chunk(name: string, data: Buffer): Buffer {
	const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
	return Buffer.concat([number(data.length), named, number(crc32(named))]);
}
