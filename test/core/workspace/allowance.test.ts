import type { BriefSummary, Licence } from '../../../core/api/types';
import { computeAllowance, findBriefLicence } from '../../../core/workspace/allowance';

const NOW = Date.UTC(2026, 10, 30, 23);

function makeLicence(facts: Partial<Licence> = {}): Licence & { monthly_allowance: number } {
	return {
		product: 'creator-briefs',
		name: 'Briefs',
		channels: ['api'],
		used_this_month: 0,
		renews_or_ends_at: null,
		...facts,
		monthly_allowance: facts.monthly_allowance ?? 5,
	};
}

function makeBrief(id: string, createdAt: number): BriefSummary {
	const created_at = new Date(createdAt).toISOString();
	const times = { created_at, updated_at: created_at, finished_at: null };
	return { id, status: 'ready', product_name: 'Mug', title: null, url: '', ...times };
}

test.each([
	[0, 2, 0],
	[1, 2, 0],
	[5, 2, 3],
])('of an allowance of %i with %i used, %i remain', (monthly_allowance, used, remaining) => {
	const licence = makeLicence({ monthly_allowance, used_this_month: used });
	expect(computeAllowance(licence, [], NOW)).toEqual({
		limit: monthly_allowance,
		used,
		remaining,
	});
});

test('the larger of used_this_month and the briefs of the month counts', () => {
	const day = Date.UTC(2026, 10, 1);
	const briefs = ['a', 'b', 'c', 'c'].map((id) => makeBrief(id, day));
	expect(computeAllowance(makeLicence(), briefs, NOW).used).toBe(3);
	expect(computeAllowance(makeLicence({ used_this_month: 4 }), briefs, NOW).used).toBe(4);
});

test('briefs of the last month in UTC do not count', () => {
	const lastMonth = makeBrief('a', Date.UTC(2026, 10, 1) - 1);
	expect(computeAllowance(makeLicence(), [lastMonth], NOW).used).toBe(0);
	expect(computeAllowance(makeLicence(), [lastMonth], NOW - 30 * 86_400_000).used).toBe(1);
});

describe('the licence for briefs', () => {
	const web = makeLicence({ name: 'Web', channels: ['web'] });
	const api = makeLicence({ name: 'API' });

	test('is preferably a licence that covers the API', () => {
		expect(findBriefLicence([web, api])?.name).toBe('API');
		expect(findBriefLicence([web])?.name).toBe('Web');
	});

	test('is null without a licence for briefs that has an allowance', () => {
		const hooks = { ...api, product: 'content-iq' };
		const open = { ...api, monthly_allowance: null };
		expect(findBriefLicence([hooks, open])).toBeNull();
	});
});
