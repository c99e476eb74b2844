import type { IExecuteFunctions } from 'n8n-workflow';
import { checkInput, type InputField, type InputProblem } from '../../../../service/input';
import { canonical } from '../../../../service/key';
import {
	doubtfulNotice,
	judgeIds,
	roundedDigits,
	roundedProblem,
} from '../../../../service/rounded-id';
import type { BriefInput } from '../../../../service/resources';
import { briefShape, type BriefShape } from '../../../shared/brief-output';
import {
	nodeErrorFrom,
	operationError,
	type ErrorText,
	type NodeFailure,
} from '../../../shared/errors';
import { showNotice } from '../../../shared/notice';
import { markOf, nodeRun } from './node-run';
import { orderKey, SWITCH_TO_EXPRESSION, type OrderKey } from './order-key';

/** One brief to be created, checked and with its key. */
export interface Order extends OrderKey {
	itemIndex: number;
	input: BriefInput;
	/** By which it is remembered. */
	mark: string;
	/** The brief that an earlier execution, or pass of a loop, has ordered with this key. */
	earlierId?: string;
	waitUntilReady: boolean;
	shape: BriefShape;
}

interface AdditionalFields {
	productId?: unknown;
	audience?: unknown;
	objective?: unknown;
	approvedFacts?: unknown;
	campaignTerms?: unknown;
	creativeDirection?: unknown;
	referenceUrls?: unknown;
	idempotencyKey?: unknown;
}

/** The fields of docs/api.md section 4.3 as the form names them. */
const DISPLAY_NAMES: Record<InputField, string> = {
	product_name: 'Product Name',
	product_id: 'Product ID',
	audience: 'Audience',
	objective: 'Objective',
	approved_facts: 'Approved Facts',
	campaign_terms: 'Campaign Terms',
	creative_direction: 'Creative Direction',
	reference_urls: 'Reference URLs',
};

/**
 * The orders of all items, checked before anything is sent. With On Error set to continue, an item that is not valid is
 * an error in its place; else it is thrown, so that no brief is paid for in a run that cannot succeed.
 */
export function readOrders(
	context: IExecuteFunctions,
	maxBriefs: number,
): Array<Order | NodeFailure> {
	const items = context.getInputData();
	const { orders: known } = nodeRun(context);
	const orders = items.map(
		(_item, itemIndex) => known.get(itemIndex) ?? readOrder(context, itemIndex),
	);
	for (const order of orders) if (!(order instanceof Error)) known.set(order.itemIndex, order);
	const sound = withoutSharedKeys(context, withoutRoundedIds(context, orders));
	const checked = withinMost(context, sound, maxBriefs);
	const failures = checked.filter((order) => order instanceof Error);
	const [first] = failures;
	if (first === undefined || context.continueOnFail()) return checked;
	const more = failures.length - 1;
	const others =
		more === 0 ? '' : ` ${more} more ${more === 1 ? 'item' : 'items'} cannot be ordered.`;
	first.description = `${first.description ?? ''} Nothing was sent, and no brief was used.${others}`;
	throw first;
}

function readOrder(context: IExecuteFunctions, itemIndex: number): Order | NodeFailure {
	try {
		const fields = context.getNodeParameter('additionalFields', itemIndex) as AdditionalFields;
		const { input, problems } = checkInput({
			product_name: context.getNodeParameter('productName', itemIndex),
			product_id: fields.productId,
			audience: fields.audience,
			objective: fields.objective,
			approved_facts: fields.approvedFacts,
			campaign_terms: fields.campaignTerms,
			creative_direction: fields.creativeDirection,
			reference_urls: fields.referenceUrls,
		});
		if (problems.length > 0) return inputError(context, problems, itemIndex);
		const key = orderKey(context, input, fields.idempotencyKey, itemIndex);
		const mark = markOf(key.key, input);
		return {
			itemIndex,
			input,
			...key,
			mark,
			earlierId: nodeRun(context).earlierId({ mark, manual: key.manual }),
			waitUntilReady: context.getNodeParameter('waitUntilReady', itemIndex) === true,
			shape: briefShape(context, itemIndex),
		};
	} catch (thrown) {
		return nodeErrorFrom(context.getNode(), thrown, Date.now(), { itemIndex });
	}
}

function inputError(
	context: IExecuteFunctions,
	problems: InputProblem[],
	itemIndex: number,
): NodeFailure {
	const texts = problems.map(({ field, what }) => `'${DISPLAY_NAMES[field]}' ${what}`);
	const cures = problems.map(({ field, cure, isUnfilled }) => {
		const here = isUnfilled ? SWITCH_TO_EXPRESSION : cure;
		return problems.length === 1 ? here : `'${DISPLAY_NAMES[field]}': ${here}`;
	});
	const text = { message: texts.join('; '), description: cures.join(' ') };
	return operationError(context.getNode(), text, { itemIndex });
}

/** Several items show what one cannot: that their product IDs come from a spreadsheet that has rounded the column. */
function withoutRoundedIds(
	context: IExecuteFunctions,
	orders: Array<Order | NodeFailure>,
): Array<Order | NodeFailure> {
	const ids = orders.map((order) => (order instanceof Error ? undefined : order.input.product_id));
	const judgement = judgeIds(ids);
	if (judgement === 'doubtful') {
		showNotice(context, doubtfulNotice(ids), 'warning');
	}
	if (judgement !== 'rounded') return orders;
	return orders.map((order, itemIndex) => {
		const id = ids[itemIndex] ?? '';
		if (roundedDigits(id) === 0) return order;
		const problem: InputProblem = { field: 'product_id', ...roundedProblem(id) };
		return inputError(context, [problem], itemIndex);
	});
}

/** The same key for different briefs was typed in, or is no row's own: all items would get one brief. */
function withoutSharedKeys(
	context: IExecuteFunctions,
	orders: Array<Order | NodeFailure>,
): Array<Order | NodeFailure> {
	const firstOf = new Map<string, Order>();
	return orders.map((order) => {
		if (order instanceof Error) return order;
		const first = firstOf.get(order.key) ?? order;
		firstOf.set(order.key, first);
		if (canonical(first.input) === canonical(order.input)) return order;
		const text = {
			message: `'Order Key' is the same as in item ${first.itemIndex}, which orders a different brief`,
			description:
				'Each brief needs its own key: use an expression with something that no other row of any sheet has, such as spring-launch-{{ $json.SKU }}, or leave the field empty.',
		};
		return operationError(context.getNode(), text, { itemIndex: order.itemIndex });
	});
}

/** @param maxBriefs how many briefs may be ordered; 0 for no limit. Items that share one, by their key, count once */
function withinMost(
	context: IExecuteFunctions,
	orders: Array<Order | NodeFailure>,
	maxBriefs: number,
): Array<Order | NodeFailure> {
	if (maxBriefs === 0) return orders;
	const keys = new Set<string>();
	return orders.map((order) => {
		if (order instanceof Error || keys.has(order.key)) return order;
		if (keys.size < maxBriefs) {
			keys.add(order.key);
			return order;
		}
		const text: ErrorText = {
			code: 'beyond_max',
			message: `'Max Briefs per Run' is ${maxBriefs}, and the items before this one have used it up`,
			description: 'Order the item in a later run, or raise the maximum.',
		};
		return operationError(context.getNode(), text, { itemIndex: order.itemIndex });
	});
}
