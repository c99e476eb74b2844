import { errorFrom, errorFromFailure } from '../../../service/api/classify';
import type { ServiceError } from '../../../service/api/errors';
import { otherBrief } from '../../../service/api/errors';
import { createBrief } from '../../../service/api/operations';
import { SendFailure } from '../../../service/api/ports';
import { aSummary } from '../builders';
import { refusal } from '../faults';
import { INPUT } from './answers';

const CREATE = createBrief(INPUT, '6f2d1a52-3c49-4f0e-8a5c-51d1f0f1f6a1');

/** What the service may answer to a create instead of its brief, as the service says it: status, code and text. */
const SAID = {
	invalid: [400, 'invalid_request', 'Not this product'],
	'key refused': [401, 'unauthorized', 'Revoked'],
	'no scope': [403, 'insufficient_scope', 'The key lacks it'],
	'no licence': [403, 'licence_required', 'No Business licence'],
	unknown: [404, 'not_found', 'No such address'],
	'too many requests': [429, 'rate_limited', 'Slow down'],
	'no slot': [429, 'concurrency_limit', 'Two briefs can run at a time'],
	'no slot, by a server at fault': [503, 'concurrency_conflict', 'Two briefs are running'],
	'used up': [429, 'allowance_reached', 'Nothing is left of this month'],
	'key in use': [409, 'idempotency_in_progress', 'The key is in use'],
	fault: [500, 'internal', 'Oops'],
} as const satisfies Record<string, Parameters<typeof refusal>>;

/** What something between may answer in the service’s place, by its status. It may have passed the create on. */
const PAGES = { 'a page': 403, 'a page that asks to slow down': 429 } as const;

/** `nothing` and `not sent` are the network’s; `another brief` is an answer with a brief that is not its own. */
export type Answer =
	keyof typeof SAID | keyof typeof PAGES | 'nothing' | 'not sent' | 'another brief';

export const EVERY_ANSWER = [
	...(Object.keys(SAID) as Array<keyof typeof SAID>),
	...(Object.keys(PAGES) as Array<keyof typeof PAGES>),
	...(['not sent', 'another brief'] as const),
] satisfies Answer[];

/** What the process makes of an answer, by the real function. */
export function errorOfAnswer(answer: Answer): ServiceError {
	return ERRORS.get(answer)!;
}

const ERRORS = new Map(([...EVERY_ANSWER, 'nothing'] as const).map((one) => [one, read(one)]));

function read(answer: Answer): ServiceError {
	if (answer === 'another brief') return otherBrief(aSummary());
	if (answer === 'not sent' || answer === 'nothing')
		return errorFromFailure(CREATE, new SendFailure('', answer === 'nothing'));
	if (isPage(answer)) {
		const page = { status: PAGES[answer], headers: {}, body: '<html>' };
		return errorFrom(CREATE, page, 0);
	}
	const [status, code, message] = SAID[answer];
	return errorFrom(CREATE, refusal(status, code, message), 0);
}

/** Whether the work may be done all the same. */
export function mayBeDone(answer: Answer): boolean {
	if (answer === 'another brief' || answer === 'a page') return true;
	if (isPage(answer)) return false;
	return answer !== 'not sent' && answer !== 'nothing' && SAID[answer][0] >= 500;
}

function isPage(answer: Answer): answer is keyof typeof PAGES {
	return answer in PAGES;
}
