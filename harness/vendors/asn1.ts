/** Just enough DER to write an X.509 certificate: the one thing node:crypto reads but does not write. */

const bytes = (...values: number[]) => Buffer.from(values);

function tagged(tag: number, ...contents: Buffer[]): Buffer {
	const body = Buffer.concat(contents);
	if (body.length < 0x80) return Buffer.concat([bytes(tag, body.length), body]);
	const length =
		body.length > 0xff ? [0x82, body.length >> 8, body.length & 0xff] : [0x81, body.length];
	return Buffer.concat([bytes(tag, ...length), body]);
}

export const sequence = (...contents: Buffer[]) => tagged(0x30, ...contents);
export const set = (...contents: Buffer[]) => tagged(0x31, ...contents);
export const octets = (content: Buffer) => tagged(0x04, content);
export const bits = (content: Buffer, unused = 0) => tagged(0x03, bytes(unused), content);
export const boolean = (value: boolean) => tagged(0x01, bytes(value ? 0xff : 0));
export const text = (value: string) => tagged(0x0c, Buffer.from(value));
/** [number], with structured content. */
export const explicit = (number: number, content: Buffer) => tagged(0xa0 | number, content);
/** [number], with the content itself. */
export const implicit = (number: number, content: Buffer) => tagged(0x80 | number, content);

/** A positive integer from its bytes. */
export function integer(value: Buffer): Buffer {
	const first = value[0] ?? 0;
	return tagged(0x02, first & 0x80 ? Buffer.concat([bytes(0), value]) : value);
}

/** Dates to 2049, which is as far as this form reaches. */
export function time(date: Date): Buffer {
	const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '');
	return tagged(0x17, Buffer.from(digits.slice(2)));
}

export function objectId(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
	const encoded = [first * 40 + second];
	for (const part of rest) {
		const groups = [part & 0x7f];
		for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
		encoded.push(...groups);
	}
	return tagged(0x06, bytes(...encoded));
}
