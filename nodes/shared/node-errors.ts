import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import { isAbort } from '../../service/api/outcome';
import { ServiceError, type ErrorKind } from '../../service/api/errors';
import { explain } from '../../service/api/explain';
import { shorten } from '../../service/shortened-text';
import { isCallOver } from './outside-call';

export type NodeFailure = NodeApiError | NodeOperationError;

/** The kind of failure, for an IF behind the error output. Names stay forever: saved workflows hold them. */
export type FailureCode =
	| ErrorKind
	/** The service ended the brief without a text. */
	| 'brief_failed'
	/** The brief goes on, or is not given whole yet: wait for it again, which costs nothing. */
	| 'still_running'
	/** A brief of the product does not show whether it was made from the same values. Nothing was ordered. */
	| 'may_exist'
	/** This execution may pay for no more briefs. Said to a model alone. */
	| 'limit_reached'
	/** The credential cannot be used or read, so nothing was sent for any item. */
	| 'credential_invalid'
	| 'canceled'
	| 'unexpected';

/** One sentence about what happened, and what to do about it: the two places that n8n shows. */
export interface ErrorText {
	message: string;
	description: string;
	/** Without a code, a parameter is not valid. */
	code?: FailureCode;
}

/**
 * Makes an error that n8n shows well of anything that was thrown. An error of n8n's own types keeps its text.
 * @param now the service's time in milliseconds, from which the next month is named
 */
export function nodeErrorFrom(
	node: INode,
	thrown: unknown,
	now: number,
	itemIndex?: number,
): NodeFailure {
	if (thrown instanceof ServiceError) {
		return apiError(node, thrown, errorText(thrown, now), itemIndex);
	}
	if (isNodeFailure(thrown)) {
		if (itemIndex !== undefined) thrown.context.itemIndex = itemIndex;
		return thrown;
	}
	if (isAbort(thrown)) return operationError(node, canceled, itemIndex);
	if (isCallOver(thrown)) return operationError(node, CALL_OVER, itemIndex);
	return new NodeOperationError(node, thrown as Error, { itemIndex });
}

function isNodeFailure(thrown: unknown): thrown is NodeFailure {
	return thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
}

/** Errors that may come from a wrong address or key. */
const ABOUT_THE_CREDENTIAL: ReadonlySet<ErrorKind> = new Set([
	'key_refused',
	'scope_missing',
	'not_found',
	'service_unavailable',
	'unreadable_answer',
]);
const WHERE = "'Base URL' and 'API Key' are in the credential (Creator Briefing API).";

/**
 * The service's own words and the request ID are for the description: a title is one sentence. They say what to correct
 * in an order; about a credential they say nothing new, so there the cure comes first.
 */
export function errorText(error: ServiceError, now: number): ErrorText {
	const { title, serviceWords, cure } = explain(error, now);
	// What answers in the middle in the service's place says nothing about the credential.
	const isAboutCredential = ABOUT_THE_CREDENTIAL.has(error.kind) && error.page !== 'later';
	const parts = isAboutCredential ? [cure, WHERE, serviceWords] : [serviceWords, cure];
	return { message: title, description: parts.filter((part) => part !== '').join(' ') };
}

/** Gives what an item says of its failure. The item has its row, so the row's number is left out. */
export function failureFields(error: NodeFailure): IDataObject {
	const { message, description, context } = error;
	const reason = 'error_code' in context ? { error_code: context['error_code'] as string } : {};
	const title = messageWithoutItem(message);
	return { error: title, code: codeOf(error), message: description ?? title, ...reason };
}

/** Gives the code of an error. Errors of n8n itself have none. */
export function codeOf({ context }: NodeFailure): FailureCode {
	return (context['code'] as FailureCode | undefined) ?? 'unexpected';
}

export function withCode<T extends NodeFailure>(error: T, code: FailureCode): T {
	error.context['code'] = code;
	return error;
}

/** n8n's engine shows an execution as canceled, and not as failed, if this word is in the message. */
const canceled: ErrorText = {
	code: 'canceled',
	message: 'The execution was canceled',
	description:
		'Briefs that were already created carry on and are paid for. The Get Many operation shows them.',
};

const CALL_OVER: ErrorText = {
	code: 'service_unavailable',
	message: 'No answer of the service came in time',
	description: 'Nothing was ordered. Call again in 3 minutes.',
};

/**
 * Makes an error of the service with this text. It is built from a plain object and not from the error: n8n keeps the
 * text of an error that it is given (docs/n8n-behaviour.md, “An error keeps the text of the error that it is made
 * from”), and shows its parts.
 */
export function apiError(
	node: INode,
	{ kind, status, code, requestId }: ServiceError,
	text: ErrorText,
	itemIndex?: number,
): NodeApiError {
	const { description, message } = text;
	const error = new NodeApiError(
		node,
		{ message, service_code: code, request_id: requestId },
		{ message, description, httpCode: status === null ? undefined : String(status), itemIndex },
	);
	return completed(error, message, kind, itemIndex);
}

export function operationError(
	node: INode,
	{ message, description, code = 'invalid_input' }: ErrorText,
	itemIndex?: number,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description, itemIndex });
	return completed(error, message, code, itemIndex);
}

/**
 * n8n replaces a message that holds certain letters, such as EPERM or EACCES. A product's name may hold them, so the
 * message is set once more.
 */
function completed<T extends NodeFailure>(
	error: T,
	message: string,
	code: FailureCode,
	itemIndex: number | undefined,
): T {
	error.message = itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
	return withCode(error, code);
}

/** Says first what an error is about. Titles of errors begin with a capital. */
export function about(name: string, what: string): string {
	return `${name}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
}

/** Gives a product as the title of an error names it. */
export function titleOfProduct(name: string): string {
	return shorten(name.replace(/\s+/g, ' '));
}

/** Takes the item's number off a message that becomes part of an item. n8n's own errors say it in the same way. */
export function messageWithoutItem(message: string): string {
	return message.replace(/ \[item \d+\]$/, '');
}
