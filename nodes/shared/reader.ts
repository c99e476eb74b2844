import { FIRST_TRIES, ONE_TRY, READ_TRIES, type MaxTries } from '../../service/assumptions';
import type { ServiceError } from '../../service/api/errors';
import { withRetries } from '../../service/api/resend';
import type { Brief, BriefSummary } from '../../service/api/resources';
import type { BriefingService } from '../../service/api/service';
import type { WaitOptions } from '../../service/watch/wait';
import { fetchEnded } from '../../service/watch/whole-brief';
import { clock } from './node-clock';
import { afterAnswer, FIRST_PACE, gate } from './pace';

export interface Reader extends Pick<
	BriefingService,
	'licences' | 'briefs' | 'brief' | 'hooks' | 'now'
> {
	/** Says how many reads at a time the answers so far allow. */
	readonly atATime: () => number;
	/** Gets a brief whose end is known, once the get shows it too: see `fetchEnded`. */
	endedBrief(brief: BriefSummary, until: WaitOptions): Promise<Brief | null>;
}

/**
 * Reads with retries. Reading costs nothing, so the node waits out a rate limit as the service asks, and sends a request
 * again if its failure may pass. n8n's own Retry On Fail can do neither: it waits 5 seconds at most, and runs all items
 * again.
 */
export function retryingReader(service: BriefingService): Reader {
	let hasAnswered = false;
	let pace = FIRST_PACE;
	const atATime = () => Math.floor(pace.limit);
	const inTurn = gate(atATime);

	async function ask<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const limits = (error: ServiceError) =>
			hasAnswered ? READ_TRIES : triesBeforeFirstAnswer(error);
		try {
			const value = await withRetries(request, { clock, limits, signal });
			hasAnswered = true;
			return value;
		} finally {
			pace = afterAnswer(pace, service.lastRateLimited, clock.now());
		}
	}

	const brief = (id: string, signal?: AbortSignal) => ask(() => service.brief(id, signal), signal);

	return {
		now: () => service.now(),
		atATime,
		licences: (signal) => ask(() => service.licences(signal), signal),
		briefs: (query, signal) => ask(() => service.briefs(query, signal), signal),
		brief,
		endedBrief: (endedBrief, until) => {
			const get = (id: string) => inTurn(() => brief(id, until.signal));
			return fetchEnded(endedBrief, { get, clock, ...until });
		},
		hooks: (query, signal) => ask(() => service.hooks(query, signal), signal),
	};
}

/** As long as an address has returned only errors, it may be wrong, and somebody in the editor should see that soon. */
function triesBeforeFirstAnswer({ kind, status, page }: ServiceError): MaxTries {
	if (kind === 'rate_limited') return READ_TRIES;
	const isAnswered = kind === 'service_unavailable' && status !== null;
	return isAnswered || page !== undefined ? FIRST_TRIES : ONE_TRY;
}
