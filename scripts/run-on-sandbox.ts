import { spawn, type StdioOptions } from 'node:child_process';
import { briefBatch } from '../harness/paths';
import { FAST_TIME_ARGS, startFastSandbox } from '../test/support/fast-clock/fast-sandbox';

/** How many times as fast as real time the examples run. */
export const SPEED = 60;

/** Runs brief-batch on a new sandbox in fast time, and returns the exit code. */
export async function runOnSandbox(
	args: string[],
	cwd: string,
	stdio: StdioOptions,
): Promise<number> {
	const { sandbox, clock } = await startFastSandbox({
		speed: SPEED,
		seed: 'example',
		failureShare: 0,
	});
	try {
		const child = spawn(process.execPath, [...FAST_TIME_ARGS, briefBatch, ...args], {
			cwd,
			stdio,
			env: {
				...process.env,
				...clock.env,
				CREATOR_BRIEFING_BASE_URL: sandbox.url,
				CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			},
		});
		return await new Promise<number>((done) => child.on('close', (code) => done(code ?? 1)));
	} finally {
		await sandbox.close();
	}
}
