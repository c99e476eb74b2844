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
	about,
	apiError,
	codeOf,
	messageWithoutItem,
	nodeErrorFrom,
	operationError,
	errorText,
	titleOfProduct,
	type ErrorText,
	type NodeFailure,
} from '../../../shared/node-errors';
import { isCallOver, isOutsideCall } from '../../../shared/outside-call';
import { briefFailure, minutesInWords, nameOfBrief } from '../../../shared/wait-for-brief';
import type { ItemOrder } from './orders';

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
	order: ItemOrder,
	context: IExecuteFunctions,
	{ minutes, whenBusy, workspace, now }: FailedTry,
): NodeFailure {
	const node = context.getNode();
	const { itemIndex, ownKey } = order;
	if (thrown instanceof WaitTimeout) {
		const isOver = isOutsideCall(context);
		return orderError(order, isOver ? CALL_AGAIN : noSlot(thrown, workspace, minutes), context);
	}
	if (isCallOver(thrown)) return orderError(order, callOver(order), context);
	if (!(thrown instanceof ServiceError)) return nodeErrorFrom(node, thrown, now, itemIndex);
	const text = errorText(thrown, now);
	text.message = about(nameOf(order), text.message);
	if (thrown.kind === 'other_brief' && thrown.brief !== undefined)
		return apiError(node, thrown, otherBrief(thrown.brief, order), itemIndex);
	if (thrown.kind === 'key_taken' && ownKey !== null)
		text.message = `${nameOf(order)}: the Order Key “${ownKey}” belongs to an order with other values`;
	if (thrown.kind === 'slots_busy' && whenBusy === 'stop') {
		text.description =
			`${slotHolders(workspace)} ${text.description} To have the node wait, set the option 'When Two Briefs Are Running' to 'Wait'.`.trimStart();
	}
	if (thrown.kind === 'in_doubt') text.description = howToRepeat(order);
	else if (mayExist(thrown, order)) text.description += ` ${howToRepeat(order)}`;
	return apiError(node, thrown, text, itemIndex);
}

/** Names the product that was ordered, with which each error of an order begins. */
function nameOf({ input }: ItemOrder): string {
	return titleOfProduct(input.product_name);
}

function orderError(order: ItemOrder, text: ErrorText, context: IExecuteFunctions): NodeFailure {
	const message = about(nameOf(order), text.message);
	return operationError(context.getNode(), { ...text, message }, order.itemIndex);
}

const NOT_ORDERED = 'not ordered, because';

/** For a client outside of n8n, which cannot wait longer. */
const CALL_AGAIN: ErrorText = {
	code: 'slots_busy',
	message: `${NOT_ORDERED} two other briefs are being written, and a workspace can have two written at a time`,
	description: 'Nothing was ordered. Call again in 3 minutes with the same values.',
};

function callOver(order: ItemOrder): ErrorText {
	return {
		code: 'in_doubt',
		message: 'No answer of the service came in time, so the brief may have been ordered or not',
		description: howToRepeat(order),
	};
}

function noSlot({ unseenFor }: WaitTimeout, workspace: Workspace, minutes: number): ErrorText {
	const end = "Run it again later, or raise 'Timeout (Minutes)'.";
	if (unseenFor > 0) {
		const minutesUnseen = minutesInWords(Math.round(unseenFor / 60_000));
		return {
			code: 'slots_busy',
			message: `${NOT_ORDERED} the service could not be asked for the last ${minutesUnseen}`,
			description: end,
		};
	}
	const holders = slotHolders(workspace);
	const why =
		holders === ''
			? 'the service accepted no further brief'
			: 'two other briefs were being written';
	return {
		code: 'slots_busy',
		message: `${NOT_ORDERED} ${why} for ${minutesInWords(minutes)}`,
		description: ['A workspace can have two briefs written at a time.', holders, end]
			.filter((sentence) => sentence !== '')
			.join(' '),
	};
}

function otherBrief(brief: NamedBrief, order: ItemOrder): ErrorText {
	if (order.ownKey === null) {
		return {
			message: `${nameOf(order)}: the service answered with another brief: ${nameOfBrief(brief)}`,
			description:
				"It was not used, and running the item again would bring it again. Look for the item’s own brief with Get Many. If it is not there, give the item another key: set 'When Brief Exists' to 'Order Another', and enter a new Order Key.",
		};
	}
	return {
		message: `${nameOf(order)}: the Order Key “${order.ownKey}” belongs to another brief: ${nameOfBrief(brief)}`,
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
function mayExist(error: ServiceError, { ownKey }: ItemOrder): boolean {
	if (error.kind === 'conflict') return ownKey === null;
	return error.inDoubt === true || leavesInDoubt(error);
}

/** Says how to run an order again that may have been placed. */
function howToRepeat({ whenBriefExists, ownKey }: ItemOrder): string {
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
	order: ItemOrder,
	context: IExecuteFunctions,
): NodeFailure {
	const { id = '', url = '' } = brief ?? {};
	const more = others.length === 0 ? '' : ` ${others.length} more may be it too.`;
	const text: ErrorText = {
		code: 'may_exist',
		message: `The workspace has a brief that may have been made from the same values (brief ${id})`,
		description: `It does not show what it was made from, so nothing was ordered.${more} See ${url}. To use it, get it with its ID, which costs nothing. To pay for another one, set 'When Brief Exists' to 'Order Another'.`,
	};
	return orderError(order, text, context);
}

/** Makes the error of a brief that the service could not write, whoever ordered it. */
export function failedBrief(
	brief: Brief,
	order: ItemOrder,
	context: IExecuteFunctions,
): NodeFailure {
	const { itemIndex, whenBriefExists, ownKey } = order;
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
	return briefFailure(context.getNode(), asOrdered(brief, order), itemIndex, cure);
}

/** Gives a brief with the product as its row names it: the service may show it in its own way. */
export function asOrdered<T extends NamedBrief>(brief: T, { input }: ItemOrder): T {
	return { ...brief, product_name: input.product_name };
}

/** Says why nothing more is sent after an order of this execution that was answered with the brief of another. */
export function notUnderstood(answer: UnbelievedAnswer): ErrorText {
	const { what, cure } = unbelievedText(answer);
	return { code: 'other_brief', message: what, description: cure };
}

/** Gives what an order's failure says of the orders after it. */
export function reasonFor(later: NodeFailure, order: ItemOrder): ErrorText {
	const message = messageWithoutItem(later.message);
	const name = `${nameOf(order)}: `;
	return {
		code: codeOf(later),
		message: message.startsWith(name) ? message.slice(name.length) : message,
		description: later.description ?? '',
	};
}

/** Makes the error of an order that is not sent because an earlier one failed. */
export function notSent(
	order: ItemOrder,
	{ code, message, description }: ErrorText,
	context: IExecuteFunctions,
): NodeFailure {
	const isAboutAll = code === 'allowance_used_up' || message.startsWith(NOT_ORDERED);
	const why = isAboutAll ? message : about('of an earlier item', message);
	return orderError(
		order,
		{
			...(code === undefined ? {} : { code }),
			message: why.startsWith(NOT_ORDERED) ? why : `${NOT_ORDERED} ${why}`,
			description: `${description} No brief was used for this item.`.trim(),
		},
		context,
	);
}

/** Says to a model, which sees no notice, that the limit has left its order. */
export function beyondLimit(
	order: ItemOrder,
	maxBriefs: number,
	context: IExecuteFunctions,
): NodeFailure {
	const text: ErrorText = {
		code: 'limit_reached',
		message: `${NOT_ORDERED} 'Max Briefs per Run' is ${maxBriefs}`,
		description:
			'Nothing was ordered. This execution has paid for as many briefs as it may: another execution can order this one.',
	};
	return orderError(order, text, context);
}

/** Names the briefs that were ordered before an error ended the node: they are paid for, and the output is lost. */
export function alreadyCreated(briefs: readonly Brief[]): string {
	if (briefs.length === 0) return '';
	const [are, them] =
		briefs.length === 1
			? ['It is paid for and carries on by itself', 'it']
			: ['They are paid for and carry on by themselves', 'them'];
	return ` Already created in this run: ${briefs.map(nameOfBrief).join('; ')}. ${are}: run it again with the same values, or fetch ${them} with the Get operation, which costs nothing.`;
}
