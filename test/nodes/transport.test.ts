import type { IExecuteFunctions } from 'n8n-workflow';
import { makeSend } from '../../nodes/shared/transport';
import { getBrief } from '../../core/api/operations';
import { SendFailure } from '../../core/api/ports';
import { catchError } from '../support/catch-error';

const connection = { baseUrl: 'https://api.example.com/v1', apiKey: 'secret-key' };

/** Sends a request for which n8n's helper returns or throws this. */
function send(answer: () => unknown, signal?: AbortSignal, timeoutMs?: number) {
	const context = {
		getCredentials: () => Promise.resolve(connection),
		helpers: { httpRequestWithAuthentication: () => Promise.resolve().then(answer) },
	} as unknown as IExecuteFunctions;
	return makeSend(context, connection, timeoutMs)(getBrief('x'), signal);
}

/** Returns an error of axios as n8n wraps it. */
function wrap(code: string): Error {
	const cause = Object.assign(new Error(`connect ${code}`), { code });
	return new Error('The service refused the connection', { cause: new Error('x', { cause }) });
}

test('returns the text of an answer that n8n has parsed, as some versions do', async () => {
	const answer = { statusCode: 200, headers: {}, body: { data: [] } };
	expect(await send(() => answer)).toEqual({ status: 200, headers: {}, body: '{"data":[]}' });
});

test.each([
	['nothing listens at this address', wrap('ECONNREFUSED'), false],
	['the connection was cut', wrap('ECONNRESET'), true],
	['odd', new Error('odd'), true],
])(
	'reports whether a request without an answer might have arrived: %s',
	async (message, thrown, mayHaveArrived) => {
		const request = send(() => {
			throw thrown;
		});
		expect(await catchError(request, SendFailure)).toMatchObject({ mayHaveArrived, message });
	},
);

test('rejects with the reason of the signal after Stop', async () => {
	const controller = new AbortController();
	const request = send(() => {
		controller.abort(new Error('stopped'));
		throw wrap('ERR_CANCELED');
	}, controller.signal);
	await expect(request).rejects.toThrow('stopped');
});

test('ends a request at its timeout although n8n’s helper never settles', async () => {
	const { signal } = new AbortController();
	const request = send(() => new Promise(() => undefined), signal, 20);
	const message = 'no complete answer within 0.02 seconds';
	expect(await catchError(request, SendFailure)).toMatchObject({ mayHaveArrived: true, message });
});

test('reads the credential once for requests that begin at the same time, and again for later requests', async () => {
	const answer = { statusCode: 200, headers: {}, body: '{}' };
	const getCredentials = jest.fn(() => Promise.resolve(connection));
	const helpers = { httpRequestWithAuthentication: () => Promise.resolve(answer) };
	const request = makeSend({ getCredentials, helpers } as unknown as IExecuteFunctions, connection);
	await Promise.all([request(getBrief('x')), request(getBrief('y'))]);
	expect(getCredentials).toHaveBeenCalledTimes(1);
	await request(getBrief('x'));
	expect(getCredentials).toHaveBeenCalledTimes(2);
});
