import type { IExecuteFunctions } from 'n8n-workflow';
import { UNDEFINED } from '../../../../core/input/check-patterns';
import { findProblem } from '../../../../core/input/checks';
import { makeOperationError, prefixTitle, type NodeFailure } from '../../../shared/node-errors';
import { isExpression, isUnevaluated, SWITCH_TO_EXPRESSION } from './expressions';

/**
 * Returns the Order Key of an item; empty if the field is empty.
 * @throws {NodeOperationError} if an expression returns no key, which would order another brief in each execution
 */
export function readOrderKey(
	context: IExecuteFunctions,
	product: string,
	itemIndex: number,
): string {
	const value: unknown = context.getNodeParameter('idempotencyKey', itemIndex, '');
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const fail = (title: string, description: string): NodeFailure => {
		const message = prefixTitle(product, `'Order Key' ${title}`);
		return makeOperationError(context.getNode(), { message, description }, itemIndex);
	};
	const problem = key === '' ? null : findProblem(null, key);
	if (problem !== null)
		throw fail(
			problem.message,
			isUnevaluated(key) ? SWITCH_TO_EXPRESSION : (problem.nextSteps[0]?.text ?? ''),
		);
	if (!isExpression(context, 'idempotencyKey')) return key;
	if (key === '' || UNDEFINED.test(key))
		throw fail(
			key === '' ? 'is empty for this item' : `is “${key}”`,
			'Without a key, each execution orders and pays for another brief. Correct the expression so that it uses a column that every item has, or clear the field.',
		);
	return key;
}
