import { isCredentialError, ServiceError } from '../../core/api/errors';
import { describeServiceError } from '../../core/api/error-messages';
import { CliError } from '../cli-error';
import { nameCsvOptions } from '../cli/command-line';
import { CsvProblem } from '../csv/csv-problem';
import { EXIT } from '../exit-codes';

/**
 * Returns any error as a message for the user.
 * @param now the service's clock, from which the start of the next month is named
 */
export function toCliError(error: unknown, now: number): CliError {
	if (error instanceof CliError) return error;
	if (error instanceof CsvProblem) {
		const { message, nextSteps } = nameCsvOptions(error);
		return new CliError(message, nextSteps, EXIT.unusable);
	}
	if (error instanceof ServiceError) {
		const { message, nextSteps } = describeServiceError(error, now);
		return new CliError(
			message,
			nextSteps,
			isCredentialError(error.kind) ? EXIT.refused : EXIT.stoppedEarly,
		);
	}
	const { syscall, code = '', path = 'a file' } = error as NodeJS.ErrnoException;
	if (syscall !== undefined)
		return new CliError(
			`Cannot read or write ${path} (${code}).`,
			'Check disk space and permissions, then run the command again.',
			EXIT.stoppedEarly,
		);
	return new CliError(
		`Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
		'This is a bug in brief-batch. No order is lost: run the command again.',
		EXIT.stoppedEarly,
	);
}
