import { briefLicence } from '../../service/licence';
import type { Licence } from '../../service/resources';

const NOW = Date.UTC(2026, 10, 20, 12);
const licence = (changes: Partial<Licence> = {}): Licence => ({
	product: 'creator-briefs',
	name: 'Creator Briefs',
	channels: ['web', 'api'],
	monthly_allowance: 50,
	used_this_month: 0,
	renews_or_ends_at: null,
	...changes,
});

describe('briefLicence', () => {
	test.each([
		['never ends', null],
		['ends later', '2027-01-01T00:00:00Z'],
		['ends or renews today', '2026-11-20'],
		['was due a day ago to the millisecond', '2026-11-19T12:00:00Z'],
		['was due an hour ago and may just be renewed', '2026-11-20T11:00:00Z'],
		['ends at a time that cannot be read', 'in spring'],
	])('takes a licence that %s', (_case, renews_or_ends_at) => {
		const own = licence({ renews_or_ends_at });
		expect(briefLicence([licence({ product: 'receipts' }), own], NOW)).toEqual({ licence: own });
	});

	test('prefers the licence that covers the API and has not ended', () => {
		const ended = licence({ name: 'Old', renews_or_ends_at: '2026-01-01' });
		const web = licence({ name: 'Web', channels: ['web'] });
		const good = licence({ name: 'New' });
		expect(briefLicence([ended, web, good], NOW)).toEqual({ licence: good });
	});

	test('says that there is none', () => {
		const refusal = 'The workspace has no licence for creator briefs.';
		expect(briefLicence([], NOW)).toEqual({ refusal });
		expect(briefLicence([licence({ product: 'content-iq' })], NOW)).toEqual({ refusal });
	});

	test('says which channels a licence covers instead', () => {
		expect(briefLicence([licence({ channels: ['web', 'mcp'] })], NOW)).toEqual({
			refusal: 'The licence “Creator Briefs” does not cover the API, only: web, mcp.',
		});
		expect(briefLicence([licence({ channels: [] })], NOW)).toEqual({
			refusal: 'The licence “Creator Briefs” does not cover the API, only: none.',
		});
	});

	test('says when it ended', () => {
		const just = licence({ renews_or_ends_at: '2026-11-19T11:59:59.999Z' });
		expect(briefLicence([just], NOW)).toHaveProperty('refusal');
		expect(briefLicence([licence({ renews_or_ends_at: '2026-11-01' })], NOW)).toEqual({
			refusal: 'The licence “Creator Briefs” ended at 2026-11-01.',
		});
	});
});
