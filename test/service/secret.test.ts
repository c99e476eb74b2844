import { getBrief } from '../../service/operations';
import { SendFailure, type Send } from '../../service/ports';
import { withoutSecret } from '../../service/secret';

const KEY = 'canary-"key\\1';

test('a key that an answer repeats is blanked in its body, as it is and as JSON writes it, and in its headers', async () => {
	const echo: Send = () =>
		Promise.resolve({
			status: 400,
			headers: { 'x-echo': `Bearer ${KEY}` },
			body: `${KEY} ${JSON.stringify({ key: KEY })}`,
		});
	const answer = await withoutSecret(echo, KEY)(getBrief('x'));
	expect(answer).toEqual({
		status: 400,
		headers: { 'x-echo': 'Bearer [API key]' },
		body: '[API key] {"key":"[API key]"}',
	});
});

test.each([true, false])(
	'a failure keeps whether something was sent (%s), and loses the key',
	async (sent) => {
		const fail: Send = () => Promise.reject(new SendFailure(`refused ${KEY}`, sent));
		const failure: unknown = await withoutSecret(fail, KEY)(getBrief('x')).catch((e: unknown) => e);
		expect(failure).toMatchObject({ message: 'refused [API key]', sent });
	},
);

test('an abort passes through as it is', async () => {
	const reason = new DOMException('stopped', 'AbortError');
	const aborted: Send = () => Promise.reject(reason);
	await expect(withoutSecret(aborted, KEY)(getBrief('x'))).rejects.toBe(reason);
});

test('without a key nothing is touched', () => {
	const send: Send = () => Promise.reject(new Error('unused'));
	expect(withoutSecret(send, '')).toBe(send);
});
