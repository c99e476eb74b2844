import { allowanceOf, MonthUse, type Allowance } from '../../service/allowance';
import { FIRST_TRIES } from '../../service/assumptions';
import { patientLister, SharedList, type KnownBrief, type Listing } from '../../service/brief-list';
import { briefLicence } from '../../service/licence';
import { monthStart } from '../../service/month';
import { outcomeOf, type Outcome } from '../../service/outcome';
import type { Clock } from '../../service/ports';
import type { Licence } from '../../service/resources';
import { withRetries } from '../../service/retry';
import type { PollInterval } from '../../service/poll-interval';
import type { BriefingService } from '../../service/service';
import { EXIT, Failure } from '../failure';
import type { SeenBrief } from '../journal/events';
import type { Records } from '../journal/records';
import { knownBrief, neededFrom, seenBefore } from './listed/listed-before';
import { createdAt } from './order/order-state';
import { serviceFailure } from './service-failure';

/** What must be known before a brief is ordered, read with GETs only. */
export interface Preflight {
	licence: Licence;
	allowance: Allowance;
	/** When that was so, by the service's clock: of the month after it says nothing. */
	asOf: number;
	/**
	 * The workspace's briefs of this month and of the last 31 days, perhaps with some older ones; without what the
	 * journal knows, where that is joined.
	 */
	listing: Listing;
	/** Down to when they were read, in milliseconds. */
	from: number;
	/** Those of them that are no row's, and that only earlier runs saw. */
	seenBefore: readonly SeenBrief[];
	list: SharedList;
}

/**
 * Asks the service whether briefs may be created and how many are left. Licence and list are asked side by side.
 * @throws {Failure} with exit code 4 where key, scope or licence are refused, 5 where the service does not answer
 */
export async function preflight(
	service: BriefingService,
	clock: Clock,
	interval: PollInterval,
	interruption: AbortSignal,
	records: Records,
): Promise<Preflight> {
	const answerOf = async <T>(request: Promise<Outcome<T>>) => {
		const outcome = await request;
		if ('error' in outcome) throw serviceFailure(outcome.error, service.now());
		return outcome.value;
	};
	const stop = new AbortController();
	const signal = AbortSignal.any([interruption, stop.signal]);
	const retrying = { clock, interval, signal };
	const licences = () => service.licences(signal);
	const list = new SharedList(patientLister(service, retrying), clock);
	// Where the licences come long after the page, others may have ordered the same products meanwhile: it is read anew.
	const maxAge = interval.longest;
	const listDownTo = (instant: number, signal: AbortSignal, known?: KnownBrief) =>
		outcomeOf(list.downTo(instant, { maxAge, known }, signal));
	// One page: how far down it is to be read can be told only once the service's clock is known.
	const first = listDownTo(Infinity, signal);
	// An interruption may end it long before the licences, and so before anybody waits for it.
	first.catch(() => undefined);
	let licence: Licence;
	try {
		const limits = FIRST_TRIES;
		licence = briefLicenceIn(
			await answerOf(outcomeOf(withRetries(licences, { ...retrying, limits }))),
			service.now(),
		);
	} catch (error) {
		// Without a licence the list is of no use; where the service does not answer, it would be tried for minutes.
		stop.abort(error);
		await first.catch(() => undefined);
		throw error;
	}
	const licencesAt = service.now();
	await answerOf(first);
	const from = neededFrom(service.now());
	const listing = await answerOf(listDownTo(from, interruption, knownBrief(records, from)));
	const now = service.now();
	// What was used of the month before is not used of this one.
	if (monthStart(licencesAt) !== monthStart(now)) licence = { ...licence, used_this_month: 0 };
	const before = seenBefore(records, listing, now);
	const use = new MonthUse();
	for (const { id, created_at } of before) use.add(id, created_at, now);
	if (listing.isJoined) {
		for (const record of records.all())
			if (record.brief_id !== null) use.add(record.brief_id, createdAt(record), now);
	}
	const allowance = allowanceOf(licence, listing.briefs, now, use);
	return { licence, allowance, asOf: now, listing, from, seenBefore: before, list };
}

function briefLicenceIn(licences: readonly Licence[], now: number): Licence {
	const found = briefLicence(licences, now);
	if ('licence' in found) return found.licence;
	throw new Failure(
		found.refusal,
		'Ask the owner of the workspace for a creator-briefs licence with the channel “api”.',
		EXIT.refused,
	);
}
