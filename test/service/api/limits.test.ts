import * as limits from '../../../service/api/limits';
import { DEFAULT_POLL_INTERVAL } from '../../../service/api/poll-interval';
import { SCOPE_OF } from '../../../service/api/operations';
import * as resources from '../../../service/api/resources';

describe('what docs/api.md lists', () => {
	test('the limits of section 8', () => {
		expect(limits.SLOTS).toBe(2);
		expect(limits.BRIEFS_PAGE_MAX).toBe(100);
		expect(limits.HOOKS_LIMIT).toEqual({ min: 1, max: 80 });
		expect(limits.HOOKS_QUERY_MAX_LENGTH).toBe(80);
		expect(DEFAULT_POLL_INTERVAL).toEqual({ shortest: 15_000, longest: 30_000 });
		expect(limits.TYPICAL_DURATION_MS).toEqual({ min: 3 * 60_000, max: 6 * 60_000 });
	});

	test('the field sizes of section 4.3', () => {
		expect(limits.PRODUCT_NAME_LENGTH).toEqual({ min: 2, max: 180 });
		expect(limits.PRODUCT_ID_PATTERN.source).toBe('^\\d{5,40}$');
		expect(limits.REFERENCE_URLS_MAX).toBe(8);
		expect(limits.TEXT_MAX_LENGTH).toEqual({
			audience: 1500,
			objective: 1500,
			approved_facts: 10_000,
			campaign_terms: 3000,
			creative_direction: 3000,
		});
	});

	test('the values of section 2', () => {
		expect(resources.BRIEF_STATUSES.join(' ')).toBe(
			'queued researching writing checking ready failed',
		);
		expect(resources.HOOK_CATEGORIES).toEqual([
			...['Beauty & skincare', 'Wellness', 'Personal care', 'Home & kitchen', 'Fashion'],
			'Tech & gadgets',
		]);
		expect(resources.HOOK_SORTS).toEqual(['score', 'views', 'units_sold', 'newest']);
	});

	test('which scope each operation needs (section 4)', () => {
		expect(SCOPE_OF).toEqual({
			list_licences: 'products:read',
			list_briefs: 'creator-briefs:read',
			create_brief: 'creator-briefs:execute',
			get_brief: 'creator-briefs:read',
			list_hooks: 'content-iq:read',
		});
	});
});

test.each([
	['queued', true, true],
	['researching', true, true],
	['writing', true, true],
	['checking', true, true],
	['ready', false, false],
	['failed', false, false],
	['polishing', true, false],
])('a brief that is %s runs without an end: %s, and with one: %s', (status, open, ended) => {
	expect(resources.isRunning({ status, finished_at: null })).toBe(open);
	expect(resources.isRunning({ status, finished_at: '2026-11-20' })).toBe(ended);
});
