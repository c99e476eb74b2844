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
