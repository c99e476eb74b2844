import type { IExecuteFunctions } from 'n8n-workflow';
import { sendWith } from '../../nodes/shared/transport';
import { getBrief } from '../../service/api/operations';
import { SendFailure } from '../../service/api/ports';
import { failureOf } from '../support/failure-of';

/** What becomes of a request if n8n's helper gives or throws this. */
function sent(answer: () => unknown, signal?: AbortSignal) {
	const connection = { baseUrl: 'https://api.example.com/v1', apiKey: 'secret-key' };
	const context = {
		getCredentials: () => Promise.resolve(connection),
		helpers: { httpRequestWithAuthentication: () => Promise.resolve().then(answer) },
	} as unknown as IExecuteFunctions;
	return sendWith(context, connection)(getBrief('x'), signal);
}

/** As n8n wraps what axios has thrown. */
function wrapped(code: string): Error {
	const cause = Object.assign(new Error(`connect ${code}`), { code });
	return new Error('The service refused the connection', { cause: new Error('x', { cause }) });
}

it('an answer that n8n has parsed, as some versions do, is read as it was', async () => {
	const answer = { statusCode: 200, headers: {}, body: { data: [] } };
	expect(await sent(() => answer)).toEqual({ status: 200, headers: {}, body: '{"data":[]}' });
});

it.each([
	['connect ECONNREFUSED', wrapped('ECONNREFUSED'), false],
	['connect ECONNRESET', wrapped('ECONNRESET'), true],
	['odd', new Error('odd'), true],
])('a request without an answer may have arrived: %s', async (message, thrown, mayHaveArrived) => {
	const request = sent(() => {
		throw thrown;
	});
	expect(await failureOf(request, SendFailure)).toMatchObject({ mayHaveArrived, message });
});

it('a request that Stop has ended ends with the reason of the signal', async () => {
	const controller = new AbortController();
	const request = sent(() => {
		controller.abort(new Error('stopped'));
		throw wrapped('ERR_CANCELED');
	}, controller.signal);
	await expect(request).rejects.toThrow('stopped');
});
