import { EXIT, type ExitCode, type Failure } from '../failure';

/** What was found about one thing that a run needs. */
export interface Check {
	name: string;
	/** `unknown`: it could not be tried, or cannot be tried without paying. */
	state: 'ok' | 'warning' | 'problem' | 'unknown';
	what: string;
	/** What to do; null where nothing is to be done. */
	cure: string | null;
	/** How a run would end because of it. */
	exit_code: ExitCode;
}

const without = { cure: null, exit_code: EXIT.ok };

export function ok(name: string, what: string): Check {
	return { name, state: 'ok', what, ...without };
}

export function unknown(name: string, what: string): Check {
	return { name, state: 'unknown', what, ...without };
}

export function warning(name: string, what: string, cure: string): Check {
	return { name, state: 'warning', what, cure, exit_code: EXIT.ok };
}

export function problem(
	name: string,
	{ what, cure, exitCode }: Pick<Failure, 'what' | 'cure' | 'exitCode'>,
): Check {
	return { name, state: 'problem', what, cure, exit_code: exitCode };
}

/** What is to be cured first: the others may follow from it. Null where nothing is to be done. */
export function firstToCure(checks: readonly Check[]): Check | null {
	const inState = (state: Check['state']) => checks.find((check) => check.state === state);
	return inState('problem') ?? inState('warning') ?? null;
}
