import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { briefBatch } from '../../harness/paths';
import { FAST_TIME_ARGS } from '../../test/support/fast-clock/fast-sandbox';
import { NODE } from '../process';
import { POLL_SECONDS, type Batch, type Contender, type Host } from './contender';

/** The contenders that are programs on Node. */
export function startPrograms(): Host {
	const running = new Set<ChildProcess>();
	const program = (name: string, args: string[]): Contender => ({
		name,
		prepare: (batch) => {
			let end = Promise.resolve();
			return Promise.resolve({
				execute: () => {
					const child = start(args, batch);
					running.add(child);
					end = once(child, 'exit').then(([code, signal]) => {
						running.delete(child);
						if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${name} ended with ${code}`);
					});
					return Promise.resolve();
				},
				waitForEnd: () => end,
			});
		},
	});
	return {
		contenders: [
			program('brief-batch', [
				...FAST_TIME_ARGS,
				briefBatch,
				'run',
				'products.csv',
				'--yes',
				'--quiet',
			]),
			program('p-limit and axios', [join(__dirname, 'p-limit.mjs')]),
		],
		kill: async () => {
			const exits = [...running].map((child) => once(child, 'exit'));
			for (const child of running) child.kill('SIGKILL');
			await Promise.all(exits);
		},
	};
}

function start(args: string[], { sandbox, clock, folder }: Batch): ChildProcess {
	return spawn(NODE, args, {
		cwd: folder,
		env: {
			...process.env,
			...clock.env,
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			POLL_SECONDS: String(POLL_SECONDS),
		},
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}
