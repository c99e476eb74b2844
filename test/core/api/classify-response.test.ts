import { isTransient, type ErrorKind } from '../../../core/api/errors';
import type { OperationId } from '../../../core/api/operations';
import { ConnectionGone, SendFailure } from '../../../core/api/ports';
import { errorBody, getError } from '../support/scripted-service';

const READS = ['list_licences', 'list_briefs', 'get_brief', 'list_hooks'] as const;

interface Refusal {
	readonly code?: string;
	readonly message?: string;
	readonly details?: unknown;
	readonly headers?: Record<string, string>;
}

function retryAfter(seconds: number) {
	return { headers: { 'retry-after': String(seconds) } };
}

async function classify(
	operation: OperationId,
	status: number,
	{ headers = {}, ...error }: Refusal = {},
): Promise<ErrorKind> {
	return (await getError(operation, { status, headers, body: errorBody(error) })).kind;
}

describe('an error in the form of docs/api.md 7', () => {
	test.each<[number[], ErrorKind, ErrorKind]>([
		[[100, 301, 302, 307, 408], 'unconfirmed', 'unreadable_answer'],
		[[400, 402, 405, 413, 422, 423], 'invalid_input', 'invalid_input'],
		[[401], 'key_refused', 'key_refused'],
		[[403], 'scope_missing', 'scope_missing'],
		[[404], 'not_found', 'not_found'],
		[[409], 'conflict', 'conflict'],
		[[429], 'rate_limited', 'rate_limited'],
		[[500, 502, 503, 599], 'unconfirmed', 'service_unavailable'],
	])(
		'with a status of %j and no words is %s for a create request and %s for a GET',
		async (statuses, ofCreate, ofGet) => {
			for (const status of statuses) {
				expect(await classify('create_brief', status)).toBe(ofCreate);
				for (const operation of READS) expect(await classify(operation, status)).toBe(ofGet);
			}
		},
	);

	test.each<[number, Refusal, ErrorKind]>([
		[429, { code: 'concurrency_limit' }, 'slots_busy'],
		[429, { code: 'too_many_running' }, 'slots_busy'],
		[429, { code: 'rate_limited', message: 'Two briefs are already running' }, 'slots_busy'],
		[429, { code: 'rate_limited', message: 'Two briefs can run at a time' }, 'slots_busy'],
		[429, { message: 'Not now', details: ['slots: 0'] }, 'slots_busy'],
		[429, { code: 'allowance_reached' }, 'allowance_used_up'],
		[429, { code: 'quota_exceeded', message: 'Too many requests' }, 'allowance_used_up'],
		[429, { code: 'rate_limited', message: 'Monthly brief limit reached' }, 'allowance_used_up'],
		[429, { code: 'rate_limited', message: 'Nothing left this month' }, 'allowance_used_up'],
		[429, { code: 'rate_limited', message: 'Slow down' }, 'rate_limited'],
		// A long wait means the month.
		[429, { ...retryAfter(3600) }, 'rate_limited'],
		[429, { ...retryAfter(3601) }, 'allowance_used_up'],
		[429, { message: 'Slow down', ...retryAfter(90_000) }, 'allowance_used_up'],
		// A text that names two of the three decides nothing.
		[429, { message: 'Rate limit or allowance reached.' }, 'rate_limited'],
		[
			429,
			{ message: 'Rate limit or allowance reached.', ...retryAfter(3601) },
			'allowance_used_up',
		],
		// docs/api.md 8 does not say how a third brief is refused.
		[400, { code: 'concurrency_limit' }, 'slots_busy'],
		[403, { message: 'Both slots are taken' }, 'slots_busy'],
		[409, { message: 'Two briefs are already running' }, 'slots_busy'],
		[423, { message: 'Two briefs are running at the same time' }, 'slots_busy'],
		[401, { code: 'concurrency_limit' }, 'key_refused'],
		// A 400 can quote the input.
		[400, { message: 'audience: “people who are running” is not allowed' }, 'invalid_input'],
		// The idempotency key.
		[409, { message: 'The request with this key is still running' }, 'conflict'],
		[409, { code: 'idempotency_concurrent_request' }, 'conflict'],
		[422, { code: 'idempotency_key_reused' }, 'conflict'],
		[422, { message: 'product_name is too short' }, 'invalid_input'],
		[403, { code: 'insufficient_scope', message: 'Your licence is fine' }, 'scope_missing'],
		[403, { code: 'licence_required' }, 'licence_missing'],
		[403, { code: 'license_required' }, 'licence_missing'],
		[403, { code: 'forbidden', message: 'Only on the Business plan' }, 'licence_missing'],
		[403, { code: 'forbidden', message: 'Not allowed' }, 'scope_missing'],
	])('%i %j to a create request is %s', async (status, refusal, kind) => {
		expect(await classify('create_brief', status, refusal)).toBe(kind);
	});

	test.each(['list_licences', 'list_briefs', 'get_brief'] as const)(
		'429 to %s is a rate limit, whatever it says',
		async (operation) => {
			expect(await classify(operation, 429, { code: 'quota_exceeded' })).toBe('rate_limited');
			expect(await classify(operation, 429, { code: 'concurrency_limit' })).toBe('rate_limited');
			expect(await classify(operation, 429, retryAfter(90_000))).toBe('rate_limited');
		},
	);

	test('429 to list_hooks can be about its allowance, but not about slots', async () => {
		expect(await classify('list_hooks', 429, { code: 'quota_exceeded' })).toBe('allowance_used_up');
		const slots = { message: 'Both slots are taken' };
		expect(await classify('list_hooks', 429, slots)).toBe('rate_limited');
	});

	test('keeps code, message, details, request ID and Retry-After', async () => {
		const error = { code: 'rate_limited', message: 'Slow down', request_id: 'req_7' };
		const body = errorBody({ ...error, details: [{ field: 'a', message: 'b' }] });
		const headers = { 'retry-after': '9' };
		expect(await getError('get_brief', { status: 429, headers, body })).toMatchObject({
			name: 'ServiceError',
			kind: 'rate_limited',
			operation: 'get_brief',
			source: 'service',
			status: 429,
			code: 'rate_limited',
			message: 'Slow down',
			details: ['a: b'],
			requestId: 'req_7',
			retryAfterMs: 9000,
		});
	});

	test.each([
		['{"error":{"message":42}}', { message: '42', source: 'service' }],
		['{"error":{"code":4031}}', { code: '4031', source: 'service' }],
		['{"error":{"code":{"a":1}}}', { code: '', source: 'service' }],
		['{"code":"flat","message":"Flat"}', { code: 'flat', message: 'Flat', source: 'service' }],
	])('is read from %s', async (body, facts) => {
		expect(await getError('get_brief', { status: 400, body })).toMatchObject(facts);
	});

	test('without a request ID has the ID of the header', async () => {
		const headers = { 'x-request-id': 'req_8' };
		const error = await getError('get_brief', { status: 400, headers, body: errorBody({}) });
		expect(error.requestId).toBe('req_8');
	});

	test('with an endless message keeps its first 500 characters', async () => {
		const body = errorBody({ message: 'x'.repeat(9999) });
		expect((await getError('get_brief', { status: 400, body })).message).toHaveLength(500);
	});
});

describe('a success with an error in the form of docs/api.md 7', () => {
	test.each([200, 202])('%i shows the service’s message', async (status) => {
		const body = errorBody({ code: 'internal', message: 'Try later', request_id: 'req_1' });
		expect(await getError('create_brief', { status, body })).toMatchObject({
			kind: 'unconfirmed',
			source: 'service',
			message: 'Try later',
			requestId: 'req_1',
		});
		expect(await getError('list_briefs', { status, body })).toMatchObject({
			kind: 'unreadable_answer',
			message: 'Try later',
		});
	});
});

const PAGES = [
	...['', '<html><title>Access\n denied</title>', 'Forbidden', '"text"', 'null', '[1,2]', '{}'],
	...['{"message":"Forbidden"}', '{"error":"Forbidden"}', '{"error":[]}', '{"code":"x"}'],
	...['{"code":"","message":"x"}', '{"error":null,"message":"x"}', '{"error":{"code":'],
];

describe('an error that is not in the form of docs/api.md 7', () => {
	test.each([400, 401, 403, 404, 407, 409, 422, 500, 503])(
		'with a status of %i is not the service’s word',
		async (status) => {
			for (const body of PAGES) {
				const facts = { source: 'page', status, code: '', details: [] };
				const ofCreate = await getError('create_brief', { status, body });
				expect(ofCreate).toMatchObject({ ...facts, kind: 'unconfirmed' });
				const ofGet = await getError('get_brief', { status, body });
				expect(ofGet).toMatchObject({ ...facts, kind: 'service_unavailable' });
			}
		},
	);

	test('with a status of 429 is a rate limit, whatever it says', async () => {
		for (const body of [...PAGES, 'Both slots are taken', 'Your allowance is used up'])
			expect((await getError('create_brief', { status: 429, body })).kind).toBe('rate_limited');
	});

	test.each([
		['3600', 3_600_000],
		['3601', null],
	])('with a Retry-After of %s seconds asks to wait %p ms', async (seconds, retryAfterMs) => {
		const answer = { status: 503, headers: { 'retry-after': seconds } };
		expect((await getError('get_brief', answer)).retryAfterMs).toBe(retryAfterMs);
	});

	test.each([
		['<html><head><title lang="en">Access\n denied</title></head><h1>No</h1>', 'Access denied'],
		['<html><title></title><h1 class="a">Blocked</h1>', 'Blocked'],
		['<html><p>Text</p>', ''],
		['error code: 1020', 'error code: 1020'],
		['"text"', 'text'],
		['{"message":"Forbidden"}', 'Forbidden'],
		['{"error":"Not Found","status":404}', 'Not Found'],
		['{"error":{"code":', ''],
		['[1,2]', ''],
	])('shows of the body %j the words “%s”', async (body, message) => {
		expect((await getError('get_brief', { status: 403, body })).message).toBe(message);
	});

	test.each([
		['https://login.example/in?token=s3cret', 'redirect to login.example'],
		['/relative', 'redirect to another address'],
	])('that redirects to %s shows only its host', async (location, message) => {
		const error = await getError('get_brief', { status: 302, headers: { location } });
		expect(error.message).toBe(message);
	});

	test('names the variable of the proxy', async () => {
		const error = await getError('get_brief', { status: 407, proxy: 'HTTPS_PROXY' });
		expect(error.proxy).toBe('HTTPS_PROXY');
	});
});

describe('a request without an answer', () => {
	test.each<[boolean, ErrorKind]>([
		[true, 'unconfirmed'],
		[false, 'service_unavailable'],
	])('that might have arrived (%s) is %s for a create request', async (mayHaveArrived, kind) => {
		const failure = new SendFailure('the connection was cut', mayHaveArrived, 'ECONNRESET');
		expect(await getError('create_brief', failure)).toMatchObject({
			kind,
			source: 'client',
			status: null,
			code: 'ECONNRESET',
			message: 'the connection was cut',
		});
	});

	test.each(['create_brief', 'get_brief'] as const)(
		'of %s is not sent again after the credential has changed',
		async (operation) => {
			const error = await getError(operation, new ConnectionGone('The credential was changed'));
			expect(error).toMatchObject({ kind: 'key_refused', source: 'client', status: null });
			expect(isTransient(error.kind)).toBe(false);
		},
	);

	test('is an outage for a GET', async () => {
		const error = await getError('get_brief', new SendFailure('the connection was cut', true));
		expect(error.kind).toBe('service_unavailable');
	});
});

describe('a success that cannot be read', () => {
	test.each([
		['{"id":"b1"', 'client', 'it was cut off'],
		['{"id":"b1"}', 'client', 'it has no status'],
		['<title>Sign in</title>', 'page', 'Sign in'],
		['{"data":[]}', 'client', 'it has no ID'],
		['[]', 'page', ''],
	] as const)('such as %s has the source %s and the reason “%s”', async (body, source, message) => {
		const facts = { source, message };
		const ofCreate = await getError('create_brief', { status: 202, body });
		expect(ofCreate).toMatchObject({ ...facts, kind: 'unconfirmed' });
		const ofGet = await getError('get_brief', { body });
		expect(ofGet).toMatchObject({ ...facts, kind: 'unreadable_answer' });
	});
});
