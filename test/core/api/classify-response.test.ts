import type { ErrorKind } from '../../../core/api/errors';
import type { OperationId } from '../../../core/api/operations';
import { ConnectionGone, SendFailure } from '../../../core/api/ports';
import { errorBody, getError } from '../support/scripted-service';

const READS = ['list_licences', 'list_briefs', 'get_brief', 'list_hooks'] as const;

interface Refusal {
	readonly code?: string;
	readonly message?: string;
	readonly details?: unknown;
	/** Retry-After in seconds. */
	readonly wait?: number;
}

async function classify(
	operation: OperationId,
	status: number,
	{ wait, ...error }: Refusal = {},
): Promise<ErrorKind> {
	const headers: Record<string, string> = wait === undefined ? {} : { 'retry-after': `${wait}` };
	return (await getError(operation, { status, headers, body: errorBody(error) })).kind;
}

describe('an error in the form of docs/api.md 7', () => {
	test.each<[number[], ErrorKind, ErrorKind]>([
		[[100, 301, 302, 307, 408], 'unconfirmed', 'unreadable_answer'],
		[[400, 405, 413, 422, 423], 'invalid_input', 'invalid_input'],
		[[401], 'key_refused', 'key_refused'],
		[[402], 'licence_missing', 'licence_missing'],
		[[403], 'scope_missing', 'scope_missing'],
		[[404], 'not_found', 'not_found'],
		[[409], 'conflict', 'conflict'],
		[[429], 'rate_limited', 'rate_limited'],
		[[500, 502, 503, 599], 'unconfirmed', 'service_unavailable'],
	])(
		'with a status of %j and no text is %s for a create request and %s for a GET',
		async (statuses, ofCreate, ofGet) => {
			for (const status of statuses) {
				expect(await classify('create_brief', status)).toBe(ofCreate);
				for (const operation of READS) expect(await classify(operation, status)).toBe(ofGet);
			}
		},
	);

	const EITHER = 'Rate limit or allowance reached.';
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
		// A wait of more than an hour means the monthly allowance.
		[429, { wait: 3600 }, 'rate_limited'],
		[429, { message: 'Slow down', wait: 3601 }, 'allowance_used_up'],
		// A text that names two of the three limits decides nothing.
		[429, { message: EITHER }, 'rate_limited'],
		[429, { message: EITHER, wait: 3601 }, 'allowance_used_up'],
		// docs/api.md 8 leaves open how a third brief is refused.
		[400, { code: 'concurrency_limit' }, 'slots_busy'],
		[403, { message: 'Both slots are taken' }, 'slots_busy'],
		[409, { message: 'Two briefs are already running' }, 'slots_busy'],
		[423, { message: 'Two briefs are running at the same time' }, 'slots_busy'],
		[401, { code: 'concurrency_limit' }, 'key_refused'],
		// A 400 can quote the input.
		[400, { message: 'audience: “people who are running” is not allowed' }, 'invalid_input'],
		// A conflict about the idempotency key.
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

	test.each<[OperationId, Refusal, ErrorKind]>([
		// Reading briefs and licences uses neither slots nor allowance.
		['list_licences', { code: 'quota_exceeded' }, 'rate_limited'],
		['list_briefs', { code: 'concurrency_limit' }, 'rate_limited'],
		['get_brief', { wait: 90_000 }, 'rate_limited'],
		// Hooks have an allowance, but no slots.
		['list_hooks', { code: 'quota_exceeded' }, 'allowance_used_up'],
		['list_hooks', { message: 'Both slots are taken' }, 'rate_limited'],
	])('429 to %s with %j is %s', async (operation, refusal, kind) => {
		expect(await classify(operation, 429, refusal)).toBe(kind);
	});

	const FLAT = { code: 'flat', message: 'Flat' };
	test.each([
		[
			errorBody({ ...FLAT, details: [{ field: 'a', message: 'b' }] }),
			{ ...FLAT, details: ['a: b'] },
		],
		[errorBody({ ...FLAT, request_id: 'req_7' }), { ...FLAT, requestId: 'req_7' }],
		[errorBody({ message: 42 }), { message: '42', requestId: 'req_of_header' }],
		[errorBody({ code: 4031 }), { code: '4031' }],
		[errorBody({ code: { a: 1 } }), { code: '' }],
		[errorBody({ message: 'x'.repeat(9999) }), { message: `${'x'.repeat(499)}…` }],
		[JSON.stringify(FLAT), FLAT],
	])('is read from %.80s', async (body, facts) => {
		const headers = { 'retry-after': '9', 'x-request-id': 'req_of_header' };
		const answer = { operation: 'get_brief', status: 503, source: 'service', retryAfterMs: 9000 };
		const error = await getError('get_brief', { status: 503, headers, body });
		expect(error).toMatchObject({ name: 'ServiceError', ...answer, ...facts });
	});

	test.each([200, 202])('in a success (%i) shows the service’s message', async (status) => {
		const body = errorBody({ code: 'internal', message: 'Try later', request_id: 'req_1' });
		const facts = { source: 'service', message: 'Try later', requestId: 'req_1' };
		const ofCreate = await getError('create_brief', { status, body });
		expect(ofCreate).toMatchObject({ ...facts, kind: 'unconfirmed' });
		const ofGet = await getError('list_briefs', { status, body });
		expect(ofGet).toMatchObject({ ...facts, kind: 'unreadable_answer' });
	});
});

describe('an error that is not in the form of docs/api.md 7', () => {
	test.each([
		['', ''],
		['<html><head><title lang="en">Access\n denied</title></head><h1>No</h1>', 'Access denied'],
		['<html><title></title><h1 class="a">Blocked</h1>', 'Blocked'],
		['<html><p>Text</p>', ''],
		['error code: 1020', 'error code: 1020'],
		['Both slots are taken, and the allowance', 'Both slots are taken, and the allowance'],
		['"text"', 'text'],
		['null', 'null'],
		['[1,2]', ''],
		['{}', ''],
		['{"message":"Forbidden"}', 'Forbidden'],
		['{"error":"Not Found","status":404}', 'Not Found'],
		['{"error":[]}', ''],
		['{"error":null,"message":"x"}', 'x'],
		['{"error":{"code":', ''],
		['{"code":"x"}', ''],
		['{"code":"","message":"x"}', 'x'],
	])('such as %j is not an answer of the service, and shows “%s”', async (body, message) => {
		for (const status of [400, 401, 403, 404, 407, 409, 422, 500, 503]) {
			const facts = { source: 'page', status, code: '', message, details: [] };
			const ofCreate = await getError('create_brief', { status, body });
			expect(ofCreate).toMatchObject({ ...facts, kind: 'unconfirmed' });
			const ofGet = await getError('get_brief', { status, body });
			expect(ofGet).toMatchObject({ ...facts, kind: 'service_unavailable' });
		}
		const { kind } = await getError('create_brief', { status: 429, body });
		expect(kind).toBe('rate_limited');
	});

	test.each([
		['3600', 3_600_000],
		['3601', null],
	])('with a Retry-After of %s seconds asks to wait %p ms', async (seconds, retryAfterMs) => {
		const answer = { status: 503, headers: { 'retry-after': seconds } };
		expect((await getError('get_brief', answer)).retryAfterMs).toBe(retryAfterMs);
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
	test.each<[OperationId, boolean, ErrorKind]>([
		['create_brief', true, 'unconfirmed'],
		['create_brief', false, 'service_unavailable'],
		['get_brief', true, 'service_unavailable'],
	])('of %s that might have arrived (%s) is %s', async (operation, mayHaveArrived, kind) => {
		const failure = new SendFailure('the connection was cut', mayHaveArrived, 'ECONNRESET');
		const facts = { source: 'client', status: null, code: 'ECONNRESET' };
		const error = await getError(operation, failure);
		expect(error).toMatchObject({ ...facts, kind, message: 'the connection was cut' });
	});

	test.each(['create_brief', 'get_brief'] as const)(
		'of %s after the credential has changed is an error of its own, which no retry helps',
		async (operation) => {
			const error = await getError(operation, new ConnectionGone('The credential was changed'));
			expect(error).toMatchObject({ kind: 'credential_changed', source: 'client', status: null });
		},
	);
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
