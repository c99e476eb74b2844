import { isCredentialError, ServiceError } from '../core/api/errors';
import { describeServiceError } from '../core/api/error-messages';
import { SlotsBusyError } from '../core/workspace/slot-gate';
import { CliError } from './cli-error';
import { EXIT } from './exit-codes';
import { nameBriefs } from './text';

/**
 * Returns any error as a message for the user.
 * @param now the service's clock, from which the start of the next month is named
 * @param shortenId `Orders.shortenId`; without orders, messages show whole IDs
 */
export function toCliError(
	error: unknown,
	now: number,
	shortenId = (briefId: string) => briefId,
): CliError {
	if (error instanceof CliError) return error;
	if (error instanceof SlotsBusyError) {
		const { runningIds } = error;
		const briefs = runningIds.length === 0 ? 'other briefs' : nameBriefs(runningIds.map(shortenId));
		return new CliError(
			`No slot became free: ${briefs} ${runningIds.length === 1 ? 'was' : 'were'} still running.`,
			'Run the same command again.',
			EXIT.stoppedEarly,
		);
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
