import { authorityCure } from './connection';
import { isKindInDoubt, leavesInDoubt, type ServiceError } from './errors';
import { SCOPE_OF } from './operations';
import type { NamedBrief } from './types';
import { formatDay, nextMonthStart } from '../dates';
import { makeFinding, type Finding } from '../finding';
import { quote } from '../input/text';

interface Sentences {
	/** One sentence about what happened, without its full stop. */
	title: string;
	cure: string;
}

/**
 * Returns an error of the service as a message. It has the service's own words and the request ID, which the vendor's
 * support asks for.
 * @param now the service's clock, from which the next month is named
 */
export function describeServiceError(error: ServiceError, now: number): Finding {
	const { title, cure } = sentences(error, now);
	// "Nothing was spent" would not be true if this or an earlier try had no usable answer.
	const mayExist = (error.inDoubt === true || leavesInDoubt(error)) && !isKindInDoubt(error.kind);
	const doubt = mayExist
		? 'A try of the same order had no usable answer, so the brief may have been created or not.'
		: '';
	const words = [error.message, ...error.details].filter((text) => text !== '').join('; ');
	// Of an answer that could not be read, the text is ours. What a page says is part of the title.
	const isQuoted = words !== '' && (error.status ?? 0) >= 400 && error.page === undefined;
	const id = error.requestId;
	const message = join(
		`${title}.`,
		doubt,
		isQuoted ? `It says: ${words}` : '',
		id === '' ? '' : `(request ${id})`,
	);
	const text = mayExist
		? 'Correct that. Before you run it again, look in the vendor’s web app: if the brief is there, it is paid for.'
		: cure;
	return makeFinding(message, { text });
}

function join(...texts: string[]): string {
	return texts.filter((text) => text !== '').join(' ');
}

const PAID_ONCE =
	'As long as the service remembers the order, nothing is paid twice; later, look for the brief in the vendor’s web app first.';

const NO_FAULT =
	'This is no fault of the key or of your data. Run it again later; if it happens again, ask the vendor’s support.';

function sentences(error: ServiceError, now: number): Sentences {
	if (error.page !== undefined && error.kind !== 'unconfirmed') return ofPage(error);
	switch (error.kind) {
		case 'invalid_input':
			return {
				title: `The service refused the request as not valid (${error.status})`,
				cure: 'Correct what it names and send it again. Nothing was spent.',
			};
		case 'key_refused':
			if (error.status === null && error.message !== '') return connectionGone(error.message);
			return {
				title: 'The API key was refused: it is wrong, has expired or was revoked (401)',
				cure: 'Create a new key in the Developers area of the vendor’s web app and use that one.',
			};
		case 'scope_missing':
			return {
				title: `The API key may not do this: it lacks the scope ${SCOPE_OF[error.operation]} (403)`,
				cure: 'Create a key with that tool ticked in the Developers area of the vendor’s web app, and check that the workspace has a Business licence.',
			};
		case 'licence_missing':
			return {
				title: 'The workspace has no Business licence for this tool (403)',
				cure: 'Ask the owner of the workspace to add the licence; API access needs it.',
			};
		case 'not_found':
			return error.operation === 'get_brief'
				? {
						title: `There is no such brief in the workspace of this API key (${error.status})`,
						cure: 'Check the ID, and that the key belongs to the workspace that created the brief.',
					}
				: {
						title: `The service does not know this address (${error.status})`,
						cure: CHECK_ADDRESS,
					};
		case 'rate_limited':
			return {
				title: 'The service asked to slow down (429)',
				cure: waitCure(error),
			};
		case 'slots_busy':
			return {
				title: 'Both slots are taken: two briefs are already running in the workspace',
				cure: 'Run it again when one of them is done, usually within six minutes.',
			};
		case 'allowance_used_up':
			return {
				title:
					error.operation === 'create_brief'
						? 'The month’s allowance of briefs is used up'
						: 'The month’s allowance of this tool is used up',
				cure: `It resets on ${formatDay(nextMonthStart(now))} (UTC). A larger licence raises it at once.`,
			};
		case 'conflict':
			return {
				title: `The idempotency key is already in use for another request (${error.status})`,
				cure: 'Look for the brief in the vendor’s web app before you create it again.',
			};
		case 'key_taken':
			return {
				title: `The idempotency key belongs to an order with other values (${error.status})`,
				cure: 'Nothing was ordered. Give each row a key that no other row of any sheet has.',
			};
		case 'service_unavailable':
			if ((error.status ?? 0) >= 500)
				return {
					title: `The service is down (${error.status})`,
					cure: NOTHING_LOST,
				};
			return {
				title: `The service could not be reached or failed${reason(error)}`,
				cure:
					authorityCure(error.code) ??
					'Check the Base URL and the network, and run it again later.',
			};
		case 'unreadable_answer':
			if (error.status === null && error.brief !== undefined)
				return otherProductUnderId(error.brief);
			return {
				title: `The service’s answer could not be read${reason(error)}`,
				cure: NO_FAULT,
			};
		case 'list_unreadable':
			return {
				title: `The service does not list its briefs to the end: it ${error.status === null ? 'starts over when it is asked for the next page' : `refuses its own cursor (${error.status})`}`,
				cure: NO_FAULT,
			};
		case 'other_brief':
			return {
				title: `The service answered with another brief, ${error.brief?.id ?? ''} (“${error.brief?.product_name ?? ''}”), which was not used`,
				cure: 'Give each row a key that no other row of any sheet has, because a key is for one brief only.',
			};
		case 'unconfirmed':
			return {
				title: `The brief was ordered, but ${error.page === undefined ? 'no usable answer came' : 'something else answered in the service’s place'}${reason(error)}, so the brief may have been created or not`,
				cure: join(`Run it again soon. ${PAID_ONCE}`, wayOf(error)),
			};
	}
}

const CHECK_ADDRESS = 'Check the Base URL: it ends in /v1.';
const NOTHING_LOST = 'Nothing is lost: run the same again in some minutes.';

/** Explains an answer of something else: it is no fault of an order, and of the key at most before the first answer. */
function ofPage(error: ServiceError): Sentences {
	const status = error.status ?? 0;
	const isFirst = error.page === 'first';
	const why = reason(error);
	const way = wayOf(error);
	if (status === 407) return { title: `A proxy wants a user name and a password${why}`, cure: way };
	if (error.kind === 'rate_limited')
		return {
			title: `Something between here and the service asked to slow down${why}`,
			cure: join(waitCure(error), way),
		};
	if (error.kind === 'not_found')
		return {
			title: `The service is not at this address: something else answered${why}`,
			cure: join(CHECK_ADDRESS, way),
		};
	if (status >= 500)
		return {
			title: `The service, or something between here and the service, is down${why}`,
			cure: join(NOTHING_LOST, way),
		};
	return {
		title: `Something else answered in the service’s place${why}`,
		cure: join(
			status < 400 ? 'Perhaps it is the sign-in page of a network.' : '',
			status === 401 && isFirst ? 'The API key may be the reason: check it.' : '',
			isFirst ? CHECK_ADDRESS : 'This is no fault of the key or of your data.',
			'Run it again later; if it happens again, ask whoever runs the network or its firewall.',
			way,
		),
	};
}

/** Names the proxy through which an answer of something else came. */
export function wayOf({ proxy, page, status }: ServiceError): string {
	if (page !== undefined && status === 407)
		return `Put user name and password into ${proxy ?? 'HTTPS_PROXY'}: http://user:password@host:port.`;
	return proxy === undefined ? '' : `The request went through the proxy of ${proxy}.`;
}

function waitCure({ retryAfter }: ServiceError): string {
	return `Wait ${waitInWords(retryAfter ?? 0)} and run it again.`;
}

function connectionGone(message: string): Sentences {
	return {
		title: message,
		cure: 'Nothing more was sent. Briefs that were ordered before belong to the earlier address and key, so read them with those.',
	};
}

function otherProductUnderId({ id, product_name }: NamedBrief): Sentences {
	return {
		title: `The service gave a brief of another product (“${product_name}”) under the ID ${id}, and the brief was not used`,
		cure: `Run it again later. If it happens again, ask the vendor’s support about brief ${id}.`,
	};
}

/** Says how far the request came: without an answer that can be read, why; of a page, what it says. */
function reason({ status, message, page }: ServiceError): string {
	if (status === null) return message === '' ? '' : `: ${message}`;
	const isRedirect = status >= 300 && status < 400;
	const words = page === undefined || isRedirect || message === '' ? message : quote(message);
	const isTheirs = page === undefined && status >= 400;
	return isTheirs || words === '' ? ` (${status})` : ` (${status}): ${words}`;
}

function waitInWords(retryAfter: number): string {
	const minutes = Math.ceil(retryAfter / 60_000);
	if (minutes <= 1) return 'a minute';
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
