import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Sandbox } from '../../sandbox/sandbox';

const BIN = resolve(__dirname, '../../batch/dist/batch/bin.js');

/** Somebody who takes the products of products.csv through the service, two briefs at a time. */
export interface Contender {
	name: string;
	/** Programs that the machine must have. */
	needs: readonly string[];
	/** @param pollSeconds the shortest time between two looks that the service advises */
	command(pollSeconds: number): readonly [program: string, ...args: string[]];
}

export const OURS: Contender = {
	name: 'brief-batch',
	needs: [],
	command: (pollSeconds) => [
		process.execPath,
		...[BIN, 'run', 'products.csv', '--quiet'],
		...['--poll-interval', String(pollSeconds), '--poll-interval-max', String(2 * pollSeconds)],
	],
};

export const PEERS: readonly Contender[] = [
	{
		name: 'p-limit and axios',
		needs: [],
		command: () => [process.execPath, join(__dirname, 'p-limit.mjs')],
	},
	{
		name: 'GNU parallel and curl',
		needs: ['bash', 'parallel', 'curl', 'jq'],
		command: () => ['bash', join(__dirname, 'parallel.sh')],
	},
];

/** The programs that a contender needs and this machine has not. */
export function missingFor({ needs }: Contender): string[] {
	return needs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
}

/** A contender's run. It has a process group of its own, so that a kill ends all of it at once, like a power cut. */
export interface Run {
	/** The exit code; null where it was killed. */
	ended: Promise<number | null>;
	kill(): Promise<void>;
}

export function writeProducts(folder: string, count: number): void {
	const rows = Array.from({ length: count }, (_, i) => `Product ${i + 1}`);
	writeFileSync(join(folder, 'products.csv'), `Product Name\n${rows.join('\n')}\n`);
}

/** Starts it in a folder with a products.csv, or again where an earlier run was killed. */
export function startRun(
	contender: Contender,
	sandbox: Sandbox,
	folder: string,
	speed: number,
): Run {
	const pollSeconds = 15 / speed;
	const [program, ...args] = contender.command(pollSeconds);
	const child = spawn(program, args, {
		cwd: folder,
		env: {
			...process.env,
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			POLL_SECONDS: String(pollSeconds),
		},
		detached: true,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const ended = once(child, 'exit').then(([code]) => code as number | null);
	return {
		ended,
		kill: async () => {
			if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
			await ended;
		},
	};
}

export async function runToEnd(run: Run, { name }: Contender): Promise<void> {
	const code = await run.ended;
	if (code !== 0) throw new Error(`${name} ended with ${String(code)}`);
}
