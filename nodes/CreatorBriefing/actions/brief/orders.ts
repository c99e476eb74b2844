import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	checkInput,
	INPUT_FIELDS,
	type InputField,
	type InputProblem,
} from '../../../../service/input/input';
import { canonical, contentOf, uuidFrom } from '../../../../service/input/key';
import { briefShape } from '../../../shared/brief-output';
import {
	nodeErrorFrom,
	operationError,
	type ErrorText,
	type NodeFailure,
} from '../../../shared/errors';
import { showNotice } from '../../../shared/items';
import type { NodeRun, Order } from './node-run';
import { orderKey, SWITCH_TO_EXPRESSION } from './order-key';

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
 */
export function readOrders(
	context: IExecuteFunctions,
	run: NodeRun,
	maxBriefs: number,
): Array<Order | NodeFailure> {
	const orders = context
		.getInputData()
		.map((_item, itemIndex) => run.orders.get(itemIndex) ?? readOrder(context, run, itemIndex));
	for (const order of orders) if (!(order instanceof Error)) run.orders.set(order.itemIndex, order);
	const checked = withOwnKeys(context, sharingOrders(context, orders), maxBriefs);
	const failures = checked.filter((order) => order instanceof Error);
	const [first] = failures;
	if (first === undefined || context.continueOnFail()) return checked;
	const more = failures.length - 1;
	const others =
		more === 0 ? '' : ` ${more} more ${more === 1 ? 'item' : 'items'} cannot be ordered.`;
	first.description = `${first.description ?? ''} Nothing was sent, and no brief was used.${others}`;
	throw first;
}

function readOrder(
	context: IExecuteFunctions,
	run: NodeRun,
	itemIndex: number,
): Order | NodeFailure {
	try {
		const additional: IDataObject = context.getNodeParameter('additionalFields', itemIndex);
		const productName: unknown = context.getNodeParameter('productName', itemIndex);
		const form: Record<string, unknown> = { ...additional, productName };
		const given = INPUT_FIELDS.map((field) => [field, form[FIELDS[field].parameter]] as const);
		const { input, problems } = checkInput(Object.fromEntries(given));
		if (problems.length > 0) return inputError(context, problems, itemIndex);
		const field = additional['idempotencyKey'];
		const key = orderKey(context, run, { input, field, itemIndex });
		return {
			itemIndex,
			input,
			...key,
			mark: uuidFrom(key.key, canonical(input).toLowerCase()),
			waitUntilReady: context.getNodeParameter('waitUntilReady', itemIndex) === true,
			shape: briefShape(context, itemIndex),
		};
	} catch (thrown) {
		return nodeErrorFrom(context.getNode(), thrown, Date.now(), itemIndex);
	}
}

function inputError(
	context: IExecuteFunctions,
	problems: InputProblem[],
	itemIndex: number,
): NodeFailure {
	const texts = problems.map(({ field, what }) => `'${FIELDS[field].label}' ${what}`);
	const cures = problems.map(({ field, cure, isUnfilled }) => {
		const here = isUnfilled ? SWITCH_TO_EXPRESSION : cure;
		return problems.length === 1 ? here : `'${FIELDS[field].label}': ${here}`;
	});
	const text = { message: texts.join('; '), description: cures.join(' ') };
	return operationError(context.getNode(), text, itemIndex);
}

/** Makes one order of items with the same content and no Order Key: a row is easily there twice. */
function sharingOrders(
	context: IExecuteFunctions,
	orders: Array<Order | NodeFailure>,
): Array<Order | NodeFailure> {
	const firstOf = new Map<string, Order>();
	const repeated: number[] = [];
	const shared = orders.map((order) => {
		if (order instanceof Error || order.ownKey !== null) return order;
		const content = contentOf(order.input);
		const first = firstOf.get(content);
		if (first === undefined) {
			firstOf.set(content, order);
			return order;
		}
		const { itemIndex, waitUntilReady, shape } = order;
		repeated.push(itemIndex);
		return { ...first, itemIndex, waitUntilReady, shape };
	});
	if (repeated.length > 0) showNotice(context, repeatedNotice(repeated), 'info');
	return shared;
}

/** A notice names so many items at most. */
const MOST_NAMED = 10;

function repeatedNotice(items: readonly number[]): string {
	const more = items.length - MOST_NAMED;
	const named = items.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
	const what =
		items.length === 1
			? `Item ${named} has the same values as an earlier item, so both get the same brief, which is paid for once.`
			: `Items ${named} have the same values as earlier items, so they get the same briefs, which are paid for once.`;
	return `${what} For a brief each, give each item its own Order Key.`;
}

/**
 * Refuses different briefs with the same key, which would all get one brief, and what is beyond the maximum. Items of
 * one brief, by their key, count once.
 * @param maxBriefs how many briefs may be ordered; 0 for no limit
 */
function withOwnKeys(
	context: IExecuteFunctions,
	orders: Array<Order | NodeFailure>,
	maxBriefs: number,
): Array<Order | NodeFailure> {
	const firstOf = new Map<string, Order>();
	return orders.map((order) => {
		if (order instanceof Error) return order;
		const first = firstOf.get(order.key);
		if (first?.mark === order.mark) return order;
		const { itemIndex } = order;
		if (first !== undefined) {
			return operationError(context.getNode(), sharedKey(first), itemIndex);
		}
		if (maxBriefs > 0 && firstOf.size >= maxBriefs) {
			return operationError(context.getNode(), beyondMost(maxBriefs), itemIndex);
		}
		firstOf.set(order.key, order);
		return order;
	});
}

function sharedKey({ itemIndex }: Order): ErrorText {
	return {
		message: `'Order Key' is the same as in item ${itemIndex}, which orders a different brief`,
		description:
			'Each brief needs its own key: use an expression with something that no other row of any sheet has, such as spring-launch-{{ $json.SKU }}, or leave the field empty.',
	};
}

function beyondMost(maxBriefs: number): ErrorText {
	return {
		code: 'beyond_max',
		message: `'Max Briefs per Run' is ${maxBriefs}, and the items before this one have used it up`,
		description: 'Order the item in a later run, or raise the maximum.',
	};
}
