import { outcomeOf } from '../../service/outcome';
import { briefPages } from '../../service/pages';
import type { BriefInput, BriefSummary } from '../../service/resources';
import { instantOf } from '../../service/timestamps';
import type { BriefRecord } from '../journal/records';
import { candidatesFor, likenessOf } from './lookup';
import type { RunTools } from './tools';

/** What the list says about a create whose answer is not on record. */
export type Found =
	| { brief: BriefSummary }
	| { nothing: true }
	/** These may be it; `likely` where there is only one. */
	| { unclear: string[]; likely?: BriefSummary };

/** For so long a key is trusted without a look at the list. */
const YOUNG_KEY_MS = 600_000;
/** For so long a key is trusted without the list being clear: API.md names no life of a key, an hour is a short one. */
const TRUSTED_KEY_MS = 3_600_000;

/** Looks for the brief that an order may have made. Throws what the service throws. */
export async function findBrief(
	record: BriefRecord,
	input: BriefInput,
	tools: RunTools,
): Promise<Found> {
	const { service, journal, waiting } = tools;
	const firstTried = service.now() - keyAge(record, tools);
	const claimed = new Set(journal.records.all().map(({ brief_id }) => brief_id));
	const listed: BriefSummary[] = [];
	for await (const page of briefPages(service, { signal: waiting })) {
		listed.push(...page);
		const oldest = instantOf(page.at(-1)?.created_at);
		if (oldest !== null && oldest < firstTried - 600_000) break;
	}
	const same: BriefSummary[] = [];
	const maybe: BriefSummary[] = [];
	for (const candidate of candidatesFor(input, firstTried, listed, (id) => claimed.has(id))) {
		const outcome = await outcomeOf(service.brief(candidate.id, waiting));
		if ('value' in outcome) {
			const likeness = likenessOf(outcome.value, input);
			if (likeness === 'same') same.push(outcome.value);
			else if (likeness === 'maybe') maybe.push(outcome.value);
		} else if (outcome.error.kind !== 'not_found') throw outcome.error;
		// It is listed, so it exists: a get may lag behind the list.
		else maybe.push(candidate);
	}
	// Several that are the same are of rows with the same content: which is whose makes no difference. Oldest first.
	const brief = same.at(-1);
	if (brief !== undefined) return { brief };
	if (maybe.length === 0) return { nothing: true };
	const unclear = maybe.map(({ id }) => id);
	return maybe.length === 1 ? { unclear, likely: maybe[0] } : { unclear };
}

/** A brief that was created so long ago stands in the list, even if that lags behind. */
const SURELY_LISTED_MS = 600_000;

type Clocks = Pick<RunTools, 'service' | 'clock'>;

/**
 * How long ago that was, in milliseconds. By the service's clock where the journal has it: ours may have been set since,
 * and a brief that seems older than its order would be taken for somebody else's.
 */
function age(at: string, serviceTime: string | undefined, { service, clock }: Clocks): number {
	return serviceTime === undefined
		? clock.now() - Date.parse(at)
		: service.now() - Date.parse(serviceTime);
}

/** A key is as old as the first try, for the service may count from there how long it remembers it. */
function keyAge({ first_tried, service_time }: BriefRecord, tools: Clocks): number {
	return age(first_tried, service_time, tools);
}

/** The brief of an order may be as young as the last try. Milliseconds. */
export function sinceLastTry(
	{ last_tried, last_service_time }: BriefRecord,
	tools: Clocks,
): number {
	return age(last_tried, last_service_time, tools);
}

/** Whether the list shows the brief of an order for certain, if there is one. */
export function isSurelyListed(record: BriefRecord, tools: RunTools): boolean {
	return sinceLastTry(record, tools) > SURELY_LISTED_MS;
}

/** How long it takes until the list shows the brief of an order for certain, if there is one. */
export function untilListed(record: BriefRecord, tools: RunTools): number {
	return Math.min(SURELY_LISTED_MS, SURELY_LISTED_MS - sinceLastTry(record, tools)) + 1;
}

/** Whether the same key may be sent again without a look at the list. */
export function isKeyYoung(record: BriefRecord, tools: RunTools): boolean {
	return keyAge(record, tools) <= YOUNG_KEY_MS;
}

/** Whether sending the same key again is safe although the list leaves it open. */
export function isKeyTrusted(record: BriefRecord, tools: RunTools): boolean {
	return keyAge(record, tools) < TRUSTED_KEY_MS;
}
