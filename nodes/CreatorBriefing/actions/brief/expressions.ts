import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UNDEFINED } from '../../../../core/input/check-patterns';
import { makeFinding, type Finding } from '../../../../core/finding';
import { joinSentences, quote, quoteList } from '../../../../core/input/text';
import { getInputFields } from '../../../shared/input-fields';
import { isTool } from '../../../shared/tool';
import { FIELDS } from './create-fields';

/**
 * Finds values that name a column which the item does not have. n8n evaluates such an expression to undefined, or to a
 * text that contains the word, or leaves the value out, and the user would pay for a brief without the value:
 *
 *     {{ $json.Audience }}                       undefined, because the column is “Target audience”
 *     {{ $json.Product }} by {{ $json.Brand }}   “Mug by ”
 *     {{ $json.facts + ' ' + $json.more }}       “2 litres. BPA-free. undefined”
 *     [Audience]                                 typed instead of an expression
 */
export function findColumnProblem(
	context: IExecuteFunctions,
	parameter: string,
	value: unknown,
	itemIndex: number,
): Finding | null {
	const columns = Object.keys(getInputFields(context, itemIndex));
	const bracketed = columns.find((column) => value === `[${column}]`);
	if (bracketed !== undefined)
		return makeFinding(`is ${quote(`[${bracketed}]`)}, the name of a column in brackets`, {
			text: `Drag the column from the input into the field, or write {{ $json[${JSON.stringify(bracketed)}] }} as an expression.`,
		});
	const expressions = listExpressions(context, parameter, value);
	if (expressions.length === 0) return null;
	const makeColumnFinding = (message: string, fallback: string) =>
		makeFinding(message, {
			text: joinSentences(describeColumnNames(columns), 'Correct the expression.', fallback),
		});
	const parts = expressions.map((each) => findUndefinedPart(context, each, itemIndex));
	const part = parts.find((each) => each !== undefined);
	if (part !== undefined)
		return makeColumnFinding(
			'uses a column that this item does not have',
			parameter === FIELDS.product_name.name ? '' : describeFallback(part),
		);
	const text = [value].flat().find((each) => typeof each === 'string' && UNDEFINED.test(each));
	if (typeof text !== 'string') return null;
	return makeColumnFinding(
		`is ${quote(text)}, which contains the word undefined: the expression uses a column that the item does not have`,
		describeFallback(''),
	);
}

/** A text of the form that is an expression, with its value for the item. */
interface Expression {
	readonly text: string;
	readonly value: unknown;
}

/**
 * Returns the expressions of a parameter or an additional field.
 * @param value the value of the parameter for the item
 */
export function listExpressions(
	context: IExecuteFunctions,
	parameter: string,
	value?: unknown,
): Expression[] {
	// A model can leave out the values of a tool.
	if (isTool(context)) return [];
	const { parameters } = context.getNode();
	const { [parameter]: additional } = (parameters.additionalFields ?? {}) as IDataObject;
	const form = parameters[parameter] ?? additional;
	const isList = Array.isArray(form) && Array.isArray(value);
	return [form]
		.flat()
		.map((text, index) => ({ text, value: isList ? (value[index] as unknown) : value }))
		.filter((each): each is Expression => typeof each.text === 'string' && /^=/.test(each.text));
}

/** Returns the part of an expression that is undefined; n8n leaves it out of a text. */
function findUndefinedPart(
	context: IExecuteFunctions,
	{ text, value }: Expression,
	itemIndex: number,
): string | undefined {
	const parts = splitExpression(text);
	if (value === undefined) return parts.length === 1 ? parts[0] : '';
	if (text === `=${parts[0] ?? ''}`) return undefined;
	return parts.find((part) => {
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

const MAX_PART_LENGTH = 80;

function describeFallback(part: string): string {
	const isShown = part !== '' && part.length <= MAX_PART_LENGTH;
	const expression = isShown ? part : "{{ $json['Column name'] }}";
	return `If the column can be empty, write ${expression.slice(0, -2).trimEnd()} ?? '' }}.`;
}

/** The next step for an expression that n8n has not evaluated. */
export const SWITCH_TO_EXPRESSION =
	'If the field is set to Fixed, switch it to Expression. Remove braces that are left over.';

/** True if a text is an expression that n8n has not evaluated. */
export function isUnevaluated(value: unknown): boolean {
	return [value].flat().some((text) => typeof text === 'string' && /\{\{|\}\}/.test(text));
}

const MAX_COLUMNS = 20;

/** Returns a sentence that lists columns, for an error about them. */
export function describeColumnNames(names: readonly string[]): string {
	if (names.length === 0) return 'There are no columns. Check the node before this node.';
	return `The columns are: ${quoteList(names, MAX_COLUMNS)}.`;
}
