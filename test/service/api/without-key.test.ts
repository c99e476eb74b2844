import { getBrief } from '../../../service/api/operations';
import { SendFailure, type Send } from '../../../service/api/ports';
import { withoutKey } from '../../../service/api/without-key';

const KEY = 'canary-"key\\1';

test.each([true, false])(
	'a failure keeps whether something was sent (%s), and loses the key',
	async (mayHaveArrived) => {
		const fail: Send = () => Promise.reject(new SendFailure(`refused ${KEY}`, mayHaveArrived));
		const failure: unknown = await withoutKey(fail, KEY)(getBrief('x')).catch((e: unknown) => e);
		expect(failure).toMatchObject({
			name: 'SendFailure',
			message: 'refused [API key]',
			mayHaveArrived,
			code: '',
		});
	},
);

test('an abort passes through as it is', async () => {
	const reason = new DOMException('stopped', 'AbortError');
	const aborted: Send = () => Promise.reject(reason);
	await expect(withoutKey(aborted, KEY)(getBrief('x'))).rejects.toBe(reason);
});

test.each(['', 'created'])('by a key of few letters, “%s”, nothing is blanked', (key) => {
	const send: Send = () => Promise.reject(new Error('unused'));
	expect(withoutKey(send, key)).toBe(send);
});

const SLASHED = 'cb_live/ab+cd"<&\\\'==';

const escaped = (write: (code: number) => string) =>
	SLASHED.replace(/[^a-z]/g, (character) => write(character.charCodeAt(0)));
const hexOf = (code: number) => code.toString(16).padStart(2, '0');

test.each([
	['in capital letters', SLASHED.toUpperCase()],
	['in JSON', JSON.stringify(SLASHED)],
	['in JSON with its slashes escaped', JSON.stringify(SLASHED).replaceAll('/', '\\/')],
	['in JSON with its signs as numbers', escaped((code) => `\\u00${hexOf(code)}`)],
	['in JSON in capital letters', escaped((code) => `\\u00${hexOf(code).toUpperCase()}`)],
	['in JSON within JSON', JSON.stringify(JSON.stringify({ key: SLASHED }))],
	['in a URL', encodeURIComponent(SLASHED)],
	['in HTML by numbers', escaped((code) => `&#${code};`)],
	['in HTML by hexadecimal numbers', escaped((code) => `&#x${hexOf(code)};`)],
	['in HTML by names', 'cb_live/ab+cd&quot;&lt;&amp;\\&#039;=='],
])('a key is blanked %s', async (_, body) => {
	const text = `a ${body} z`;
	const echo: Send = () =>
		Promise.resolve({ status: 200, headers: { 'x-echo': text }, body: text });
	const answer = await withoutKey(echo, SLASHED)(getBrief('x'));
	for (const left of [answer.body, answer.headers['x-echo']]) {
		expect(left).toContain('[API key]');
		expect(left!.length).toBeLessThan(50);
	}
});

test('what only looks like the key stays', async () => {
	const body = `${SLASHED.slice(0, -1)} ${SLASHED.replace('/', 'X')} 100% \\u0063`;
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body });
	expect((await withoutKey(echo, SLASHED)(getBrief('x'))).body).toBe(body);
});

test('a long answer that looks like the start of a key again and again takes no time', async () => {
	const body = '\\'.repeat(2_000_000) + '%25'.repeat(700_000) + '&#0'.repeat(700_000);
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body });
	const began = Date.now();
	expect((await withoutKey(echo, SLASHED)(getBrief('x'))).body).toBe(body);
	expect(Date.now() - began).toBeLessThan(3000);
});
