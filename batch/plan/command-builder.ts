import type { CommandWords } from '../../core/finding';
import type { CsvOptions } from '../csv/types';

/** Returns a command to copy, with the lasting options that the user typed. cli/command-line.ts implements it. */
export type CommandBuilder = (
	command: 'run' | 'retry',
	...options: readonly string[]
) => CommandWords;

/** Returns the command that the user typed, as `run` or `retry`, with options added. */
export interface CommandRepeater {
	repeat(...options: readonly string[]): CommandWords;
	/** The command reads the CSV with these options instead of those that the user typed. */
	repeatWithCsvOptions(csvOptions: CsvOptions): CommandWords;
}
