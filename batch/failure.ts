/** The exit codes. If several apply, the first one here wins. */
export const EXIT = {
	interrupted: 130,
	refused: 4,
	stoppedEarly: 5,
	leftForLater: 3,
	someFailed: 1,
	ok: 0,
	/** The command, the CSV, the folder or the key could not be used, and running again does not help. */
	unusable: 2,
	/** Another run holds the folder. */
	inUse: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * An error that ends the command with a text for a person: what happened and what to do next, without a stack trace.
 */
export class Failure extends Error {
	constructor(
		readonly what: string,
		readonly cure: string,
		readonly exitCode: ExitCode = EXIT.unusable,
	) {
		super(`${what} ${cure}`);
		this.name = 'Failure';
	}

	/** Why a run stopped early or could not begin, as the journal keeps it. */
	get onRecord(): { what: string; cure: string; exit_code: ExitCode } {
		return { what: this.what, cure: this.cure, exit_code: this.exitCode };
	}
}

/** An unexpected error. */
export function unforeseen(error: unknown): Failure {
	return new Failure(
		`Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
		'Nothing is lost: what was ordered is in the journal. Run the same command again.',
		EXIT.stoppedEarly,
	);
}

/** A signal before anything was ordered. */
export function interruptedEarly(): Failure {
	return new Failure(
		'Interrupted before anything was ordered.',
		'Run the same command again to go on.',
		EXIT.interrupted,
	);
}
