import {
	BRIEFS_PAGE_SIZE,
	CURSOR_MAX_LENGTH,
	HOOKS_LIMIT,
	HOOKS_QUERY_MAX_LENGTH,
	POLL_INTERVAL_MS,
	PRODUCT_ID_PATTERN,
	PRODUCT_NAME_LENGTH,
	REFERENCE_URLS_MAX,
	SLOTS,
	TEXT_MAX_LENGTH,
	TYPICAL_DURATION_MS,
} from '../../service/limits';
import { SCOPE_OF } from '../../service/operations';
import {
	BRIEF_STATUSES,
	CHANNELS,
	HOOK_CATEGORIES,
	HOOK_SORTS,
	PRODUCTS,
	SCOPES,
	isRunning,
} from '../../service/resources';

describe('what docs/api.md lists', () => {
	test('the limits of section 8', () => {
		expect(SLOTS).toBe(2);
		expect(BRIEFS_PAGE_SIZE).toEqual({ min: 1, max: 100, default: 20 });
		expect(CURSOR_MAX_LENGTH).toBe(200);
		expect(HOOKS_LIMIT).toEqual({ min: 1, max: 80, default: 30 });
		expect(HOOKS_QUERY_MAX_LENGTH).toBe(80);
		expect(POLL_INTERVAL_MS).toEqual({ min: 15_000, max: 30_000 });
		expect(TYPICAL_DURATION_MS).toEqual({ min: 3 * 60_000, max: 6 * 60_000 });
	});

	test('the field sizes of section 4.3', () => {
		expect(PRODUCT_NAME_LENGTH).toEqual({ min: 2, max: 180 });
		expect(PRODUCT_ID_PATTERN.source).toBe('^\\d{5,40}$');
		expect(REFERENCE_URLS_MAX).toBe(8);
		expect(TEXT_MAX_LENGTH).toEqual({
			audience: 1500,
			objective: 1500,
			approved_facts: 10_000,
			campaign_terms: 3000,
			creative_direction: 3000,
		});
	});

	test('the values of section 2', () => {
		expect(PRODUCTS).toEqual(['creator-briefs', 'seller-advisor', 'content-iq', 'receipts']);
		expect(CHANNELS).toEqual(['web', 'api', 'mcp']);
		expect(BRIEF_STATUSES.join(' ')).toBe('queued researching writing checking ready failed');
		expect(HOOK_CATEGORIES).toEqual([
			'Beauty & skincare',
			'Wellness',
			'Personal care',
			'Home & kitchen',
			'Fashion',
			'Tech & gadgets',
		]);
		expect(HOOK_SORTS).toEqual(['score', 'views', 'units_sold', 'newest']);
	});

	test('the scopes of section 5, and which operation needs which (section 4)', () => {
		expect(SCOPES).toHaveLength(10);
		expect(SCOPE_OF).toEqual({
			list_licences: 'products:read',
			list_briefs: 'creator-briefs:read',
			create_brief: 'creator-briefs:execute',
			get_brief: 'creator-briefs:read',
			list_hooks: 'content-iq:read',
		});
	});
});

describe('isRunning', () => {
	test.each(['queued', 'researching', 'writing', 'checking'])(
		'a brief that is %s runs',
		(status) => {
			expect(isRunning({ status, finished_at: null })).toBe(true);
			expect(isRunning({ status, finished_at: '2026-11-20' })).toBe(true);
		},
	);
	test.each(['ready', 'failed'])('a brief that is %s does not', (status) => {
		expect(isRunning({ status, finished_at: null })).toBe(false);
	});
	test('a status of tomorrow runs until it has an end', () => {
		expect(isRunning({ status: 'polishing', finished_at: null })).toBe(true);
		expect(isRunning({ status: 'cancelled', finished_at: '2026-11-20' })).toBe(false);
	});
});
