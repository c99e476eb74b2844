import { getBrief } from '../../../service/api/operations';
import { SendFailure, type Send } from '../../../service/api/ports';
import { withoutKey } from '../../../service/api/without-key';

const KEY = 'canary-"key\\1';

test('a key that an answer repeats is blanked in its body, as it is and as JSON writes it, and in its headers', async () => {
	const echo: Send = () =>
		Promise.resolve({
			status: 400,
			headers: { 'x-echo': `Bearer ${KEY}` },
			body: `${KEY} ${JSON.stringify({ key: KEY })}`,
		});
	const answer = await withoutKey(echo, KEY)(getBrief('x'));
	expect(answer).toEqual({
		status: 400,
		headers: { 'x-echo': 'Bearer [API key]' },
		body: '[API key] {"key":"[API key]"}',
	});
});

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

test('without a key nothing is touched', () => {
	const send: Send = () => Promise.reject(new Error('unused'));
	expect(withoutKey(send, '')).toBe(send);
});

const SLASHED = 'cb_live/ab+cd==';

test.each([
	['with its slashes escaped', 'cb_live\\/ab+cd=='],
	['with a character escaped', 'c\\u0062_live/ab+cd=='],
	['with all characters escaped', SLASHED.replace(/./g, (c) => `\\u00${hexOf(c)}`)],
	['in capital escapes', SLASHED.replace(/./g, (c) => `\\u00${hexOf(c).toUpperCase()}`)],
	['in JSON within JSON', JSON.stringify(JSON.stringify({ key: SLASHED }))],
	['in a URL', encodeURIComponent(SLASHED)],
	['in a URL within a URL', encodeURIComponent(encodeURIComponent(SLASHED))],
	['in HTML', SLASHED.replace(/[^a-z]/g, (c) => `&#${c.charCodeAt(0)};`)],
	['in HTML by hexadecimal numbers', SLASHED.replace(/./g, (c) => `&#x${hexOf(c)};`)],
	['in capital letters', SLASHED.toUpperCase()],
])('a key is blanked %s', async (_, body) => {
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body: `a ${body} z` });
	const answer = await withoutKey(echo, SLASHED)(getBrief('x'));
	expect(answer.body).toContain('[API key]');
	expect(answer.body.length).toBeLessThan(50);
});

test.each([
	['a blank', 'key 1', 'key%201'],
	['a tab', 'key\t1', 'key%091'],
	['a letter beyond ASCII', 'kéy1', 'k%E9y1'],
])('a key with %s is blanked in a URL', async (_, key, body) => {
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body });
	expect((await withoutKey(echo, key)(getBrief('x'))).body).toBe('[API key]');
});

test('what only looks like the key stays', async () => {
	const body = 'cb_live/ab+cd= cb_liveXab+cd== 100% \\u0063';
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body });
	expect((await withoutKey(echo, SLASHED)(getBrief('x'))).body).toBe(body);
});

function hexOf(character: string): string {
	return character.charCodeAt(0).toString(16).padStart(2, '0');
}

test('a long answer that looks like the start of a key again and again takes no time', async () => {
	const body = '\\'.repeat(2_000_000) + '%25'.repeat(700_000) + '&#0'.repeat(700_000);
	const echo: Send = () => Promise.resolve({ status: 200, headers: {}, body });
	const began = Date.now();
	expect((await withoutKey(echo, SLASHED)(getBrief('x'))).body).toBe(body);
	expect(Date.now() - began).toBeLessThan(3000);
});
