import { describeServiceError } from '../../core/api/error-messages';
import { ServiceError, type ErrorKind } from '../../core/api/errors';
import { makeFinding, type Finding } from '../../core/finding';
import { nameCsvOptions } from '../cli/command-line';
import { CliError, FolderProblem, UsageProblem, type ErrorCode } from '../cli-error';
import { CsvProblem } from '../csv/csv-problem';
import { Cancellation, NotPermitted } from '../terminal/question';

/**
 * Returns any error as a message for the user, with the code that decides the exit code.
 * @param now the service's clock, from which the start of the next month is named
 */
export function toCliError(error: unknown, now: number): CliError {
	if (error instanceof CliError) return error;
	if (error instanceof CsvProblem) return new CliError('csv_unusable', nameCsvOptions(error));
	if (error instanceof FolderProblem) return new CliError(error.kind, error);
	if (error instanceof NotPermitted) return new CliError('not_permitted', error);
	if (error instanceof Cancellation) return new CliError('cancelled', error);
	if (error instanceof UsageProblem) return new CliError('usage', error);
	if (error instanceof ServiceError)
		return new CliError(getServiceCode(error), describeServiceError(error, now));
	const { syscall, code = '', path = 'a file' } = error as NodeJS.ErrnoException;
	return syscall === undefined
		? new CliError('unexpected', describeBug(error))
		: new CliError('disk_failed', describeDiskError(path, code));
}

function getServiceCode({ kind, status, proxy }: ServiceError): ErrorCode {
	// Also the page of a server that has no such path, as without /v1.
	if (status === 404) return 'address_wrong';
	const isFromProxy = status === 407 || (status === null && proxy !== null);
	return isFromProxy ? 'proxy_failed' : SERVICE_CODES[kind];
}

const SERVICE_CODES: Readonly<Record<ErrorKind, ErrorCode>> = {
	invalid_input: 'service_unavailable',
	key_refused: 'key_refused',
	credential_changed: 'key_refused',
	scope_missing: 'scope_missing',
	licence_missing: 'licence_missing',
	not_found: 'address_wrong',
	rate_limited: 'service_unavailable',
	slots_busy: 'slots_busy',
	allowance_used_up: 'allowance_used_up',
	conflict: 'service_unavailable',
	service_unavailable: 'service_unavailable',
	unreadable_answer: 'service_unavailable',
	list_unreadable: 'service_unavailable',
	unconfirmed: 'service_unavailable',
};

function describeDiskError(path: string, code: string): Finding {
	return makeFinding(`Cannot read or write ${path} (${code}).`, {
		text: 'Check that it was not moved, the disk space and the permissions. Then run the command again.',
	});
}

function describeBug(error: unknown): Finding {
	return makeFinding(
		`Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
		{ text: 'This is a bug in brief-batch. No order is lost: run the command again.' },
	);
}
