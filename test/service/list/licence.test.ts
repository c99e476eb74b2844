import { briefLicence } from '../../../service/list/licence';
import type { Licence } from '../../../service/api/resources';

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
		['ends at a time that cannot be read', 'in spring'],
	])('has no doubt about a licence that %s', (_case, renews_or_ends_at) => {
		const own = licence({ renews_or_ends_at });
		expect(briefLicence([licence({ product: 'receipts' }), own], NOW)).toEqual({
			licence: own,
			doubt: null,
		});
	});

	test('prefers the licence that covers the API and has not ended', () => {
		const ended = licence({ name: 'Old', renews_or_ends_at: '2026-01-01' });
		const web = licence({ name: 'Web', channels: ['web'] });
		const good = licence({ name: 'New' });
		expect(briefLicence([ended, web, good], NOW)).toEqual({ licence: good, doubt: null });
	});

	test('says that there is none', () => {
		const none = { licence: null, doubt: 'The workspace lists no licence for creator briefs.' };
		expect(briefLicence([], NOW)).toEqual(none);
		expect(briefLicence([licence({ product: 'content-iq' })], NOW)).toEqual(none);
	});

	test.each([
		[['web', 'mcp'], 'only: web, mcp'],
		[[], 'only: none'],
	])('takes a licence for the channels %j, and says so', (channels, only) => {
		const own = licence({ channels });
		const doubt = `The licence “Creator Briefs” does not list the channel “api”, ${only}.`;
		expect(briefLicence([own], NOW)).toEqual({ licence: own, doubt });
	});

	test.each(['2026-11-20', '2026-11-01', 1_793_000_000, 'Sun, 01 Nov 2026 00:00:00 GMT'])(
		'takes a licence that was due at %s, and says so',
		(renews_or_ends_at) => {
			const own = licence({ renews_or_ends_at });
			const doubt = `The licence “Creator Briefs” was to renew or end at ${renews_or_ends_at}.`;
			expect(briefLicence([own], NOW)).toEqual({ licence: own, doubt });
		},
	);
});
