import { createHash } from 'node:crypto';

export type Seed = string | number;

/** A random generator. The same seeds always give the same results. */
export interface Random {
	/** From 0 (included) to 1 (excluded). */
	next(): number;
	/** A whole number, both ends included. */
	int(from: number, to: number): number;
	chance(share: number): boolean;
	pick<T>(list: readonly T[]): T;
	/** `count` different entries, in random order. */
	sample<T>(list: readonly T[], count: number): T[];
}

export function createRandom(...seeds: Seed[]): Random {
	let state = digest(seeds).readUInt32BE(0);

	// mulberry32: small, fast and good enough for a sandbox.
	function next(): number {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	function int(from: number, to: number): number {
		return from + Math.floor(next() * (to - from + 1));
	}

	function sample<T>(list: readonly T[], count: number): T[] {
		const rest = [...list];
		const choice: T[] = [];
		while (choice.length < count && rest.length > 0) {
			choice.push(...rest.splice(int(0, rest.length - 1), 1));
		}
		return choice;
	}

	function pick<T>(list: readonly T[]): T {
		const [entry] = sample(list, 1);
		if (entry === undefined) throw new Error('Cannot pick from an empty list');
		return entry;
	}

	return { next, int, chance: (share) => next() < share, pick, sample };
}

/** Returns a UUID (version 4 in form) that depends only on the seeds. */
export function createUuid(...seeds: Seed[]): string {
	const bytes = digest(seeds).subarray(0, 16);
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns lower-case hexadecimal digits that depend only on the seeds. */
export function createHex(length: number, ...seeds: Seed[]): string {
	return digest(seeds).toString('hex').slice(0, length);
}

function digest(seeds: Seed[]): Buffer {
	return createHash('sha256').update(JSON.stringify(seeds)).digest();
}
