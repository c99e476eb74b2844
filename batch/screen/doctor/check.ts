import type { NextStep } from '../../command-text';
import { EXIT, type ExitCode } from '../../exit-codes';
import type { Stop } from '../../stop';

/** A finding about one thing that a run needs. */
export interface Check {
	name: string;
	/** `unknown`: it could not be tried, or nothing shows it. */
	state: 'ok' | 'warning' | 'problem' | 'unknown';
	what: string;
	/** The cure; null if there is nothing to do. */
	cure: string | null;
	/** Its command; null if it has none. */
	command: string | null;
	/** The end of a run because of it. */
	exit_code: ExitCode;
}

const without = { cure: null, command: null, exit_code: EXIT.ok };

export function ok(name: string, what: string): Check {
	return { name, state: 'ok', what, ...without };
}

export function notKnown(name: string, what: string): Check {
	return { name, state: 'unknown', what, ...without };
}

/** Gives a check that depends on something that does not work. */
export function notTried(name: string): Check {
	return notKnown(name, 'not tried, because something else does not work');
}

export function warning(name: string, what: string, next: string | NextStep): Check {
	const { text: cure, command = null } = typeof next === 'string' ? { text: next } : next;
	return { name, state: 'warning', what, cure, command, exit_code: EXIT.ok };
}

export function problem(name: string, { what, cure, exitCode }: Stop): Check {
	return { name, state: 'problem', what, cure, command: null, exit_code: exitCode };
}

/** Gives the check to cure first: the rest may follow from it. Null if there is nothing to do. */
export function firstToCure(checks: readonly Check[]): Check | null {
	const inState = (state: Check['state']) => checks.find((check) => check.state === state);
	return inState('problem') ?? inState('warning') ?? null;
}
