import { formatDay, nextMonthStart } from '../dates';
import { makeFinding, type Finding } from '../finding';
import { joinSentences, quote } from '../input/text';
import type { ErrorKind, ServiceError } from './errors';
import { SCOPES } from './operations';
import { isUnknownAuthority } from './transport';

/**
 * Errors of the service as messages for the user: a title and a next step for each kind, the service's own words, and the
 * request ID that the vendor's support asks for.
 *
 *     API key is missing the scope creator-briefs:execute (403). The service says: Not allowed. (request req_7)
 *     Something other than the service answered (403): “Access denied”.
 */

/** @param now the service's clock, from which the next month is named */
export function describeServiceError(error: ServiceError, now: number): Finding {
	const isUnconfirmed = error.kind === 'unconfirmed';
	const message = joinSentences(
		describeAnswer(error),
		isUnconfirmed ? 'The brief might have been created.' : '',
	);
	return makeFinding(message, { text: getNextStep(error, now) });
}

/** Returns what answered a request, without what follows from it. */
export function describeAnswer(error: ServiceError): string {
	return joinSentences(`${getErrorTitle(error)}.`, describeDetails(error));
}

/** Returns what happened as one sentence without a full stop. */
export function getErrorTitle(error: ServiceError): string {
	return error.source === 'page' ? getPageTitle(error) : TITLES[error.kind](error);
}

/** Returns what the answer says beyond the title: the service's own words, the proxy and the request ID. */
export function describeDetails({
	source,
	message,
	details,
	requestId,
	proxy,
}: ServiceError): string {
	const words = [message, ...details].filter((text) => text !== '').join('; ');
	return joinSentences(
		source === 'service' && words !== '' ? `The service says: ${addFullStop(words)}` : '',
		source === 'page' && proxy !== null ? `The request went through the proxy of ${proxy}.` : '',
		requestId === '' ? '' : `(request ${requestId})`,
	);
}

const TITLES: Readonly<Record<ErrorKind, (error: ServiceError) => string>> = {
	invalid_input: (error) => `The service refused the request as invalid${formatStatus(error)}`,
	key_refused: (error) =>
		`API key refused: it is wrong, has expired or was revoked${formatStatus(error)}`,
	credential_changed: ({ message }) => message,
	scope_missing: (error) =>
		`API key is missing the scope ${SCOPES[error.operation]}${formatStatus(error)}`,
	licence_missing: (error) =>
		`The workspace has no Business licence for this tool${formatStatus(error)}`,
	not_found: (error) =>
		error.operation === 'get_brief'
			? `The workspace of this API key has no such brief${formatStatus(error)}`
			: `The service does not know this address${formatStatus(error)}`,
	rate_limited: (error) => `Rate limit reached${formatStatus(error)}`,
	slots_busy: () => 'Both slots are in use: two briefs are running in the workspace',
	allowance_used_up: ({ operation }) =>
		`This month’s allowance of ${operation === 'create_brief' ? 'briefs' : 'this tool'} is used up`,
	conflict: (error) => `The idempotency key is already in use${formatStatus(error)}`,
	service_unavailable: (error) =>
		error.status === null
			? `The service cannot be reached${formatReason(error)}`
			: `The service is down${formatStatus(error)}`,
	unreadable_answer: (error) =>
		`The service’s answer cannot be read${formatStatus(error)}${formatReason(error)}`,
	list_unreadable: () =>
		'The service’s brief list cannot be read to its end, because its pages repeat themselves',
	unconfirmed: (error) =>
		`The order got no usable answer${formatStatus(error)}${formatReason(error)}`,
};

function getPageTitle(error: ServiceError): string {
	const { status, message } = error;
	const words = message === '' ? '' : `: ${quote(message)}`;
	if (status === 407)
		return `A proxy asks for a user name and a password${formatStatus(error)}${words}`;
	const subject =
		(status ?? 0) >= 500
			? 'The service, or something between here and the service, is down'
			: 'Something other than the service answered';
	return `${subject}${formatStatus(error)}${words}`;
}

function getNextStep(error: ServiceError, now: number): string {
	if (error.kind === 'unconfirmed') return 'Run it again: if the brief was created, it is used.';
	return error.source === 'page' ? getPageStep(error) : STEPS[error.kind](error, now);
}

const CREATE_KEY = 'in the Developers area of the vendor’s web app';
const ASK_SUPPORT =
	'Neither the key nor your data is the cause. Run it again later; if it happens again, ask the vendor’s support.';

const STEPS: Readonly<
	Record<Exclude<ErrorKind, 'unconfirmed'>, (error: ServiceError, now: number) => string>
> = {
	invalid_input: () => 'Correct what the message names, then run it again.',
	key_refused: () => `Create a new key ${CREATE_KEY}, and use it.`,
	credential_changed: () =>
		'Check the credential, then run it again. Briefs that were ordered before belong to the former base URL and API key.',
	scope_missing: () =>
		`Create a key with this scope ${CREATE_KEY}, and check that the workspace has a Business licence.`,
	licence_missing: () =>
		'Ask the owner of the workspace to add the licence: access through the API needs it.',
	not_found: ({ operation }) =>
		operation === 'get_brief'
			? 'Check the ID, and that the key belongs to the workspace of the brief.'
			: CHECK_ADDRESS,
	rate_limited: (error) => `Wait ${formatWait(error)}, then run it again.`,
	slots_busy: () => 'Run it again when one of them has finished, usually within six minutes.',
	allowance_used_up: (_, now) => describeAllowanceReset(now),
	conflict: () => 'Look for the brief in the vendor’s web app before you order it again.',
	service_unavailable: ({ status, code, proxy }) => {
		if (status !== null) return RUN_AGAIN_SOON;
		if (proxy !== null) return `Check the proxy in ${proxy}, or remove the variable. ${PROXY_FORM}`;
		return isUnknownAuthority(code)
			? ADD_AUTHORITY
			: 'Check the base URL and the network, then run it again.';
	},
	unreadable_answer: () => ASK_SUPPORT,
	list_unreadable: () => ASK_SUPPORT,
};

/** Returns when the allowance of this month is available again. */
export function describeAllowanceReset(now: number): string {
	return `It resets on ${formatDay(nextMonthStart(now))} (UTC). A larger licence raises it at once.`;
}

const CHECK_ADDRESS = 'Check the base URL: it ends in /v1.';
const PROXY_FORM = 'Its form is http://user:password@host:port.';
const RUN_AGAIN_SOON = 'Run it again in a few minutes.';
const ADD_AUTHORITY =
	'If a company’s proxy or authority signs certificates, name its certificate before the program starts: NODE_EXTRA_CA_CERTS=/path/to/authority.pem. Do not switch off the verification, because the API key would go to any server that answers.';

/** Neither the order nor the key is the cause of a page. */
function getPageStep(error: ServiceError): string {
	const status = error.status ?? 0;
	if (status === 407) return `Add them to ${error.proxy ?? 'HTTPS_PROXY'}. ${PROXY_FORM}`;
	if (status === 404 || status === 405 || status === 410) return CHECK_ADDRESS;
	if (status === 429) return `Wait ${formatWait(error)}, then run it again.`;
	if (status >= 500) return RUN_AGAIN_SOON;
	const cause = status < 400 ? 'It might be the sign-in page of a network. ' : '';
	return `${cause}${CHECK_ADDRESS} If the address is right, ask the administrator of the network or its firewall.`;
}

function formatStatus({ status }: ServiceError): string {
	return status === null ? '' : ` (${status})`;
}

/** Returns why an answer is missing or cannot be read. The words of the service follow in a sentence of their own. */
function formatReason({ source, message }: ServiceError): string {
	return source === 'client' && message !== '' ? `: ${message}` : '';
}

function formatWait({ retryAfterMs }: ServiceError): string {
	const minutes = Math.ceil((retryAfterMs ?? 0) / 60_000);
	if (minutes <= 1) return 'a minute';
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function addFullStop(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}
