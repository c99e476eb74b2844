import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findSystemNode } from '../harness/install/node-runtime';

/** The Node.js on which brief-batch is measured. */
export const NODE = findSystemNode();

const NOTE_USAGE = resolve(__dirname, 'note-usage.js');

export function nodeVersion(): string {
	return execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
}

/** Calls `work` with a new folder, which is removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-'));
	try {
		return await work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

interface Program {
	args: string[];
	cwd: string;
	env?: Record<string, string>;
	/** The expected exit code: 0 by default. */
	exitCode?: number;
}

/** Runs a program on Node.js. Throws if it ends with another exit code than expected. */
export async function runNode({ args, cwd, env, exitCode = 0 }: Program): Promise<void> {
	await new Promise<void>((done, fail) => {
		const options = { cwd, env: { ...process.env, ...env }, maxBuffer: Infinity };
		const child = execFile(NODE, args, options, (_error, _stdout, stderr) => {
			if (child.exitCode === exitCode) done();
			else fail(new Error(`${args.join(' ')} ended with ${String(child.exitCode)}: ${stderr}`));
		});
	});
}

/** Runs a program on Node.js. Returns the milliseconds that it takes. */
export async function timeNode(program: Program): Promise<number> {
	const start = performance.now();
	await runNode(program);
	return performance.now() - start;
}

export interface Usage {
	megabytes: number;
	cpuSeconds: number;
}

/** Runs a program and measures it. CPU time is used because it hardly depends on the other programs of the machine. */
export async function measureUsage(program: Program): Promise<Usage> {
	const file = join(program.cwd, 'usage.json');
	const args = ['-r', NOTE_USAGE, ...program.args];
	await runNode({ ...program, args, env: { ...program.env, USAGE_FILE: file } });
	return JSON.parse(readFileSync(file, 'utf8')) as Usage;
}
