import { allowanceOf, type Allowance } from '../../service/allowance';
import { FIRST_TRIES } from '../../service/assumptions';
import { patientLister, SharedList, type Listing } from '../../service/brief-list';
import { briefLicence } from '../../service/licence';
import { monthStart } from '../../service/month';
import { outcomeOf } from '../../service/outcome';
import type { Clock } from '../../service/ports';
import type { Licence } from '../../service/resources';
import { withRetries } from '../../service/retry';
import type { PollInterval } from '../../service/poll-interval';
import type { BriefingService } from '../../service/service';
import { EXIT, Failure } from '../failure';
import { LOOKED_BACK_MS } from './listed-briefs';
import { serviceFailure } from './service-failure';

/** What must be known before a brief is ordered, read with GETs only. */
export interface Preflight {
	licence: Licence;
	allowance: Allowance;
	/** The workspace's briefs of this month and of the last 31 days, perhaps with some older ones. */
	listing: Listing;
	list: SharedList;
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
	const answerOf = async <T>(request: Promise<T>) => {
		const outcome = await outcomeOf(request);
		if ('error' in outcome) throw serviceFailure(outcome.error, service.now());
		return outcome.value;
	};
	const retrying = { clock, interval, signal };
	const licences = await answerOf(
		withRetries(() => service.licences(signal), { ...retrying, limits: FIRST_TRIES }),
	);
	const found = briefLicence(licences, service.now());
	if ('refusal' in found) {
		const cure =
			'Ask the owner of the workspace for a creator-briefs licence with the channel “api”.';
		throw new Failure(found.refusal, cure, EXIT.refused);
	}
	const list = new SharedList(patientLister(service, retrying), clock);
	const back = Math.min(monthStart(service.now()), service.now() - LOOKED_BACK_MS);
	const listing = await answerOf(list.downTo(back, { maxAge: Infinity }, signal));
	const allowance = allowanceOf(found.licence, listing.briefs, service.now());
	return { licence: found.licence, allowance, listing, list };
}
