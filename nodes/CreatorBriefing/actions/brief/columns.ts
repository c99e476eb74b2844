import type { IExecuteFunctions } from 'n8n-workflow';
import { findBestColumns, matchHeader } from '../../../../core/input/headers';
import { INPUT_FIELDS, type InputField } from '../../../../core/input/input-fields';
import { joinSentences, quote, quoteList, stripInvisible } from '../../../../core/input/text';
import { makeOperationError } from '../../../shared/node-errors';
import { isTool } from '../../../shared/tool';
import { FIELDS } from './create-fields';
import { describeColumnNames, listExpressions } from './expressions';

/**
 * Map Columns by Name: the columns of all items together become fields, by the headers that brief-batch reads, too.
 *
 *     items     { Title: 'Mug', SKU: 'A-1' }, { Title: 'Lamp', Audience: 'Readers' }
 *     columns   Title → product_name, Audience → audience
 *     notice    Columns sent: “Title” as Product Name, “Audience”. Not sent: “SKU”.
 */
export type FieldColumns = ReadonlyMap<InputField, string>;

/**
 * Returns the column of each field, or null if the form has the fields.
 * @throws {NodeOperationError} if the columns are not clear
 */
export function mapColumns(context: IExecuteFunctions): FieldColumns | null {
	// A model fills in the fields of a tool.
	if (isTool(context) || context.getNodeParameter('mappingMode', 0, '') !== 'autoMapInputData')
		return null;
	const names = listColumnNames(context);
	const columns = new Map<InputField, string>();
	for (const field of INPUT_FIELDS) {
		const best = findBestColumns(names, field).flatMap((index) => names[index] ?? []);
		if (best.length > 1) throw makeAmbiguityError(context, field, best);
		if (best[0] !== undefined) columns.set(field, best[0]);
	}
	if (!columns.has('product_name'))
		throw makeOperationError(context.getNode(), {
			message: 'No column has the product name',
			description: joinSentences(
				describeColumnNames(names),
				"Name a column Product Name in a node before this node, or choose 'Map Each Field Below'.",
			),
		});
	return columns;
}

function makeAmbiguityError(
	context: IExecuteFunctions,
	field: InputField,
	names: readonly string[],
): Error {
	const count = names.length === 2 ? 'Two' : String(names.length);
	return makeOperationError(context.getNode(), {
		message: `${count} columns could be ${FIELDS[field].displayName}: ${names.map(quote).join(' and ')}`,
		description: "Rename one of them in a node before this node, or choose 'Map Each Field Below'.",
	});
}

const MAX_NOT_SENT = 10;

/** Returns which column became which field, and which were not sent; nothing if the form has the fields. */
export function describeColumns(context: IExecuteFunctions): string {
	const columns = mapColumns(context);
	if (columns === null) return '';
	const sent = [...columns].map(([field, name]) => {
		const { displayName } = FIELDS[field];
		return name === displayName ? quote(name) : `${quote(name)} as ${displayName}`;
	});
	const names = new Set(columns.values());
	const others = listColumnNames(context).filter((name) => !names.has(name));
	return joinSentences(
		`Columns sent: ${sent.join(', ')}.`,
		others.length === 0 ? '' : `Not sent: ${quoteList(others, MAX_NOT_SENT)}.`,
	);
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Checks the names of the columns, because an expression does not find a column whose name has more than it shows.
 * @throws {NodeOperationError} if an invisible character would hide a column
 */
export function checkColumnNames(context: IExecuteFunctions): void {
	if (isTool(context)) return;
	for (const name of listColumnNames(context)) {
		const shown = stripInvisible(name);
		if (shown === name) continue;
		if (name.startsWith(BYTE_ORDER_MARK))
			throw makeOperationError(context.getNode(), {
				message: `The column ${quote(shown)} begins with an invisible byte-order mark`,
				description:
					"In Extract From File, which has read the CSV, add the option 'Exclude Byte Order Mark (BOM)'. Nothing was ordered.",
			});
		if (matchHeader(shown) !== undefined || isUsed(context, shown))
			throw makeOperationError(context.getNode(), {
				message: `The name of the column ${quote(shown)} has invisible characters`,
				description: 'Type the name again where the column comes from. Nothing was ordered.',
			});
	}
}

function isUsed(context: IExecuteFunctions, name: string): boolean {
	const expressions = Object.values(FIELDS).flatMap((field) =>
		listExpressions(context, field.name),
	);
	return expressions.some(({ text }) => text.includes(name));
}

function listColumnNames(context: IExecuteFunctions): string[] {
	return [...new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)))];
}
