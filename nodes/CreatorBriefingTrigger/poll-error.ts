import type { INode, NodeApiError } from 'n8n-workflow';
import { concernsAll, type ServiceError } from '../../service/errors';
import { nextMonthStart } from '../../service/month';
import { apiError, textOf } from '../shared/errors';
import type { Trouble } from './trouble';

/**
 * Why a poll failed, in the form from which n8n decides when to poll again. Older versions do not read it.
 */
type PollFailure = NonNullable<NodeApiError['failure']>;

/** @param trouble what the failure is a part of, where polls are made by a schedule */
export function pollError(
	node: INode,
	error: ServiceError,
	now: number,
	trouble?: Trouble,
): NodeApiError {
	const { message, description: text } = textOf(error, now);
	const since =
		trouble === undefined
			? ''
			: ` Polls have been failing since ${new Date(trouble.since).toISOString()}.`;
	const description = `${text} The next poll tries again, and nothing is missed.${since}`;
	const shown = apiError(node, error, { message, description });
	shown.failure = pollFailure(error, now);
	return shown;
}

function pollFailure({ kind, retryAt }: ServiceError, now: number): PollFailure {
	if (concernsAll(kind)) return { cause: 'credential-invalid' };
	switch (kind) {
		case 'rate_limited':
		case 'slots_busy':
			return {
				cause: 'rate-limited',
				...(retryAt === null ? {} : { retryAfterMs: Math.max(0, retryAt - Date.now()) }),
			};
		case 'allowance_used_up':
			return { cause: 'quota-exhausted', resetsAtEpochMs: nextMonthStart(now) };
		case 'service_unavailable':
		case 'unreadable_answer':
		case 'list_unreadable':
		case 'in_doubt':
			return { cause: 'temporarily-unavailable' };
		case 'invalid_input':
		case 'not_found':
		case 'conflict':
		case 'other_brief':
			return { cause: 'configuration-invalid' };
	}
}
