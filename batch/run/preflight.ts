import { allowanceOf, MonthUse, type Allowance } from '../../service/list/allowance';
import { FIRST_TRIES, LOOKED_BACK_MS } from '../../service/assumptions';
import { patientLister, SharedList, type Listing } from '../../service/list/brief-list';
import { briefLicence, licenceNotices } from '../../service/list/licence';
import { monthStart } from '../../service/list/month';
import { outcomeOf } from '../../service/api/outcome';
import { isLikeOutage, withRetries, type RetryLimits } from '../../service/api/resend';
import type { ServiceError } from '../../service/api/errors';
import { createdAt, type Records } from '../folder/records';
import type { Asking, RunRequest } from './request';
import { addressToTry } from '../../service/api/connection';
import { Stop } from '../stop';

/** The facts without which no brief is ordered, read with GETs only. */
export interface Preflight {
	/** Sentences for a person about licence and allowance. */
	notices: string[];
	allowance: Allowance;
	/** The time of the allowance, by the service's clock: it says nothing about the month after. */
	asOf: number;
	/** The workspace's briefs of this month and of the last 31 days, perhaps with some older ones. */
	listing: Listing;
	list: SharedList;
}

/**
 * Asks the service how many briefs are left, and which there are.
 * @throws {ServiceError} if it refuses, or does not answer
 * @throws {Stop} if it is not at the address
 */
export async function preflight(
	{ baseUrl, keep }: RunRequest,
	{ service, clock, interruption: signal, outage }: Asking,
	records: Records,
): Promise<Preflight> {
	const answerOf = async <T>(request: Promise<T>) => {
		const outcome = await outcomeOf(request);
		if ('error' in outcome) throw firstError(outcome.error, baseUrl);
		return outcome.value;
	};
	const retrying = { clock, signal };
	if (knowsOrdersAt(baseUrl, records)) service.trustAddress();
	// A service that answers is at its address: then it is waited for, as in the middle of a run.
	const limits = (error: ServiceError): RetryLimits =>
		outage === undefined || !isLikeOutage(error)
			? FIRST_TRIES
			: { failures: Infinity, rateLimits: Infinity, outage };
	const licences = withRetries(() => service.licences(signal), { ...retrying, limits });
	const choice = briefLicence(await answerOf(licences));
	const licencesAt = service.now();
	const list = new SharedList(patientLister(service, retrying), clock);
	// For the month's use, and for briefs to take over.
	const from = Math.min(monthStart(licencesAt), licencesAt - LOOKED_BACK_MS);
	const listing = await answerOf(list.downTo(from, { maxAge: Infinity }, signal));
	const now = service.now();
	const use = new MonthUse();
	for (const order of records.all()) {
		const { briefId } = order.state;
		if (briefId !== null) use.add(briefId, createdAt(order));
	}
	// What was used of the month before is not used of this one.
	let { licence } = choice;
	if (licence !== null && monthStart(licencesAt) !== monthStart(now))
		licence = { ...licence, used_this_month: 0 };
	const allowance = allowanceOf(licence, listing.briefs, now, use);
	const notices = [...licenceNotices(choice), ...allowance.notices];
	if (allowance.allowance === null && keep > 0)
		notices.push(`--keep ${keep} has no effect as long as the allowance is not known.`);
	return { notices, allowance, asOf: now, listing, list };
}

/** Checks whether orders were made at this address. */
export function knowsOrdersAt(baseUrl: string, records: Records): boolean {
	return records.baseUrl === baseUrl && records.all().length > 0;
}

/** Gives the error of a first request: if its path is not known, the address is wrong, which running again does not cure. */
export function firstError(error: ServiceError, base_url: string): ServiceError | Stop {
	if (error.kind !== 'not_found') return error;
	const { status } = error;
	return new Stop(
		`The service is not at ${base_url}: that address answers “${status === 405 ? 'not allowed' : 'not found'}” (${status}).`,
		addressToTry(base_url),
		'wrong_address',
	);
}
