import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IN_FAST_TIME, startFastSandbox } from '../../support/fast-clock/fast-sandbox';

type FastSandbox = Awaited<ReturnType<typeof startFastSandbox>>;

// The program runs in a folder of its own, where the loader could not be resolved by its name.
const TSX = pathToFileURL(require.resolve('tsx')).href;
const MAIN = resolve(__dirname, '../batch/main.ts');

export interface ProcessEnd {
	code: number | null;
	output: string;
}

interface ProcessOptions {
	stdio?: 'inherit' | 'pipe';
	/** Variables that differ from those of the sandbox. */
	env?: Readonly<Record<string, string>>;
}

/** Starts the real program as a process, in the time of the sandbox. */
export function startBriefBatch(
	{ sandbox, clock }: FastSandbox,
	args: readonly string[],
	cwd: string,
	{ stdio = 'pipe', env = {} }: ProcessOptions = {},
) {
	const program = [...IN_FAST_TIME, '--import', TSX, MAIN, ...args];
	const child = spawn(process.execPath, program, {
		cwd,
		stdio: stdio === 'inherit' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
		env: {
			...process.env,
			...clock.env,
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			...env,
		},
	});
	let output = '';
	child.stdout?.on('data', (bytes) => (output += String(bytes)));
	child.stderr?.on('data', (bytes) => (output += String(bytes)));
	const end = new Promise<ProcessEnd>((done) => {
		child.on('close', (code) => done({ code, output }));
	});
	return { child, end };
}
