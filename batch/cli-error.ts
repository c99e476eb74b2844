import { EXIT, type ExitCode } from './exit-codes';
import type { Finding, NextStep } from '../core/finding';

/** Ends a command with a message for the user. */
export class CliError extends Error implements Finding {
	readonly nextSteps: readonly NextStep[];

	constructor(
		message: string,
		nextSteps: string | readonly NextStep[],
		readonly exitCode: ExitCode = EXIT.unusable,
	) {
		super(message);
		this.name = 'CliError';
		this.nextSteps = typeof nextSteps === 'string' ? [{ text: nextSteps }] : nextSteps;
	}
}

/** Returns the error for a file that the user has named and Node.js cannot read. */
export function cannotReadFile(file: string, error: unknown): CliError {
	const { code = '' } = error as NodeJS.ErrnoException;
	return new CliError(
		code === 'ENOENT' ? `File not found: ${file}.` : `Cannot read ${file} (${code}).`,
		'Check the path, and that your user has permission to read the file.',
	);
}
