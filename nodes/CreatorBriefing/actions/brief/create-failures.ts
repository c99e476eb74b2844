import type { IExecuteFunctions } from 'n8n-workflow';
import { KEY_TRUSTED_MS } from '../../../../service/assumptions';
import { leavesInDoubt, ServiceError } from '../../../../service/api/errors';
import type { UnbelievedAnswers } from '../../../../service/order/later-orders';
import { WaitTimeout } from '../../../../service/watch/wait';
import type { Workspace } from '../../../../service/watch/workspace';
import type { Brief, NamedBrief } from '../../../../service/api/resources';
import {
	apiError,
	codeOf,
	messageWithoutItem,
	nodeErrorFrom,
	operationError,
	errorText,
	type ErrorText,
	type NodeFailure,
} from '../../../shared/errors';
import { isTool } from '../../../shared/tool';
import { inWords, nameOf } from '../../../shared/wait-for-brief';
import { MANUAL, type NodeRun, type Order } from './node-run';

/** The longest wait for one slot, and for one brief. */
export interface Patience {
	minutes: number;
	whenBusy: 'wait' | 'stop';
}

/** A try of an order that got no brief. */
interface FailedTry extends Patience {
	workspace: Workspace;
	/** The service's time. */
	now: number;
}

/** Says why an order got no brief, and how to get it without paying a second time. */
export function createFailure(
	thrown: unknown,
	order: Order,
	context: IExecuteFunctions,
	{ minutes, whenBusy, workspace, now }: FailedTry,
): NodeFailure {
	const node = context.getNode();
	const { itemIndex } = order;
	if (thrown instanceof WaitTimeout) {
		return operationError(node, noSlot(thrown, workspace, minutes), itemIndex);
	}
	if (!(thrown instanceof ServiceError)) return nodeErrorFrom(node, thrown, now, itemIndex);
	const text = errorText(thrown, now);
	if (thrown.kind === 'other_brief' && thrown.brief !== undefined) {
		return apiError(node, thrown, otherBrief(thrown.brief, order, context), itemIndex);
	}
	if (thrown.kind === 'key_taken' && order.ownKey !== null)
		text.message = `The Order Key “${order.ownKey}” belongs to an order with other values`;
	if (thrown.kind === 'slots_busy' && whenBusy === 'stop') {
		text.description =
			`${slotHolders(workspace)} ${text.description} To have the node wait, set the option 'When Slots Are Busy' to 'Wait for a Free Slot'.`.trimStart();
	}
	if (mayExist(thrown, order)) text.description += ` ${howToRepeat(context, order)}`;
	return apiError(node, thrown, text, itemIndex);
}

function noSlot({ unseenFor }: WaitTimeout, workspace: Workspace, minutes: number): ErrorText {
	const waited = inWords(minutes);
	const end = "Run it again later, or raise 'Timeout (Minutes)'.";
	if (unseenFor > 0) {
		const unseen = inWords(Math.round(unseenFor / 60_000));
		return {
			code: 'slots_busy',
			message: `No free slot was found within ${waited}: for the last ${unseen} the service could not be asked`,
			description: `Nothing was ordered for this item. ${end}`,
		};
	}
	const holders = slotHolders(workspace);
	const meanwhile =
		holders === ''
			? 'The service accepted no further brief.'
			: `Both slots of the workspace were taken at every look. ${holders}`;
	return {
		code: 'slots_busy',
		message: `No slot became free within ${waited}`,
		description: `${meanwhile} ${end}`,
	};
}

function otherBrief(brief: NamedBrief, order: Order, context: IExecuteFunctions): ErrorText {
	if (order.ownKey === null) {
		return {
			message: `The service answered with another brief: ${nameOf(brief)}`,
			description: `It was not used, and the item’s own brief may or may not have been created: Get Many shows whether it exists. ${howToRepeat(context, order)}`,
		};
	}
	return {
		message: `The Order Key “${order.ownKey}” belongs to another brief: ${nameOf(brief)}`,
		description:
			'It has another product or other values, so it was not used: to use it anyway, fetch it with the Get operation, which costs nothing. For a new brief, which is paid for, give each row a key that no other row of any sheet has.',
	};
}

/** Names what holds the slots, as far as the list has shown it. */
function slotHolders(workspace: Workspace): string {
	const running = workspace
		.holders()
		.map((brief) => `${nameOf(brief)} since ${new Date(brief.since).toISOString()}`);
	const inDoubt = workspace.uncertainUntil().map((until) => new Date(until).toISOString());
	return [
		...(running.length === 0 ? [] : [`Running: ${running.join('; ')}.`]),
		...inDoubt.map(
			(until) =>
				`An order from this n8n got no answer, so its brief may be running: it counts as running until the list shows it, or until ${until} at the latest.`,
		),
	].join(' ');
}

/** Checks whether the order's brief may exist: a key that was given may as well belong to another brief. */
function mayExist(error: ServiceError, { ownKey }: Order): boolean {
	if (error.kind === 'conflict') return ownKey === null;
	return error.inDoubt === true || leavesInDoubt(error);
}

/** Says how a person, or an agent, sends an order again that may have been placed. */
function howToRepeat(context: IExecuteFunctions, { key, ownKey, manual }: Order): string {
	const soon = `within ${KEY_TRUSTED_MS / 60_000} minutes if you can, because it is not known how long the service remembers a key`;
	if (ownKey !== null)
		return `Its key is ${ownKey}, which you gave: run it again unchanged, ${soon}.`;
	if (manual !== undefined) {
		return `Its key is ${key}: executed again with the same values, it has the same key. Do so ${soon}.`;
	}
	const tool = 'A call with exactly the same values in this execution has the same key. ';
	const paste = `Its key is ${key}: to run it again, put that into 'Order Key' under Additional Fields, for this item alone, ${soon}. Without it, a new run uses a different key and pays again.`;
	return isTool(context) ? tool + paste : paste;
}

/** Makes the error of a brief that the service could not write. It is still paid for. */
export function briefFailed(
	brief: Brief,
	{ itemIndex, ownKey, manual }: Order,
	context: IExecuteFunctions,
): NodeFailure {
	const see = brief.url === '' ? '' : ` See ${brief.url}.`;
	let key = '';
	if (ownKey !== null) {
		key = ` With the same key the service returns this brief again. For a new one, which is paid for, change the Order Key “${ownKey}”.`;
	} else if (manual !== undefined) {
		key =
			' The same values give this brief again for an hour. For a new one, which is paid for, change a value or add an Order Key.';
	}
	const text: ErrorText = {
		code: 'brief_failed',
		message: `${nameOf(brief)} could not be written: ${brief.error_code ?? 'no reason given'}`,
		description: `It used one brief from the allowance.${see} Check the product's name and ID before you create it again.${key}`,
	};
	return operationError(context.getNode(), text, itemIndex);
}

/** Says why nothing more is sent after orders of this execution that were answered with briefs of others. */
export function notUnderstood(
	context: IExecuteFunctions,
	{ reason }: UnbelievedAnswers,
): NodeFailure | null {
	if (reason === null) return null;
	const text = { code: 'other_brief', message: reason.what, description: reason.cure } as const;
	return operationError(context.getNode(), text);
}

/** Makes the error of an order that is not sent because an earlier one failed. */
export function notSent(
	{ itemIndex }: Order,
	reason: NodeFailure,
	context: IExecuteFunctions,
): NodeFailure {
	const text: ErrorText = {
		code: codeOf(reason),
		message: `Not sent, because of an earlier item: ${messageWithoutItem(reason.message)}`,
		description: `${reason.description ?? ''} No brief was used for this item.`,
	};
	return operationError(context.getNode(), text, itemIndex);
}

/** Names the briefs that exist when an error ends the node: they are paid for, and the output is lost. */
export function alreadyCreated({ alive, execution }: NodeRun): string {
	if (alive.length === 0) return '';
	const again =
		execution === MANUAL
			? 'Executing it again within an hour, with the same values, gives the same briefs.'
			: "Retry in the list of executions gives the same briefs. Running the whole workflow again would order them again, unless each item has its own 'Order Key'.";
	return ` Already created in this run: ${alive.map(nameOf).join('; ')}. They are paid for and carry on by themselves: fetch them with the Get operation, which costs nothing. ${again}`;
}
