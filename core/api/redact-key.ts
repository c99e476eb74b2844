import { SendFailure, type Send } from './ports';

const REPLACEMENT = '[API key]';

/** A shorter text can be part of ordinary words. */
const MIN_KEY_LENGTH = 8;

/**
 * Removes the API key from everything that a request returns (P8). A service or proxy that repeats the request would
 * otherwise leak the key into errors, files and logs.
 */
export function redactKey(send: Send, key: string): Send {
	if (key.length < MIN_KEY_LENGTH) return send;
	const pattern = makeKeyPattern(key);
	const redact = (text: string) => text.replace(pattern, REPLACEMENT);
	return (request, signal) =>
		send(request, signal).then(
			(response) => {
				const { headers, body } = response;
				const redacted = Object.entries(headers).map(([name, value]) => [name, redact(value)]);
				return {
					...response,
					headers: Object.fromEntries(redacted) as Record<string, string>,
					body: redact(body),
				};
			},
			(failure: unknown) => {
				if (!(failure instanceof SendFailure)) throw failure;
				const { message, mayHaveArrived, code, proxy } = failure;
				throw new SendFailure(redact(message), mayHaveArrived, code, proxy);
			},
		);
}

const HTML_NAMES: Readonly<Record<string, readonly string[]>> = {
	'&': ['&amp;'],
	'<': ['&lt;'],
	'>': ['&gt;'],
	'"': ['&quot;'],
	"'": ['&apos;'],
};

/**
 * Returns a pattern that matches the key in upper or lower case, plain or escaped for JSON, nested JSON, a URL or HTML. None
 * of these escapes letters and digits.
 */
function makeKeyPattern(key: string): RegExp {
	const characters = key.split('').map((character) => {
		if (/[a-z\d]/i.test(character)) return character;
		const code = character.charCodeAt(0);
		const hex = code.toString(16).padStart(2, '0');
		const forms = [
			`\\\\{0,3}${character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`,
			`\\\\{1,2}u${hex.padStart(4, '0')}`,
			`%${hex}`,
			`&#(?:0?${code}|x${hex});`,
			...(HTML_NAMES[character] ?? []),
		];
		return `(?:${forms.join('|')})`;
	});
	return new RegExp(characters.join(''), 'gi');
}
