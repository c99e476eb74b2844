import { resolve } from 'node:path';
import type { Refusal } from '../cli-error';
import type { ExitCode } from '../exit-codes';
import { COMMAND_NAMES, DEFAULT_FOLDER, type CommandName } from './options';
import type { Settings } from './settings';
import { getClientName } from './subject';

/**
 * The object that --json prints at the end, even if the command is refused or fails. The commands add what they know; until
 * then, the fields say that nothing was read.
 */
export class JsonOutput {
	/** Null if the word that was typed is no command. */
	private command: CommandName | null;
	private isWanted: boolean;
	private subject = { name: '', out: resolve(DEFAULT_FOLDER) };
	/** The fields are made only if they are printed. */
	private readonly parts: Array<() => object> = [];

	constructor(
		args: readonly string[],
		private readonly version: string,
	) {
		this.command = COMMAND_NAMES.find((name) => name === args[0]) ?? null;
		// An option that cannot be read ends the command before its settings are known.
		this.isWanted = args.includes('--json');
	}

	/** The command line was read. */
	setSettings(command: CommandName, { json, name, out }: Settings): void {
		this.command = command;
		this.isWanted = json;
		this.subject = { name: getClientName(out, name), out: resolve(out) };
	}

	add(describe: () => object): void {
		this.parts.push(describe);
	}

	/** Returns the line to print; empty without --json. */
	async format(exitCode: ExitCode, refusal: Refusal | null): Promise<string> {
		const { command, subject, version, parts } = this;
		if (!this.isWanted) return '';
		// Loading the rest would take longer than a short command.
		const { toJsonProblem, UNREAD_FOLDER } = await import('../report/json.js');
		const error = refusal && toJsonProblem(refusal.code, refusal);
		const unread = command === 'status' || command === 'doctor' ? {} : UNREAD_FOLDER;
		const fields = parts.reduce<object>((all, describe) => ({ ...all, ...describe() }), {});
		const output = {
			schema: 1,
			version,
			command,
			at: new Date().toISOString(),
			exit_code: exitCode,
			error,
			...getUnreadFields(command, subject),
			...unread,
			...fields,
		};
		return `${JSON.stringify(output)}\n`;
	}
}

function getUnreadFields(command: CommandName | null, subject: { readonly out: string }): object {
	switch (command) {
		case 'status':
			return { folders: [] };
		case 'doctor':
			return { out: subject.out, cost: null, checks: [] };
		default:
			return subject;
	}
}
