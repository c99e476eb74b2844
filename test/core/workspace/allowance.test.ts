import {
	countUsedBriefs,
	findBriefLicence,
	toAllowance,
	type BriefLicence,
} from '../../../core/workspace/allowance';

function makeLicence(facts: Partial<BriefLicence> = {}): BriefLicence {
	const times = { used_this_month: 0, renews_or_ends_at: null };
	const licence = { product: 'creator-briefs', name: 'Briefs', channels: ['api'] };
	return { ...licence, ...times, monthly_allowance: 5, ...facts };
}

/** Each letter is a brief. */
test.each([
	['the licence shows 0: the list counts', 0, 'AB', 'AB', 0, 2],
	['the licence shows 0: new briefs count', 0, 'AB', 'ABCD', 0, 4],
	['briefs were deleted: the licence counts', 5, 'AB', 'AB', 0, 5],
	['briefs were deleted: new briefs are added to the licence', 5, 'AB', 'ABCD', 0, 7],
	['a brief that is deleted after it was seen', 5, 'ABC', 'AB', 0, 5],
	['a licence that does not count all briefs', 1, 'ABC', 'ABCD', 0, 4],
	['open requests are added to the list', 0, 'AB', 'AB', 2, 4],
	['open requests are added to the licence and to new briefs', 5, 'AB', 'ABC', 1, 7],
])('countUsedBriefs: %s', (...given) => {
	const [, used_this_month, seen, known, openRequests, used] = given;
	const licence = { used_this_month, seenBefore: new Set(seen) };
	expect(countUsedBriefs(licence, Array.from(known), openRequests)).toBe(used);
});

test('no fewer than 0 briefs remain', () => {
	const licence = makeLicence({ monthly_allowance: 2 });
	expect(toAllowance(licence, 0)).toEqual({ limit: 2, used: 0, remaining: 2 });
	expect(toAllowance(licence, 3)).toEqual({ limit: 2, used: 3, remaining: 0 });
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
