import { allowanceOf, MonthUse, type Allowance } from '../../service/allowance';
import { FIRST_TRIES, LOOKED_BACK_MS } from '../../service/assumptions';
import { patientLister, SharedList, type Listing } from '../../service/brief-list';
import { briefLicence, licenceNotices, type BriefLicence } from '../../service/licence';
import { monthStart } from '../../service/month';
import { outcomeOf, type Outcome } from '../../service/outcome';
import { withRetries } from '../../service/retry';
import type { Records } from '../journal/records';
import { createdAt } from './order/order-state';
import type { RunEnvironment, RunRequest } from './request';
import { firstFailure } from './service-failure';

/** What must be known before a brief is ordered, read with GETs only. */
export interface Preflight {
	/** What a person should know of licence and allowance. */
	notices: string[];
	allowance: Allowance;
	/** When that was so, by the service's clock: it says nothing about the month after. */
	asOf: number;
	/** The workspace's briefs of this month and of the last 31 days, perhaps with some older ones. */
	listing: Listing;
	list: SharedList;
}

/**
 * Asks the service how many briefs are left, and which there are. Licence and list are asked side by side.
 * @throws {Failure} with exit code 4 if key, scope or licence are refused, 2 if it is
 * not at the address, 5 if it does not answer
 */
export async function preflight(
	{ interval, baseUrl }: Pick<RunRequest, 'interval' | 'baseUrl'>,
	{ service, clock, interruption }: Pick<RunEnvironment, 'service' | 'clock' | 'interruption'>,
	records: Records,
): Promise<Preflight> {
	const answerOf = async <T>(request: Promise<Outcome<T>>) => {
		const outcome = await request;
		if ('error' in outcome) throw firstFailure(outcome.error, service.now(), baseUrl);
		return outcome.value;
	};
	const stop = new AbortController();
	const signal = AbortSignal.any([interruption, stop.signal]);
	const retrying = { clock, interval, signal };
	const licences = () => service.licences(signal);
	const list = new SharedList(patientLister(service, retrying), clock);
	// If the licences come long after the page, others may have ordered the same products meanwhile: it is read again.
	const maxAge = interval.longest;
	const listDownTo = (instant: number, signal: AbortSignal) =>
		outcomeOf(list.downTo(instant, { maxAge }, signal));
	// One page: how much of the list is needed is known only with the service's clock.
	const first = listDownTo(Infinity, signal);
	// An interruption may end it long before the licences, and so before anybody waits for it.
	first.catch(() => undefined);
	let found: BriefLicence;
	try {
		const limits = FIRST_TRIES;
		found = briefLicence(
			await answerOf(outcomeOf(withRetries(licences, { ...retrying, limits }))),
			service.now(),
		);
	} catch (error) {
		// If the service does not answer, the list would be tried for minutes.
		stop.abort(error);
		await first.catch(() => undefined);
		throw error;
	}
	const licencesAt = service.now();
	await answerOf(first);
	// For the month's use, and for briefs to take over.
	const from = Math.min(monthStart(service.now()), service.now() - LOOKED_BACK_MS);
	const listing = await answerOf(listDownTo(from, interruption));
	const now = service.now();
	// What was used of the month before is not used of this one.
	if (found.licence !== null && monthStart(licencesAt) !== monthStart(now))
		found = { ...found, licence: { ...found.licence, used_this_month: 0 } };
	const use = new MonthUse();
	for (const record of records.all())
		if (record.brief_id !== null) use.add(record.brief_id, createdAt(record));
	const allowance = allowanceOf(found.licence, listing.briefs, now, use);
	const notices = [...licenceNotices(found), ...allowance.notices];
	return { notices, allowance, asOf: now, listing, list };
}

/** What a person should know before anything is ordered. */
export function toTell({ notices, allowance }: Preflight, keep: number): string[] {
	if (allowance.allowance !== null || keep === 0) return notices;
	return [...notices, `--keep ${keep} has no effect as long as the allowance is not known.`];
}
