import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UNDEFINED } from '../../../../core/input/check-patterns';
import { makeFinding, type Finding } from '../../../../core/finding';
import { joinSentences, quote } from '../../../../core/input/text';
import { isTool } from '../../../shared/tool';

/**
 * Finds expressions that use a column which the items do not have. n8n evaluates them to undefined, or to a text that
 * contains the word, and the user would pay for briefs without the value:
 *
 *     {{ $json.Audience }}                     undefined, because the column is “Target audience”
 *     {{ $json.facts + ' ' + $json.more }}     “2 litres. BPA-free. undefined”
 */

/** Returns whether a parameter, or an additional field, is an expression of the workflow's author. */
export function isExpression(context: IExecuteFunctions, parameter: string): boolean {
	// A model can leave out the values of a tool.
	if (isTool(context)) return false;
	const { parameters } = context.getNode();
	const { [parameter]: additional } = (parameters.additionalFields ?? {}) as IDataObject;
	return [parameters[parameter] ?? additional]
		.flat()
		.some((text) => typeof text === 'string' && text.startsWith('='));
}

/** The next step for an expression that n8n has not evaluated. */
export const SWITCH_TO_EXPRESSION =
	'If the field is set to Fixed, switch it to Expression. Remove braces that are left over.';

/** True if a text is an expression that n8n has not evaluated. */
export function isUnevaluated(value: unknown): boolean {
	return [value].flat().some((text) => typeof text === 'string' && /\{\{|\}\}/.test(text));
}

export function isUndefined(value: unknown): boolean {
	const values = [value].flat();
	return values.length > 0 && values.every((each) => each === undefined);
}

/** Returns the problem of an expression that is undefined for every item. */
export function describeUndefined(context: IExecuteFunctions, isRequired: boolean): Finding {
	const all = context.getInputData().flatMap(({ json }) => Object.keys(json));
	const count = context.getInputData().length;
	const [items, column] =
		count === 1
			? ['', 'a column that this item does not have']
			: [` for all ${count} items`, 'a column that does not exist'];
	return makeFinding(`is undefined${items}: the expression uses ${column}`, {
		text: joinSentences(listColumns([...new Set(all)]), isRequired ? '' : OPTIONAL_COLUMN),
	});
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
