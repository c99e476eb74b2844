import { getBrief } from '../../../core/api/operations';
import { SendFailure, type Send } from '../../../core/api/ports';
import { redactKey } from '../../../core/api/redact-key';

const KEY = 'canary-"key\\1';

test.each([true, false])(
	'a failure that might have arrived (%s) keeps its facts without the key',
	async (mayHaveArrived) => {
		const fail: Send = () =>
			Promise.reject(new SendFailure(`refused ${KEY}`, mayHaveArrived, 'ECODE', 'HTTPS_PROXY'));
		const failure: unknown = await redactKey(fail, KEY)(getBrief('x')).catch((e: unknown) => e);
		expect(failure).toMatchObject({
			name: 'SendFailure',
			message: 'refused [API key]',
			mayHaveArrived,
			code: 'ECODE',
			proxy: 'HTTPS_PROXY',
		});
	},
);

test('keeps the reason of an abort', async () => {
	const reason = new DOMException('stopped', 'AbortError');
	const aborted: Send = () => Promise.reject(reason);
	await expect(redactKey(aborted, KEY)(getBrief('x'))).rejects.toBe(reason);
});

test.each(['', 'created'])('leaves texts as they are if the key is as short as “%s”', (key) => {
	const send: Send = () => Promise.reject(new Error('unused'));
	expect(redactKey(send, key)).toBe(send);
});

const SLASHED = 'cb_live/ab+cd"<&\\\'==';

const escaped = (write: (code: number) => string) =>
	SLASHED.replace(/[^a-z]/g, (character) => write(character.charCodeAt(0)));
const hexOf = (code: number) => code.toString(16).padStart(2, '0');

test.each([
	['in capital letters', SLASHED.toUpperCase()],
	['in JSON', JSON.stringify(SLASHED)],
	['in JSON with its slashes escaped', JSON.stringify(SLASHED).replaceAll('/', '\\/')],
	['in JSON with character codes', escaped((code) => `\\u00${hexOf(code)}`)],
	[
		'in JSON with character codes in capital letters',
		escaped((code) => `\\u00${hexOf(code).toUpperCase()}`),
	],
	['in JSON within JSON', JSON.stringify(JSON.stringify({ key: SLASHED }))],
	['in a URL', encodeURIComponent(SLASHED)],
	['in HTML with numbers', escaped((code) => `&#${code};`)],
	['in HTML with hexadecimal numbers', escaped((code) => `&#x${hexOf(code)};`)],
	['in HTML with names', 'cb_live/ab+cd&quot;&lt;&amp;\\&#039;=='],
])('removes a key %s', async (_, body) => {
	const text = `a ${body} z`;
	const echo: Send = () =>
		Promise.resolve({ status: 200, headers: { 'x-echo': text }, body: text });
	const answer = await redactKey(echo, SLASHED)(getBrief('x'));
	for (const left of [answer.body, answer.headers['x-echo']]) {
		expect(left).toContain('[API key]');
		expect(left!.length).toBeLessThan(50);
	}
});

test('keeps a text that differs from the key', async () => {
	const body = `${SLASHED.slice(0, -1)} ${SLASHED.replace('/', 'X')} 100% \\u0063`;
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body });
	expect((await redactKey(echo, SLASHED)(getBrief('x'))).body).toBe(body);
});

// A search in quadratic time would exceed the time limit of the test.
test('searches a long answer in linear time', async () => {
	const body = '\\'.repeat(400_000) + '%25'.repeat(150_000) + '&#0'.repeat(150_000);
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body });
	expect((await redactKey(echo, SLASHED)(getBrief('x'))).body).toBe(body);
});
