import { toTimestamp } from '../clock';
import type { Answer, Call, Service } from '../state';

/** docs/api.md section 4.1: a licence for each of the four tools. */
export function listLicences({ briefs, clock, options }: Service, { key }: Call): Answer {
	const now = clock.now();
	const yearEnd = toTimestamp(Date.UTC(new Date(now).getUTCFullYear() + 1, 0, 1));
	const { allowance, usedThisMonth } = options;
	const data = [
		{
			product: 'creator-briefs',
			name: 'Creator Briefs',
			channels: ['web', 'api', 'mcp'],
			monthly_allowance: allowance,
			// docs/api.md section 2.1: it can be 0, because briefs count under their own limits.
			used_this_month: usedThisMonth === 'zero' ? 0 : briefs.countUsedThisMonth(key.workspace, now),
			renews_or_ends_at: yearEnd,
		},
		{
			product: 'seller-advisor',
			name: 'Seller Advisor',
			channels: ['web', 'mcp'],
			monthly_allowance: 500,
			used_this_month: 37,
			renews_or_ends_at: yearEnd,
		},
		{
			product: 'content-iq',
			name: 'ContentIQ',
			channels: ['web', 'api', 'mcp'],
			monthly_allowance: 10_000,
			used_this_month: 0,
			renews_or_ends_at: yearEnd,
		},
		{
			product: 'receipts',
			name: 'Receipts Manager',
			channels: ['web'],
			monthly_allowance: 200,
			used_this_month: 0,
			renews_or_ends_at: null,
		},
	];
	return { status: 200, body: { data } };
}
