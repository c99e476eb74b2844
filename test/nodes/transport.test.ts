import { type IExecuteFunctions, type IHttpRequestOptions } from 'n8n-workflow';
import { sendWith } from '../../nodes/shared/transport';
import { createBrief, getBrief } from '../../service/api/operations';
import { SendFailure } from '../../service/api/ports';
import { failureOf } from '../support/failure-of';

const CONNECTION = { baseUrl: 'https://api.example.com/v1', apiKey: 'secret-key' };

function contextThat(
	answer: (options: IHttpRequestOptions) => unknown,
	getCredentials: () => Promise<object> = () => Promise.resolve(CONNECTION),
) {
	const asked: Array<{ credential: string; options: IHttpRequestOptions }> = [];
	const context = {
		getCredentials,
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

describe('a request', () => {
	it('goes out byte for byte, with the credential', async () => {
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
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
			},
		});
	});

	it.each([
		[
			'of any status, with header names in lower case',
			{ statusCode: 429, headers: { 'Retry-After': '7', 'set-cookie': ['a'] }, body: 'text' },
			{ status: 429, headers: { 'retry-after': '7' }, body: 'text' },
		],
		[
			'without the API key, even if the service repeats it',
			{ statusCode: 401, headers: {}, body: 'no such key: secret-key' },
			{ status: 401, headers: {}, body: 'no such key: [API key]' },
		],
		[
			'that n8n has parsed as it was',
			{ statusCode: 200, headers: {}, body: { data: [] } },
			{ status: 200, headers: {}, body: '{"data":[]}' },
		],
	])('gives an answer back %s', async (_, answer, expected) => {
		const { context } = contextThat(() => answer);
		expect(await sendWith(context, CONNECTION)(getBrief('x'))).toEqual(expected);
	});
});

describe('a request without an answer', () => {
	function wrapped(code: string): Error {
		const cause = Object.assign(new Error(`connect ${code}`), { code });
		return new Error('The service refused the connection', { cause: new Error('x', { cause }) });
	}

	it.each([
		['connect ECONNREFUSED', wrapped('ECONNREFUSED'), false],
		['connect ECONNRESET', wrapped('ECONNRESET'), true],
		['odd', new Error('odd'), true],
	])('may have reached the service: %s', async (message, thrown, mayHaveArrived) => {
		const { context } = contextThat(() => {
			throw thrown;
		});
		const failure = await failureOf(sendWith(context, CONNECTION)(order), SendFailure);
		expect(failure).toMatchObject({ mayHaveArrived, message });
	});

	it('is ended when its answer takes too long, though nobody listens to its signal', async () => {
		const { context, asked } = contextThat(() => new Promise(() => {}));
		await expect(sendWith(context, CONNECTION, 20)(order)).rejects.toThrow(
			new SendFailure('no whole answer within 0.02 seconds', true),
		);
		expect(asked[0]!.options.abortSignal?.aborted).toBe(true);
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

it('a request of a node whose credential was saved again with blanks and slashes goes out', async () => {
	const saved = { baseUrl: ` ${CONNECTION.baseUrl}/ `, apiKey: 'Bearer secret-key ' };
	const { context, asked } = contextThat(
		() => ok,
		() => Promise.resolve(saved),
	);
	await sendWith(context, CONNECTION)(order);
	expect(asked).toHaveLength(1);
});
