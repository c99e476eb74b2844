import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { BriefInput } from '../../../../core/api/types';
import { parseBriefInput, type FieldProblem } from '../../../../core/input/brief-input';
import { findDamage } from '../../../../core/input/checks';
import {
	INPUT_FIELDS,
	type InputField,
	type InputValues,
} from '../../../../core/input/input-fields';
import { quote } from '../../../../core/input/text';
import { readBriefFormat, type BriefFormat } from '../../../shared/brief-output';
import { getInputFields } from '../../../shared/input-fields';
import {
	makeNodeError,
	makeOperationError,
	prefixTitle,
	type NodeFailure,
} from '../../../shared/node-errors';
import type { Item, WhenBriefExists } from '../../orders/item-types';
import { checkColumnNames, mapColumns, type FieldColumns } from './columns';
import { FIELDS } from './create-fields';
import { findColumnProblem, isUnevaluated, SWITCH_TO_EXPRESSION } from './expressions';

/** What the parameters want for an item, or why they are not valid. */
export type ItemRequest = ValidRequest | InvalidRequest;

export interface ValidRequest {
	readonly kind: 'valid';
	readonly itemIndex: number;
	readonly item: Item;
	readonly waitUntilReady: boolean;
	readonly format: BriefFormat;
	/** Sentences about values that are probably wrong. They are sent as they are. */
	readonly remarks: readonly string[];
}

interface InvalidRequest {
	readonly kind: 'invalid';
	readonly itemIndex: number;
	readonly failure: NodeFailure;
}

/** Reads and checks the requests of all items, before anything is sent. */
export function readItemRequests(context: IExecuteFunctions): ItemRequest[] {
	checkColumnNames(context);
	const columns = mapColumns(context);
	const items = context.getInputData();
	return items.map((_item, itemIndex) => readRequest(context, itemIndex, columns));
}

function readRequest(
	context: IExecuteFunctions,
	itemIndex: number,
	columns: FieldColumns | null,
): ItemRequest {
	try {
		const values =
			columns === null
				? readValues(context, itemIndex)
				: readColumns(getInputFields(context, itemIndex), columns);
		const { input, problems, emptiedFields } = parseBriefInput(joinTexts(values));
		const wrongColumns = findWrongColumns(context, itemIndex, values);
		const named = new Set(wrongColumns.map(({ field }) => field));
		const others = problems.filter(({ field }) => !named.has(field));
		const all = [...wrongColumns, ...others.map((problem) => explainUnevaluated(problem, values))];
		if (all.length > 0) throw makeInputError(context, input, all, itemIndex);
		return {
			kind: 'valid',
			itemIndex,
			item: { input, whenBriefExists: readWhenBriefExists(context, input, itemIndex) },
			waitUntilReady: context.getNodeParameter('waitUntilReady', itemIndex, false) === true,
			format: readBriefFormat(context, itemIndex),
			remarks: listRemarks(input, values, emptiedFields),
		};
	} catch (thrown) {
		const failure = makeNodeError(context.getNode(), thrown, Date.now(), itemIndex);
		return { kind: 'invalid', itemIndex, failure };
	}
}

function readValues(context: IExecuteFunctions, itemIndex: number): InputValues {
	const parameter = (name: string): unknown => context.getNodeParameter(name, itemIndex, '');
	const additional = parameter('additionalFields') as IDataObject;
	const form: Record<string, unknown> = {
		...additional,
		productName: parameter('productName'),
		audience: parameter('audience'),
		approvedFacts: parameter('approvedFacts'),
	};
	const pairs = INPUT_FIELDS.map((field) => [field, form[FIELDS[field].name]] as const);
	return Object.fromEntries(pairs);
}

function readColumns(fields: IDataObject, columns: FieldColumns): InputValues {
	return Object.fromEntries([...columns].map(([field, column]) => [field, fields[column]]));
}

/** Airtable and Notion return several choices as a list of texts. */
function joinTexts(values: InputValues): InputValues {
	const join = (field: InputField, value: unknown): unknown => {
		if (field === 'reference_urls' || !Array.isArray(value)) return value;
		const texts = value.filter((each: unknown) => each !== null && each !== '');
		const isText = texts.every((each) => typeof each === 'string' || typeof each === 'number');
		return isText ? texts.join(field === 'approved_facts' ? '\n' : ', ') : value;
	};
	return Object.fromEntries(INPUT_FIELDS.map((field) => [field, join(field, values[field])]));
}

/** @throws {NodeOperationError} if the value is none of the options: a saved workflow can have an option that is gone */
function readWhenBriefExists(
	context: IExecuteFunctions,
	{ product_name: product }: BriefInput,
	itemIndex: number,
): WhenBriefExists {
	const value: unknown = context.getNodeParameter('whenBriefExists', itemIndex, 'use');
	if (value === 'use' || value === 'useUnlessFailed') return value;
	const text = {
		message: prefixTitle(
			product,
			`'When Brief Exists' is ${quote(String(value))}, which is not an option`,
		),
		description:
			"Choose 'Use It' or 'Use It Unless It Failed'. For another brief of a product, write a difference into a field, for example “Variant B” into Creative Direction.",
	};
	throw makeOperationError(context.getNode(), text, itemIndex);
}

function findWrongColumns(
	context: IExecuteFunctions,
	itemIndex: number,
	values: InputValues,
): FieldProblem[] {
	return INPUT_FIELDS.flatMap((field) => {
		const { name } = FIELDS[field];
		const problem = findColumnProblem(context, name, values[field], itemIndex);
		return problem === null ? [] : [{ field, ...problem }];
	});
}

function explainUnevaluated(problem: FieldProblem, values: InputValues): FieldProblem {
	return isUnevaluated(values[problem.field])
		? { ...problem, nextSteps: [{ text: SWITCH_TO_EXPRESSION }] }
		: problem;
}

/** Returns what the user might want to check in values that are sent as they are. */
function listRemarks(
	input: BriefInput,
	values: InputValues,
	emptiedFields: readonly InputField[],
): string[] {
	const remarks = INPUT_FIELDS.flatMap((field) => {
		const { displayName: label } = FIELDS[field];
		if (emptiedFields.includes(field))
			return [`'${label}' is ${quote(String(values[field]))} and counts as empty`];
		const value = input[field];
		const damage = value === undefined ? null : findDamage(field, value);
		return damage === null ? [] : [`'${label}' ${damage}`];
	});
	return remarks.map((remark) => `${prefixTitle(input.product_name, remark)}.`);
}

function makeInputError(
	context: IExecuteFunctions,
	{ product_name: product }: BriefInput,
	problems: readonly FieldProblem[],
	itemIndex: number,
): NodeFailure {
	const title = problems.map(({ field, message }) => `'${FIELDS[field].displayName}' ${message}`);
	const steps = problems.map(({ field, nextSteps: [step] }) =>
		problems.length === 1
			? (step?.text ?? '')
			: `'${FIELDS[field].displayName}': ${step?.text ?? ''}`,
	);
	const text = {
		message: prefixTitle(product, title.join('; ')),
		description: steps.join(' '),
	};
	return makeOperationError(context.getNode(), text, itemIndex);
}
