import { outcomeOf } from '../../service/outcome';
import type { Brief } from '../../service/resources';
import type { BriefingService } from '../../service/service';
import { clock } from '../shared/clock';

const CONCURRENCY = 6;

/**
 * Gets these briefs. A poll has a limited time (docs/n8n-behaviour.md, “A poll has a limited time”), so what is not
 * read by the deadline, or after the first failure, or under a rate limit, is left for the next poll; `unknown` are those that the service
 * does not know. Throws where nothing could be read.
 */
export async function getBriefs(
	service: BriefingService,
	wanted: ReadonlyArray<{ id: string }>,
	deadline: number,
): Promise<{ briefs: Brief[]; unknown: string[]; left: string[] }> {
	const queue = wanted.map(({ id }) => id);
	const briefs: Brief[] = [];
	const unknown: string[] = [];
	const left: string[] = [];
	let failure: Error | undefined;

	// Under a rate limit, met here or before, the service would sleep before its next request, and a poll must not.
	const mayAsk = () => clock.now() < deadline && service.rateLimit() === null;

	async function readOn(): Promise<void> {
		while (failure === undefined && mayAsk()) {
			const id = queue.shift();
			if (id === undefined) return;
			const outcome = await outcomeOf(service.brief(id));
			if ('value' in outcome) briefs.push(outcome.value);
			else if (outcome.error.kind === 'not_found') unknown.push(id);
			else {
				failure = outcome.error;
				left.push(id);
			}
		}
	}

	await Promise.all(Array.from({ length: CONCURRENCY }, readOn));
	if (failure !== undefined && briefs.length === 0) throw failure;
	return { briefs, unknown, left: [...left, ...queue] };
}
