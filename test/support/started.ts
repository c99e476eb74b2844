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
	/** Resolves when the standard output has this text. */
	said: (text: string | RegExp) => Promise<void>;
}

/** A process that was just started, and what comes of it. */
export function started(child: ChildProcess & { stdout: Readable; stderr: Readable }): Running {
	const printed = { out: '', err: '' };
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.out += chunk));
	child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.err += chunk));
	const ended = new Promise<Ended>((done) =>
		child.on('close', (code) => done({ code, ...printed })),
	);
	const said = (wanted: string | RegExp) =>
		new Promise<void>((done, fail) => {
			const check = () => {
				if (typeof wanted === 'string' ? printed.out.includes(wanted) : wanted.test(printed.out))
					done();
			};
			child.stdout.on('data', check);
			check();
			void ended.then(({ out, err }) =>
				fail(new Error(`It ended without saying ${String(wanted)}:\n${out}${err}`)),
			);
		});
	return { child, printed, ended, said };
}
