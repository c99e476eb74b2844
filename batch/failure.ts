import type { NextStep } from './command-text';
import type { StopCause } from './folder/journal/stop-causes';

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

/** Why a command ends, for programs. */
export type FailureReason =
	| StopCause['reason']
	/** Options, CSV or what else was given cannot be used. */
	| 'unusable'
	| 'interrupted';

/**
 * An error that ends the command with a text for a person: what happened and what to do next, without a stack trace.
 */
export class Failure extends Error {
	/** What to do next, step by step. */
	readonly next: readonly NextStep[];

	constructor(
		readonly what: string,
		next: string | readonly NextStep[],
		readonly exitCode: ExitCode = EXIT.unusable,
		readonly reason: FailureReason = 'unusable',
	) {
		const steps = typeof next === 'string' ? [{ text: next }] : next;
		super(`${what} ${inOneText(steps)}`);
		this.name = 'Failure';
		this.next = steps;
	}

	/** Gives what to do next in one text. */
	get cure(): string {
		return inOneText(this.next);
	}
}

function inOneText(steps: readonly NextStep[]): string {
	return steps
		.flatMap(({ text, command }) => (command === undefined ? [text] : [text, command]))
		.join('\n');
}

/** Gives the end by a signal before anything was ordered. */
export function interruptedEarly(): Failure {
	return new Failure(
		'Interrupted before anything was ordered.',
		'Run the same command again to go on.',
		EXIT.interrupted,
		'interrupted',
	);
}
