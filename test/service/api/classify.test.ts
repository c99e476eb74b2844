import { errorFrom, errorFromFailure, unreadableAnswer } from '../../../service/api/classify';
import type { ErrorKind } from '../../../service/api/errors';
import * as operations from '../../../service/api/operations';
import { SendFailure } from '../../../service/api/ports';

const { createBrief, getBrief, listBriefs, listHooks, listLicences } = operations;
const NOW = Date.UTC(2026, 10, 20);
const create = createBrief({ product_name: 'Lamp' }, 'key');
const get = getBrief('id');
const reads = [get, listBriefs(), listLicences(), listHooks()];

interface Said {
	code?: string;
	message?: string;
	details?: unknown;
	headers?: Record<string, string>;
}

const after = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } });

function kind(request: typeof create, status: number, said: Said = {}): ErrorKind {
	const { headers = {}, ...error } = said;
	return errorFrom(request, { status, headers, body: JSON.stringify({ error }) }, NOW).kind;
}

describe('what an answer means', () => {
	test.each<[number[], ErrorKind, ErrorKind]>([
		[[100, 301, 302, 304, 307, 308, 408], 'in_doubt', 'unreadable_answer'],
		[[400, 405, 413, 415, 422, 499], 'invalid_input', 'invalid_input'],
		[[401], 'key_refused', 'key_refused'],
		[[402], 'allowance_used_up', 'allowance_used_up'],
		[[403], 'scope_missing', 'scope_missing'],
		[[404, 410], 'not_found', 'not_found'],
		[[409], 'conflict', 'conflict'],
		[[429], 'rate_limited', 'rate_limited'],
		[[500, 502, 503, 504, 599], 'in_doubt', 'service_unavailable'],
	])(
		'a bare status of %j is %s to a create and %s to a reading request',
		(all, ofCreate, ofRead) => {
			for (const status of all) {
				expect([status, kind(create, status)]).toEqual([status, ofCreate]);
				for (const read of reads) expect([status, kind(read, status)]).toEqual([status, ofRead]);
			}
		},
	);

	test.each<[number, Said, ErrorKind]>([
		// The three kinds of 429, by code.
		[429, { code: 'concurrency_limit' }, 'slots_busy'],
		[429, { code: 'too_many_running' }, 'slots_busy'],
		[429, { code: 'briefs_running' }, 'slots_busy'],
		[429, { code: 'no_free_slot' }, 'slots_busy'],
		[429, { code: 'allowance_reached' }, 'allowance_used_up'],
		[429, { code: 'MONTHLY_LIMIT' }, 'allowance_used_up'],
		[429, { code: 'quota_exceeded' }, 'allowance_used_up'],
		[429, { code: 'rate_limited' }, 'rate_limited'],
		// A specific code beats the text.
		[429, { code: 'allowance_reached', message: 'Too many requests' }, 'allowance_used_up'],
		[429, { code: 'concurrency_limit', message: 'Monthly allowance' }, 'slots_busy'],
		// By text, under the generic code that docs/api.md section 7 shows.
		[429, { code: 'rate_limited', message: 'Two briefs are already running' }, 'slots_busy'],
		[429, { code: 'rate_limited', message: 'Both slots are taken' }, 'slots_busy'],
		[429, { code: 'rate_limited', message: 'Two briefs can run at a time' }, 'slots_busy'],
		[429, { code: 'rate_limited', message: 'Your monthly allowance is used' }, 'allowance_used_up'],
		[429, { code: 'rate_limited', message: 'Nothing left this month' }, 'allowance_used_up'],
		[429, { code: 'rate_limited', message: 'Slow down' }, 'rate_limited'],
		[429, { code: 'rate_limited', details: ['Both slots are taken'] }, 'slots_busy'],
		// A sentence ends where the next text begins.
		[429, { message: 'Not now', details: ['slots: 0'] }, 'slots_busy'],
		// A text that names two decides nothing; then a far-off time means the month.
		[429, { message: 'Rate limit or allowance reached.' }, 'rate_limited'],
		[429, { message: 'Slots or allowance' }, 'rate_limited'],
		[429, { message: 'Rate limit or allowance reached.', ...after(900_000) }, 'allowance_used_up'],
		[429, { ...after(3600) }, 'rate_limited'],
		[429, { ...after(3601) }, 'allowance_used_up'],
		[429, { message: 'Slow down', ...after(900000) }, 'rate_limited'],
		// A third brief may be refused otherwise.
		[409, { code: 'too_many_briefs' }, 'slots_busy'],
		[409, { message: 'Two briefs are already running' }, 'slots_busy'],
		[403, { message: 'Both slots are taken' }, 'slots_busy'],
		[423, { message: 'Two briefs are running at the same time' }, 'slots_busy'],
		[503, { code: 'concurrency_limit' }, 'slots_busy'],
		[400, { code: 'concurrency_limit' }, 'slots_busy'],
		[403, { code: 'concurrency_limit' }, 'slots_busy'],
		[422, { code: 'concurrency_limit' }, 'slots_busy'],
		[401, { code: 'concurrency_limit' }, 'key_refused'],
		// Words of the input, quoted in a 400, are no word about slots.
		[400, { message: 'audience: “people who are running” is not allowed' }, 'invalid_input'],
		// The key of the order.
		[409, { message: 'The request with this key is still running' }, 'conflict'],
		[409, { code: 'idempotency_concurrent_request' }, 'conflict'],
		[422, { code: 'idempotency_key_reused' }, 'key_taken'],
		[422, { message: 'Idempotency-Key was used with another body' }, 'key_taken'],
		[409, { message: 'This key: same key, different request payload' }, 'key_taken'],
		[409, { message: 'Idempotency keys can only be used with the same parameters' }, 'key_taken'],
		[422, { message: 'A request with this key is in progress' }, 'conflict'],
		[409, { message: 'Idempotency-Key is in use' }, 'conflict'],
		[422, { message: 'product_name is too short' }, 'invalid_input'],
		[503, { code: 'idempotency_store_down' }, 'in_doubt'],
		// A create that cannot be right says nothing about the allowance or an earlier order, whatever it is called.
		[400, { code: 'quota_exceeded' }, 'invalid_input'],
		[400, { code: 'idempotency_key_malformed' }, 'invalid_input'],
		// 403.
		[403, { code: 'insufficient_scope' }, 'scope_missing'],
		[403, { code: 'permission_denied' }, 'scope_missing'],
		[403, { code: 'licence_required' }, 'licence_missing'],
		[403, { code: 'license_required' }, 'licence_missing'],
		[403, { code: 'plan_too_small' }, 'licence_missing'],
		[403, { code: 'forbidden', message: 'A Business licence is needed' }, 'licence_missing'],
		[403, { code: 'forbidden', message: 'Only on the Business plan' }, 'licence_missing'],
		[403, { code: 'forbidden', message: 'You may not do this' }, 'scope_missing'],
		[403, { code: 'insufficient_scope', message: 'Your licence is fine' }, 'scope_missing'],
		[403, { code: 'quota_exceeded' }, 'allowance_used_up'],
	])('to a create, %i %j means %s', (status, said, expected) => {
		expect(kind(create, status, said)).toBe(expected);
	});

	test('reading briefs takes no slot and no allowance, so a 429 asks it to slow down, whatever it is called', () => {
		for (const read of [get, listBriefs(), listLicences()]) {
			expect(kind(read, 429, { code: 'quota_exceeded' })).toBe('rate_limited');
			expect(kind(read, 429, { code: 'concurrency_limit' })).toBe('rate_limited');
			expect(kind(read, 429, { ...after(90000) })).toBe('rate_limited');
		}
		expect(kind(listHooks(), 429, { code: 'quota_exceeded' })).toBe('allowance_used_up');
		expect(kind(listHooks(), 429, { message: 'Both slots are taken' })).toBe('rate_limited');
		expect(kind(get, 409, { message: 'already running' })).toBe('conflict');
		expect(kind(get, 403, { code: 'quota_exceeded' })).toBe('scope_missing');
	});
});

describe('what an error carries', () => {
	const answer = (body: string, headers: Record<string, string> = {}, status = 400) =>
		errorFrom(get, { status, headers, body }, NOW);

	test('the service’s code, message, details and request id, and when to come back', () => {
		const said = { code: 'rate_limited', message: 'Slow down', request_id: 'req_7' };
		const body = JSON.stringify({ error: { ...said, details: [{ field: 'a', message: 'b' }] } });
		expect(answer(body, { 'retry-after': '9' }, 429)).toMatchObject({
			name: 'ServiceError',
			kind: 'rate_limited',
			operation: 'get_brief',
			status: 429,
			code: 'rate_limited',
			message: 'Slow down',
			details: ['a: b'],
			requestId: 'req_7',
			retryAt: NOW + 9000,
			retryAfter: 9000,
		});
	});

	test('no time to come back if the service names none', () => {
		expect(answer('', {}, 429)).toMatchObject({ retryAt: null, retryAfter: null });
	});

	test('the request id of the header if the body has none', () => {
		expect(answer('{"error":{}}', { 'x-request-id': 'req_8' }).requestId).toBe('req_8');
		expect(answer('{"error":{}}').requestId).toBe('');
	});

	test('no code if there is none, and none that is not a text', () => {
		for (const code of ['null', '{"a":1}', 'true', '[]'])
			expect(answer(`{"error":{"code":${code}}}`).code).toBe('');
		expect(answer('{"error":{"code":4031}}').code).toBe('4031');
	});

	test('its words in either form in which docs/api.md section 7 may be meant', () => {
		expect(answer('{"error":{"message":42}}')).toMatchObject({ message: '42', page: undefined });
		const flat = { code: 'flat', message: 'Flat', page: undefined };
		expect(answer('{"code":"flat","message":"Flat"}')).toMatchObject(flat);
	});

	test('of a redirect only the host that it names, for the rest may be secret', () => {
		const location = 'https://login.example/in?token=s3cret';
		expect(answer('', { location }, 302).message).toBe('it is a redirect to login.example');
		expect(answer('', { location }, 300).message).toContain('a redirect to login.example');
		expect(answer('', { location }, 100).message).toBe('');
		expect(answer('', {}, 302).message).toMatch(/to another address$/);
		expect(answer('', { location: '/relative' }, 302).message).toMatch(/to another address$/);
	});

	test('no endless text, but all of one that is not too long', () => {
		const shown = (length: number) =>
			answer(JSON.stringify({ error: { message: 'x'.repeat(length) } })).message;
		expect(shown(9999)).toBe(`${'x'.repeat(499)}…`);
		expect(shown(501)).toHaveLength(500);
		expect(shown(500)).toBe('x'.repeat(500));
	});
});

describe('an error that is not in the form of docs/api.md section 7', () => {
	const BODIES = [
		...['', '<html><title>Access\n denied</title>', 'Forbidden', '"text"', 'null', '[1,2]'],
		...['{}', '{"message":"Forbidden"}', '{"error":"Forbidden"}', '{"error":[]}'],
		...[
			'{"code":"x"}',
			'{"code":"","message":"x"}',
			'{"error":null,"message":"x"}',
			'{"error":{"code":',
		],
	];
	const page = (request: typeof create, status: number, more: object = {}) =>
		errorFrom(request, { status, headers: {}, body: '<html>', ...more }, NOW);

	test.each([
		...[400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 413, 422, 423, 451, 500, 502, 503],
	])('of the status %i is an outage, which leaves a create open', (status) => {
		for (const body of BODIES) {
			const ofCreate = { kind: 'in_doubt', code: '', details: [], page: 'later' };
			expect([body, page(create, status, { body })]).toEqual([
				body,
				expect.objectContaining(ofCreate) as unknown,
			]);
			for (const read of reads)
				expect(page(read, status, { body }).kind).toBe('service_unavailable');
		}
	});

	test('is a rate limit if its status is 429, and never the allowance or the slots, whatever it says', () => {
		for (const body of [...BODIES, 'Both slots are taken', 'Your monthly allowance is used up'])
			for (const request of [create, ...reads])
				expect(page(request, 429, { body }).kind).toBe('rate_limited');
	});

	test.each([
		['3600', NOW + 3_600_000],
		['3601', null],
	])(
		'holds requests back for an hour at most: of Retry-After %s remains %p',
		(seconds, retryAt) => {
			for (const status of [429, 503])
				expect(page(get, status, { headers: { 'retry-after': seconds } }).retryAt).toBe(retryAt);
		},
	);

	test('makes the address wrong only if it is of 404, 405 or 410, of a reading request, and nothing there is known', () => {
		const nothing = { hasAnswered: false, isKnown: false };
		const kindAt = (status: number, address: typeof nothing, request = get) =>
			errorFrom(request, { status, headers: {}, body: '' }, NOW, address).kind;
		for (const status of [404, 405, 410]) {
			expect(kindAt(status, nothing)).toBe('not_found');
			expect(kindAt(status, { ...nothing, isKnown: true })).toBe('service_unavailable');
			expect(kindAt(status, { ...nothing, hasAnswered: true })).toBe('service_unavailable');
			expect(kindAt(status, nothing, create)).toBe('in_doubt');
		}
		expect(kindAt(403, nothing)).toBe('service_unavailable');
	});

	test.each([
		['<html><head><title lang="en">Access\n denied</title></head><h1>No</h1>', 'Access denied'],
		['<html><h1 class="a">Blocked</h1>', 'Blocked'],
		['<html><title></title><h1>Blocked</h1>', 'Blocked'],
		['<html><p>Text</p>', ''],
		['error code: 1020', 'error code: 1020'],
		['"text"', 'text'],
		['{"message":"Forbidden"}', 'Forbidden'],
		['{"error":"Not Found","status":404}', 'Not Found'],
		['{"error":{"code":', ''],
		['[1,2]', ''],
		['', ''],
	])('carries of the body %j the words %j', (body, message) => {
		expect(page(get, 403, { body }).message).toBe(message);
	});

	test('names the variable of the proxy through which it came, and says if nothing has answered before', () => {
		const response = { status: 407, headers: {}, body: '', proxy: 'HTTPS_PROXY' };
		expect(errorFrom(get, response, NOW)).toMatchObject({ proxy: 'HTTPS_PROXY', page: 'later' });
		const address = { hasAnswered: false, isKnown: true };
		expect(errorFrom(get, response, NOW, address).page).toBe('first');
	});
});

describe('a request without a usable answer', () => {
	test('leaves a create open only if it was sent', () => {
		const kindOf = (request: typeof create, sent: boolean) =>
			errorFromFailure(request, new SendFailure('cut', sent));
		expect(kindOf(create, true)).toMatchObject({ kind: 'in_doubt', status: null, message: 'cut' });
		expect(kindOf(create, true)).toMatchObject({ code: '', details: [], requestId: '' });
		expect(kindOf(create, false).kind).toBe('service_unavailable');
		expect(kindOf(get, true).kind).toBe('service_unavailable');
		expect(kindOf(get, false).kind).toBe('service_unavailable');
	});

	test('an unreadable success leaves a create open, and is only unreadable to others', () => {
		const response = { status: 202, headers: { 'x-request-id': 'req_9' }, body: '' };
		const ofCreate = { kind: 'in_doubt', status: 202 };
		expect(unreadableAnswer(create, response, 'why')).toMatchObject(ofCreate);
		const message = 'it is not JSON';
		const ofGet = { kind: 'unreadable_answer', message, requestId: 'req_9' };
		expect(unreadableAnswer(get, response, 'it is not JSON')).toMatchObject(ofGet);
		const nothing = { code: '', details: [], requestId: '' };
		expect(unreadableAnswer(get, { ...response, headers: {} }, '')).toMatchObject(nothing);
	});
});
