import type { INode } from 'n8n-workflow';
import { ServiceError } from '../../../../core/api/errors';
import { describeAnswer } from '../../../../core/api/error-messages';
import { parseTimestamp } from '../../../../core/api/timestamps';
import type { Brief } from '../../../../core/api/types';
import { formatDay } from '../../../../core/dates';
import { joinSentences } from '../../../../core/input/text';
import { makeFailedBriefError, nameBrief } from '../../../shared/brief-errors';
import {
	makeApiError,
	makeOperationError,
	prefixTitle,
	toErrorText,
	type ErrorText,
	type NodeFailure,
} from '../../../shared/node-errors';
import type { BriefResult, ItemResult } from '../../orders/item-types';
import type { ValidRequest } from './item-requests';

/** The settings of the node that its errors name. */
export interface ErrorContext {
	readonly node: INode;
	readonly whenSlotsBusy: 'wait' | 'stop';
	readonly maxBriefs: number;
	/** Whether the client of an outside call would stop waiting (docs/n8n.md, “AI agents”). */
	readonly isOutsideCall: boolean;
	/** The service's clock. */
	readonly now: number;
}

/** Returns the brief of an item, or the error of an item that got no usable brief. */
export function toBriefOrFailure(
	result: ItemResult,
	request: ValidRequest,
	context: ErrorContext,
): BriefResult | NodeFailure {
	const { node, now } = context;
	const { itemIndex, item } = request;
	const addProduct = (text: ErrorText): ErrorText => ({
		...text,
		message: prefixTitle(item.input.product_name, text.message),
	});
	switch (result.kind) {
		case 'brief':
			return result.brief.status === 'failed' && result.alreadyExisted
				? makeExistingFailedError(result.brief, request, node)
				: result;
		case 'error': {
			const text = describeError(result.error, result.isUnconfirmed, now);
			return makeApiError(node, result.error, addProduct(text), itemIndex);
		}
		default:
			return makeOperationError(node, addProduct(describeResult(result, context)), itemIndex);
	}
}

function describeResult(
	result: Exclude<ItemResult, { kind: 'brief' } | { kind: 'error' }>,
	{ maxBriefs, whenSlotsBusy, isOutsideCall }: ErrorContext,
): ErrorText {
	switch (result.kind) {
		case 'undecided': {
			const [first = '', ...others] = result.briefIds;
			const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
			return {
				code: 'may_exist',
				message: `The workspace has a brief of this product that shows only its name: ${first}${more}`,
				description:
					"Nothing was ordered: that brief was ordered with the name alone, or the service does not show its other values. To use it, get it by its ID with the Get operation, which costs nothing. To pay for a brief with these values, write a difference into the product's name.",
			};
		}
		case 'failed_repeatedly':
			return {
				code: 'brief_failed',
				message: `The service could not write ${result.briefIds.length} briefs with these values`,
				description: `Nothing was ordered. Failed: ${result.briefIds.join(', ')}. Correct the product's name or ID: that makes it another brief.`,
			};
		case 'limit_reached':
			return {
				code: 'limit_reached',
				message: `Not ordered, because 'Max Briefs per Run' is ${maxBriefs}`,
				description: 'Nothing was paid for this item. The next execution can order its brief.',
			};
		case 'timeout':
			return whenSlotsBusy === 'stop' || isOutsideCall
				? describeBusySlots(result.runningIds, isOutsideCall)
				: describeTimeout(result.runningIds);
	}
}

function describeBusySlots(runningIds: readonly string[], isOutsideCall: boolean): ErrorText {
	return {
		code: 'slots_busy',
		message:
			'Not ordered, because two briefs are being written, the most that a workspace can have at a time',
		description: joinSentences(
			listRunning(runningIds),
			isOutsideCall
				? 'Nothing was ordered. Call again in 3 minutes with the same values.'
				: "Run it again in a few minutes, or set the option 'When Two Briefs Are Running' to 'Wait'.",
		),
	};
}

function describeTimeout(runningIds: readonly string[]): ErrorText {
	return {
		code: 'timeout',
		message: "Not ordered before 'Timeout (Minutes)' ended",
		description: joinSentences(
			'Nothing was paid for this item. Two briefs are written at a time.',
			listRunning(runningIds),
			"Run the workflow again to order it, or raise 'Timeout (Minutes)': ten briefs take about 25 minutes.",
		),
	};
}

function listRunning(runningIds: readonly string[]): string {
	return runningIds.length === 0 ? '' : `Being written: ${runningIds.join(', ')}.`;
}

function describeError(error: ServiceError, isUnconfirmed: boolean, now: number): ErrorText {
	const text = toErrorText(error, now);
	if (error.kind === 'other_brief' && error.brief !== null)
		return {
			code: 'other_brief',
			message: `The service answered with another brief: ${nameBrief(error.brief)}`,
			description:
				"It was not used. Look for the item's brief with Get Many. If it is missing, write a difference into a field, for example “Variant B” into Creative Direction: that makes it another brief.",
		};
	if (!isUnconfirmed)
		return { ...text, description: joinSentences(NOTHING_ORDERED, text.description) };
	return {
		code: 'unconfirmed',
		message: 'The order got no usable answer, so the brief might have been created',
		description: joinSentences(SAFE_RETRY, describeAnswer(error)),
	};
}

const NOTHING_ORDERED = 'Nothing was ordered for this item.';
const SAFE_RETRY =
	'Run it again with the same values: if the brief was created, the item gets it, and nothing is paid twice.';

function makeExistingFailedError(brief: Brief, request: ValidRequest, node: INode): NodeFailure {
	const { input, whenBriefExists } = request.item;
	const createdAt = parseTimestamp(brief.created_at);
	const another =
		whenBriefExists === 'use'
			? "To order another, set 'When Brief Exists' to 'Use It Unless It Failed', which pays for another until three have failed."
			: '';
	const nextStep = joinSentences(
		createdAt === null ? '' : `It was ordered on ${formatDay(createdAt)}.`,
		"Check the product's name and ID first.",
		another,
	);
	const named = { ...brief, product_name: input.product_name };
	return makeFailedBriefError(node, named, request.itemIndex, nextStep);
}

/**
 * Adds sentences to an error that ends the node.
 * @param areOthersLost whether other items could come out: n8n discards the output of all items
 */
export function addForOtherItems(
	failure: NodeFailure,
	areOthersLost: boolean,
	...sentences: readonly string[]
): NodeFailure {
	failure.description = joinSentences(
		failure.description ?? '',
		...sentences,
		areOthersLost
			? "To let the other items through, set 'On Error' in the node's settings to 'Continue'."
			: '',
	);
	return failure;
}
