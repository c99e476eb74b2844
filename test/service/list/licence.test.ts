import { briefLicence } from '../../../service/list/licence';
import type { Licence } from '../../../service/api/resources';

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
	test('prefers the licence that covers the API', () => {
		const web = licence({ name: 'Web', channels: ['web'] });
		const good = licence({ name: 'New' });
		const licences = [licence({ product: 'receipts' }), web, good];
		expect(briefLicence(licences)).toEqual({ licence: good, doubt: null });
	});

	test('says that there is none', () => {
		const none = { licence: null, doubt: 'The workspace lists no licence for creator briefs.' };
		expect(briefLicence([])).toEqual(none);
		expect(briefLicence([licence({ product: 'content-iq' })])).toEqual(none);
	});

	test.each([
		[['web', 'mcp'], 'only: web, mcp'],
		[[], 'only: none'],
	])('takes a licence for the channels %j, and says so', (channels, only) => {
		const own = licence({ channels });
		const doubt = `The licence “Creator Briefs” does not list the channel “api”, ${only}.`;
		expect(briefLicence([own])).toEqual({ licence: own, doubt });
	});
});
