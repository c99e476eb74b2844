import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runProgram, type Invocation } from '../../../batch/cli/program';
import { doctorCommand } from '../../../batch/commands/doctor';
import { executeCommand, type Command } from '../../../batch/commands/execute';
import { planCommand } from '../../../batch/commands/plan';
import { runCommand } from '../../../batch/commands/run';
import { statusCommand } from '../../../batch/commands/status';
import { toCliError } from '../../../batch/commands/to-cli-error';
import { readTable } from '../../../batch/csv/read-table';
import type { ExitCode } from '../../../batch/exit-codes';
import { makeRefusal } from '../../support/faults';
import type { ServiceBehavior } from '../../support/virtual-service';
import { World } from './world';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

interface TypeOptions {
	readonly env?: Readonly<Record<string, string>>;
	/** What the user types when asked; without an answer there is no terminal. */
	readonly answer?: string;
	/** Standard output is a terminal of 80 columns. */
	readonly isTerminal?: boolean;
}

interface ProgramEnd {
	readonly code: ExitCode;
	/** Standard output and standard error. */
	readonly output: string;
	readonly stdout: string;
}

/**
 * A world in which the user types command lines. Only CSV files are on the real disk.
 *
 *     const program = new TestProgram(['Mug', 'Pan'], { allowance: 4 });
 *     const { code, output } = await program.type('run products.csv');
 */
export class TestProgram extends World {
	private readonly folder = mkdtempSync(join(tmpdir(), 'program-'));

	/** @param products the product names of products.csv */
	constructor(products: readonly string[] = [], behavior: Partial<ServiceBehavior> = {}) {
		super(behavior);
		folders.push(this.folder);
		if (products.length > 0) this.writeProducts(...products);
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
		return String(this.files.get(`briefs/${name}`) ?? '');
	}

	/** The service refuses the API key in the next command. */
	refuseKey(): void {
		this.fail('list_licences', makeRefusal(401, 'unauthorized', 'The key is not valid'));
	}

	/** Types a command and presses Ctrl-C when the service has created this number of briefs. */
	async interrupt(words: string, created: number): Promise<ProgramEnd> {
		this.intercept = ({ operation }) => {
			if (operation === 'list_briefs' && this.created.length === created) this.pressCtrlC();
			return null;
		};
		const end = await this.type(words);
		this.stopIntercepting();
		return end;
	}

	/** @param words the arguments, separated by spaces */
	async type(words: string, options: TypeOptions = {}): Promise<ProgramEnd> {
		const { answer, env = {}, isTerminal = false } = options;
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
		const process = this.startCommand();
		const ports = this.makePorts(process, async (file, csvOptions) => {
			const table = await readTable(join(this.folder, basename(file)), csvOptions);
			return { ...table, file };
		});
		const prepare = (command: Command) => (invocation: Invocation) =>
			executeCommand(command, invocation, { streams, ports, signal: process.signal });
		const commands = {
			plan: prepare(planCommand),
			run: prepare(runCommand),
			retry: prepare(runCommand),
			status: prepare(statusCommand),
			doctor: prepare(doctorCommand),
		};
		const describeError = async (error: unknown) => toCliError(error, this.clock.now());
		const program = { commands, version: '1.0.0', describeError };
		const code = await runProgram(words.split(' '), program, streams);
		return { code, output: out.text + err.text, stdout: out.text };
	}
}

/** Returns a program that has run products.csv with these product names once. */
export async function runOnce(...names: readonly string[]): Promise<TestProgram> {
	const program = new TestProgram(names);
	await program.type('run products.csv');
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
