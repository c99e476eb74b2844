import { SendFailure, type Send } from './ports';

const IN_ITS_PLACE = '[API key]';

/** A shorter key may be a part of words. */
const SHORTEST_BLANKED = 8;

/**
 * Blanks the API key in everything that a request brings back (P8): otherwise a service or proxy that repeats its
 * request would bring the key into errors, files and logs.
 */
export function redactKey(send: Send, key: string): Send {
	if (key.length < SHORTEST_BLANKED) return send;
	const pattern = anyFormOf(key);
	const blank = (text: string) => text.replace(pattern, IN_ITS_PLACE);
	return (request, signal) =>
		send(request, signal).then(
			(response) => {
				const { headers, body } = response;
				const blanked = Object.entries(headers).map(([name, value]) => [name, blank(value)]);
				return {
					...response,
					headers: Object.fromEntries(blanked) as Record<string, string>,
					body: blank(body),
				};
			},
			(failure: unknown) => {
				if (!(failure instanceof SendFailure)) throw failure;
				throw new SendFailure(blank(failure.message), failure.mayHaveArrived, failure.code);
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
 * Matches the key in upper or lower case, as it is and as JSON, JSON within JSON, a URL or HTML writes it. None of them
 * escapes a letter or a digit.
 */
function anyFormOf(key: string): RegExp {
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
