import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Ended {
	code: number | null;
	out: string;
	err: string;
}

export interface Running {
	child: ChildProcess;
	/** What it has printed so far. */
	printed: { out: string; err: string };
	ended: Promise<Ended>;
	/** Sends it a signal, and waits for its end. */
	kill: (signal?: NodeJS.Signals) => Promise<Ended>;
	/** Resolves when the standard output has this text. */
	prints: (text: string | RegExp) => Promise<void>;
}

/**
 * A process that was just started, and what comes of it.
 * @param check throws if something is wrong with how it ended
 */
export function started(
	child: ChildProcess & { stdout: Readable; stderr: Readable },
	check: (end: Ended) => void = () => undefined,
): Running {
	const printed = { out: '', err: '' };
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.out += chunk));
	child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.err += chunk));
	const closed = new Promise<Ended>((done) =>
		child.on('close', (code) => done({ code, ...printed })),
	);
	const ended = closed.then((end) => {
		check(end);
		return end;
	});
	const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
		child.kill(signal);
		return ended;
	};
	const prints = (text: string | RegExp) =>
		new Promise<void>((done, fail) => {
			const look = () => {
				if (typeof text === 'string' ? printed.out.includes(text) : text.test(printed.out)) done();
			};
			child.stdout.on('data', look);
			look();
			void closed.then(({ out, err }) =>
				fail(new Error(`It ended without saying ${String(text)}:\n${out}${err}`)),
			);
		});
	return { child, printed, ended, kill, prints };
}
