import { getBrief } from '../../../core/api/operations';
import { SendFailure, type Send } from '../../../core/api/ports';
import { redactKey } from '../../../core/api/redact-key';

const KEY = 'cb_live/ab+cd"<&\\\'==';

/** Returns the redacted body of an answer that repeats the text in its body and a header. */
async function redact(text: string): Promise<string> {
	const echo: Send = async () => ({ status: 200, headers: { 'x-echo': text }, body: text });
	const { body, headers } = await redactKey(echo, KEY)(getBrief('x'));
	expect(headers['x-echo']).toBe(body);
	return body;
}

function escapeKey(escape: (code: number, hex: string) => string): string {
	return KEY.replace(/[^a-z]/g, (character) => {
		const code = character.charCodeAt(0);
		return escape(code, code.toString(16).padStart(2, '0'));
	});
}

test.each([
	['in capital letters', KEY.toUpperCase(), ''],
	['in JSON', JSON.stringify(KEY), '""'],
	['in JSON with its slashes escaped', JSON.stringify(KEY).replaceAll('/', '\\/'), '""'],
	['in JSON with character codes', escapeKey((_, hex) => `\\u00${hex}`), ''],
	[
		'in JSON with character codes in capitals',
		escapeKey((_, hex) => `\\u00${hex.toUpperCase()}`),
		'',
	],
	['in JSON within JSON', JSON.stringify(JSON.stringify(KEY)), '"\\"\\""'],
	['in a URL', encodeURIComponent(KEY), ''],
	['in HTML with numbers', escapeKey((code) => `&#${code};`), ''],
	['in HTML with hexadecimal numbers', escapeKey((_, hex) => `&#x${hex};`), ''],
	['in HTML with names', 'cb_live/ab+cd&quot;&lt;&amp;\\&#039;==', ''],
])('removes a key %s', async (_, escaped, marks) => {
	const redacted = (await redact(`a ${escaped} z`)).replace('[API key]', '');
	expect(redacted).toBe(`a ${marks} z`);
});

test.each([
	['that differs from the key', `${KEY.slice(0, -1)} ${KEY.replace('/', 'X')} 100% \\u0063`],
	// A search in quadratic time would exceed the time limit of the test.
	['of many escapes', '\\'.repeat(400_000) + '%25'.repeat(150_000) + '&#0'.repeat(150_000)],
])('keeps a text %s', async (_, text) => {
	expect((await redact(text)) === text).toBe(true);
});

test.each([true, false])(
	'a failure (might have arrived: %s) keeps its fields without the key',
	async (mayHaveArrived) => {
		const fail: Send = () =>
			Promise.reject(new SendFailure(`refused ${KEY}`, mayHaveArrived, 'ECODE', 'HTTPS_PROXY'));
		const failure: unknown = await redactKey(fail, KEY)(getBrief('x')).catch((e: unknown) => e);
		const facts = { name: 'SendFailure', mayHaveArrived, code: 'ECODE', proxy: 'HTTPS_PROXY' };
		expect(failure).toMatchObject({ ...facts, message: 'refused [API key]' });
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
