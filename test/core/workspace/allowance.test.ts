import type { BriefSummary } from '../../../core/api/types';
import {
	computeAllowance,
	findBriefLicence,
	type BriefLicence,
} from '../../../core/workspace/allowance';

const NOW = Date.UTC(2026, 10, 30, 23);
const MONTH_START = Date.UTC(2026, 10, 1);

function makeLicence(facts: Partial<BriefLicence> = {}): BriefLicence {
	const times = { used_this_month: 0, renews_or_ends_at: null };
	const licence = { product: 'creator-briefs', name: 'Briefs', channels: ['api'] };
	return { ...licence, ...times, monthly_allowance: 5, ...facts };
}

function makeBrief(id: string, createdAt: number): BriefSummary {
	const created_at = new Date(createdAt).toISOString();
	const times = { created_at, updated_at: created_at, finished_at: null };
	return { id, status: 'ready', product_name: 'Mug', title: null, url: '', ...times };
}

test.each([
	// The larger of used_this_month and the briefs of the month counts.
	[5, 2, '', 2, 3],
	[5, 0, 'abcc', 3, 2],
	[5, 4, 'abcc', 4, 1],
	[1, 2, '', 2, 0],
	[0, 0, '', 0, 0],
])(
	'with an allowance of %i, used_this_month %i and the briefs “%s”, %i are used and %i remain',
	(monthly_allowance, used_this_month, ids, used, remaining) => {
		const licence = makeLicence({ monthly_allowance, used_this_month });
		const briefs = Array.from(ids, (id) => makeBrief(id, MONTH_START));
		const allowance = { limit: monthly_allowance, used, remaining };
		expect(computeAllowance(licence, briefs, NOW)).toEqual(allowance);
	},
);

test('briefs of the last month in UTC do not count', () => {
	const briefs = [makeBrief('a', MONTH_START - 1)];
	expect(computeAllowance(makeLicence(), briefs, NOW).used).toBe(0);
	expect(computeAllowance(makeLicence(), briefs, MONTH_START - 1).used).toBe(1);
});

test('the licence for briefs is preferably a licence that covers the API', () => {
	const web = makeLicence({ name: 'Web', channels: ['web'] });
	const api = makeLicence({ name: 'API' });
	expect(findBriefLicence([web, api])?.name).toBe('API');
	expect(findBriefLicence([web])?.name).toBe('Web');
	const hooks = { ...api, product: 'content-iq' };
	const unknown = { ...api, monthly_allowance: null };
	expect(findBriefLicence([hooks, unknown])).toBeNull();
});
