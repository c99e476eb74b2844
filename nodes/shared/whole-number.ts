import type { INode } from 'n8n-workflow';
import { operationError, type ErrorPlace } from './errors';

/**
 * A whole number from a parameter, whose expression may give anything.
 * @throws {NodeOperationError} that names the parameter
 */
export function wholeNumber(
	node: INode,
	displayName: string,
	given: unknown,
	{ min, max = Infinity }: { min: number; max?: number },
	place: ErrorPlace,
): number {
	const number = Number(given);
	if (Number.isInteger(number) && number >= min && number <= max) return number;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	const text = {
		message: `'${displayName}' is not a whole number ${range}`,
		description: `It has the value ${JSON.stringify(given)}. Change it, or what its expression gives.`,
	};
	throw operationError(node, text, place);
}
