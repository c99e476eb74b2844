import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { briefBatch } from '../../harness/paths';
import { NODE } from '../process';
import { IN_FAST_TIME } from '../../test/support/fast-clock/fast-sandbox';
import { POLL_SECONDS, type Batch, type Contender, type Run } from './contender';

/** A contender that is a program. Started again in the same folder, it resumes a killed run. */
export interface Program extends Contender {
	/** Programs that the machine must have. */
	needs: readonly string[];
	start(batch: Batch): ProgramRun;
}

/** It has its own process group, so that a kill ends all of it at once, like a power cut. */
export interface ProgramRun extends Run {
	kill(): Promise<void>;
}

export const OURS = program(
	'brief-batch',
	[],
	[NODE, ...IN_FAST_TIME, briefBatch, 'run', 'products.csv', '--quiet'],
);

export const PEERS: readonly Program[] = [
	program('p-limit and axios', [], [NODE, join(__dirname, 'p-limit.mjs')]),
	program(
		'GNU parallel and curl',
		['bash', 'parallel', 'curl', 'jq'],
		['bash', join(__dirname, 'parallel.sh')],
	),
];

/** The programs that a contender needs and this machine has not. */
export function missingFor({ needs }: Program): string[] {
	return needs.filter((each) => spawnSync(each, ['--version']).error !== undefined);
}

function program(
	name: string,
	needs: readonly string[],
	command: readonly [program: string, ...args: string[]],
): Program {
	return { name, needs, start: (batch) => start(name, batch, command) };
}

function start(
	name: string,
	batch: Batch,
	[file, ...args]: readonly [program: string, ...args: string[]],
): ProgramRun {
	const { sandbox, clock, folder } = batch;
	const child = spawn(file, args, {
		cwd: folder,
		env: {
			...process.env,
			...clock.env,
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			POLL_SECONDS: String(POLL_SECONDS),
		},
		detached: true,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const end = once(child, 'exit').then(([code, signal]) => {
		if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${name} ended with ${String(code)}`);
	});
	return {
		end,
		kill: async () => {
			if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
			await end;
		},
	};
}
