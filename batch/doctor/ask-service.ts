import { briefsOfThisMonth } from '../../service/allowance';
import { outcomeOf, type Outcome } from '../../service/outcome';
import type { BriefSummary, HookList, Licence } from '../../service/resources';
import type { BriefingService } from '../../service/service';

/** What came of each request; null where it was not sent, because it could not have succeeded either. */
export interface Answers {
	licences: Outcome<Licence[]>;
	briefs: Outcome<readonly BriefSummary[]> | null;
	hooks: Outcome<HookList> | null;
}

/** A well-formed ID that no brief has, and a cursor that the service never gave. */
const NO_BRIEF = '00000000-0000-4000-8000-000000000000';
export const NO_CURSOR = 'not-a-cursor';

/** Sends one request for each scope that can be tried for free. */
export async function askService(service: BriefingService, signal: AbortSignal): Promise<Answers> {
	const licences = await outcomeOf(service.licences(signal));
	if (!isWorthMore(licences)) return { licences, briefs: null, hooks: null };
	const briefs = await outcomeOf(briefsOfThisMonth(service, signal));
	const hooks = isWorthMore(briefs) ? await outcomeOf(service.hooks({ limit: 1 }, signal)) : null;
	return { licences, briefs, hooks };
}

/**
 * Asks for what shows how the service does things that its specification leaves open: a cursor and one that is wrong, a
 * brief that is not there, one that is ready and one that failed. What comes of it is in the log of the requests.
 */
export async function askForWays(
	service: BriefingService,
	briefs: readonly BriefSummary[],
	signal: AbortSignal,
): Promise<void> {
	const newest = (status: string) => briefs.find((brief) => brief.status === status);
	const ids = [NO_BRIEF, newest('ready')?.id, newest('failed')?.id];
	const requests = [
		() => service.briefs({ limit: 1 }, signal),
		() => service.briefs({ limit: 1, cursor: NO_CURSOR }, signal),
		...ids.flatMap((id) => (id === undefined ? [] : [() => service.brief(id, signal)])),
	];
	for (const request of requests) {
		const outcome = await outcomeOf<unknown>(request());
		if ('error' in outcome && outcome.error.kind === 'rate_limited') return;
	}
}

/** Whether another request may succeed: a refusal for want of one scope or licence says nothing about the others. */
function isWorthMore(outcome: Outcome<unknown>): boolean {
	return (
		!('error' in outcome) ||
		outcome.error.kind === 'scope_missing' ||
		outcome.error.kind === 'licence_missing'
	);
}
