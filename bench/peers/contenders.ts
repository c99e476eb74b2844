import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/sandbox';

/** Somebody who takes the products of products.csv through the service, two briefs at a time. */
export interface Contender {
	name: string;
	start(batch: Batch): Run;
}

export interface Batch {
	sandbox: Sandbox;
	/** Holds the products.csv, and all that a contender keeps. */
	folder: string;
	/** How fast time runs in the sandbox. */
	speed: number;
}

export interface Run {
	/** Fails where the run did, but not where it was killed. */
	ended: Promise<void>;
}

/** The shortest time between two looks that the service advises, in seconds of this machine. */
export function pollSecondsOf({ speed }: Pick<Batch, 'speed'>): number {
	return 15 / speed;
}

export function writeProducts(folder: string, count: number): void {
	const rows = Array.from({ length: count }, (_, i) => `Product ${i + 1}`);
	writeFileSync(fileIn(folder), `Product Name\n${rows.join('\n')}\n`);
}

export function readProducts(folder: string): string[] {
	return readFileSync(fileIn(folder), 'utf8').trim().split('\n').slice(1);
}

function fileIn(folder: string): string {
	return join(folder, 'products.csv');
}
