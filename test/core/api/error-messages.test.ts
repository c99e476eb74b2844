import { describeAnswer, describeServiceError } from '../../../core/api/error-messages';
import { ServiceError, type ErrorKind } from '../../../core/api/errors';
import type { OperationId } from '../../../core/api/operations';
import { ConnectionGone, SendFailure, type WireResponse } from '../../../core/api/ports';
import { errorBody, getError, type Answer } from '../support/scripted-service';

const NOVEMBER = Date.UTC(2026, 10, 20, 12);

/** Returns the message of a request that gets this answer, and the next step on a separate line. */
async function describeError(operation: OperationId, answer: Answer): Promise<string> {
	const { message, nextSteps } = describeServiceError(await getError(operation, answer), NOVEMBER);
	return [message, ...nextSteps.map(({ text }) => text)].join('\n');
}

function refusal(status: number, code: string, more: object = {}): Partial<WireResponse> {
	return { status, body: errorBody({ code, ...more }) };
}

function page(status: number, more: object = {}): Answer {
	return { status, body: '<title>Access denied</title>', ...more };
}

const INVALID = { message: 'Invalid body', details: { audience: 'too long' }, request_id: 'r7' };
const REFUSED_PROXY = ['it does not answer', false, 'ECONNREFUSED', 'HTTPS_PROXY'] as const;

test.each<[OperationId, Answer, string, string]>([
	[
		'create_brief',
		refusal(400, 'invalid', INVALID),
		'The service refused the request as invalid (400). The service says: Invalid body; audience: too long. (request r7)',
		'Correct what the message names, then run it again.',
	],
	[
		'create_brief',
		refusal(401, 'unauthorized'),
		'API key refused: it is wrong, has expired or was revoked (401).',
		'Create a new key in the Developers area of the vendor’s web app, and use it.',
	],
	[
		'create_brief',
		refusal(403, 'licence_required'),
		'The workspace has no Business licence for this tool (403).',
		'Ask the owner of the workspace to add the licence: access through the API needs it.',
	],
	[
		'create_brief',
		refusal(404, 'not_found'),
		'The service does not know this address (404).',
		'Check the base URL: it ends in /v1.',
	],
	[
		'get_brief',
		refusal(404, 'not_found'),
		'The workspace of this API key has no such brief (404).',
		'Check the ID, and that the key belongs to the workspace of the brief.',
	],
	[
		'create_brief',
		refusal(409, 'conflict'),
		'The idempotency key is already in use (409).',
		'Look for the brief in the vendor’s web app before you order it again.',
	],
	[
		'create_brief',
		refusal(429, 'monthly_limit', { message: 'Nothing left' }),
		'This month’s allowance of briefs is used up. The service says: Nothing left.',
		'It resets on 1 December (UTC). A larger licence raises it at once.',
	],
	[
		'create_brief',
		refusal(429, 'slots', { message: 'Both slots are taken!' }),
		'Both slots are in use: two briefs are running in the workspace. The service says: Both slots are taken!',
		'Run it again when one of them has finished, usually within six minutes.',
	],
	[
		'get_brief',
		refusal(500, 'internal'),
		'The service is down (500).',
		'Run it again in a few minutes.',
	],
	[
		'create_brief',
		refusal(503, 'maintenance', { message: 'Back soon' }),
		'The order got no usable answer (503). The service says: Back soon. The brief might have been created.',
		'Run it again: if the brief was created, it is used.',
	],
	[
		'create_brief',
		new SendFailure('the connection was cut', true),
		'The order got no usable answer: the connection was cut. The brief might have been created.',
		'Run it again: if the brief was created, it is used.',
	],
	[
		'create_brief',
		page(403),
		'Something other than the service answered (403): “Access denied”. The brief might have been created.',
		'Run it again: if the brief was created, it is used.',
	],
	[
		'get_brief',
		{ body: '{"id":"b2","status":"ready"}' },
		'The service’s answer cannot be read (200): it is brief b2, not b1.',
		'Neither the key nor your data is the cause. Run it again later; if it happens again, ask the vendor’s support.',
	],
	[
		'get_brief',
		new SendFailure('nothing listens at this address', false, 'ECONNREFUSED'),
		'The service cannot be reached: nothing listens at this address.',
		'Check the base URL and the network, then run it again.',
	],
	[
		'get_brief',
		new SendFailure(...REFUSED_PROXY),
		'The service cannot be reached: it does not answer.',
		'Check the proxy in HTTPS_PROXY, or remove the variable. Its form is http://user:password@host:port.',
	],
	[
		'get_brief',
		new ConnectionGone('The credential was changed while this node was running'),
		'The credential was changed while this node was running.',
		'Check the credential, then run it again. Briefs that were ordered before belong to the former base URL and API key.',
	],
	[
		'get_brief',
		page(401),
		'Something other than the service answered (401): “Access denied”.',
		'Check the base URL: it ends in /v1. If the address is right, ask the administrator of the network or its firewall.',
	],
	[
		'get_brief',
		page(404),
		'Something other than the service answered (404): “Access denied”.',
		'Check the base URL: it ends in /v1.',
	],
	[
		'get_brief',
		page(200),
		'Something other than the service answered (200): “Access denied”.',
		'It might be the sign-in page of a network. Check the base URL: it ends in /v1. If the address is right, ask the administrator of the network or its firewall.',
	],
	[
		'get_brief',
		page(407, { proxy: 'https_proxy' }),
		'A proxy asks for a user name and a password (407): “Access denied”. The request went through the proxy of https_proxy.',
		'Add them to https_proxy. Its form is http://user:password@host:port.',
	],
	[
		'get_brief',
		page(429, { headers: { 'retry-after': '120' } }),
		'Something other than the service answered (429): “Access denied”.',
		'Wait 2 minutes, then run it again.',
	],
	[
		'get_brief',
		page(502),
		'The service, or something between here and the service, is down (502): “Access denied”.',
		'Run it again in a few minutes.',
	],
])('%s answered with %j is “%s”', async (operation, answer, message, step) => {
	expect(await describeError(operation, answer)).toBe(`${message}\n${step}`);
});

const NEW_KEY =
	'Create a key with this scope in the Developers area of the vendor’s web app, and check that the workspace has a Business licence.';
test.each([
	['list_licences', 'products:read'],
	['list_briefs', 'creator-briefs:read'],
	['create_brief', 'creator-briefs:execute'],
	['get_brief', 'creator-briefs:read'],
	['list_hooks', 'content-iq:read'],
] as const)('a key that cannot call %s is missing the scope %s', async (operation, scope) => {
	const text = await describeError(operation, refusal(403, 'insufficient_scope'));
	expect(text).toBe(`API key is missing the scope ${scope} (403).\n${NEW_KEY}`);
});

test.each(['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'])(
	'a failure with %s names the variable for a certificate authority',
	async (code) => {
		const text = await describeError('get_brief', new SendFailure('', false, code));
		expect(text).toContain('NODE_EXTRA_CA_CERTS=/path/to/authority.pem');
	},
);

test.each([
	[{}, 'a minute'],
	[{ 'retry-after': '60' }, 'a minute'],
	[{ 'retry-after': '61' }, '2 minutes'],
	[{ 'retry-after': '7100' }, '119 minutes'],
	[{ 'retry-after': '7200' }, '2 hours'],
])('a rate limit with the headers %j says to wait %s', async (headers, wait) => {
	const answer = { ...refusal(429, 'x'), headers: headers as Record<string, string> };
	expect(await describeError('get_brief', answer)).toBe(
		`Rate limit reached (429).\nWait ${wait}, then run it again.`,
	);
});

test.each<ErrorKind>([
	...(['invalid_input', 'key_refused', 'scope_missing', 'licence_missing', 'not_found'] as const),
	...(['rate_limited', 'slots_busy', 'allowance_used_up', 'conflict'] as const),
	...(['service_unavailable', 'unreadable_answer', 'list_unreadable', 'unconfirmed'] as const),
])('an error of kind %s without other facts has a complete message', (kind) => {
	const error = new ServiceError({ kind, operation: 'create_brief' });
	const { message, nextSteps } = describeServiceError(error, NOVEMBER);
	for (const text of [message, nextSteps[0]?.text, describeAnswer(error)]) {
		expect(text).toMatch(/^[A-Z].*\.$/);
		expect(text).not.toMatch(/undefined|null|NaN|\(\)/);
	}
});

test('the answer to an order is described without its consequences', async () => {
	expect(describeAnswer(await getError('create_brief', page(403)))).toBe(
		'Something other than the service answered (403): “Access denied”.',
	);
});
