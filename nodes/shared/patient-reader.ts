import { isTransient, LONGEST_RATE_WAIT_MS, type ServiceError } from '../../service/errors';
import { outcomeOf } from '../../service/outcome';
import { retryAt } from '../../service/patience';
import type { Clock } from '../../service/ports';
import { sleepUntil } from '../../service/sleep';
import type { PollInterval } from '../../service/poll-interval';
import type { BriefingService } from '../../service/service';

export type Reader = Pick<BriefingService, 'licences' | 'briefs' | 'brief' | 'hooks' | 'now'>;

/** Adds up to three minutes of waiting. */
const MAX_FAILURES = 7;
const MAX_FAILURES_UNPROVEN = 2;

/**
 * Reading costs nothing, so a rate limit is waited out as the service asks, and what may pass is asked again. n8n's own
 * Retry On Fail can do neither: it waits 5 seconds at most, and runs all items anew. As long as the service has never
 * answered, the address is more likely wrong than the service down, and waiting would only delay the message.
 */
export function patientReader(
	service: BriefingService,
	{ clock, interval }: { clock: Clock; interval: PollInterval },
): Reader {
	let answered = false;

	async function patiently<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		for (let failures = 1; ; failures += 1) {
			const outcome = await outcomeOf(request());
			if ('value' in outcome) {
				answered = true;
				return outcome.value;
			}
			const { error } = outcome;
			const at = retryAt(error, failures, clock.now(), interval);
			const isTooLong = at - clock.now() > LONGEST_RATE_WAIT_MS;
			if (isTooLong || failures > mostFailures(error, answered)) throw error;
			await sleepUntil(clock, at, signal);
		}
	}

	return {
		now: () => service.now(),
		licences: (signal) => patiently(() => service.licences(signal), signal),
		briefs: (query, signal) => patiently(() => service.briefs(query, signal), signal),
		brief: (id, signal) => patiently(() => service.brief(id, signal), signal),
		hooks: (query, signal) => patiently(() => service.hooks(query, signal), signal),
	};
}

function mostFailures({ kind, status }: ServiceError, answered: boolean): number {
	if (!isTransient(kind)) return 0;
	if (kind === 'rate_limited' || answered) return MAX_FAILURES;
	return kind === 'service_unavailable' && status !== null ? MAX_FAILURES_UNPROVEN : 0;
}
