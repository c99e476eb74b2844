import type { NextStep } from './command-text';
import { EXIT, type ExitCode } from './exit-codes';

/** Why a command ends, for programs, with its exit code. */
const EXIT_CODE = {
	/** Options, CSV or what else was given cannot be used. */
	unusable: EXIT.unusable,
	interrupted: EXIT.interrupted,
	service: EXIT.stoppedEarly,
	/** The service is not at the address. */
	wrong_address: EXIT.unusable,
	/** The service knows none of the folder's briefs. */
	other_workspace: EXIT.unusable,
	/** The CSV does not have the column of a remembered --where. */
	condition_gone: EXIT.unusable,
	/** More rows are new than --expect-at-most allows. */
	too_many_new: EXIT.unusable,
	/** Something has to be confirmed, and nobody is there to be asked. */
	surprise: EXIT.unusable,
	/** The same, before failed rows are ordered again. */
	unasked: EXIT.unusable,
	no_slot: EXIT.stoppedEarly,
	/** A new order was answered with the brief of another one. */
	unbelieved: EXIT.stoppedEarly,
	no_journal: EXIT.unusable,
	journal_damaged: EXIT.unusable,
	journal_format: EXIT.unusable,
	journal_replaced: EXIT.unusable,
	/** Another run holds the folder. */
	in_use: EXIT.inUse,
	lock_unknown: EXIT.inUse,
	lock_is_link: EXIT.unusable,
	lock_gone: EXIT.stoppedEarly,
	lock_taken: EXIT.inUse,
	results_are_link: EXIT.unusable,
	disk: EXIT.stoppedEarly,
	unexpected: EXIT.stoppedEarly,
} as const satisfies Record<string, ExitCode>;

type Reason = keyof typeof EXIT_CODE;

/** A stop as the journal keeps it. */
export interface RecordedStop {
	reason: Reason;
	what: string;
	cure: string;
	exit_code: ExitCode;
}

/**
 * Ends a command, or a run, with a text for a person: what happened and what to do next, without a stack trace.
 */
export class Stop extends Error {
	/** What to do next, step by step. */
	readonly next: readonly NextStep[];

	constructor(
		readonly what: string,
		next: string | readonly NextStep[],
		readonly reason: Reason = 'unusable',
		readonly exitCode: ExitCode = EXIT_CODE[reason],
	) {
		const steps = typeof next === 'string' ? [{ text: next }] : next;
		super(`${what} ${inOneText(steps)}`);
		this.name = 'Stop';
		this.next = steps;
	}

	/** Gives what to do next in one text. */
	get cure(): string {
		return inOneText(this.next);
	}

	get onRecord(): RecordedStop {
		const { reason, what, cure, exitCode: exit_code } = this;
		return { reason, what, cure, exit_code };
	}
}

function inOneText(steps: readonly NextStep[]): string {
	return steps
		.flatMap(({ text, command }) => (command === undefined ? [text] : [text, command]))
		.join('\n');
}

/** Gives the end by a signal before anything was ordered. */
export function interruptedEarly(): Stop {
	return new Stop(
		'Interrupted before anything was ordered.',
		'Run the same command again to go on.',
		'interrupted',
	);
}
