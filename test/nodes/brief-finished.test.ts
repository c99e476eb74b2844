import { findFinished } from '../../nodes/CreatorBriefingTrigger/brief-finished';
import { ServiceError } from '../../service/errors';
import type { Brief } from '../../service/resources';
import type { BriefingService } from '../../service/service';

const ended = (id: string) =>
	({ id, status: 'failed', finished_at: '2026-11-14T06:00:00Z' }) as Brief;

it('after a rate limit asks for no further brief in the same poll, and for the rest in the next', async () => {
	const error = new ServiceError({
		kind: 'rate_limited',
		operation: 'get_brief',
		status: 429,
		code: 'rate_limited',
		message: '',
		details: [],
		requestId: '',
		retryAt: Date.now() + 3_600_000,
	});
	let limit: ReturnType<BriefingService['rateLimit']> = null;
	const asked: string[] = [];
	const service = {
		now: () => Date.UTC(2026, 10, 14, 6),
		rateLimit: () => limit,
		briefs: () => Promise.resolve({ data: [ended('new'), ended('known')], next_cursor: null }),
		brief: (id: string) => {
			asked.push(id);
			if (id !== 'limited') return Promise.resolve(ended(id));
			limit = { until: error.retryAt!, error };
			return Promise.reject(error);
		},
	} as unknown as BriefingService;
	const before = { since: 0, known: ['known'], pending: ['watched', 'limited'] };
	const { items, state } = await findFinished(service, before, Date.now() + 10_000);
	expect(asked).toEqual(['watched', 'limited']);
	expect(items).toEqual([ended('watched')]);
	expect(state.pending).toEqual(['limited', 'new']);
});
