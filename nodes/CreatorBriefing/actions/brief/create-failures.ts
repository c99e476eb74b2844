import type { IExecuteFunctions } from 'n8n-workflow';
import { KEY_TRUSTED_MS } from '../../../../service/assumptions';
import { leavesInDoubt, ServiceError } from '../../../../service/api/errors';
import { instantOf } from '../../../../service/api/timestamps';
import { dayInWords } from '../../../../service/list/month';
import { unbelievedText, type UnbelievedAnswer } from '../../../../service/order/later-orders';
import { WaitTimeout } from '../../../../service/watch/wait';
import type { Workspace } from '../../../../service/watch/workspace';
import type { Brief, BriefSummary, NamedBrief } from '../../../../service/api/resources';
import {
	apiError,
	codeOf,
	messageWithoutItem,
	nodeErrorFrom,
	operationError,
	errorText,
	type ErrorText,
	type NodeFailure,
} from '../../../shared/node-errors';
import { briefFailure, minutesInWords, nameOfBrief } from '../../../shared/wait-for-brief';
import type { Order } from './orders';

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
export function orderFailure(
	thrown: unknown,
	order: Order,
	context: IExecuteFunctions,
	{ minutes, whenBusy, workspace, now }: FailedTry,
): NodeFailure {
	const node = context.getNode();
	const { itemIndex, ownKey } = order;
	if (thrown instanceof WaitTimeout)
		return operationError(node, noSlot(thrown, workspace, minutes), itemIndex);
	if (!(thrown instanceof ServiceError)) return nodeErrorFrom(node, thrown, now, itemIndex);
	const text = errorText(thrown, now);
	if (thrown.kind === 'other_brief' && thrown.brief !== undefined)
		return apiError(node, thrown, otherBrief(thrown.brief, order), itemIndex);
	if (thrown.kind === 'key_taken' && ownKey !== null)
		text.message = `The Order Key “${ownKey}” belongs to an order with other values`;
	if (thrown.kind === 'slots_busy' && whenBusy === 'stop') {
		text.description =
			`${slotHolders(workspace)} ${text.description} To have the node wait, set the option 'When Two Briefs Are Running' to 'Wait'.`.trimStart();
	}
	if (thrown.kind === 'in_doubt') text.description = howToRepeat(order);
	else if (mayExist(thrown, order)) text.description += ` ${howToRepeat(order)}`;
	return apiError(node, thrown, text, itemIndex);
}

function noSlot({ unseenFor }: WaitTimeout, workspace: Workspace, minutes: number): ErrorText {
	const waited = minutesInWords(minutes);
	const end = "Run it again later, or raise 'Timeout (Minutes)'.";
	if (unseenFor > 0) {
		const minutesUnseen = minutesInWords(Math.round(unseenFor / 60_000));
		return {
			code: 'slots_busy',
			message: `No free slot was found within ${waited}: for the last ${minutesUnseen} the service could not be asked`,
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

function otherBrief(brief: NamedBrief, order: Order): ErrorText {
	if (order.ownKey === null) {
		return {
			message: `The service answered with another brief: ${nameOfBrief(brief)}`,
			description: `It was not used, and the item’s own brief may or may not have been created. ${howToRepeat(order)}`,
		};
	}
	return {
		message: `The Order Key “${order.ownKey}” belongs to another brief: ${nameOfBrief(brief)}`,
		description:
			'It has another product or other values, so it was not used: to use it anyway, fetch it with the Get operation, which costs nothing. For a new brief, which is paid for, give each row a key that no other row of any sheet has.',
	};
}

/** Names what holds the slots, as far as the list has shown it. */
function slotHolders(workspace: Workspace): string {
	const runningBriefs = workspace
		.holders()
		.map((brief) => `${nameOfBrief(brief)} since ${new Date(brief.since).toISOString()}`);
	const inDoubt = workspace.uncertainUntil().map((until) => new Date(until).toISOString());
	return [
		...(runningBriefs.length === 0 ? [] : [`Running: ${runningBriefs.join('; ')}.`]),
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

/** Says how to run an order again that may have been placed. */
function howToRepeat({ whenBriefExists, ownKey }: Order): string {
	if (whenBriefExists !== 'orderAnother')
		return 'Run it again with the same values: it gets that brief if there is one, and pays only if there is none.';
	if (ownKey === null)
		return 'Look for it with Get Many first: another execution orders and pays for one more.';
	const minutes = KEY_TRUSTED_MS / 60_000;
	return `Run it again with the same Order Key within ${minutes} minutes: it is not known how long the service remembers a key.`;
}

/** Makes the error of an item whose product has a brief that does not show its content. */
export function mayExistFailure(
	[brief, ...others]: readonly BriefSummary[],
	{ itemIndex }: Order,
	context: IExecuteFunctions,
): NodeFailure {
	const { id = '', url = '', product_name = '' } = brief ?? {};
	const more = others.length === 0 ? '' : ` ${others.length} more may be it too.`;
	const text: ErrorText = {
		code: 'may_exist',
		message: `${nameOfBrief({ id, product_name })} may have been made from the same values`,
		description: `It does not show what it was made from, so nothing was ordered.${more} See ${url}. To use it, get it with its ID, which costs nothing. To pay for another one, set 'When Brief Exists' to 'Order Another'.`,
	};
	return operationError(context.getNode(), text, itemIndex);
}

/** Makes the error of a brief that the service could not write, whoever ordered it. */
export function failedBrief(
	brief: Brief,
	{ itemIndex, whenBriefExists, ownKey }: Order,
	context: IExecuteFunctions,
): NodeFailure {
	const createdAt = instantOf(brief.created_at);
	const day = createdAt === null ? '' : `It was ordered on ${dayInWords(createdAt)}. `;
	const ways = {
		use: "The same values give this brief again. To order another, set 'When Brief Exists' to 'Use It Unless It Failed'",
		useUnlessFailed: 'The next run orders another',
		orderAnother:
			ownKey === null
				? 'The next execution orders another'
				: `To order another, change the Order Key “${ownKey}”`,
	};
	const cure = `${day}Check the product's name and ID first. ${ways[whenBriefExists]}, which is paid for.`;
	return briefFailure(context.getNode(), brief, itemIndex, cure);
}

/** Says why nothing more is sent after an order of this execution that was answered with the brief of another. */
export function notUnderstood(context: IExecuteFunctions, answer: UnbelievedAnswer): NodeFailure {
	const { what, cure } = unbelievedText(answer);
	const text = { code: 'other_brief', message: what, description: cure } as const;
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

/** Names the briefs that were ordered before an error ended the node: they are paid for, and the output is lost. */
export function alreadyCreated(briefs: readonly Brief[]): string {
	if (briefs.length === 0) return '';
	return ` Already created in this run: ${briefs.map(nameOfBrief).join('; ')}. They are paid for and carry on by themselves: run it again with the same values, or fetch them with the Get operation, which costs nothing.`;
}
