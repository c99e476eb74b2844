import { hex, type Seed } from '../random';
import type { StoredBrief } from './record';

/** The next page starts after this brief, newest first. */
export interface CursorPlace {
	createdAt: number;
	serial: number;
	issuedAt: number;
}

/** Cursors are opaque; clients that make their own or keep them too long meet `staleCursor`. */
export function cursorAfter(brief: StoredBrief, filter: string, now: number, seed: Seed): string {
	const place = [brief.createdAt, brief.serial, now].join('.');
	return Buffer.from(`${place}.${seal(place, filter, seed)}`).toString('base64url');
}

/** undefined for a cursor that this sandbox did not issue for this filter. */
export function readCursor(cursor: string, filter: string, seed: Seed): CursorPlace | undefined {
	const parts = Buffer.from(cursor, 'base64url').toString().split('.');
	const sealed = parts.pop();
	if (sealed !== seal(parts.join('.'), filter, seed)) return undefined;
	const [createdAt = NaN, serial = NaN, issuedAt = NaN] = parts.map(Number);
	return { createdAt, serial, issuedAt };
}

function seal(place: string, filter: string, seed: Seed): string {
	return hex(16, seed, 'cursor', place, filter);
}
