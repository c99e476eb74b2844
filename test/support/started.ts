import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Ended {
	code: number | null;
	out: string;
	err: string;
}

export interface Running {
	child: ChildProcess;
	/** The output until now. */
	printed: { out: string; err: string };
	ended: Promise<Ended>;
	/** Sends a signal and waits for the end. */
	kill: (signal?: NodeJS.Signals) => Promise<Ended>;
	/** Resolves when standard output has this text. */
	prints: (text: string | RegExp) => Promise<void>;
}

/** Follows a process that was just started. */
export function started(child: ChildProcess & { stdout: Readable; stderr: Readable }): Running {
	const printed = { out: '', err: '' };
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.out += chunk));
	child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.err += chunk));
	const ended = new Promise<Ended>((done) =>
		child.on('close', (code) => done({ code, ...printed })),
	);
	const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
		child.kill(signal);
		return ended;
	};
	const prints = (text: string | RegExp) =>
		new Promise<void>((done, fail) => {
			const check = () => {
				if (typeof text === 'string' ? printed.out.includes(text) : text.test(printed.out)) done();
			};
			child.stdout.on('data', check);
			check();
			void ended.then(({ out, err }) =>
				fail(new Error(`It ended without printing ${String(text)}:\n${out}${err}`)),
			);
		});
	return { child, printed, ended, kill, prints };
}
