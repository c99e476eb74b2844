import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { isAbort } from '../../../core/api/sleep';
import { toCliError } from '../../../batch/commands/to-cli-error';
import { runProgram, type Commands, type Invocation } from '../../../batch/cli/program';
import { doctorCommand } from '../../../batch/commands/doctor';
import { planCommand } from '../../../batch/commands/plan';
import { runCommand } from '../../../batch/commands/run';
import { statusCommand } from '../../../batch/commands/status';
import { readTable } from '../../../batch/csv/read-table';
import { EXIT, type ExitCode } from '../../../batch/exit-codes';
import type { CommandContext, Ports } from '../../../batch/commands/session';
import { Console } from '../../../batch/terminal/console';
import { makeRefusal } from '../../support/faults';
import { VirtualClock } from '../../support/virtual-clock';
import { VirtualSandbox, type VirtualSandboxOptions } from '../../support/virtual-sandbox';
import { lockNothing, MemoryDisk } from './memory-disk';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

interface RunOptions {
	readonly env?: Readonly<Record<string, string>>;
	/** What the user types when asked; without an answer there is no terminal. */
	readonly answer?: string;
	/** Standard output is a terminal of 80 columns. */
	readonly isTerminal?: boolean;
	/** Stops the command, as Ctrl-C does. */
	readonly signal?: AbortSignal;
}

interface ProgramEnd {
	readonly code: ExitCode;
	/** Standard output and standard error. */
	readonly output: string;
	readonly stdout: string;
}

/**
 * brief-batch in this process, from the command line to the exit code, with a virtual clock, service and disk. Only CSV files
 * are on the real disk.
 *
 *     const program = new TestProgram({ allowance: 4 });
 *     program.write('products.csv', 'Product Name', 'Mug');
 *     const { code, output } = await program.run('run products.csv');
 */
export class TestProgram {
	readonly clock = new VirtualClock();
	readonly sandbox: VirtualSandbox;
	readonly disk = new MemoryDisk();
	private readonly folder = mkdtempSync(join(tmpdir(), 'program-'));

	constructor(options: VirtualSandboxOptions = {}) {
		this.sandbox = new VirtualSandbox(this.clock, { latencyMs: 300, ...options });
		folders.push(this.folder);
	}

	/** Writes a CSV. */
	write(file: string, ...lines: readonly string[]): void {
		writeFileSync(join(this.folder, file), lines.join('\n'));
	}

	/** Writes products.csv with these product names. */
	writeProducts(...names: readonly string[]): void {
		this.write('products.csv', 'Product Name', ...names);
	}

	removeCsv(file: string): void {
		rmSync(join(this.folder, file));
	}

	/** Returns a file of the folder `briefs`. */
	readFile(name: string): string {
		return String(this.disk.files.get(`briefs/${name}`) ?? '');
	}

	get created(): number {
		return this.sandbox.briefs.length;
	}

	/** The service refuses the API key in the next command. */
	refuseKey(): void {
		this.sandbox.fail('list_licences', makeRefusal(401, 'unauthorized', 'The key is not valid'));
	}

	/** Runs a command and stops it, as Ctrl-C does, when the service has created this number of briefs. */
	async interrupt(words: string, created: number): Promise<ProgramEnd> {
		const stop = new AbortController();
		this.sandbox.intercept = ({ operation }) => {
			if (operation === 'list_briefs' && this.created === created) stop.abort();
			return undefined;
		};
		const end = await this.run(words, { signal: stop.signal });
		this.sandbox.clearFaults();
		return end;
	}

	/** @param words the arguments, separated by spaces */
	async run(words: string, options: RunOptions = {}): Promise<ProgramEnd> {
		const { answer, env = {}, isTerminal = false } = options;
		const { signal = new AbortController().signal } = options;
		const out = new Output(isTerminal);
		const err = new Output(answer !== undefined);
		const input = Object.assign(new PassThrough(), { isTTY: answer !== undefined });
		err.on('data', (bytes) => {
			if (String(bytes).includes('[y/N]')) input.write(answer);
		});
		const streams = {
			...({ in: input, out, err } as unknown as StandardStreams),
			env: {
				CREATOR_BRIEFING_BASE_URL: 'https://service.test/v1',
				CREATOR_BRIEFING_API_KEY: 'key',
				CREATOR_BRIEFING_YES: 'true',
				...env,
			},
		};
		const execute = (
			command: (context: CommandContext) => Promise<ExitCode | { exitCode: ExitCode }>,
		) => this.makeCommand(command, streams, signal);
		const commands: Commands = {
			plan: execute(planCommand),
			run: execute(runCommand),
			retry: execute(runCommand),
			status: execute(statusCommand),
			doctor: execute(doctorCommand),
		};
		const describeError = async (error: unknown) => toCliError(error, this.clock.now());
		const program = { commands, version: '1.0.0', describeError };
		const code = await runProgram(words.split(' '), program, streams);
		return { code, output: out.text + err.text, stdout: out.text };
	}

	/** Wraps a command as main.ts does. */
	private makeCommand(
		command: (context: CommandContext) => Promise<ExitCode | { exitCode: ExitCode }>,
		streams: Parameters<typeof Console.open>[0],
		signal: AbortSignal,
	): (invocation: Invocation) => Promise<ExitCode> {
		return async (invocation) => {
			const { quiet, json } = invocation.settings;
			const console = Console.open(streams, { quiet, json });
			try {
				const end = await command({ invocation, console, ports: this.ports, signal });
				return typeof end === 'number' ? end : end.exitCode;
			} catch (error) {
				if (signal.aborted && isAbort(error)) return EXIT.interrupted;
				throw error;
			}
		};
	}

	private get ports(): Ports {
		return {
			clock: this.clock,
			disk: this.disk,
			lockFolder: lockNothing,
			connect: () => this.sandbox.send,
			readTable: async (file, options) => {
				const table = await readTable(join(this.folder, basename(file)), options);
				return { ...table, file };
			},
		};
	}
}

/** Returns a program that has run products.csv with these product names once. */
export async function runProducts(...names: readonly string[]): Promise<TestProgram> {
	const program = new TestProgram();
	program.writeProducts(...names);
	await program.run('run products.csv');
	return program;
}

/** Returns the commands of brief-batch that an output proposes. */
export function listCommands(output: string): string[] {
	const lines = output.split('\n').map((line) => line.trim());
	return lines.filter((line) => line.startsWith('brief-batch '));
}

interface StandardStreams {
	readonly in: NodeJS.ReadStream;
	readonly out: NodeJS.WriteStream;
	readonly err: NodeJS.WriteStream;
}

class Output extends PassThrough {
	readonly columns = 80;
	text = '';

	constructor(readonly isTTY: boolean) {
		super();
		this.on('data', (bytes) => (this.text += String(bytes)));
	}
}
