import type { CsvFinding, CsvStep, UsedOption } from './types';

/** The CSV cannot be used. */
export class CsvProblem extends Error implements CsvFinding {
	readonly nextSteps: readonly CsvStep[];

	constructor(
		message: string,
		nextSteps: string | readonly CsvStep[],
		readonly option?: UsedOption,
	) {
		super(message);
		this.name = 'CsvProblem';
		this.nextSteps = typeof nextSteps === 'string' ? [{ text: nextSteps }] : nextSteps;
	}
}
