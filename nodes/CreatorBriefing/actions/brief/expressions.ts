import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UNDEFINED } from '../../../../core/input/check-patterns';
import { makeFinding, type Finding } from '../../../../core/finding';
import { joinSentences, quote } from '../../../../core/input/text';
import { isTool } from '../../../shared/tool';

/**
 * Finds expressions that use a column which the items do not have. n8n evaluates them to undefined, or to a text that
 * contains the word, or leaves the value out, and the user would pay for briefs without the value:
 *
 *     {{ $json.Audience }}                       undefined, because the column is “Target audience”
 *     {{ $json.Product }} by {{ $json.Brand }}   “Mug by ”
 *     {{ $json.facts + ' ' + $json.more }}       “2 litres. BPA-free. undefined”
 */

/** Returns whether a parameter, or an additional field, is an expression of the workflow's author. */
export function isExpression(context: IExecuteFunctions, parameter: string): boolean {
	return listExpressions(context, parameter).length > 0;
}

/** @param value the value of the expression for the item */
export function isUndefinedExpression(
	context: IExecuteFunctions,
	parameter: string,
	value: unknown,
	itemIndex: number,
): boolean {
	const expressions = listExpressions(context, parameter);
	if (expressions.length === 0) return false;
	const values = [value].flat();
	if (values.length > 0 && values.every((each) => each === undefined)) return true;
	return expressions.some((expression) => hasUndefinedPart(context, expression, itemIndex));
}

function listExpressions(context: IExecuteFunctions, parameter: string): string[] {
	// A model can leave out the values of a tool.
	if (isTool(context)) return [];
	const { parameters } = context.getNode();
	const { [parameter]: additional } = (parameters.additionalFields ?? {}) as IDataObject;
	return [parameters[parameter] ?? additional]
		.flat()
		.filter((text) => typeof text === 'string')
		.filter((text) => text.startsWith('='));
}

/** n8n leaves out an undefined part of a text. */
function hasUndefinedPart(
	context: IExecuteFunctions,
	expression: string,
	itemIndex: number,
): boolean {
	const parts = splitExpression(expression);
	if (expression === `=${parts[0] ?? ''}`) return false;
	return parts.some((part) => {
		try {
			return context.evaluateExpression(part, itemIndex) === undefined;
		} catch {
			// Braces within a text can cut off a part. n8n has evaluated the whole expression.
			return false;
		}
	});
}

/** Returns the parts of an expression in braces. */
function splitExpression(expression: string): string[] {
	return expression
		.split('{{')
		.slice(1)
		.filter((text) => text.includes('}}'))
		.map((text) => `{{${text.slice(0, text.indexOf('}}'))}}}`);
}

/** The next step for an expression that n8n has not evaluated. */
export const SWITCH_TO_EXPRESSION =
	'If the field is set to Fixed, switch it to Expression. Remove braces that are left over.';

/** True if a text is an expression that n8n has not evaluated. */
export function isUnevaluated(value: unknown): boolean {
	return [value].flat().some((text) => typeof text === 'string' && /\{\{|\}\}/.test(text));
}

/** Returns the problem of an expression that is undefined for every item. */
export function describeUndefined(context: IExecuteFunctions, isRequired: boolean): Finding {
	const columns = context.getInputData().flatMap(({ json }) => Object.keys(json));
	const count = context.getInputData().length;
	return makeFinding(
		count === 1
			? 'uses a column that this item does not have'
			: `uses a column that none of the ${count} items has`,
		{
			text: joinSentences(listColumns([...new Set(columns)]), isRequired ? '' : OPTIONAL_COLUMN),
		},
	);
}

/** Returns the problem of a text from an expression that contains the word undefined, or null. */
export function findUndefinedPart(
	context: IExecuteFunctions,
	value: unknown,
	itemIndex: number,
): Finding | null {
	const text = [value].flat().find((each) => typeof each === 'string' && UNDEFINED.test(each));
	if (typeof text !== 'string') return null;
	const columns = Object.keys(context.getInputData()[itemIndex]?.json ?? {});
	return makeFinding(
		`is ${quote(text)}, which contains the word undefined: the expression uses a column that the item does not have`,
		{ text: joinSentences(listColumns(columns), OPTIONAL_COLUMN) },
	);
}

const OPTIONAL_COLUMN = "For a column that can be missing, write {{ $json['Column name'] ?? '' }}.";

const MAX_COLUMNS = 20;

function listColumns(columns: readonly string[]): string {
	if (columns.length === 0) return 'The items have no columns. Check the node before this node.';
	const shown = columns.slice(0, MAX_COLUMNS).map(quote).join(', ');
	const more = columns.length > MAX_COLUMNS ? ' and more' : '';
	return `The columns are: ${shown}${more}. Correct the expression.`;
}
