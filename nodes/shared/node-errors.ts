import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import {
	describeDetails,
	describeServiceError,
	getErrorTitle,
} from '../../core/api/error-messages';
import { ServiceError, type ErrorKind } from '../../core/api/errors';
import { isAbort } from '../../core/api/sleep';
import { joinSentences, shorten } from '../../core/input/text';
import { isCallTimeout } from './outside-call';

export type NodeFailure = NodeApiError | NodeOperationError;

/** What happened, for an If node after the error output. Saved workflows compare these codes, so they never change. */
export type FailureCode =
	| ErrorKind
	/** The service answered with the brief of another order. */
	| 'other_brief'
	/** The service could not write the brief. */
	| 'brief_failed'
	/** The brief is still being written: wait for it again, which costs nothing. */
	| 'still_running'
	/** A brief of the product does not show its input. Nothing was ordered. */
	| 'may_exist'
	/** Max Briefs per Run is reached. */
	| 'limit_reached'
	/** Not ordered before the timeout of the node, or before an outside call ended. */
	| 'timeout'
	/** Check Only has ordered nothing, so there is no brief to wait for. */
	| 'check_only'
	/** The credential cannot be used or read, so nothing was sent for any item. */
	| 'credential_invalid'
	| 'canceled'
	| 'unexpected';

/** What another run can do for an item with a code. */
interface CodeMeaning {
	/** Nothing was ordered, and another run can order the item. */
	readonly isNotOrdered?: true;
	/** The next run completes the item. So if On Error is Stop, the item is left for it, and does not end the node. */
	readonly isLeft?: true;
	/** The brief of the item, if it has one, can be waited for again. */
	readonly canWaitAgain?: true;
}

/** A code that is not listed has none of these meanings. */
const MEANINGS: ReadonlyMap<unknown, CodeMeaning> = new Map<FailureCode, CodeMeaning>([
	['limit_reached', { isNotOrdered: true, isLeft: true }],
	['timeout', { isNotOrdered: true, isLeft: true }],
	['allowance_used_up', { isNotOrdered: true }],
	['slots_busy', { isNotOrdered: true }],
	['check_only', { isNotOrdered: true }],
	['still_running', { isLeft: true, canWaitAgain: true }],
	['rate_limited', { canWaitAgain: true }],
	['service_unavailable', { canWaitAgain: true }],
	['list_unreadable', { canWaitAgain: true }],
	['unreadable_answer', { canWaitAgain: true }],
]);

/** @param code the code of an error, or the field `code` of an input item, which can have any value */
export function getCodeMeaning(code: unknown): CodeMeaning {
	return MEANINGS.get(code) ?? {};
}

/** True for an error item of these nodes whose brief, if it has one, can be waited for again. */
export function canWaitAgain({ error, code }: IDataObject): boolean {
	return typeof error === 'string' && getCodeMeaning(code).canWaitAgain === true;
}

/** What happened, and what to do: the two places that n8n shows. */
export interface ErrorText {
	/** One sentence without a full stop. */
	readonly message: string;
	/** Full sentences. */
	readonly description: string;
	/** Without a code, a parameter is not valid. */
	readonly code?: FailureCode;
}

/**
 * Returns what was thrown as an error of n8n. An error that already is an error of n8n keeps its text.
 * @param now the service's clock, from which the next month is named
 */
export function makeNodeError(
	node: INode,
	thrown: unknown,
	now: number,
	itemIndex?: number,
): NodeFailure {
	if (thrown instanceof ServiceError)
		return makeApiError(node, thrown, toErrorText(thrown, now), itemIndex);
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
		if (itemIndex !== undefined) thrown.context.itemIndex = itemIndex;
		return thrown;
	}
	if (isAbort(thrown)) return makeOperationError(node, CANCELED, itemIndex);
	if (isCallTimeout(thrown)) return makeOperationError(node, CALL_TIMEOUT, itemIndex);
	return new NodeOperationError(node, thrown as Error, { itemIndex });
}

/** Errors that a wrong address or key can cause, so their text says where to correct both. */
const KINDS_NAMING_CREDENTIAL: ReadonlySet<ErrorKind> = new Set([
	'key_refused',
	'credential_changed',
	'scope_missing',
	'licence_missing',
	'not_found',
	'service_unavailable',
	'unreadable_answer',
]);
const CREDENTIAL_LOCATION =
	"'Base URL' and 'API Key' are in the credential (Creator Briefing API).";

/** Returns the text of a service error. The description contains what the service says and the request ID. */
export function toErrorText(error: ServiceError, now: number): ErrorText {
	const [step] = describeServiceError(error, now).nextSteps;
	const isAboutProxy = error.proxy !== null || error.status === 407;
	const shouldNameCredential =
		KINDS_NAMING_CREDENTIAL.has(error.kind) && (error.status ?? 0) < 500 && !isAboutProxy;
	return {
		code: error.kind,
		message: getErrorTitle(error),
		description: joinSentences(
			describeDetails(error),
			step?.text ?? '',
			shouldNameCredential ? CREDENTIAL_LOCATION : '',
		),
	};
}

/** Returns the fields of an error item, without the item's number: workflows compare the title. */
export function toFailureFields(error: NodeFailure): IDataObject {
	const { message, description, context } = error;
	const reason = 'error_code' in context ? { error_code: context['error_code'] as string } : {};
	// n8n's own errors have the same suffix.
	const title = message.replace(/ \[item \d+\]$/, '');
	return { error: title, code: getCode(error), message: description ?? title, ...reason };
}

/** Returns the code of an error. Errors of n8n itself have none. */
export function getCode({ context }: NodeFailure): FailureCode {
	return (context['code'] as FailureCode | undefined) ?? 'unexpected';
}

export function setCode<T extends NodeFailure>(error: T, code: FailureCode): T {
	error.context['code'] = code;
	return error;
}

/** n8n's engine shows an execution as canceled, and not as failed, if this word is in the message. */
const CANCELED: ErrorText = {
	code: 'canceled',
	message: 'The execution was canceled',
	description:
		'Briefs that were already created are still written, and are paid for. The Get Many operation lists them.',
};

const CALL_TIMEOUT: ErrorText = {
	code: 'timeout',
	message: 'The service did not answer in time',
	description: 'Nothing was ordered. Call again in 3 minutes.',
};

/**
 * Returns an error of the service with this text. It is built from a plain object and not from the error, because n8n
 * keeps the text of an error that it is given (docs/architecture.md, “Requests and errors”), and shows its parts.
 */
export function makeApiError(
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
	return restoreMessage(error, message, text.code ?? kind, itemIndex);
}

export function makeOperationError(
	node: INode,
	{ message, description, code = 'invalid_input' }: ErrorText,
	itemIndex?: number,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description, itemIndex });
	return restoreMessage(error, message, code, itemIndex);
}

/**
 * n8n replaces a message that contains certain letters, such as EPERM or EACCES. The name of a product can contain them,
 * so the message is set again.
 */
function restoreMessage<T extends NodeFailure>(
	error: T,
	message: string,
	code: FailureCode,
	itemIndex: number | undefined,
): T {
	error.message = itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
	return setCode(error, code);
}

/**
 * Returns a title that begins with its subject, such as a product, if the subject is known. The title of an item has no
 * item number, because workflows compare titles.
 */
export function prefixTitle(subject: string, title: string): string {
	if (subject === '') return title;
	const isWord = /^\p{Lu}[\p{Ll} ]/u.test(title);
	const clause = isWord ? title.charAt(0).toLowerCase() + title.slice(1) : title;
	return `${shorten(subject.replace(/\s+/g, ' '))}: ${clause}`;
}
