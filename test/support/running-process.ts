import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ProcessResult {
	code: number | null;
	out: string;
	err: string;
}

export interface RunningProcess {
	child: ChildProcess;
	/** Everything that the process has printed. */
	output: { out: string; err: string };
	ended: Promise<ProcessResult>;
	/** Sends a signal and waits until the process has ended. */
	kill: (signal?: NodeJS.Signals) => Promise<ProcessResult>;
	/** Waits until standard output contains this text. */
	waitForOutput: (text: string | RegExp) => Promise<void>;
}

/** Collects the output of a process that was just started. */
export function followProcess(
	child: ChildProcess & { stdout: Readable; stderr: Readable },
): RunningProcess {
	const output = { out: '', err: '' };
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.out += chunk));
	child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.err += chunk));
	const ended = new Promise<ProcessResult>((done) =>
		child.on('close', (code) => done({ code, ...output })),
	);
	const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
		child.kill(signal);
		return ended;
	};
	const waitForOutput = (text: string | RegExp) =>
		new Promise<void>((done, fail) => {
			const check = () => {
				if (typeof text === 'string' ? output.out.includes(text) : text.test(output.out)) done();
			};
			child.stdout.on('data', check);
			check();
			void ended.then(({ out, err }) =>
				fail(new Error(`The process ended without printing ${String(text)}:\n${out}${err}`)),
			);
		});
	return { child, output, ended, kill, waitForOutput };
}
