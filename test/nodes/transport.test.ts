import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { sendWith } from '../../nodes/shared/transport';
import { createBrief, getBrief } from '../../service/operations';
import { SendFailure } from '../../service/ports';

function contextThat(answer: (options: IHttpRequestOptions) => unknown) {
	const asked: Array<{ credential: string; options: IHttpRequestOptions }> = [];
	const context = {
		helpers: {
			httpRequestWithAuthentication: (credential: string, options: IHttpRequestOptions) => {
				asked.push({ credential, options });
				return Promise.resolve().then(() => answer(options));
			},
		},
	} as unknown as IExecuteFunctions;
	return { context, asked };
}

const ok = { statusCode: 200, headers: {}, body: '{}' };
const order = createBrief({ product_name: 'Glow' }, '7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11');

const CONNECTION = { baseUrl: 'https://api.example.com/v1', apiKey: 'secret-key' };

describe('a request', () => {
	it('goes out byte for byte, with the credential, and follows no redirect', async () => {
		const { context, asked } = contextThat(() => ok);
		await sendWith(context, CONNECTION)(order);
		expect(asked[0]).toMatchObject({
			credential: 'creatorBriefingApi',
			options: {
				method: 'POST',
				url: 'https://api.example.com/v1/briefs',
				body: order.body,
				headers: order.headers,
				json: false,
				encoding: 'text',
				disableFollowRedirect: true,
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
			},
		});
	});

	it('gives an answer of any status back, with header names in lower case', async () => {
		const { context } = contextThat(() => ({
			statusCode: 429,
			headers: { 'Retry-After': '7', 'set-cookie': ['a', 'b'] },
			body: 'text',
		}));
		const response = await sendWith(context, CONNECTION)(order);
		expect(response).toEqual({ status: 429, headers: { 'retry-after': '7' }, body: 'text' });
	});

	it('comes back without the API key, even where the service repeats it', async () => {
		const { context } = contextThat(() => ({
			...ok,
			statusCode: 401,
			body: 'no such key: secret-key',
		}));
		const response = await sendWith(context, CONNECTION)(order);
		expect(response.body).toBe('no such key: [API key]');
	});

	it('reads an answer that n8n has parsed all the same', async () => {
		const { context } = contextThat(() => ({ ...ok, body: { data: [] } }));
		const response = await sendWith(context, CONNECTION)(getBrief('x'));
		expect(response.body).toBe('{"data":[]}');
	});
});

describe('a request without an answer', () => {
	function wrapped(code: string): Error {
		const cause = Object.assign(new Error(`connect ${code}`), { code });
		return new Error('The service refused the connection', { cause: new Error('x', { cause }) });
	}

	it.each([
		['ECONNREFUSED', false],
		['ENOTFOUND', false],
		['EAI_AGAIN', false],
		['ERR_INVALID_URL', false],
		['CERT_HAS_EXPIRED', false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', false],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
		['ECONNRESET', true],
		['ECONNABORTED', true],
		['ETIMEDOUT', true],
		['EPIPE', true],
		['ANYTHING_ELSE', true],
	])('may have reached the service (%s): %s', async (code, sent) => {
		const { context } = contextThat(() => {
			throw wrapped(code);
		});
		const failure = await sendWith(context, CONNECTION)(order).catch((e: unknown) => e);
		expect(failure).toBeInstanceOf(SendFailure);
		expect(failure).toMatchObject({ sent, message: `connect ${code}` });
	});

	it('counts as sent where it is not known', async () => {
		const { context } = contextThat(() => {
			throw new Error('odd');
		});
		const failure = await sendWith(context, CONNECTION)(order).catch((e: unknown) => e);
		expect(failure).toMatchObject({ sent: true, message: 'odd' });
	});

	it('ends with the reason of the signal after Stop', async () => {
		const controller = new AbortController();
		const { context, asked } = contextThat(() => {
			controller.abort(new Error('stopped'));
			throw wrapped('ERR_CANCELED');
		});
		await expect(sendWith(context, CONNECTION)(order, controller.signal)).rejects.toThrow(
			'stopped',
		);
		expect(asked[0]!.options.abortSignal).toBe(controller.signal);
	});
});
