import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { KEY_TRUSTED_MS } from '../../../../service/assumptions';
import { unusableText } from '../../../../service/input/unusable-text';
import { asIdempotencyKey, canonical, uuidFrom } from '../../../../service/input/key';
import type { BriefInput } from '../../../../service/api/resources';
import { isOfProduct } from '../../../../service/order/likeness';
import { clock } from '../../../shared/clock';
import { CREDENTIAL } from '../../../shared/credential';
import { operationError, type ErrorText } from '../../../shared/errors';
import { isTool } from '../../../shared/tool';
import { MANUAL, type ManualOrder, type NodeRun, type OrderKey } from './node-run';

export function orderKey(
	context: IExecuteFunctions,
	run: NodeRun,
	{ input, field, itemIndex }: { input: BriefInput; field: unknown; itemIndex: number },
): OrderKey {
	const ownKey = typeof field === 'string' || typeof field === 'number' ? String(field).trim() : '';
	const problem =
		keyProblem(context, run, ownKey) ??
		(ownKey === '' && isOfFinishedBrief(context, input) ? ENDLESS : null);
	if (problem !== null) throw operationError(context.getNode(), problem, itemIndex);
	if (ownKey !== '') return { key: asIdempotencyKey(ownKey), ownKey };
	if (run.execution !== MANUAL) return { key: defaultKey(context, run, input), ownKey: null };
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	const manual = manualOrder(credential, input);
	return { key: manual.key, ownKey: null, manual };
}

export const SWITCH_TO_EXPRESSION =
	'Switch the field from Fixed to Expression, and remove any braces that are left over.';

const NO_TEXT = {
	message: "'Order Key' is empty for this item",
	description:
		'Without a key, the item would be ordered and paid for again in every run. Correct the expression so that it uses a field that every item has, such as spring-launch-{{ $json.SKU }}, or clear the field.',
};

/** Says why this key would not be the item's own; null if it is. */
function keyProblem(
	context: IExecuteFunctions,
	{ execution }: NodeRun,
	key: string,
): ErrorText | null {
	const expression = writtenExpression(context);
	if (key === '') {
		// The author of an expression relies on it; an agent may leave out what it is asked for.
		if (expression !== null && !isTool(context)) return NO_TEXT;
		return execution === null ? NO_MEMORY : null;
	}
	// As text it would be the same for every row (docs/n8n-behaviour.md, “An expression typed into a text field is text”).
	if (expression === null && key.includes('{{')) {
		return {
			message: `'Order Key' contains the text ${key} instead of its value`,
			description: SWITCH_TO_EXPRESSION,
		};
	}
	const none = unusableText(key);
	if (none !== null) {
		const description = none.isUnfilled ? SWITCH_TO_EXPRESSION : none.cure;
		return { message: `'Order Key' ${none.what}`, description };
	}
	if (!endsWithNothing(key, expression ?? key)) return null;
	return {
		message: `'Order Key' is “${key}”, and the part at its end has no value`,
		description:
			'Correct the expression so that it uses a field that every item has, such as spring-launch-{{ $json.SKU }}.',
	};
}

/**
 * Checks whether the key ends where a value is missing. Random IDs may end with a separator too, so it counts only
 * after mere words, or if no expression gave anything.
 */
function endsWithNothing(key: string, written: string): boolean {
	if (/(^|[-_.:/|#\s])(undefined|null|NaN)$/.test(key)) return true;
	const fixedPart = withoutExpressions(written).trim();
	return /[-_.:/|#]$/.test(key) && (key === fixedPart || !/\d/.test(key));
}

function withoutExpressions(text: string): string {
	const [start = '', ...others] = text.split('{{');
	return start + others.map((part) => part.replace(/^[^]*?\}\}/, '')).join('');
}

/** Gives the expression in the field, without its =; null if the field is switched to Fixed or empty. */
function writtenExpression(context: IExecuteFunctions): string | null {
	const fields = context.getNode().parameters['additionalFields'] as IDataObject | undefined;
	const written = fields?.['idempotencyKey'];
	return typeof written === 'string' && /^=\s*\S/.test(written) ? written.slice(1) : null;
}

const ENDLESS: ErrorText = {
	message:
		'This order would start the workflow again and again, and each time it would be paid for',
	description:
		"The workflow was started by a brief of the same product. Give the item an 'Order Key' that names the product, under Additional Fields: then it is ordered again only once.",
};

/** Checks whether this execution was started by a finished brief of the product that is ordered. */
function isOfFinishedBrief(context: IExecuteFunctions, input: BriefInput): boolean {
	const { $: outputOf } = context.getWorkflowDataProxy(0) as { $: (node: string) => NodeOutput };
	return context
		.getParentNodes(context.getNode().name)
		.filter(({ type }) => type.endsWith('creatorBriefingTrigger'))
		.map(({ name }) => outputOf(name))
		.flatMap((trigger) => (trigger.isExecuted ? trigger.all() : []))
		.some(({ json: { product_name: name } }) => {
			return typeof name === 'string' && isOfProduct({ product_name: name }, input);
		});
}

/** Another node, as an expression sees it. */
interface NodeOutput {
	isExecuted: boolean;
	all: () => INodeExecutionData[];
}

const NO_MEMORY: ErrorText = {
	code: 'in_doubt',
	message:
		'n8n kept nothing of the execution that this Retry repeats, so the brief may exist already',
	description:
		'Look for the brief with Get Many. If there is none, run the workflow again, or give the item an Order Key.',
};

/**
 * Makes the key of an order without one. Retry On Fail runs all items again within one run of the node: execution, node
 * and run index are the same, and so is the key, so that no second brief is paid for. Each pass of a loop has its own
 * run index (docs/n8n-behaviour.md, “A pass of a loop has a run index of its own”), and so its own brief. Each call of
 * a tool has its own too, so there it is left out (docs/n8n-behaviour.md, “Each call of a tool is a run of its own”).
 * The workflow's ID keeps two n8n apart that both count their executions from 1.
 */
function defaultKey(
	context: IExecuteFunctions,
	{ execution, runIndex }: NodeRun,
	input: BriefInput,
): string {
	return uuidFrom(
		'n8n',
		context.getWorkflow().id ?? '',
		execution ?? '',
		context.getNode().id,
		String(isTool(context) ? 0 : runIndex),
		canonical(input),
	);
}

/** The orders of manual runs, by their key without the time. n8n saves nothing of such runs. */
const manualOrders = new Map<string, ManualOrder>();

/**
 * Gives the order of these values, which stays the same as long as a key is trusted, in copies of node and workflow
 * too: people who build a workflow execute its steps again and again. The hour is in the key for an n8n that was
 * restarted meanwhile: it makes the same key again until the next full hour.
 * @param credential its ID
 */
function manualOrder(credential: string, input: BriefInput): ManualOrder {
	const now = clock.now();
	for (const [other, { at }] of manualOrders) {
		if (now - at >= KEY_TRUSTED_MS) manualOrders.delete(other);
	}
	const values = uuidFrom('n8n', 'manual', credential, canonical(input));
	const hour = Math.floor(now / KEY_TRUSTED_MS);
	const order = manualOrders.get(values) ?? { key: uuidFrom(values, String(hour)), at: now };
	// An order without an answer is tried again within the hour too.
	if (order.briefId === undefined) order.at = now;
	manualOrders.set(values, order);
	return order;
}
