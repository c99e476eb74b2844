import { success, type Answer } from '../answer';
import { briefChannels } from '../brief-channels';
import type { Call, Service } from '../service-state';
import { timestamp } from '../write-timestamp';

/** docs/api.md section 4.1: one licence for each of the four tools. */
export function answerListLicences(service: Service, call: Call): Answer {
	const { briefs, clock, hooksUse, switches } = service;
	const now = clock.now();
	const workspace = call.key.workspace.id;
	const yearEnd = timestamp(
		Date.UTC(new Date(now).getUTCFullYear() + 1, 0, 1),
		switches.timestamps,
	);
	const others = [
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
			monthly_allowance: switches.contentIqAllowance || 10_000,
			used_this_month: hooksUse.inMonthOf(now, workspace),
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
	const channels = briefChannels[switches.licence];
	if (channels === undefined) return success({ data: others });
	const briefLicence = {
		product: 'creator-briefs',
		name: 'Creator Briefs',
		channels,
		monthly_allowance: switches.shownAllowance === 'minus-one' ? -1 : switches.allowance,
		// It may read 0, because briefs are counted under their own limits (section 2.1).
		used_this_month: switches.usedThisMonth === 'zero' ? 0 : briefs.usedThisMonth(workspace, now),
		renews_or_ends_at: yearEnd,
	};
	return success({ data: [briefLicence, ...others] });
}
