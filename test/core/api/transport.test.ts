import { raceAbort, toSendFailure } from '../../../core/api/transport';

/** Returns an error of Node.js as axios and n8n wrap it. */
function makeError(code: string, syscall?: string): Error {
	const cause = Object.assign(new Error(code), { code, syscall });
	return new Error('The service refused the connection', { cause: new Error('x', { cause }) });
}

describe('toSendFailure', () => {
	test.each([
		['ECONNREFUSED', undefined, 'nothing listens at this address'],
		['ENOTFOUND', 'getaddrinfo', 'no host has this name'],
		['CERT_HAS_EXPIRED', undefined, 'its certificate has expired'],
		['CERT_UNTRUSTED', undefined, 'its certificate cannot be verified'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, 'its certificate cannot be verified'],
		['ERR_TLS_HANDSHAKE_TIMEOUT', undefined, 'its certificate cannot be verified'],
		['EHOSTUNREACH', 'connect', 'the host is not reachable'],
		['ETIMEDOUT', 'connect', 'no connection could be made'],
	])('says that nothing was sent after %s while connecting (%s): %s', (code, syscall, message) => {
		const failure = toSendFailure(makeError(code, syscall));
		expect(failure).toMatchObject({ mayHaveArrived: false, message, code });
	});

	test('says that nothing was sent if a proxy closes the connection before it answers', () => {
		const closed = new Error('Proxy connection ended before receiving CONNECT response');
		const failure = toSendFailure(new Error('The connection failed', { cause: closed }));
		const message = 'the proxy closed the connection';
		expect(failure).toMatchObject({ mayHaveArrived: false, message, proxy: 'HTTPS_PROXY' });
	});

	test.each([
		['ECONNRESET', 'the connection was cut'],
		['EPIPE', 'the connection was cut'],
		['ERR_BAD_RESPONSE', 'the answer was cut off or is too long'],
		[
			'EPROTO',
			'no secure connection could be made; perhaps the address, or that of a proxy, uses http instead of https',
		],
		['ECONNABORTED', 'the connection failed (ECONNABORTED)'],
		// An open connection fails with these codes when the network is lost.
		['ETIMEDOUT', 'the connection failed (ETIMEDOUT)'],
		['EHOSTUNREACH', 'the connection failed (EHOSTUNREACH)'],
		['PROXY_UNABLE_TO_GET_ANSWER', 'the connection failed (PROXY_UNABLE_TO_GET_ANSWER)'],
	])('says that the request might have arrived after %s: %s', (code, message) => {
		expect(toSendFailure(makeError(code, 'read'))).toMatchObject({ mayHaveArrived: true, message });
	});

	test.each([
		[new Error('odd'), 'odd'],
		['no error', 'no answer'],
	])('has the text of an error without a code: %s', (thrown, message) => {
		expect(toSendFailure(thrown)).toMatchObject({ mayHaveArrived: true, message });
	});
});

describe('raceAbort', () => {
	const reason = new Error('enough');

	test('rejects with the reason of the signal although the work never ends', async () => {
		const controller = new AbortController();
		const race = raceAbort(() => new Promise(() => undefined), controller.signal);
		controller.abort(reason);
		await expect(race).rejects.toBe(reason);
	});

	test('does not start the work if the signal was aborted before', async () => {
		const work = jest.fn(async () => 'done');
		await expect(raceAbort(work, AbortSignal.abort(reason))).rejects.toBe(reason);
		expect(work).not.toHaveBeenCalled();
	});

	test('can be used by many callers at once without a warning of Node.js', async () => {
		const emitWarning = jest.spyOn(process, 'emitWarning').mockReturnValue();
		const controller = new AbortController();
		const races = Array.from({ length: 30 }, async () => {
			await raceAbort(() => new Promise(() => undefined), controller.signal);
		});
		controller.abort(reason);
		const results = await Promise.allSettled(races);
		expect(results.every(({ status }) => status === 'rejected')).toBe(true);
		expect(emitWarning).not.toHaveBeenCalled();
	});
});
