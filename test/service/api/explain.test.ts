import { anotherBrief, ServiceError, type ErrorKind } from '../../../service/api/errors';
import { explain } from '../../../service/api/explain';

const NOW = Date.UTC(2026, 11, 20, 12);
const anError = (changes: Partial<ServiceError> = {}) =>
	new ServiceError({
		kind: 'in_doubt',
		operation: 'create_brief',
		status: 400,
		code: 'some_code',
		message: 'Their words',
		details: ['audience: too long'],
		requestId: 'req_7',
		retryAt: null,
		brief: { id: 'b1', product_name: 'Night Cream' },
		...changes,
	});

const KINDS: Array<[ErrorKind, number | null, RegExp, RegExp]> = [
	['invalid_input', 400, /refused the request as not valid \(400\)/, /Nothing was spent/],
	['key_refused', 401, /wrong, has expired or was revoked/, /Developers area/],
	['scope_missing', 403, /lacks the scope creator-briefs:execute/, /tool ticked/],
	['licence_missing', 403, /no Business licence/, /add the licence/],
	['not_found', 404, /does not know this address \(404\)/, /ends in \/v1/],
	['rate_limited', 429, /asked to slow down/, /Wait a minute/],
	['slots_busy', 429, /Both slots are taken/, /within six minutes/],
	['allowance_used_up', 429, /allowance of briefs is used up/, /1 January 2027 \(UTC\)/],
	['conflict', 409, /already in use/, /before you create it again/],
	['key_taken', 422, /belongs to an order with other values/, /no other row of any sheet/],
	['unreadable_answer', 408, /answer could not be read \(408\)/, /login page/],
	['list_unreadable', 400, /refuses its own cursor \(400\)/, /no fault of the key/],
	['other_brief', 202, /another brief, b1 \(“Night Cream”\)/, /no other row of any sheet/],
	['in_doubt', 500, /may have been created or not/, /While the service remembers the key/],
];

describe('explain', () => {
	test.each(KINDS)('says what %s is and what to do', (kind, status, what, cure) => {
		const said = explain(anError({ kind, status }), NOW);
		expect(said.what).toMatch(what);
		expect(said.cure).toMatch(cure);
		const jargon = /some_code|undefined|null|\bNaN\b|HTTP|JSON|POST|GET\b/;
		expect(`${said.what} ${said.cure}`).not.toMatch(jargon);
		const isTheirs = status === null || status >= 400;
		const words = isTheirs ? 'It says: Their words; audience: too long (request req_7)' : '';
		expect(said.what).toContain(words);
		expect(said.what.includes('It says')).toBe(isTheirs);
	});

	test.each(KINDS)(
		'of %s without an answer of the service puts no words into its mouth',
		(kind) => {
			const lost = { kind, status: null, requestId: '' };
			const unheard = explain(anError({ ...lost, message: 'cut off' }), NOW);
			expect(unheard.what).not.toContain('It says');
			expect(unheard.what).toMatch(/[a-z0-9]\)?\.$/);
			const silent = { ...lost, code: '', message: '', details: [], brief: undefined };
			const { what, cure } = explain(anError(silent), NOW);
			for (const text of [what, cure]) expect(text).toMatch(/^[A-Z][^]*\.$/);
			expect(what).not.toContain('undefined');
		},
	);

	it('says of a get that gave another brief which one it was, and blames no address', () => {
		const { what, cure } = explain(anotherBrief({ id: 'b1', product_name: 'Night Cream' }), NOW);
		expect(what).toMatch(/“Night Cream”\) under the ID b1/);
		expect(cure).toMatch(/ask the vendor’s support/);
		expect(cure).not.toMatch(/Base URL/);
	});

	test('says no more than a service that was short of words', () => {
		const bare: Partial<ServiceError> = {
			kind: 'slots_busy',
			message: '',
			details: [],
			requestId: '',
		};
		const taken = 'Both slots are taken: two briefs are already running in the workspace.';
		const whatOf = (more: Partial<ServiceError>) =>
			explain(anError({ ...bare, ...more }), NOW).what;
		expect(whatOf({})).toBe(taken);
		expect(whatOf({ details: ['a', 'b'] })).toBe(`${taken} It says: a; b`);
		expect(whatOf({ requestId: 'req_7' })).toBe(`${taken} (request req_7)`);
	});

	test('gives what happened as a title without a full stop, and what else is known as sentences', () => {
		const busy = explain(anError({ kind: 'slots_busy' }), NOW);
		expect(busy.title).toBe(
			'Both slots are taken: two briefs are already running in the workspace',
		);
		expect(busy.serviceWords).toBe(
			'The service says: Their words; audience: too long. The request was req_7.',
		);
		const said = (message: string) =>
			explain(anError({ message, details: [], requestId: '' }), NOW).serviceWords;
		expect(said('Slow down!')).toBe('The service says: Slow down!');
		expect(said('No. Not v1.2')).toBe('The service says: No. Not v1.2.');
		expect(said('')).toBe('');
		const lost = anError({ kind: 'service_unavailable', status: null, requestId: '' });
		expect(explain(lost.with({ message: 'no host api.example' }), NOW)).toMatchObject({
			title: 'The service could not be reached or failed: no host api.example',
			serviceWords: '',
		});
	});

	test('says of a list that starts over that it does, and of no cursor', () => {
		const { what } = explain(anError({ kind: 'list_unreadable', status: null }), NOW);
		expect(what).toMatch(/starts over when it is asked for the next page\./);
		expect(what).not.toContain('cursor');
	});

	test('says why there was no answer', () => {
		const lost = { status: null, message: 'the connection was cut', requestId: '' };
		expect(explain(anError({ kind: 'in_doubt', ...lost }), NOW).what).toContain(
			'no usable answer came: the connection was cut, so the brief',
		);
		expect(explain(anError({ kind: 'service_unavailable', ...lost }), NOW).what).toContain(
			'could not be reached or failed: the connection was cut.',
		);
		expect(explain(anError({ kind: 'in_doubt', status: 502 }), NOW).what).toContain(
			'no usable answer came (502), so the brief',
		);
	});

	test('says why an answer could not be read, in words that are not the service’s', () => {
		const redirect = { status: 302, message: 'it is a redirect to login.example', details: [] };
		const read = explain(anError({ kind: 'unreadable_answer', ...redirect, requestId: '' }), NOW);
		expect(read.what).toBe(
			'The service’s answer could not be read (302): it is a redirect to login.example.',
		);
		expect(read.serviceWords).toBe('');
	});

	test.each([
		['list_licences', 'products:read'],
		['list_briefs', 'creator-briefs:read'],
		['create_brief', 'creator-briefs:execute'],
		['get_brief', 'creator-briefs:read'],
		['list_hooks', 'content-iq:read'],
	] as const)('names the scope that %s needs: %s', (operation, scope) => {
		const { what } = explain(anError({ kind: 'scope_missing', status: 403, operation }), NOW);
		expect(what).toContain(`lacks the scope ${scope} (403)`);
	});

	test('does not say for certain that a scope is missing if the refusal gives no reason', () => {
		const silent = { code: '', message: '', details: [] };
		const { what } = explain(anError({ kind: 'scope_missing', status: 403, ...silent }), NOW);
		expect(what).toMatch(/may lack the scope creator-briefs:execute, or a firewall answered/);
	});

	test('distinguishes a brief that is not there from an address that is not there', () => {
		const { what, cure } = explain(
			anError({ kind: 'not_found', operation: 'get_brief', status: 410 }),
			NOW,
		);
		expect(what).toMatch(/no such brief .* \(410\)/);
		expect(cure).toMatch(/Check the ID/);
	});

	test('distinguishes the allowance of briefs from that of other tools', () => {
		const { what } = explain(anError({ kind: 'allowance_used_up', operation: 'list_hooks' }), NOW);
		expect(what).toContain('allowance of this tool');
	});

	test.each([
		[null, 'a minute'],
		[-5000, 'a minute'],
		[60_000, 'a minute'],
		[60_001, '2 minutes'],
		[7_100_000, '119 minutes'],
		[7_200_000, '2 hours'],
		[86_400_000, '24 hours'],
	])('where the service asks for %p milliseconds, says to wait %s', (retryAfter, wait) => {
		// By whatever clock: the time itself counts from this machine's, and the month from the service's.
		const error = anError({ kind: 'rate_limited', retryAt: 0, retryAfter });
		expect(explain(error, NOW).cure).toBe(`Wait ${wait} and run it again.`);
	});

	test('says of a service that failed when it was read that it may be read later', () => {
		const error = anError({ kind: 'service_unavailable', operation: 'list_briefs', status: 503 });
		expect(explain(error, NOW)).toMatchObject({
			what: expect.stringContaining('is down (503)') as string,
			cure: 'Nothing is lost: run the same again in some minutes.',
		});
	});

	test('does not say that nothing was spent if a try stayed open', () => {
		const slots = explain(anError({ kind: 'slots_busy', status: 503 }), NOW);
		expect(slots.what).toMatch(/Both slots are taken.* A try .* created or not\./);
		const refused = explain(anError({ kind: 'invalid_input', inDoubt: true }), NOW);
		expect(refused.what).toMatch(/not valid \(400\)\. A try .* created or not\./);
		expect(refused.cure).not.toContain('Nothing was spent');
		expect(refused.cure).toContain('with the same key');
		const open = anError({ kind: 'in_doubt' });
		expect(explain(open.with({ inDoubt: true }), NOW)).toEqual(explain(open, NOW));
		const inUse = anError({ kind: 'conflict' });
		expect(explain(inUse.with({ inDoubt: true }), NOW)).toEqual(explain(inUse, NOW));
	});
});
