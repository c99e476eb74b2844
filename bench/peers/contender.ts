import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox';
import { FastClock } from '../../test/support/fast-clock/fast-sandbox';

/** Time runs this many times as fast, so a request or a sync of 10 ms counts as a fifth of a second. */
export const SPEED = 20;
/** The shortest time between two looks that the service advises, in seconds of this machine. */
export const POLL_SECONDS = 15 / SPEED;

/** Somebody who takes the products of products.csv through the service, two briefs at a time. */
export interface Contender {
	name: string;
	start(batch: Batch): Run;
}

export interface Batch {
	sandbox: Sandbox;
	/** The sandbox's, for a contender that can run in its time. The others look as often by their own. */
	clock: FastClock;
	/** Holds the products.csv, and all that a contender keeps. */
	folder: string;
}

export interface Run {
	/** Fails if the run failed, but not if it was killed. */
	end: Promise<void>;
}

/** What it asks a client to wait is in the time of this machine, because most contenders live in it. */
export async function startSandboxOf(seed: string): Promise<Pick<Batch, 'sandbox' | 'clock'>> {
	const clock = new FastClock(SPEED);
	const options = { speed: SPEED, seed, failureShare: 0, requestsPerMinute: 0 };
	return { sandbox: await startSandbox(options), clock };
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
