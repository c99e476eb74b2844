import type { NextStep } from './command-text';
import { EXIT, type ExitCode } from './exit-codes';
import type { StopCause } from './folder/journal/stop-causes';

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
