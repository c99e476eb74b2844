import { stopOf } from '../stop-of';
import type { RunEnvironment, RunRequest } from './request';

/**
 * Puts on record why a run cannot begin, so that `status` can say why it did nothing. What was typed wrong is said at
 * once, and not kept.
 */
export async function notBegun(
	error: unknown,
	{ table, typedToBegin, typedForOnce, retryUpTo }: RunRequest,
	{ journal, service, interruption }: RunEnvironment,
): Promise<never> {
	const { onRecord: stop, exitCode: exit_code } = stopOf(error, service.now());
	if (interruption.aborted || stop.reason === 'unusable') throw error;
	const command = retryUpTo === undefined ? 'run' : 'retry';
	const typedWords = {
		command,
		csv: table.file,
		options: [...typedToBegin, ...typedForOnce],
	} as const;
	const end = { event: 'run_ended', outcome: 'not_begun', exit_code, news: true, stop } as const;
	// It is told at the very end.
	await journal.keep({ ...end, ...typedWords });
	throw error;
}
