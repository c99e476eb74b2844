import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { ServiceError } from '../../service/errors';
import { explain } from '../../service/explain';

export type NodeFailure = NodeApiError | NodeOperationError;

/** What happened, and what to do about it: the two places that n8n shows. */
export interface ErrorText {
	message: string;
	description: string;
}

export interface ErrorPlace {
	itemIndex?: number;
}

/**
 * Anything that was thrown, as an error that n8n shows well. An error of n8n's own types keeps its text.
 * @param now the service's time in milliseconds, from which the next month is named
 */
export function nodeErrorFrom(
	node: INode,
	thrown: unknown,
	now: number,
	place: ErrorPlace = {},
): NodeFailure {
	if (thrown instanceof ServiceError) {
		const { what, cure } = explain(thrown, now);
		return apiError(node, thrown, { message: what, description: cure }, place);
	}
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
		if (place.itemIndex !== undefined) thrown.context.itemIndex = place.itemIndex;
		return thrown;
	}
	if (isAbort(thrown)) return operationError(node, canceled, place);
	return new NodeOperationError(node, thrown as Error, place);
}

/** Whether it is the reason of a signal that n8n aborted: a DOMException, which is not everywhere an Error. */
function isAbort(thrown: unknown): boolean {
	return (thrown as { name?: unknown } | undefined)?.name === 'AbortError';
}

/** n8n's engine shows an execution as canceled, and not as failed, where this word is in the message. */
const canceled = {
	message: 'The execution was canceled',
	description:
		'Briefs that were created by then go on, and are paid. The operation Get Many shows them.',
};

/**
 * An error of the service with this text. It is built from a plain object and not from the error: n8n keeps the text of
 * an error that it is given (docs/n8n-behaviour.md, “An error keeps the text of the error that it is made from”), and
 * shows its parts.
 */
export function apiError(
	node: INode,
	{ status, code, requestId }: ServiceError,
	text: ErrorText,
	place: ErrorPlace = {},
): NodeApiError {
	const { description, message } = text;
	const error = new NodeApiError(
		node,
		{ message, service_code: code, request_id: requestId },
		{ message, description, httpCode: status === null ? undefined : String(status), ...place },
	);
	return withMessage(error, message, place);
}

export function operationError(
	node: INode,
	{ message, description }: ErrorText,
	place: ErrorPlace = {},
): NodeOperationError {
	return withMessage(
		new NodeOperationError(node, message, { description, ...place }),
		message,
		place,
	);
}

/**
 * n8n exchanges a message that holds certain letters, such as EPERM or EACCES, for a sentence of its own. A product's
 * name may hold them, so the message is set once more.
 */
function withMessage<T extends NodeFailure>(
	error: T,
	message: string,
	{ itemIndex }: ErrorPlace,
): T {
	error.message = itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
	return error;
}
