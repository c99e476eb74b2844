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
	['unreadable_answer', 408, /answer could not be read \(408\)/, /no fault of the key/],
	['list_unreadable', 400, /refuses its own cursor \(400\)/, /no fault of the key/],
	['other_brief', 202, /another brief, b1 \(“Night Cream”\)/, /no other row of any sheet/],
	['in_doubt', 500, /may have been created or not/, /As long as the service remembers the order/],
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

	describe('of something that answered in the service’s place', () => {
		const page = (changes: Partial<ServiceError>) =>
			explain(
				new ServiceError({
					kind: 'service_unavailable',
					operation: 'list_briefs',
					message: 'Access denied',
					page: 'later',
					...changes,
				}),
				NOW,
			);

		test('says its status and its words, and blames neither data nor key', () => {
			const { what, cure, serviceWords } = page({ status: 403 });
			expect(what).toBe('Something else answered in the service’s place (403): “Access denied”.');
			expect(cure).toMatch(/^This is no fault of the key or of your data\. Run it again later/);
			expect(serviceWords).toBe('');
			expect(page({ status: 503 }).what).toBe(
				'The service, or something between here and the service, is down (503): “Access denied”.',
			);
			expect(page({ status: 403, message: '' }).title).toMatch(/place \(403\)$/);
		});

		test('names the proxy by its variable, also if that wants a password', () => {
			const proxy = 'https_proxy';
			const way = 'The request went through the proxy of https_proxy.';
			for (const status of [200, 403, 404, 429, 503]) {
				expect(page({ status, proxy }).cure).toContain(way);
				expect(page({ status, proxy, kind: 'in_doubt' }).cure).toContain(way);
			}
			expect(page({ status: 407, proxy })).toMatchObject({
				title: 'A proxy wants a user name and a password (407): “Access denied”',
				cure: 'Put user name and password into https_proxy: http://user:password@host:port.',
			});
			expect(page({ status: 407 }).cure).toContain('into HTTPS_PROXY');
			expect(page({ status: 407, kind: 'in_doubt' }).cure).toContain('into HTTPS_PROXY');
		});

		test('before the first answer, says that the address may be wrong, and for 401 the key', () => {
			const first = (status: number) => page({ status, page: 'first' }).cure;
			expect(first(403)).toMatch(/^Check the Base URL: it ends in \/v1\./);
			expect(first(403)).not.toContain('key');
			expect(first(401)).toMatch(/^The API key may be the reason: check it\. Check the Base URL/);
			expect(page({ status: 401 }).cure).not.toContain('may be the reason');
			expect(page({ status: 404, kind: 'not_found', operation: 'get_brief' })).toMatchObject({
				title: 'The service is not at this address: something else answered (404): “Access denied”',
				cure: 'Check the Base URL: it ends in /v1.',
			});
		});

		test('calls a page with a success a sign-in', () => {
			const { what, cure } = page({ status: 200, kind: 'unreadable_answer', message: 'Sign in' });
			expect(what).toBe('Something else answered in the service’s place (200): “Sign in”.');
			expect(cure).toMatch(/^Perhaps it is the sign-in page of a network\./);
		});

		test('says of a create that the brief may exist, and who answered', () => {
			expect(page({ status: 403, kind: 'in_doubt', operation: 'create_brief' }).what).toBe(
				'The brief was ordered, but something else answered in the service’s place (403): “Access denied”, so the brief may have been created or not.',
			);
		});

		test('says that it asked to slow down, and for how long', () => {
			expect(page({ status: 429, kind: 'rate_limited', retryAfter: 120_000 })).toMatchObject({
				title: 'Something between here and the service asked to slow down (429): “Access denied”',
				cure: 'Wait 2 minutes and run it again.',
			});
		});
	});

	test('names the variable for a company’s own authority if a certificate’s signer is not known', () => {
		const cureOf = (code: string) =>
			explain(anError({ kind: 'service_unavailable', status: null, code }), NOW).cure;
		for (const code of ['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'])
			expect(cureOf(code)).toContain('NODE_EXTRA_CA_CERTS=/path/to/authority.pem');
		expect(cureOf('CERT_HAS_EXPIRED')).toMatch(/^Check the Base URL and the network/);
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
		expect(refused.cure).toContain('look in the vendor’s web app');
		const open = anError({ kind: 'in_doubt' });
		expect(explain(open.with({ inDoubt: true }), NOW)).toEqual(explain(open, NOW));
		const inUse = anError({ kind: 'conflict' });
		expect(explain(inUse.with({ inDoubt: true }), NOW)).toEqual(explain(inUse, NOW));
	});
});
