import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { KEY_TRUSTED_MS } from '../../../../service/assumptions';
import { asIdempotencyKey, canonical, uuidFrom } from '../../../../service/key';
import type { BriefInput } from '../../../../service/resources';
import { operationError } from '../../../shared/errors';
import { isTool } from '../../../shared/tool';
import { runIndexOf } from './node-run';
import type { OrderKey } from './order';

export function orderKey(
	context: IExecuteFunctions,
	input: BriefInput,
	field: unknown,
	itemIndex: number,
): OrderKey {
	const ownKey = typeof field === 'string' || typeof field === 'number' ? String(field).trim() : '';
	const isExpression = hasExpression(context);
	if (ownKey === '') {
		// Whoever wrote an expression relies on it; but an agent may leave out what it is asked for.
		const isRelied = isExpression && !isTool(context);
		const isNoText = field !== undefined && field !== null && typeof field !== 'string';
		if (isRelied || isNoText) throw operationError(context.getNode(), NO_TEXT, { itemIndex });
		return { key: defaultKey(context, input, itemIndex), ownKey: null };
	}
	// As text it would be the same for every row (docs/n8n-behaviour.md, “An expression typed into a text field is text”).
	if (!isExpression && ownKey.includes('{{')) {
		const text = {
			message: `'Order Key' contains the text ${ownKey} instead of its value`,
			description:
				'Switch the field from Fixed to Expression, so that each row’s own value is used.',
		};
		throw operationError(context.getNode(), text, { itemIndex });
	}
	return { key: asIdempotencyKey(ownKey), ownKey };
}

const NO_TEXT = {
	message: "'Order Key' is empty for this item",
	description:
		'Without a key, the item would be ordered and paid for again in every run. Correct the expression so that it uses a field that every item has, such as spring-launch-{{ $json.SKU }}, or clear the field.',
};

/** Whether the field was switched to an expression, and one was written. */
function hasExpression(context: IExecuteFunctions): boolean {
	const fields = context.getNode().parameters['additionalFields'] as IDataObject | undefined;
	const written = fields?.['idempotencyKey'];
	return typeof written === 'string' && /^=\s*\S/.test(written);
}

/**
 * Retry On Fail runs all items anew within one run of the node: execution, node, run index and item are the same, and
 * so is the key, so that no second brief is paid for. Each pass of a loop has a run index of its own
 * (docs/n8n-behaviour.md, “A pass of a loop has a run index of its own”), and so a brief of its own. So has each
 * call of a tool, where it is left out (docs/n8n-behaviour.md, “Each call of a tool is a run of its own”). The
 * workflow's ID keeps two n8n apart that both count their executions from 1.
 */
function defaultKey(context: IExecuteFunctions, input: BriefInput, itemIndex: number): string {
	// Outside of an execution nothing is run anew, so any key will do.
	const execution = (context.getExecutionId() as string | undefined) ?? randomUUID();
	const runIndex = isTool(context) ? 0 : runIndexOf(context, itemIndex);
	return uuidFrom(
		'n8n',
		context.getWorkflow().id ?? '',
		execution,
		context.getNode().id,
		String(runIndex),
		String(itemIndex),
		canonical(input),
	);
}

/** How a person, or an agent, sends an order again that may have been placed. */
export function howToRepeat(context: IExecuteFunctions, { key, ownKey }: OrderKey): string {
	const minutes = KEY_TRUSTED_MS / 60_000;
	if (ownKey !== null) {
		return `Its key is ${ownKey}, which you gave: run it again unchanged, within ${minutes} minutes if you can, because it is not known how long the service remembers a key.`;
	}
	const tool = 'A call with exactly the same values in this execution has the same key. ';
	const paste = `Its key is ${key}: to run it again, put that into 'Order Key' under Additional Fields, for this item alone, within ${minutes} minutes if you can, because it is not known how long the service remembers a key. Without it, a new run uses a different key and pays again.`;
	return isTool(context) ? tool + paste : paste;
}
