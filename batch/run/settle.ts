import { outcomeOf } from '../../service/outcome';
import { briefPages } from '../../service/pages';
import type { Brief, BriefInput, BriefSummary } from '../../service/resources';
import { instantOf } from '../../service/timestamps';
import type { BriefRecord } from '../journal/records';
import { candidatesFor, isMadeFrom } from './lookup';
import type { RunTools } from './tools';

/** What the list says about a create whose answer is not on record. */
export type Found = { brief: Brief } | { nothing: true } | { unclear: string[] };

/** For so long a key is trusted without the list being clear: API.md names no life of a key, an hour is a short one. */
const TRUSTED_KEY_MS = 3_600_000;

/** Looks for the brief that an order may have made. Throws what the service throws. */
export async function findBrief(
	record: BriefRecord,
	input: BriefInput,
	tools: RunTools,
): Promise<Found> {
	const { service, clock, journal, waiting } = tools;
	const ahead = service.now() - clock.now();
	const firstTried = Date.parse(record.first_tried) + ahead;
	const claimed = new Set(journal.records.all().map(({ brief_id }) => brief_id));
	const listed: BriefSummary[] = [];
	for await (const page of briefPages(service, { signal: waiting })) {
		listed.push(...page);
		const oldest = instantOf(page.at(-1)?.created_at);
		if (oldest !== null && oldest < firstTried - 600_000) break;
	}
	const matching: Brief[] = [];
	for (const { id } of candidatesFor(input, firstTried, listed, (id) => claimed.has(id))) {
		const outcome = await outcomeOf(service.brief(id, waiting));
		if ('value' in outcome && isMadeFrom(outcome.value, input)) matching.push(outcome.value);
		else if ('error' in outcome && outcome.error.kind !== 'not_found') throw outcome.error;
	}
	const [only, ...more] = matching;
	if (only === undefined) return { nothing: true };
	return more.length === 0 ? { brief: only } : { unclear: matching.map(({ id }) => id) };
}

/** Whether sending the same key again is safe although the list leaves it open. Its age counts from the first attempt. */
export function isKeyTrusted(record: BriefRecord, now: number): boolean {
	return now - Date.parse(record.first_tried) < TRUSTED_KEY_MS;
}
