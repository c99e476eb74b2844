import type { INode } from 'n8n-workflow';
import { isCredentialError, type ServiceError } from '../../../../core/api/errors';
import { describeAllowanceReset, describeAnswer } from '../../../../core/api/error-messages';
import { parseTimestamp } from '../../../../core/api/timestamps';
import type { Brief } from '../../../../core/api/types';
import { formatDay } from '../../../../core/dates';
import { joinSentences } from '../../../../core/input/text';
import type { UnconfirmedCause } from '../../../../core/orders/send-order';
import { describeHowToFetch, makeFailedBriefError, nameBrief } from '../../../shared/brief-errors';
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
	const { node } = context;
	const { itemIndex, item } = request;
	if (result.kind === 'brief')
		return result.brief.status === 'failed' && result.alreadyExisted
			? makeExistingFailedError(result.brief, request, node)
			: result;
	const text = describeResult(result, context);
	const { product_name } = item.input;
	const named = isCredentialError(text.code)
		? text
		: { ...text, message: prefixTitle(product_name, text.message) };
	const error = getServiceError(result);
	return error === null
		? makeOperationError(node, named, itemIndex)
		: makeApiError(node, error, named, itemIndex);
}

/** A result without a brief. */
type MissingResult = Exclude<ItemResult, BriefResult>;

function getServiceError(result: MissingResult): ServiceError | null {
	const cause = result.kind === 'unconfirmed' ? result.cause : result;
	return cause !== null && 'error' in cause ? cause.error : null;
}

function describeResult(
	result: MissingResult,
	{ maxBriefs, isOutsideCall, now }: ErrorContext,
): ErrorText {
	switch (result.kind) {
		case 'error': {
			const text = toErrorText(result.error, now);
			return { ...text, description: joinSentences(NOTHING_ORDERED, text.description) };
		}
		case 'unreadable_result':
			return describeUnreadable(result.briefId, result.error, now);
		case 'unconfirmed':
			return describeUnconfirmed(result.cause);
		case 'undecided':
			return describeUndecided(result.briefIds);
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
		case 'allowance_used_up':
			return {
				code: 'allowance_used_up',
				message: 'This month’s allowance of briefs is used up',
				description: joinSentences(NOTHING_ORDERED, describeAllowanceReset(now)),
			};
		case 'timeout':
			return isOutsideCall && result.runningIds.length > 0
				? BUSY_SLOTS
				: describeTimeout(result.runningIds);
	}
}

function describeUnreadable(id: string, error: ServiceError | null, now: number): ErrorText {
	const text = error === null ? NOT_SHOWN : toErrorText(error, now);
	return {
		...text,
		message: `${text.message} (brief ${id})`,
		description: joinSentences(
			'This execution has ordered the brief, and orders no other.',
			text.description,
			describeHowToFetch({ id, product_name: '' }),
		),
	};
}

function describeUndecided([first = '', ...others]: readonly string[]): ErrorText {
	const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
	return {
		code: 'may_exist',
		message: `The workspace has a brief of this product that might be the brief of this item: ${first}${more}`,
		description:
			"Nothing was ordered, because the brief does not show its values, or because an order of this item got no answer. To use the brief, get it by its ID with the Get operation, which costs nothing. To pay for a brief with these values, write a difference into the product's name.",
	};
}

function describeUnconfirmed(cause: UnconfirmedCause | null): ErrorText {
	if (cause?.kind === 'other_brief')
		return {
			code: 'other_brief',
			message: `The service answered with another brief: ${nameBrief(cause.brief)}`,
			description:
				"It was not used. Look for the item's brief with Get Many. If it is missing, write a difference into a field, for example “Variant B” into Creative Direction: that makes it another brief.",
		};
	const reason = cause !== null && 'error' in cause ? describeAnswer(cause.error) : '';
	return {
		code: 'unconfirmed',
		message: 'The order got no usable answer, so the brief might have been created',
		description: joinSentences(SAFE_RETRY, reason),
	};
}

const NOT_SHOWN: ErrorText = {
	code: 'not_found',
	message: 'The workspace does not show the brief of this item',
	description: '',
};

/** An outside call cannot wait for a slot. */
const BUSY_SLOTS: ErrorText = {
	code: 'slots_busy',
	message:
		'Not ordered, because two briefs are being written, the most that a workspace can have at a time',
	description: 'Nothing was ordered.',
};

function describeTimeout(runningIds: readonly string[]): ErrorText {
	return {
		code: 'timeout',
		message: "Not ordered before 'Timeout (Minutes)' ended",
		description: joinSentences(
			NOTHING_ORDERED,
			'Two briefs are written at a time.',
			listRunning(runningIds),
			"Run the workflow again to order it, or raise 'Timeout (Minutes)': ten briefs take about 25 minutes.",
		),
	};
}

function listRunning(runningIds: readonly string[]): string {
	return runningIds.length === 0 ? '' : `Being written: ${runningIds.join(', ')}.`;
}

const NOTHING_ORDERED = 'This execution has ordered nothing for this item.';
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
