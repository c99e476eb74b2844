import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	checkInput,
	INPUT_FIELDS,
	type CheckedInput,
	type InputField,
} from '../../../../service/input/input';
import { asIdempotencyKey, contentText, uuidFrom } from '../../../../service/input/key';
import { signsIn } from '../../../../service/input/signs';
import { unusableText } from '../../../../service/input/unusable-text';
import type { BriefRequest, WhenBriefExists } from '../../../../service/order/brief-order';
import { briefShape, type BriefShape } from '../../../shared/brief-output';
import { nodeErrorFrom, operationError, type NodeFailure } from '../../../shared/node-errors';
import { aboutItem } from '../../../shared/items';
import { isTool } from '../../../shared/tool';

/** One brief for an item, checked and with its key. */
export interface ItemOrder extends BriefRequest {
	itemIndex: number;
	/** Items with the same content have one brief. An Order Key is part of it. */
	content: string;
	/** The text of the field Order Key; null if it does not count. */
	ownKey: string | null;
	waitUntilReady: boolean;
	shape: BriefShape;
	/** What a person may want to look at in its values, which are sent as they are. */
	remarks: string[];
}

/** The fields of docs/api.md section 4.3: their parameters, and what the form calls them. */
const FIELDS: Record<InputField, { parameter: string; label: string }> = {
	product_name: { parameter: 'productName', label: 'Product Name' },
	product_id: { parameter: 'productId', label: 'Product ID' },
	audience: { parameter: 'audience', label: 'Audience' },
	objective: { parameter: 'objective', label: 'Objective' },
	approved_facts: { parameter: 'approvedFacts', label: 'Approved Facts' },
	campaign_terms: { parameter: 'campaignTerms', label: 'Campaign Terms' },
	creative_direction: { parameter: 'creativeDirection', label: 'Creative Direction' },
	reference_urls: { parameter: 'referenceUrls', label: 'Reference URLs' },
};

/**
 * Reads the orders of all items, and checks them before anything is sent. With On Error set to continue, an item that
 * is not valid is an error in its place; else it is thrown, so that no brief is paid for in a run that cannot succeed.
 * @param readBefore by an earlier try; what this one reads is added
 * @param checksOnly nothing is to be ordered, and each item says what is wrong with it
 */
export function readOrders(
	context: IExecuteFunctions,
	readBefore: Map<number, ItemOrder>,
	checksOnly: boolean,
): Array<ItemOrder | NodeFailure> {
	const orders = context
		.getInputData()
		.map((_item, itemIndex) => readBefore.get(itemIndex) ?? readOrder(context, itemIndex));
	for (const order of orders) if (!(order instanceof Error)) readBefore.set(order.itemIndex, order);
	const [first, ...others] = orders.filter((order) => order instanceof Error);
	if (first === undefined || checksOnly || context.continueOnFail()) return orders;
	const more = others.length === 1 ? '1 more item' : `${others.length} more items`;
	const rest = others.length === 0 ? '' : ` ${more} cannot be ordered.`;
	first.description = `${first.description ?? ''} Nothing was sent, and no brief was used.${rest}`;
	throw first;
}

function readOrder(context: IExecuteFunctions, itemIndex: number): ItemOrder | NodeFailure {
	try {
		const parameter = (name: string, otherwise: unknown) =>
			context.getNodeParameter(name, itemIndex, otherwise) as unknown;
		const additional = parameter('additionalFields', {}) as IDataObject;
		const form: Record<string, unknown> = {
			...additional,
			productName: parameter('productName', ''),
			audience: parameter('audience', ''),
			approvedFacts: parameter('approvedFacts', ''),
		};
		const values = INPUT_FIELDS.map((field) => [field, form[FIELDS[field].parameter]] as const);
		const { input, problems, emptied } = checkInput(Object.fromEntries(values));
		if (problems.length > 0) return inputError(context, { input, problems }, itemIndex);
		const whenBriefExists = parameter('whenBriefExists', 'use') as WhenBriefExists;
		const isAnother = whenBriefExists === 'orderAnother';
		const ownKey = isAnother ? ownKeyOf(context, input.product_name, itemIndex) : null;
		const content = contentText(input);
		const another = isAnother ? keyOfAnother(context, ownKey, content) : null;
		return {
			itemIndex,
			input,
			whenBriefExists,
			content: another === null ? content : uuidFrom(another, content),
			ownKey,
			keyAfter: (unusable) =>
				another ?? uuidFrom('n8n', content, ...(unusable === null ? [] : [unusable])),
			waitUntilReady: parameter('waitUntilReady', false) === true,
			shape: briefShape(context, itemIndex),
			remarks: [
				...signsIn(input).map(({ field, what }) => `'${FIELDS[field].label}' ${what}`),
				...emptied.map(
					(field) => `'${FIELDS[field].label}' holds a word for nothing, and is empty`,
				),
			],
		};
	} catch (thrown) {
		return nodeErrorFrom(context.getNode(), thrown, Date.now(), itemIndex);
	}
}

/** Makes the key of one more brief. Without an Order Key, each execution orders one, and a Retry has the same. */
function keyOfAnother(context: IExecuteFunctions, ownKey: string | null, content: string): string {
	if (ownKey !== null) return asIdempotencyKey(ownKey);
	// Saved with the execution, and given to a Retry (docs/n8n-behaviour.md, “A Retry has the memory of the nodes”).
	const memory = context.getContext('node') as { execution?: string };
	// Outside of an execution nothing is run again, so any name will do.
	const execution = context.getExecutionId() as string | undefined;
	memory.execution ??= execution ?? randomUUID();
	const { id: workflow = '' } = context.getWorkflow();
	return uuidFrom('n8n', workflow, memory.execution, context.getNode().id, content);
}

const SWITCH_TO_EXPRESSION =
	'Switch the field from Fixed to Expression, and remove any braces that are left over.';

function ownKeyOf(context: IExecuteFunctions, product: string, itemIndex: number): string | null {
	const field: unknown = context.getNodeParameter('idempotencyKey', itemIndex, '');
	const about = (what: string) => aboutItem(context, itemIndex, { product, what });
	const key = typeof field === 'string' || typeof field === 'number' ? String(field).trim() : '';
	const problem = unusableText(key);
	if (problem !== null) {
		const description = problem.isUnfilled ? SWITCH_TO_EXPRESSION : problem.cure;
		const text = { message: about(`'Order Key' ${problem.what}`), description };
		throw operationError(context.getNode(), text, itemIndex);
	}
	if (key !== '') return key;
	const { idempotencyKey: expression } = context.getNode().parameters;
	// The author of an expression relies on it; an agent may leave out what it is asked for.
	if (typeof expression !== 'string' || !/^=\s*\S/.test(expression) || isTool(context)) return null;
	const text = {
		message: about("'Order Key' is empty for this item"),
		description:
			'Without a key, each execution orders and pays for another brief. Correct the expression so that it uses a field that every item has, or clear the field.',
	};
	throw operationError(context.getNode(), text, itemIndex);
}

function inputError(
	context: IExecuteFunctions,
	{ input, problems }: Pick<CheckedInput, 'input' | 'problems'>,
	itemIndex: number,
): NodeFailure {
	const texts = problems.map(({ field, what }) => `'${FIELDS[field].label}' ${what}`);
	const cures = problems.map(({ field, cure, isUnfilled }) => {
		const here = isUnfilled ? SWITCH_TO_EXPRESSION : cure;
		return problems.length === 1 ? here : `'${FIELDS[field].label}': ${here}`;
	});
	const about = { product: input.product_name, what: texts.join('; ') };
	const message = aboutItem(context, itemIndex, about);
	const text = { message, description: cures.join(' ') };
	return operationError(context.getNode(), text, itemIndex);
}
