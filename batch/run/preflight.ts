import { allowanceOf, briefsOfThisMonth, type Allowance } from '../../service/allowance';
import { FIRST_TRIES, READ_TRIES, type MaxTries } from '../../service/assumptions';
import { briefLicence } from '../../service/licence';
import { outcomeOf } from '../../service/outcome';
import type { Clock } from '../../service/ports';
import type { BriefSummary, Licence } from '../../service/resources';
import { withRetries } from '../../service/retry';
import type { PollInterval } from '../../service/poll-interval';
import type { BriefingService } from '../../service/service';
import { EXIT, Failure } from '../failure';
import { serviceFailure } from './service-failure';

/** What must be known before a brief is ordered, read with GETs only. */
export interface Preflight {
	licence: Licence;
	allowance: Allowance;
	/** This month's briefs of the workspace, newest first, perhaps with some older ones. */
	briefs: BriefSummary[];
}

/**
 * Asks the service whether briefs may be created and how many are left.
 * @throws {Failure} with exit code 4 where key, scope or licence are refused, 5 where the service does not answer
 */
export async function preflight(
	service: BriefingService,
	clock: Clock,
	interval: PollInterval,
	signal: AbortSignal,
): Promise<Preflight> {
	const retried = async <T>(ask: () => Promise<T>, limits: MaxTries) => {
		const outcome = await outcomeOf(withRetries(ask, { clock, interval, limits, signal }));
		if ('error' in outcome) throw serviceFailure(outcome.error, service.now());
		return outcome.value;
	};
	const licences = await retried(() => service.licences(signal), FIRST_TRIES);
	const found = briefLicence(licences, service.now());
	if ('refusal' in found) {
		const cure =
			'Ask the owner of the workspace for a creator-briefs licence with the channel “api”.';
		throw new Failure(found.refusal, cure, EXIT.refused);
	}
	const briefs = await retried(() => briefsOfThisMonth(service, signal), READ_TRIES);
	return {
		licence: found.licence,
		allowance: allowanceOf(found.licence, briefs, service.now()),
		briefs,
	};
}
