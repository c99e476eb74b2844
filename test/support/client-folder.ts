import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { findSystemNode } from '../../harness/install/node-runtime';
import { briefBatch } from '../../harness/paths';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import { FAST_TIME_ARGS, startFastSandbox, type FastClock } from './fast-clock/fast-sandbox';
import { findPaymentFaults, type PaymentCheck } from './payment-check';
import { followProcess, type ProcessResult, type RunningProcess } from './running-process';

type Variables = Readonly<Record<string, string | undefined>>;

export interface ProcessOptions {
	/** Variables that differ from those of the folder. */
	readonly env?: Variables;
	/** A command that starts the program: `bash -c 'ulimit …; exec "$@"' bash`. */
	readonly via?: readonly string[];
}

/** Starts a program in a folder. */
type StartProgram = (
	args: readonly string[],
	env: Variables,
	cwd: string,
	via: readonly string[],
) => RunningProcess;

/** Starts the compiled program on the Node.js of the machine. */
const startBriefBatch: StartProgram = (args, env, cwd, via) => {
	const node = findSystemNode();
	const [command = node, ...rest] = [...via, node, ...FAST_TIME_ARGS, briefBatch, ...args];
	return followProcess(
		spawn(command, rest, {
			cwd,
			env: { PATH: process.env.PATH, TZ: 'America/New_York', ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
		}),
	);
};

/**
 * A client's folder with products.csv, in which brief-batch runs as a process, and a sandbox with a fast clock for both.
 *
 *     const folder = await openClientFolder(3);
 *     const { code } = await folder.run('run products.csv');
 *     folder.statuses();                 ['ready', 'ready', 'ready']
 */
export class ClientFolder {
	readonly path = mkdtempSync(join(tmpdir(), 'brief-batch-'));
	/** The variables of every process. */
	readonly env: Record<string, string | undefined>;
	private readonly children: ChildProcess[] = [];

	constructor(
		readonly sandbox: Sandbox,
		readonly clock: FastClock,
		private readonly startProgram: StartProgram = startBriefBatch,
	) {
		this.env = {
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			CREATOR_BRIEFING_YES: 'true',
			...clock.env,
		};
	}

	/** @param args the arguments of brief-batch; a text is split at its spaces */
	start(
		args: string | readonly string[],
		{ env = {}, via = [] }: ProcessOptions = {},
	): RunningProcess {
		const words = typeof args === 'string' ? args.split(' ') : args;
		const running = this.startProgram(words, { ...this.env, ...env }, this.path, via);
		this.children.push(running.child);
		return running;
	}

	async run(
		args: string | readonly string[],
		options: ProcessOptions = {},
	): Promise<ProcessResult> {
		return await this.start(args, options).ended;
	}

	/** Runs a command. Returns its exit code and the number of briefs that the service has created: `[3, 1]`. */
	async getCodeAndBriefs(
		args: string | readonly string[],
		options: ProcessOptions = {},
	): Promise<[code: number | null, briefs: number]> {
		const { code } = await this.run(args, options);
		return [code, this.sandbox.createdCount()];
	}

	resolve(name: string): string {
		return join(this.path, name);
	}

	read(name: string): string {
		return readFileSync(this.resolve(name), 'utf8');
	}

	exists(name: string): boolean {
		return existsSync(this.resolve(name));
	}

	write(name: string, text: string): void {
		const file = this.resolve(name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}

	writeCsv(name: string, lines: readonly string[]): void {
		this.write(name, `${lines.join('\n')}\n`);
	}

	/** Returns the lines of results.csv. */
	results(): Array<Record<string, string>> {
		return parse(this.read('briefs/results.csv'), { columns: true, bom: true });
	}

	statuses(): string[] {
		return this.results().map(({ brief_status = '' }) => brief_status);
	}

	/** Returns the contradictions between the folder and the briefs of the service. */
	findFaults(check: PaymentCheck = {}): string[] {
		return findPaymentFaults(this.sandbox, this.resolve('briefs'), check);
	}

	close(): void {
		for (const child of this.children) child.kill('SIGKILL');
		// Windows releases the files of a killed process a moment later.
		rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
	}
}

const folders: ClientFolder[] = [];
afterAll(async () => {
	for (const folder of folders.splice(0)) {
		await folder.sandbox.close();
		folder.close();
	}
});

/** A brief takes 0.4 to 0.7 seconds, and none fails by chance. */
export const QUICK: SandboxOptions = {
	speed: 500,
	seed: 'process',
	failureShare: 0,
	requestsPerMinute: 0,
};

/**
 * Opens a folder with products.csv that is removed after the tests of the file.
 * @param lines the lines of products.csv, or the number of its products
 */
export async function openClientFolder(
	lines: readonly string[] | number = [],
	options: SandboxOptions = {},
	startProgram?: StartProgram,
): Promise<ClientFolder> {
	const { sandbox, clock } = await startFastSandbox({ ...QUICK, ...options });
	const folder = new ClientFolder(sandbox, clock, startProgram);
	folders.push(folder);
	folder.writeCsv('products.csv', typeof lines === 'number' ? makeProducts(lines) : lines);
	return folder;
}

/** Opens another folder of the same workspace. */
export function openSecondFolder({ sandbox, clock }: ClientFolder): ClientFolder {
	const folder = new ClientFolder(sandbox, clock);
	folders.push(folder);
	return folder;
}

/** Returns the lines of a CSV with this number of different products. */
export function makeProducts(count: number): string[] {
	const rows = Array.from(
		{ length: count },
		(_, index) => `Product ${index + 1},${String(1_729_000_000 + index)},SKU-${index + 1}`,
	);
	return ['Product Name,Product ID,SKU', ...rows];
}
