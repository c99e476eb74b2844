import type { Failure } from '../failure';
import type { RunFailure } from '../journal/events';

/** Why a run stopped early or could not begin, as the journal keeps it. */
export function failureOnRecord({ what, cure, exitCode }: Failure): RunFailure {
	return { what, cure, exit_code: exitCode };
}
