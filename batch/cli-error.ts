import type { Finding, NextStep } from '../core/finding';
import { EXIT, type ExitCode } from './exit-codes';

/** An error with a message for the user. Its class says what cannot be used; `toCliError` finds its code. */
abstract class Problem extends Error implements Finding {
	readonly nextSteps: readonly NextStep[];

	constructor(message: string, nextSteps: string | readonly NextStep[]) {
		super(message);
		this.name = new.target.name;
		this.nextSteps = typeof nextSteps === 'string' ? [{ text: nextSteps }] : nextSteps;
	}
}

/** A mistake in the command, its options or its environment. */
export class UsageProblem extends Problem {}

/** The folder of a CSV cannot be used. */
export class FolderProblem extends Problem {
	constructor(
		readonly kind: 'folder_unusable' | 'journal_unusable' | 'folder_in_use',
		message: string,
		nextStep: string,
	) {
		super(message, nextStep);
	}
}

/** The exit code of each error that ends a command, or stops a run. */
const EXIT_CODES = {
	/** Also: address or key missing. */
	usage: EXIT.unusable,
	csv_unusable: EXIT.unusable,
	folder_unusable: EXIT.unusable,
	journal_unusable: EXIT.unusable,
	/** Confirmations are missing. */
	not_permitted: EXIT.unusable,
	cancelled: EXIT.unusable,
	/** The base URL is not the address of the service (404). */
	address_wrong: EXIT.unusable,
	proxy_failed: EXIT.stoppedEarly,
	key_refused: EXIT.refused,
	scope_missing: EXIT.refused,
	licence_missing: EXIT.refused,
	service_unavailable: EXIT.stoppedEarly,
	slots_busy: EXIT.stoppedEarly,
	allowance_used_up: EXIT.leftForLater,
	/** Running the command again orders one row, and continues only if that order succeeds. */
	failures_in_row: EXIT.rowsNeedAttention,
	no_answers: EXIT.rowsNeedAttention,
	folder_in_use: EXIT.folderInUse,
	disk_failed: EXIT.stoppedEarly,
	interrupted: EXIT.interrupted,
	/** A run has no end in the journal. */
	killed: EXIT.stoppedEarly,
	unexpected: EXIT.stoppedEarly,
} as const satisfies Record<string, ExitCode>;

export type ErrorCode = keyof typeof EXIT_CODES;

export function getExitCode(code: ErrorCode): ExitCode {
	return EXIT_CODES[code];
}

/** Why a command has no result. */
export interface Refusal extends Finding {
	readonly code: ErrorCode;
	readonly exitCode: ExitCode;
}

/** Ends a command with a message for the user. */
export class CliError extends Error implements Refusal {
	readonly nextSteps: readonly NextStep[];

	constructor(
		readonly code: ErrorCode,
		{ message, nextSteps }: Finding,
	) {
		super(message);
		this.name = 'CliError';
		this.nextSteps = nextSteps;
	}

	get exitCode(): ExitCode {
		return EXIT_CODES[this.code];
	}
}
